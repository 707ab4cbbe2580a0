"""What must have happened, from the state of the hand and what lies on the table now.

Nothing here remembers: the difference between the recorded state and a steady observation says
what is new. So the program may be stopped and started at any moment, and a step that was missed
is found with the next picture.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from table_assist.doubts import PUZZLING_PICTURES, Doubt, doubts_about
from table_assist.game.events import (
    BirdTurned,
    Claimed,
    Discarded,
    Event,
    HandShown,
    KongDeclared,
    LastTilePassed,
)
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import visible_tiles
from table_assist.game.state import Phase, TableState
from table_assist.melds import Meld, MeldKind
from table_assist.sight import (
    DOUBTFUL_PICTURES,
    SURE_PICTURES,
    faces_of,
    hand_faces,
    river_order,
    set_apart,
    turned_birds,
    unexplained,
)
from table_assist.tiles import COPIES, Tile
from table_assist.vision.observe import Observation, SeenTile
from table_assist.vision.zones import ZoneKind

# More recorded tiles than this missing at once: something covers the table.
MISSING_AT_MOST = 2
# More steps than this between two pictures cannot be told apart.
STEPS_AT_MOST = 8


@dataclass(frozen=True, slots=True)
class Proposed:
    """An event that the picture shows.

    Attributes:
        candidates: when the event's tile is UNKNOWN, the likeliest faces, best first.
    """

    event: Event
    confidence: float
    candidates: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class Reread:
    """A recorded discard whose face is now seen as `tile`.

    Attributes:
        index: in the seat's river as the state has it.
    """

    seat: int
    index: int
    recorded: Tile
    tile: Tile


@dataclass(frozen=True, slots=True)
class Inferred:
    """What one observation adds.

    Attributes:
        covered: too much of what must be there is not seen; nothing was inferred.
    """

    proposed: tuple[Proposed, ...] = ()
    reread: tuple[Reread, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    covered: bool = False


def step(state: TableState, observation: Observation) -> Inferred:
    """Explain the observation: the events since `state`, in the order they happened."""
    if state.phase not in (Phase.PLAYING, Phase.SHOWING):
        return Inferred()
    rivers = tuple(river_order(observation, seat) for seat in range(4))
    missing = sum(
        max(len(seat.river) - len(river), 0)
        for seat, river in zip(state.seats, rivers, strict=True)
    )
    if missing > MISSING_AT_MOST:
        return Inferred(covered=True)
    proposed: list[Proposed] = []
    for _ in range(STEPS_AT_MOST):
        found = _next_event(state, observation, rivers)
        if found is None:
            break
        proposed.append(found)
        state = apply(state, found.event)
    return Inferred(
        proposed=tuple(proposed),
        reread=tuple(_rereads(state, rivers)),
        doubts=tuple(doubts_about(state, observation, rivers)),
    )


def _next_event(
    state: TableState, observation: Observation, rivers: tuple[tuple[SeenTile, ...], ...]
) -> Proposed | None:
    if not state.shown:
        for seat in range(4):
            found = _meld(state, observation, rivers, seat)
            if found is not None:
                return found
        found = _discard(state, rivers)
        if found is not None:
            return found
    if state.phase is not Phase.SHOWING:
        return None
    if not state.shown and _is_unexplained(state, observation, rivers):
        return None  # what is not recorded yet may be the very tile that was won
    return _shown(state, observation) or _bird(state, observation)


def _is_unexplained(
    state: TableState, observation: Observation, rivers: tuple[tuple[SeenTile, ...], ...]
) -> bool:
    """Whether tiles lie in a river or among melds that are not recorded."""
    return any(
        len(rivers[seat]) > len(state.seats[seat].river)
        or bool(unexplained(state, observation, seat)[1])
        for seat in range(4)
    )


def _discard(state: TableState, rivers: tuple[tuple[SeenTile, ...], ...]) -> Proposed | None:
    """A river is longer than recorded; whose turn it is comes first."""
    turn = state.turn if state.holder is None else state.holder
    for seat in sorted(range(4), key=lambda s: (s - turn) % 4):
        recorded = len(state.seats[seat].river)
        if len(rivers[seat]) <= recorded:
            continue
        seen = rivers[seat][recorded]
        needed = SURE_PICTURES if seat == turn and seen.tile.is_face else DOUBTFUL_PICTURES
        if seen.pictures < needed:
            return None
        if seat != turn and _may_pass(state):
            return Proposed(LastTilePassed(turn), seen.confidence)
        tile = seen.tile
        if visible_tiles(state).count(tile) >= COPIES:
            tile = Tile.UNKNOWN
        return Proposed(Discarded(seat, tile), seen.confidence, faces_of(seen))
    return None


def _may_pass(state: TableState) -> bool:
    """Whether who is to draw may leave the wall's last tile to the next."""
    last = state.holder is None and state.wall_left == 1
    return last and rules_in_force(state).last_tile_may_be_passed


def _rereads(state: TableState, rivers: tuple[tuple[SeenTile, ...], ...]) -> list[Reread]:
    found = []
    for seat, river in enumerate(rivers):
        recorded = state.seats[seat].river
        differ = [
            i for i, (a, b) in enumerate(zip(recorded, river, strict=False)) if b.tile is not a
        ]
        if len(river) != len(recorded) or len(differ) != 1:
            continue  # with one hidden and one new every tile would be taken for its neighbour
        for index in differ:
            tile, seen = recorded[index], river[index]
            if not seen.tile.is_face or visible_tiles(state).count(seen.tile) >= COPIES:
                continue
            if seen.pictures >= (SURE_PICTURES if tile is Tile.UNKNOWN else PUZZLING_PICTURES):
                found.append(Reread(seat, index, tile, seen.tile))
    return found


def _meld(
    state: TableState,
    observation: Observation,
    rivers: tuple[tuple[SeenTile, ...], ...],
    seat: int,
) -> Proposed | None:
    """A new meld or an added kong before the seat."""
    kong, fresh = unexplained(state, observation, seat)
    if kong is not None:
        return Proposed(KongDeclared(seat, MeldKind.KONG_ADDED, kong), 1.0)
    if len(fresh) not in (3, 4) or min(tile.pictures for tile in fresh) < SURE_PICTURES:
        return None
    confidence = min(tile.confidence for tile in fresh)
    faces = tuple(tile.tile for tile in fresh if tile.tile is not Tile.BACK)
    if len(fresh) == 4 and len(faces) == 2:
        tile = _one_face(faces)
        if tile is None:
            return None
        return Proposed(KongDeclared(seat, MeldKind.KONG_CONCEALED, tile), confidence)
    if len(faces) != len(fresh) or state.last_discard is None:
        return None
    discarder, claimed = state.last_discard
    if len(rivers[discarder]) >= len(state.seats[discarder].river):
        return None  # the discard still lies in the river: the meld is only being laid out
    meld = claimed_meld(faces, claimed)
    if meld is None:
        return None
    return Proposed(Claimed(seat, meld.kind, meld.tiles, discarder), confidence)


def claimed_meld(faces: tuple[Tile, ...], claimed: Tile) -> Meld | None:
    """The meld that these tiles are, the claimed one among them; None when they are none.

    One tile that could not be read is filled in when the others leave only one choice.
    """
    kinds = (MeldKind.KONG_EXPOSED,) if len(faces) == 4 else (MeldKind.PUNG, MeldKind.CHOW)
    unread = faces.count(Tile.UNKNOWN)
    if unread > 1:
        return None
    known = [tile for tile in faces if tile is not Tile.UNKNOWN]
    choices = [t for t in Tile if t.is_face] if unread else [Tile.UNKNOWN]
    fits = []
    for choice in choices:
        tiles = tuple(sorted([*known, choice] if unread else known))
        fits += [
            Meld(kind, tiles)
            for kind in kinds
            if Meld(kind, tiles).is_well_formed and (claimed in tiles or not claimed.is_face)
        ]
    return fits[0] if len(fits) == 1 else None


def _one_face(faces: Sequence[Tile]) -> Tile | None:
    sure = {tile for tile in faces if tile.is_face}
    return sure.pop() if len(sure) == 1 else None


def _shown(state: TableState, observation: Observation) -> Proposed | None:
    known = {hand.seat: hand for hand in state.shown}
    for seat in state.declared:
        tiles = hand_faces(observation, seat)
        if not tiles or min(tile.pictures for tile in tiles) < SURE_PICTURES:
            continue
        if not observation.can_see(ZoneKind.HAND, seat):
            continue  # part of it may be hidden
        unsure = any(not tile.tile.is_face for tile in tiles)
        if unsure and max(tile.pictures for tile in tiles) < DOUBTFUL_PICTURES:
            continue
        tiles = _conserved(state, tiles, seat)
        event = _shown_hand(state, seat, tiles)
        if event is None or _same_hand(known.get(seat), event):
            continue
        doubtful = next((tile for tile in tiles if not tile.tile.is_face), None)
        candidates = faces_of(doubtful) if doubtful else ()
        return Proposed(event, min(tile.confidence for tile in tiles), candidates)
    return None


def _shown_hand(state: TableState, seat: int, tiles: Sequence[SeenTile]) -> HandShown | None:
    faces = tuple(tile.tile for tile in tiles)
    base = 13 - 3 * len(state.seats[seat].melds)
    if len(faces) == base + 1:
        return HandShown(seat, tuple(sorted(faces)), set_apart(tiles, seat), True)
    given = state.given_up
    if len(faces) == base and given is not None and given[0] != seat:
        return HandShown(seat, tuple(sorted((*faces, given[1]))), given[1], False)
    return None


def _same_hand(known: HandShown | None, new: HandShown) -> bool:
    """Already recorded, perhaps with some tiles answered by a person since."""
    if known is None or known.self_drawn is not new.self_drawn:
        return False
    left = Counter(known.concealed)
    left.subtract(tile for tile in new.concealed if tile is not Tile.UNKNOWN)
    return all(count >= 0 for count in left.values()) and len(known.concealed) == len(new.concealed)


def _conserved(state: TableState, tiles: Sequence[SeenTile], seat: int) -> list[SeenTile]:
    """The tiles with the least sure of a fifth copy turned to UNKNOWN."""
    others = replace(state, shown=tuple(hand for hand in state.shown if hand.seat != seat))
    counts = Counter(visible_tiles(others))
    counts.update(tile.tile for tile in tiles)
    kept = list(tiles)
    for face, count in counts.items():
        if face.is_face and count > COPIES:
            own = [i for i, tile in enumerate(kept) if tile.tile is face]
            least = min(own, key=lambda i: kept[i].confidence, default=None)
            if least is not None:
                kept[least] = replace(kept[least], tile=Tile.UNKNOWN)
    return kept


def _bird(state: TableState, observation: Observation) -> Proposed | None:
    if {hand.seat for hand in state.shown} != set(state.declared):
        return None
    turned = turned_birds(observation)
    known = (*state.birds, *state.old_birds)
    left = Counter(known)
    for seen in turned:
        if left[seen.tile] > 0:
            left[seen.tile] -= 1
            continue
        if len(turned) <= len(known):
            continue
        if seen.pictures >= (SURE_PICTURES if seen.tile.is_face else DOUBTFUL_PICTURES):
            return Proposed(BirdTurned(seen.tile), seen.confidence, faces_of(seen))
    return None
