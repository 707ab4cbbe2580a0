"""Hands that lie open at the end: those of winners, those that count beside them; and birds."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf

from table_assist.following.discrepancies import unexplained_beside
from table_assist.following.indicators import is_secret
from table_assist.following.proposed import Proposed
from table_assist.following.rivers import is_discard_gone
from table_assist.following.seen_table import (
    DOUBTFUL_PICTURES,
    LACKING,
    MELD_TILES,
    PUZZLING_PICTURES,
    TableSight,
    age_rank,
    beyond,
    faces_of,
    fewest,
    hand_faces,
    least,
    set_apart,
    turned_birds,
    unfound,
)
from table_assist.game.events import BirdTurned, HandLaidDown, HandShown, OpenHand
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import visible_tiles
from table_assist.game.state import SEATS, TableState
from table_assist.game.turn import on_turn
from table_assist.game.win import declared_hand
from table_assist.rules.judge import judge
from table_assist.tiles.tile import COPIES, Tile
from table_assist.vision.table.observation import SURE_PICTURES, SeenTile, apart_mm
from table_assist.vision.table.zones import Zone, ZoneKind


def in_two_rows(state: TableState, sight: TableSight) -> TableSight:
    """The sight with a winner's second row among the tiles of the hand: it lies where melds do.

    Just as many as the hand lacks lie close before it, and are no meld: that touches the others,
    and lies farther off.
    """
    moved: dict[SeenTile, SeenTile] = {}
    close = LACKING * sight.observation.tile_mm
    for seat in state.declared:
        whole = state.waiting_size(seat) + 1
        hand = hand_faces(sight.observation, seat, whole)
        before = unexplained_beside(state, sight, seat)
        last = max((_out(tile, seat) for tile in hand), default=inf)
        is_near = all(last - _out(tile, seat) < close for tile in before)
        is_row = len(before) > MELD_TILES and len({tile.tile for tile in before}) > 1
        is_row |= _is_far_from_melds(before, sight, seat)
        if is_row and is_near and len(hand) + len(before) in (whole - 1, whole):
            moved |= {tile: replace(tile, zone=Zone(ZoneKind.HAND, seat)) for tile in before}
    if not moved:
        return sight
    tiles = tuple(moved.get(tile, tile) for tile in sight.observation.tiles)
    return replace(sight, observation=replace(sight.observation, tiles=tiles), laid={})


def _is_far_from_melds(row: Sequence[SeenTile], sight: TableSight, seat: int) -> bool:
    """Whether the seat has melds, and all of these lie apart from them: melds lie in one row."""
    melds = [tile for tile in sight.observation.in_zone(ZoneKind.MELDS, seat) if tile not in row]
    apart = LACKING * sight.observation.tile_mm
    return bool(row and melds) and all(
        apart_mm(tile, other) > apart for tile in row for other in melds
    )


def _out(tile: SeenTile, seat: int) -> float:
    return tile.to_seat(seat)[1]


def shown(state: TableState, sight: TableSight) -> Proposed | None:
    """The hand of a seat that has declared a win."""
    known = {hand.seat: hand for hand in state.shown}
    for seat in state.declared:
        tiles = _open_hand(state, sight, seat)
        if tiles is None:
            continue
        hands = shown_hands(state, seat, tiles, is_taken=_is_taken(state, sight))
        if not hands or any(_same_hand(known.get(seat), hand) for hand in hands):
            continue
        hasty = fewest(tiles) < PUZZLING_PICTURES
        if hasty and all(tile.tile.is_face for tile in tiles) and not _wins(state, hands[0]):
            continue  # rather a tile is still hidden than that the win is false
        return _lying(tiles, *hands[:2])
    return None


def _lying(
    tiles: Sequence[SeenTile], hand: OpenHand, otherwise: HandShown | None = None
) -> Proposed:
    """The hand that these tiles are."""
    candidates = next((faces_of(tile) for tile in tiles if not tile.tile.is_face), ())
    return Proposed(hand, least(tiles), candidates, otherwise, seen=tuple(tiles))


def _open_hand(state: TableState, sight: TableSight, seat: int) -> list[SeenTile] | None:
    """The seat's tiles, once all of them lie there surely."""
    most = state.waiting_size(seat) + 1 - (seat not in state.declared)
    tiles = hand_faces(sight.observation, seat, most)
    if not tiles or fewest(tiles) < SURE_PICTURES:
        return None
    if not sight.observation.can_see(ZoneKind.HAND, seat):
        return None  # part of it may be hidden
    tiles = _with_unfound(state, sight, seat, tiles)
    # A tile that stood a moment ago may still be taken for its looks of then.
    among = len(sight.observation.in_zone(ZoneKind.HAND, seat)) > len(tiles)
    unread = any(not tile.tile.is_face for tile in tiles)
    unsure = among or unread or not all(tile.is_clear for tile in tiles)
    # Who has not won is read again once there is more to read.
    needed = PUZZLING_PICTURES if unread and seat in state.declared else DOUBTFUL_PICTURES
    if unsure and fewest(tiles) < needed:
        return None
    given = state.last_discard
    is_taken = given is not None and not state.shown and _is_taken(state, sight)
    return _conserved(state, tiles, seat, given[1] if given and is_taken else None)


def _with_unfound(
    state: TableState, sight: TableSight, seat: int, tiles: list[SeenTile]
) -> list[SeenTile]:
    """The tiles of a hand that lacks one, with an unread one in the one gap that is wide enough."""
    lacks = state.waiting_size(seat) - len(tiles)
    if lacks != 1 and (lacks or state.holder != seat):
        return tiles
    wide = LACKING * sight.observation.tile_mm
    gaps = [
        place
        for place, (left, right) in enumerate(pairwise(tiles), 1)
        if apart_mm(right, left) > wide
    ]
    if len(gaps) != 1 or fewest(tiles) < PUZZLING_PICTURES:
        return tiles
    (place,) = gaps
    left, right = tiles[place - 1 : place + 1]
    x_mm, y_mm = (left.x_mm + right.x_mm) / 2, (left.y_mm + right.y_mm) / 2
    return [*tiles[:place], unfound(left, x_mm, y_mm), *tiles[place:]]


def shown_hands(
    state: TableState, seat: int, tiles: Sequence[SeenTile], *, is_taken: bool | None
) -> tuple[HandShown, ...]:
    """The readings of the open hand by which it may be won: several where that cannot be told.

    Args:
        is_taken: the tile that another seat gave up lies where it lay no more; None: not known.
    """
    faces = tuple(tile.tile for tile in tiles)
    base = state.waiting_size(seat)
    if len(faces) == base + 1:
        return _full_hand(state, seat, tiles, is_taken=is_taken)
    if len(faces) != base:
        return ()
    found: list[HandShown] = []
    given = state.given_up
    if given is not None and given[0] != seat:
        found.append(HandShown(seat, tuple(sorted((*faces, given[1]))), given[1], False))
    rushes = _rushes(state, seat, faces)
    if not rushes:
        is_ready = state.seats[seat].ready
        if found and is_ready and is_secret(state) and not _wins(state, found[0]):
            return ()  # the treasure decides
        return tuple(found)
    winning = [hand for hand in (*found, *rushes) if _wins(state, hand)]
    return tuple(winning) or tuple(found) or rushes


def _full_hand(
    state: TableState, seat: int, tiles: Sequence[SeenTile], *, is_taken: bool | None
) -> tuple[HandShown, ...]:
    """With the winning tile among them: drawn, or taken from where another seat gave it up.

    Who could not have drawn won by what another gave; an unread tile is that one then, or none.
    """
    faces = tuple(sorted(tile.tile for tile in tiles))
    drawn = HandShown(seat, faces, set_apart(tiles, seat), True)
    given = state.given_up
    may_draw = on_turn(state) == seat
    if state.holder == seat or (given is None and may_draw):
        return (drawn,)
    if given is None or given[0] == seat:
        return ()  # nobody gave a tile, or the winner alone: more has happened
    face = given[1]
    unread = [tile for tile in tiles if tile.tile is Tile.UNKNOWN]
    if not face.is_face and is_taken is not False:
        face = drawn.winning_tile
    elif face not in faces or (unread and not may_draw and is_taken is False):
        if not unread or (may_draw and not any(face in faces_of(tile) for tile in unread)):
            return (drawn,) if may_draw else ()
        faces = tuple(sorted((face, *faces[1:])))  # an unread one sorts first
    taken = HandShown(seat, faces, face, False)
    if may_draw and is_taken is None:
        patient = fewest(tiles) >= 2 * PUZZLING_PICTURES
        return (drawn, taken) if patient else ()
    if not may_draw and is_taken is False and not unread:
        return ()  # neither drawn nor taken: something is not on record
    return (taken,) if is_taken or not may_draw else (drawn,)


def _is_taken(state: TableState, sight: TableSight) -> bool | None:
    """Whether the last discard lies where it lay no more; None where that cannot be seen."""
    last = state.last_discard
    if last is None or state.robbable is not None:
        return False
    if not sight.observation.can_see(ZoneKind.RIVER, None if sight.heap else last[0]):
        return None
    if is_discard_gone(state, sight):
        return True
    lying = sight.thrown if sight.heap else sight.rivers[last[0]][-1:]
    # A tile that the newest picture lacks is on its way: the hand may be seen before that is sure.
    missed = {tile.tile for tile in lying if tile.age_s > 0}
    is_on_its_way = bool(missed & {last[1], Tile.UNKNOWN} or (missed and not last[1].is_face))
    return None if is_on_its_way else False


def _rushes(state: TableState, seat: int, faces: tuple[Tile, ...]) -> tuple[HandShown, ...]:
    """Won by the treasure alone, with each kind that the treasure is."""
    if not state.seats[seat].ready:
        return ()
    hands = [
        HandShown(seat, tuple(sorted((*faces, tile))), tile, self_drawn=False, rush=True)
        for tile in state.treasures
    ]
    winning = [hand for hand in hands if _wins(state, hand)]
    return tuple(winning or hands)[:1]


def _wins(state: TableState, hand: HandShown) -> bool:
    if Tile.UNKNOWN in hand.concealed:
        return False
    return judge(rules_in_force(state), declared_hand(state, hand)).valid


def _same_hand(known: HandShown | None, new: HandShown) -> bool:
    """Already recorded, perhaps with some tiles answered by a person since."""
    if known is None or known.self_drawn is not new.self_drawn:
        return False
    left = Counter(known.concealed)
    left.subtract(tile for tile in new.concealed if tile is not Tile.UNKNOWN)
    return all(count >= 0 for count in left.values()) and len(known.concealed) == len(new.concealed)


def _conserved(
    state: TableState, tiles: Sequence[SeenTile], seat: int, taken: Tile | None
) -> list[SeenTile]:
    """The tiles with the least sure of a fifth copy turned to UNKNOWN."""
    others = replace(
        state,
        shown=tuple(hand for hand in state.shown if hand.seat != seat),
        laid_down=tuple(hand for hand in state.laid_down if hand.seat != seat),
    )
    counts = Counter(visible_tiles(others))
    counts.update(tile.tile for tile in tiles)
    if taken is not None:
        counts[taken] -= 1  # it is recorded where it was discarded, and lies here
    kept = list(tiles)
    for face, count in counts.items():
        if face.is_face and count > COPIES:
            own = [i for i, tile in enumerate(kept) if tile.tile is face]
            least = min(own, key=lambda i: kept[i].confidence, default=None)
            if least is not None:
                kept[least] = replace(kept[least], tile=Tile.UNKNOWN)
    return kept


def laid_down(state: TableState, sight: TableSight) -> Proposed | None:
    """The hand of a seat that has not won, where those count too; again once more of it is read."""
    if rules_in_force(state).settle_values is None or not state.shown:
        return None
    known = {hand.seat: hand.concealed.count(Tile.UNKNOWN) for hand in state.laid_down}
    for seat in SEATS:
        if seat in state.declared or known.get(seat) == 0:
            continue
        tiles = _open_hand(state, sight, seat)
        if tiles is None or len(tiles) != state.waiting_size(seat):
            continue
        faces = tuple(sorted(tile.tile for tile in tiles))
        if faces.count(Tile.UNKNOWN) < known.get(seat, len(tiles)):
            return _lying(tiles, HandLaidDown(seat, faces))
    return None


def bird(state: TableState, sight: TableSight) -> Proposed | None:
    """A bird is turned once all hands that have won are shown."""
    if rules_in_force(state).birds is None:
        return None
    if {hand.seat for hand in state.shown} != set(state.declared):
        return None
    birds = turned_birds(sight.observation)
    known = (*state.birds, *state.old_birds)
    rest, left = beyond(birds, known)
    # Those on record that are not read now are the unread ones that lie there longest.
    unread = sorted((seen for seen in rest if not seen.tile.is_face), key=age_rank)
    for seen in rest if len(birds) > len(known) else ():
        if seen in unread[: left.total()]:
            continue
        if seen.pictures >= (SURE_PICTURES if seen.tile.is_face else DOUBTFUL_PICTURES):
            return Proposed(BirdTurned(seen.tile), seen.confidence, faces_of(seen), seen=(seen,))
    return None


def lying_open(state: TableState, sight: TableSight) -> Iterator[HandShown | BirdTurned]:
    """Shown hands and birds that lie there as they are on record, every tile read."""
    for known in state.shown:
        tiles = _open_hand(state, sight, known.seat) or []
        found = shown_hands(state, known.seat, tiles, is_taken=_is_taken(state, sight))
        if any(
            hand.winning_tile is known.winning_tile and Tile.UNKNOWN not in hand.concealed
            for hand in found
            if _same_hand(known, hand)
        ):
            yield known
    turned = turned_birds(sight.observation)
    left = Counter(seen.tile for seen in turned if seen.pictures >= SURE_PICTURES)
    left.subtract(state.old_birds)
    yield from (BirdTurned(tile) for tile in state.birds if left[tile] >= state.birds.count(tile))
