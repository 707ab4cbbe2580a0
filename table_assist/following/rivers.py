"""Discards: what is new in the rivers or in the heap, whose it is, and what is gone."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import inf, nan
from sys import maxsize

from table_assist.following.pieces import PUSHED_AT_MOST, Piece, is_at
from table_assist.following.proposed import LastDiscard, Proposed, Reread
from table_assist.following.seen_table import (
    DOUBTFUL_PICTURES,
    NEIGHBOURS_APART,
    PUZZLING_PICTURES,
    ROW_MM,
    TableSight,
    age_rank,
    faces_of,
    pictures_needed,
)
from table_assist.game.events import Discarded, LastTilePassed
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import visible_tiles
from table_assist.game.state import SEATS, TableState
from table_assist.game.turn import may_pass, on_turn, thrown
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import SURE_PICTURES, SeenTile, apart_mm
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.zones import ZoneKind

# Of the discards one of so many lies there unread where others are not found at all: of the set
# that is read worst a tile is missed for each eight that are unread, and people err once in 500.
ILL_READ = 20

# Of a discard that nobody sees: whatever lies there is another piece.
NOT_FOUND = Piece(maxsize, nan, nan, is_seen=False)


def new_tiles(recorded: Sequence[Tile], seen: Sequence[SeenTile]) -> tuple[SeenTile, ...]:
    """Which of the seen tiles are not recorded, in the order in which they lie.

    Tiles that were knocked about are known by their faces; of those that could be either the ones
    seen last of all are new. One of a few pictures may be an old one that is read otherwise now.
    """
    number = len(seen) - len(recorded)
    if number <= 0:
        return ()
    if all(_may_be(tile, lies) for tile, lies in zip(recorded, seen, strict=False)):
        return tuple(seen[len(recorded) :])
    left = Counter(recorded)
    rest: list[int] = []
    for place, lies in enumerate(seen):
        if lies.tile.is_face and left[lies.tile] > 0:
            left[lies.tile] -= 1
        else:
            rest.append(place)
    rest.sort(key=lambda place: (-seen[place].id, seen[place].pictures, -place))
    return tuple(seen[place] for place in sorted(rest[:number]))


def _may_be(recorded: Tile, seen: SeenTile) -> bool:
    return recorded is seen.tile or Tile.UNKNOWN in (recorded, seen.tile)


def fresh_discards(state: TableState, sight: TableSight, seat: int) -> tuple[SeenTile, ...]:
    """The seat's discards that are not recorded; in a heap those that may be its own.

    Where the pieces of those on record are known the others are new, wherever they lie.
    """
    if sight.heap:
        return new_in_heap(state, sight) if seat == on_turn(state) else ()
    recorded = state.seats[seat].river
    rest = unbound(state, sight, seat)
    unknown = [
        tile
        for index, tile in enumerate(recorded)
        for place in [(seat, index)]
        if place not in sight.known
        and (
            place not in sight.lost
            or any(  # it may be one of these: misread, or pushed meanwhile
                _came_after(sight.lost[place], seen)
                and (seen.tile is tile is not Tile.UNKNOWN or may_be_lost(sight, place, tile, seen))
                for seen in rest
            )
        )
    ]
    if not sight.known and not sight.lost:
        return new_tiles(recorded, sight.rivers[seat])
    if unknown:
        return new_tiles(unknown, rest)
    return tuple(sorted((seen for seen in rest if seen.pictures), key=age_rank))


def without_strays(state: TableState, sight: TableSight) -> TableSight:
    """The sight without unread things that lie apart from rivers, and are no discard on record.

    Crumbs look like that. One is the discard of whose turn it was if others play on.
    """
    if sight.heap:
        return sight
    strays = tuple(
        tuple(
            seen
            for seen in unbound(state, sight, seat)
            if seen.tile is Tile.UNKNOWN and _is_apart(seen, sight, seat)
        )
        for seat in SEATS
    )
    rivers = tuple(
        tuple(seen for seen in river if not any(seen is stray for stray in strays[seat]))
        for seat, river in enumerate(sight.rivers)
    )
    return replace(sight, rivers=rivers, strays=strays)


def _is_apart(seen: SeenTile, sight: TableSight, seat: int) -> bool:
    """Whether it lies apart from the seat's river, or far beyond where those of others begin."""
    wide = sight.observation.tile_mm
    others = [other for other in sight.rivers[seat] if other is not seen]
    apart = [apart_mm(other, seen) for other in others]
    begins = [
        first.to_seat(other)[1]
        for other in SEATS
        for first in sight.rivers[other][:1]
        if other != seat
    ]
    out = seen.to_seat(seat)[1]
    return min(apart, default=out - min(begins, default=out)) > NEIGHBOURS_APART * wide


def _is_astray(state: TableState, seen: SeenTile, sight: TableSight, seat: int) -> bool:
    """Whether it is not where the seat's next discard would lie: apart, or before a row is full.

    The first discard of a hand is the dealer's, wherever it lies.
    """
    is_first = not any(each.discards for each in state.seats)
    if is_first or _is_apart(seen, sight, seat):
        return True
    begins = -inf
    counts: list[int] = []
    for each in sight.rivers[seat]:
        d = each.to_seat(seat)[1]
        if d - begins > ROW_MM * sight.observation.times:
            begins = d
            counts.append(0)
        counts[-1] += 1
    opens = sight.rivers[seat][-1] is seen and counts[-1] == 1
    return opens and len(counts) > 2 and counts[-2] < counts[-3]


def with_discard(state: TableState, sight: TableSight, found: Proposed) -> TableSight:
    """The sight once an event is in the state: which piece was discarded, or that none is there."""
    event = found.event
    if not isinstance(event, Discarded):
        return sight
    if sight.heap and not (found.seen or event.tile.is_face):
        return sight  # it lies there, and nobody knows which it is
    place = event.seat, len(state.seats[event.seat].river) - 1
    if not found.seen:
        return replace(sight, lost={**sight.lost, place: NOT_FOUND})
    return replace(sight.owned(found.seen[0], *place), known={**sight.known, place: found.seen[0]})


def unbound(state: TableState, sight: TableSight, seat: int) -> tuple[SeenTile, ...]:
    """What lies in the seat's river and is no piece of a discard on record."""
    own = [sight.known.get((seat, index)) for index in range(len(state.seats[seat].river))]
    return tuple(seen for seen in sight.rivers[seat] if not any(seen is piece for piece in own))


def may_be_lost(sight: TableSight, place: tuple[int, int], tile: Tile, seen: SeenTile) -> bool:
    """Whether it may be the discard that is seen no more at its place, by where it lies.

    Where either is unread it is anything, and lies there, or was pushed on with others of its
    river. What lies beside an empty place is another discard: the first one may have been taken.
    """
    piece, times = sight.lost[place], sight.observation.times
    if not _may_be(tile, seen):
        return is_at(piece, seen, times)
    is_pushed = sum(seat == place[0] for seat, _ in sight.lost) > 1
    return is_pushed or is_at(piece, seen, times, PUSHED_AT_MOST * TILE_MM)


def _came_after(piece: Piece, seen: SeenTile) -> bool:
    return seen.pictures > 0 and (not seen.id or seen.id > piece.id)


def new_in_heap(state: TableState, sight: TableSight) -> tuple[SeenTile, ...]:
    """The heap's tiles that are no piece of a discard on record, the longest seen first.

    Nor is one that may be a piece which is followed no more, the last discard's aside: that may
    have been claimed.
    """
    known = sight.known.values()
    rest = [seen for seen in sight.thrown if seen.pictures and not any(seen is k for k in known)]
    last = state.last_discard
    gone = None if last is None else (last[0], len(state.seats[last[0]].river) - 1)
    for seat, own in enumerate(state.seats):
        for place in ((seat, index) for index in range(len(own.river))):
            lost, tile = sight.lost.get(place), own.river[place[1]]
            if place in sight.known or (place == gone and lost is not None):
                continue
            for seen in rest:
                is_there = lost is not None and is_at(lost, seen, sight.observation.times)
                if is_there or tile is seen.tile or (lost is None and _may_be(tile, seen)):
                    rest.remove(seen)
                    break
    return tuple(rest)


def missing_from_heap(state: TableState, sight: TableSight) -> tuple[Tile, ...]:
    """The last discard, if it is recorded and lies there no more."""
    last = state.last_discard
    if last is None or not sight.observation.can_see(ZoneKind.RIVER):
        return ()
    recorded, seen = Counter(thrown(state)), Counter(tile.tile for tile in sight.thrown)
    if not last[1].is_face:
        return (last[1],) if sum(seen.values()) < sum(recorded.values()) else ()
    unread = _unread_of_late(recorded - Counter([last[1]]), sight)
    return (last[1],) if seen[last[1]] + unread < recorded[last[1]] else ()


def _unread_of_late(before: Counter[Tile], sight: TableSight) -> int:
    """How many unread tiles of a heap may be the last discard: none that lay there before it.

    Args:
        before: what was discarded before the last one, and not claimed.
    """
    left = Counter(before)
    newest = (0, 0)
    for seen in sight.thrown:
        if seen.tile.is_face and left[seen.tile] > 0:
            left[seen.tile] -= 1
            newest = max(newest, age_rank(seen))
    unread = (seen for seen in sight.thrown if not seen.tile.is_face)
    return sum(age_rank(seen) >= newest for seen in unread)


def is_discard_gone(state: TableState, sight: TableSight) -> bool:
    """Whether the last discard lies in its river no more."""
    if state.last_discard is None:
        return False
    discarder, tile = state.last_discard
    recorded, seen = state.seats[discarder].river, sight.rivers[discarder]
    last = discarder, len(recorded) - 1
    if last in sight.known:
        return False
    if sight.heap:
        return last in sight.lost or bool(missing_from_heap(state, sight))
    if last in sight.lost:
        return not any(
            _may_be(tile, each) or each.pictures >= PUZZLING_PICTURES
            for each in unbound(state, sight, discarder)
            if _came_after(sight.lost[last], each)
        )
    if len(seen) < len(recorded):
        return True
    if not recorded:
        return False
    at_its_place = seen[len(recorded) - 1]
    return not _may_be(tile, at_its_place) and at_its_place.pictures < PUZZLING_PICTURES


def discard(state: TableState, sight: TableSight, seat: int) -> Proposed | None:
    """The seat's river is longer than recorded."""
    if sight.heap:
        return _from_heap(state, sight, seat)
    fresh = fresh_discards(state, sight, seat)
    if not fresh:
        return None
    seen = fresh[0]
    if seat != on_turn(state) and not sight.observation.can_see(ZoneKind.RIVER, seat):
        return None  # what glares or lies over the river may be taken for a tile
    if is_on_its_way(state, sight, seen):
        return None
    if seen.pictures < _looks_needed(seen, is_on_turn=seat == on_turn(state)):
        return None
    return discarded(state, seat, seen)


def _looks_needed(seen: SeenTile, *, is_on_turn: bool) -> int:
    """An unread detection out of turn is probably a trace of motion: it takes more looks."""
    if is_on_turn and not seen.tile.is_bonus:
        return pictures_needed(seen)
    return DOUBTFUL_PICTURES if seen.tile.is_face else 3 * PUZZLING_PICTURES


def is_on_its_way(state: TableState, sight: TableSight, seen: SeenTile) -> bool:
    """Whether it is the last discard, pushed across the table to who has claimed it.

    That one, perhaps unread, lies no more where it lay: the newest picture lacks it. Or three like
    it are a pung on record, and it is the fourth.
    """
    is_late = seen.pictures >= PUZZLING_PICTURES
    last = state.last_discard
    if last is None and state.holder is not None and not is_late:
        claimed = state.seats[state.holder].melds[-1:]
        return any(meld.kind is MeldKind.PUNG and seen.tile in meld.tiles for meld in claimed)
    if last is None or last[1] not in (Tile.UNKNOWN, seen.tile):
        return False
    if is_late and last[1] is Tile.UNKNOWN:
        return False  # a crumb that was taken for a discard, and is gone, holds nothing up
    piece = sight.known.get((last[0], len(state.seats[last[0]].river) - 1))
    is_missed = piece is not None and piece.age_s > 0 and not is_late
    is_seen = sight.observation.can_see(ZoneKind.RIVER, last[0])
    return is_seen and (is_missed or is_discard_gone(state, sight))


def lying_new(state: TableState, sight: TableSight, seat: int) -> tuple[SeenTile, ...]:
    """As `fresh_discards`; of a heap what lies in the seat's part of it, whosever turn it is."""
    if sight.heap:
        return new_tiles(state.seats[seat].river, sight.rivers[seat])
    return fresh_discards(state, sight, seat)


def discarded(state: TableState, seat: int, seen: SeenTile) -> Proposed:
    """The discard that a tile in the river is."""
    event = Discarded(seat, _kept(state, seen))
    makeshift = not seen.is_clear
    return Proposed(event, seen.confidence, faces_of(seen), is_makeshift=makeshift, seen=(seen,))


def out_of_turn(state: TableState, sight: TableSight) -> Proposed | None:
    """Somebody has discarded before whose turn it is; or the last tile was left to the next.

    What continues no row of another's river is the discard of whose turn it was, laid astray.
    Where something lies or is mirrored in the river of who was on turn, the discard lies there
    unseen.
    """
    turn = on_turn(state)
    if sight.heap or fresh_discards(state, sight, turn):
        return None
    others = sorted(SEATS, key=lambda s: (s - turn) % 4)[1:]
    for seat in others:
        for seen in fresh_discards(state, sight, seat):
            is_open = sight.observation.can_see(ZoneKind.RIVER, turn)
            if is_open and _is_astray(state, seen, sight, seat):
                is_seen = seen.pictures >= _looks_needed(seen, is_on_turn=False)
                on_its_way = is_on_its_way(state, sight, seen)
                return discarded(state, turn, seen) if is_seen and not on_its_way else None
    for seat in others:
        found = discard(state, sight, seat)
        if found is not None and may_pass(state):
            return Proposed(LastTilePassed(turn), found.confidence)
        strays = sight.strays[turn]
        if found is not None and strays and strays[0].pictures >= DOUBTFUL_PICTURES:
            return discarded(state, turn, strays[0])
        if found is None:
            continue
        follower = (*fresh_discards(state, sight, others[0]), *found.seen)
        # Where so many lie there unread one is rather missed than out of turn; three in a row are
        # not, and a single unread one tells nothing: a crumb is unread, too.
        lying = thrown(state)
        is_ill_read = (lying.count(Tile.UNKNOWN) - 1) * ILL_READ > len(lying)
        is_missed = is_ill_read and seat != others[-1]
        if is_missed or (_may_hide(state, sight, turn) and seat == others[0]):
            oldest = min(follower, key=age_rank)
            needed = PUZZLING_PICTURES if oldest.is_clear else 2 * PUZZLING_PICTURES
            is_long = oldest.pictures >= needed
            return Proposed(Discarded(turn, Tile.UNKNOWN), 0.0) if is_long else None
        return found if sight.observation.can_see(ZoneKind.RIVER, turn) else None
    return None


def _may_hide(state: TableState, sight: TableSight, seat: int) -> bool:
    """Whether a discard may lie unseen in the seat's river: something of it is not seen now."""
    if not sight.observation.sees_all(ZoneKind.RIVER, seat):
        return True
    pairs = zip(state.seats[seat].river, sight.rivers[seat], strict=False)
    return any(
        seen.age_s > 0 or (recorded.is_face and not seen.tile.is_face) for recorded, seen in pairs
    )


def _from_heap(state: TableState, sight: TableSight, turn: int) -> Proposed | None:
    """The tile that has lain there longest is the discard of who is on turn."""
    fresh = new_in_heap(state, sight)
    if not fresh:
        return None
    seen = fresh[0]
    if seen.pictures < pictures_needed(seen):
        return None
    likely = [
        tile for tile in fresh if (tile.pictures, tile.is_clear) == (seen.pictures, seen.is_clear)
    ]
    if len({tile.tile for tile in likely}) > 1:
        # Nobody has seen which came first.
        faces = tuple(tile.tile for tile in likely if tile.tile.is_face)
        return Proposed(Discarded(turn, Tile.UNKNOWN), seen.confidence, faces)
    return discarded(state, turn, seen)


def _kept(state: TableState, seen: SeenTile) -> Tile:
    """The tile's face, unless all of its kind lie elsewhere."""
    rules = rules_in_force(state)
    if seen.tile.is_face and visible_tiles(state).count(seen.tile) >= rules.copies_of(seen.tile):
        return Tile.UNKNOWN
    return seen.tile


# --- Tiles that are recorded already


def rereads(state: TableState, sight: TableSight) -> list[Reread]:
    """Recorded discards that are seen otherwise now, or for the first time."""
    if sight.heap:
        return _reread_heap(state, sight)
    found = []
    for seat, river in enumerate(sight.rivers):
        recorded = state.seats[seat].river
        faces = [tile.tile for tile in river]
        if len(river) != len(recorded) or (
            Tile.UNKNOWN not in faces and Counter(faces) == Counter(recorded)
        ):
            continue  # the very same tiles in another order were knocked about
        rest = iter(unbound(state, sight, seat))
        lying = [sight.known.get((seat, i)) or next(rest, river[i]) for i in range(len(recorded))]
        pairs = [
            (i, a, b)
            for i, (a, b) in enumerate(zip(recorded, lying, strict=True))
            if (seat, i) not in sight.lost or may_be_lost(sight, (seat, i), a, b)
        ]
        other = [each for each in pairs if not _may_be(each[1], each[2])]
        unread = [each for each in pairs if each[1] is Tile.UNKNOWN and each[2].tile.is_face]
        if len(other) > 1 or (other and unread):
            continue  # with one hidden and one new every tile would be taken for its neighbour
        for index, tile, seen in (*other, *unread):
            needed = SURE_PICTURES if tile is Tile.UNKNOWN else PUZZLING_PICTURES
            is_sure = seen.is_clear and seen.pictures >= needed
            if is_sure and _kept(state, seen) is not Tile.UNKNOWN:
                found.append(Reread(seat, index, tile, seen.tile))
    return found


def _reread_heap(state: TableState, sight: TableSight) -> list[Reread]:
    """An unread discard whose piece is read now: of a face of which more lie there than on record.

    Else the only unread discard is the only tile that nobody has on record.
    """
    places = [(seat, i) for seat in SEATS for i in range(len(state.seats[seat].river))]
    unread = [(s, i) for s, i in places if not state.seats[s].river[i].is_face]
    read = (each for each in sight.thrown if each.tile.is_face and each.pictures >= SURE_PICTURES)
    left = Counter(each.tile for each in read)
    left.subtract(tile for tile in thrown(state) if tile.is_face)
    for place in unread:
        seen = sight.known.get(place)
        if seen is not None and seen.is_clear and left[seen.tile] > 0:
            return [Reread(*place, Tile.UNKNOWN, seen.tile)]
    surplus = list((+left).elements())
    is_whole = len(sight.thrown) == len(thrown(state)) and all(n >= 0 for n in left.values())
    if is_whole and len(unread) == len(surplus) == 1:
        return [Reread(*unread[0], Tile.UNKNOWN, surplus[0])]
    return []


def is_each_read(state: TableState, sight: TableSight) -> bool:
    """Whether a read tile lies in the heap for each discard on record that was not read at once.

    Then none of them was another thing, and whose each discard is follows from their number.
    """
    seen, recorded = Counter(tile.tile for tile in sight.thrown), Counter(thrown(state))
    return not seen[Tile.UNKNOWN] and (seen - recorded).total() == recorded[Tile.UNKNOWN]


def last_discard(state: TableState, sight: TableSight) -> LastDiscard:
    """Whether the last discard still lies there; in a heap nobody can tell."""
    if state.last_discard is None or state.holder is not None or sight.heap:
        return LastDiscard()
    seat, tile = state.last_discard
    recorded, river = state.seats[seat].river, sight.rivers[seat]
    if not recorded or not sight.observation.can_see(ZoneKind.RIVER, seat):
        return LastDiscard()
    place = seat, len(recorded) - 1
    piece, seen = sight.lost.get(place), sight.known.get(place)
    if piece is not None:
        rest = unbound(state, sight, seat)
        seen = next((each for each in rest if is_at(piece, each, sight.observation.times)), None)
    if seen is None:
        rest_lies = all(_may_be(a, b) for a, b in zip(recorded[:-1], river, strict=False))
        if not rest_lies or len(river) != len(recorded):
            lacks_it = rest_lies and len(river) == len(recorded) - 1
            return LastDiscard(is_lifted=lacks_it or piece is not None)
        seen = river[-1]
    if _may_be(tile, seen):
        return LastDiscard(lies=True)
    is_sure = seen.is_clear and seen.pictures >= pictures_needed(seen)
    face = _kept(state, seen)
    if not is_sure or not face.is_face or face.is_bonus:
        return LastDiscard()
    return LastDiscard(instead=Reread(seat, len(recorded) - 1, tile, face))
