"""What must have happened, from the state of the hand and what lies on the table now.

Nothing here remembers: the difference between the recorded state and a steady observation says
what is new. So the program may be stopped and started at any moment, and a step that was missed
is found with the next picture.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from table_assist.game.events import (
    BirdTurned,
    Claimed,
    Discarded,
    Event,
    HandShown,
    KongDeclared,
)
from table_assist.game.state import Phase, TableState, apply, visible_tiles
from table_assist.melds import Meld, MeldKind
from table_assist.tiles import COPIES, Tile
from table_assist.vision.observe import Observation, SeenTile
from table_assist.vision.zones import ZoneKind, to_seat

# Pictures a thing must have been seen in before it is taken for a fact ...
SURE_PICTURES = 2
# ... before a single tile beside a pung is a kong, not the first tile of a meld being laid ...
LAID_PICTURES = 4
# ... before it is recorded although its face is not sure, or although it is nobody's turn ...
DOUBTFUL_PICTURES = 5
# ... and before people are asked about something that does not fit.
PUZZLING_PICTURES = 8
# More recorded tiles than this missing at once: something covers the table.
MISSING_AT_MOST = 2
# A tile set apart from its neighbours: half the gap that players leave for a drawn tile.
APART_MM = 8.0
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
class Doubt:
    """Something that does not fit and that a person must look at.

    Attributes:
        question: the same id for the same doubt.
        text: (English, Chinese); ``{2}`` stands for the name of the player in seat 2.
        if_yes: what "yes" means, as in `Asked`; `blocks` likewise.
    """

    question: str
    text: tuple[str, str]
    choices: tuple[str, ...] = ("yes",)
    if_yes: Event | None = None
    blocks: bool = False


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
        doubts=tuple(_doubts(state, observation, rivers)),
    )


def river_order(observation: Observation, seat: int) -> tuple[SeenTile, ...]:
    """The seat's river, oldest discard first: row by row from the centre, left to right."""
    tiles = [
        (*to_seat(tile.x_mm, tile.y_mm, seat), tile)
        for tile in observation.in_zone(ZoneKind.RIVER, seat)
        if tile.tile is not Tile.BACK
    ]
    tiles.sort(key=lambda item: item[1])
    rows: list[list[tuple[float, float, SeenTile]]] = []
    for item in tiles:
        # A new row begins half a tile's length further out than the last one's first tile.
        if not rows or item[1] - rows[-1][0][1] > 17.0:
            rows.append([])
        rows[-1].append(item)
    return tuple(item[2] for row in rows for item in sorted(row, key=lambda placed: placed[0]))


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
        or bool(_unexplained(state, observation, seat)[1])
        for seat in range(4)
    )


# -- discards --------------------------------------------------------------------------------------


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
        tile = seen.tile
        if visible_tiles(state).count(tile) >= COPIES:
            tile = Tile.UNKNOWN
        return Proposed(Discarded(seat, tile), seen.confidence, _faces(seen))
    return None


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


def _faces(seen: SeenTile) -> tuple[Tile, ...]:
    return tuple(tile for tile, _ in seen.candidates if tile.is_face)


# -- melds -----------------------------------------------------------------------------------------


def _meld(
    state: TableState,
    observation: Observation,
    rivers: tuple[tuple[SeenTile, ...], ...],
    seat: int,
) -> Proposed | None:
    """A new meld or an added kong before the seat."""
    kong, fresh = _unexplained(state, observation, seat)
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


def _unexplained(
    state: TableState, observation: Observation, seat: int
) -> tuple[Tile | None, tuple[SeenTile, ...]]:
    """The tile added to a recorded pung, if any, and the tiles that belong to no recorded meld.

    Melds are packed from the player's right-hand end in the order in which they were made, but
    each recorded meld may lie anywhere: it is looked for by its faces.
    """
    rest = sorted(
        observation.in_zone(ZoneKind.MELDS, seat),
        key=lambda tile: -to_seat(tile.x_mm, tile.y_mm, seat)[0],
    )
    for meld in state.seats[seat].melds:
        for tile in _lying(meld):
            match = next((s for s in rest if s.tile is tile), None) or next(
                (s for s in rest if s.tile is Tile.UNKNOWN), None
            )
            if match is None:
                return None, ()  # a recorded meld is not fully seen: nothing can be said
            rest.remove(match)
    if len(rest) == 1 and rest[0].tile.is_face and rest[0].pictures >= LAID_PICTURES:
        pungs = [m for m in state.seats[seat].melds if m.kind is MeldKind.PUNG]
        if any(rest[0].tile in pung.tiles for pung in pungs):
            return rest[0].tile, tuple(rest)
    return None, tuple(rest)


def _lying(meld: Meld) -> tuple[Tile, ...]:
    """The meld's tiles as they lie: of a concealed kong the outer two face down."""
    if meld.kind is MeldKind.KONG_CONCEALED:
        return (*meld.tiles[:2], Tile.BACK, Tile.BACK)
    return meld.tiles


def _one_face(faces: Sequence[Tile]) -> Tile | None:
    sure = {tile for tile in faces if tile.is_face}
    return sure.pop() if len(sure) == 1 else None


# -- a shown hand and its birds --------------------------------------------------------------------


def _shown(state: TableState, observation: Observation) -> Proposed | None:
    known = {hand.seat: hand for hand in state.shown}
    for seat in state.declared:
        tiles = _hand_faces(observation, seat)
        if not tiles or min(tile.pictures for tile in tiles) < SURE_PICTURES:
            continue
        unsure = any(not tile.tile.is_face for tile in tiles)
        if unsure and max(tile.pictures for tile in tiles) < DOUBTFUL_PICTURES:
            continue
        tiles = _conserved(state, tiles, seat)
        event = _shown_hand(state, seat, tiles)
        if event is None or _same_hand(known.get(seat), event):
            continue
        doubtful = next((tile for tile in tiles if not tile.tile.is_face), None)
        candidates = _faces(doubtful) if doubtful else ()
        return Proposed(event, min(tile.confidence for tile in tiles), candidates)
    return None


def _hand_faces(observation: Observation, seat: int) -> list[SeenTile]:
    """Face-up tiles in the seat's hand row, left to right."""
    tiles = [t for t in observation.in_zone(ZoneKind.HAND, seat) if not _is_likely_back(t)]
    return sorted(tiles, key=lambda tile: to_seat(tile.x_mm, tile.y_mm, seat)[0])


def _is_likely_back(seen: SeenTile) -> bool:
    """Standing tiles show a little of their backs: they are none of a shown hand's tiles."""
    named = [tile for tile, _ in seen.candidates if tile is not Tile.UNKNOWN]
    return seen.tile is Tile.BACK or (
        seen.tile is Tile.UNKNOWN and bool(named) and named[0] is Tile.BACK
    )


def _shown_hand(state: TableState, seat: int, tiles: Sequence[SeenTile]) -> HandShown | None:
    faces = tuple(tile.tile for tile in tiles)
    base = 13 - 3 * len(state.seats[seat].melds)
    if len(faces) == base + 1:
        return HandShown(seat, tuple(sorted(faces)), _set_apart(tiles, seat), True)
    given = state.robbable or state.last_discard
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


def _set_apart(tiles: Sequence[SeenTile], seat: int) -> Tile:
    """The drawn tile that lies apart at the right-hand end; UNKNOWN when none does."""
    if len(tiles) == 1:
        return tiles[0].tile
    last, neighbour = tiles[-1], tiles[-2]
    right = to_seat(last.x_mm, last.y_mm, seat)[0] - last.width_mm / 2
    left = to_seat(neighbour.x_mm, neighbour.y_mm, seat)[0] + neighbour.width_mm / 2
    return last.tile if right - left >= APART_MM else Tile.UNKNOWN


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
    turned = _turned_birds(observation)
    known = (*state.birds, *state.old_birds)
    left = Counter(known)
    for seen in turned:
        if left[seen.tile] > 0:
            left[seen.tile] -= 1
            continue
        if len(turned) <= len(known):
            continue
        if seen.pictures >= (SURE_PICTURES if seen.tile.is_face else DOUBTFUL_PICTURES):
            return Proposed(BirdTurned(seen.tile), seen.confidence, _faces(seen))
    return None


def _turned_birds(observation: Observation) -> list[SeenTile]:
    return [t for t in observation.in_zone(ZoneKind.BIRDS) if t.tile is not Tile.BACK]


# -- what does not fit -----------------------------------------------------------------------------


def _doubts(
    state: TableState, observation: Observation, rivers: tuple[tuple[SeenTile, ...], ...]
) -> list[Doubt]:
    found = [_dice_doubt(state, observation), _bird_doubt(state, observation)]
    for seat in range(4):
        found += [
            _count_doubt(state, observation, seat),
            _stray_meld_doubt(state, observation, seat),
            _changed_meld_doubt(state, observation, seat),
            _late_doubt(state, rivers, seat),
        ]
    return [doubt for doubt in found if doubt is not None]


def _count_doubt(state: TableState, observation: Observation, seat: int) -> Doubt | None:
    tiles = _hand_faces(observation, seat)
    base = 13 - 3 * len(state.seats[seat].melds)
    if seat not in state.declared or any(hand.seat == seat for hand in state.shown):
        return None
    if len(tiles) <= base // 2 or min(tile.pictures for tile in tiles) < PUZZLING_PICTURES:
        return None
    if len(tiles) in (base, base + 1):
        return None
    text = (
        f"The hand of {{{seat}}} shows {len(tiles)} tiles and should have {base} or "
        f"{base + 1}; please spread them out.",
        f"{{{seat}}} 亮出 {len(tiles)} 张,应为 {base} 或 {base + 1} 张,请摊开。",
    )
    return Doubt(f"hand-{state.hand}-count-{seat}-{len(tiles)}", text)


def _stray_meld_doubt(state: TableState, observation: Observation, seat: int) -> Doubt | None:
    _, fresh = _unexplained(state, observation, seat)
    if not fresh or min(tile.pictures for tile in fresh) < 2 * PUZZLING_PICTURES:
        return None
    faces = " ".join(str(tile.tile) for tile in fresh)
    text = (
        f"These tiles among the melds of {{{seat}}} fit no meld: {faces}.",
        f"{{{seat}}} 副露处的这些牌不成副: {faces}。",
    )
    return Doubt(f"hand-{state.hand}-meld-{seat}-{faces}", text, blocks=True)


def _changed_meld_doubt(state: TableState, observation: Observation, seat: int) -> Doubt | None:
    """All tiles of the recorded melds are there, but not with the recorded faces."""
    recorded = Counter(tile for meld in state.seats[seat].melds for tile in _lying(meld))
    seen = [t for t in observation.in_zone(ZoneKind.MELDS, seat) if t.pictures >= PUZZLING_PICTURES]
    sure: Counter[Tile] = Counter(tile.tile for tile in seen if tile.tile is not Tile.UNKNOWN)
    if len(seen) < recorded.total() or sure.total() < recorded.total() or not recorded - sure:
        return None
    was, now = (
        " ".join(str(tile) for tile in sorted(tiles.elements()))
        for tiles in (recorded - sure, sure - recorded)
    )
    text = (
        f"Among the melds of {{{seat}}} {was} is recorded, and {now} is seen. Is {was} right?",
        f"{{{seat}}} 的副露记为 {was},现在看像 {now}。记录的 {was} 对吗?",
    )
    return Doubt(f"hand-{state.hand}-changed-{seat}-{was}-{now}", text, blocks=True)


def _late_doubt(
    state: TableState, rivers: tuple[tuple[SeenTile, ...], ...], seat: int
) -> Doubt | None:
    """A discard that was not recorded when the hand was shown."""
    extra = rivers[seat][len(state.seats[seat].river) :]
    if not state.shown or not extra or extra[-1].pictures < DOUBTFUL_PICTURES:
        return None
    text = (
        f"In the river of {{{seat}}} lies a tile that was not recorded before the hand was shown. "
        "Is the win to be settled as shown all the same?",
        f"{{{seat}}} 的牌河里有一张亮牌前没有记录的牌。仍按所示结算吗?",
    )
    return Doubt(f"hand-{state.hand}-late-{seat}-{len(rivers[seat])}", text, blocks=True)


def _bird_doubt(state: TableState, observation: Observation) -> Doubt | None:
    """As many birds lie there as are recorded, but they look otherwise."""
    turned = _turned_birds(observation)
    known = Counter((*state.birds, *state.old_birds))
    seen: Counter[Tile] = Counter(
        tile.tile for tile in turned if tile.pictures >= DOUBTFUL_PICTURES
    )
    if state.phase is not Phase.SHOWING or seen[Tile.UNKNOWN] or known[Tile.UNKNOWN]:
        return None
    if not state.birds or seen.total() < known.total() or not known - seen:
        return None
    was, now = (
        " ".join(str(tile) for tile in sorted(tiles.elements()))
        for tiles in (known - seen, seen - known)
    )
    text = (
        f"The birds are recorded with {was}, and {now} is seen. Is {was} right?",
        f"鸟牌记为 {was},现在看像 {now}。记录的 {was} 对吗?",
    )
    return Doubt(f"hand-{state.hand}-birds-{was}-{now}", text, blocks=True)


def _dice_doubt(state: TableState, observation: Observation) -> Doubt | None:
    dice = tuple(sorted(state.dice.values)) if state.dice else ()
    if any(seat.discards for seat in state.seats) or len(observation.dice) != len(dice):
        return None
    if observation.dice == dice:
        return None
    seen, said = (" ".join(map(str, values)) for values in (observation.dice, dice))
    text = (
        f"The board reports the dice as {said}, the camera sees {seen}.",
        f"控制板报骰子 {said},摄像头看到 {seen}。",
    )
    return Doubt(f"hand-{state.hand}-dice", text)
