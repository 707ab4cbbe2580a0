"""Discards on record keep their places: each is its own piece, wherever it was pushed.

So the third discard of seat 2 is never guessed anew. One that is not seen for a while has its place
kept: a tile that is new beside it is not taken for it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from table_assist.following.hidden_discards import gap_before, unseen_at, with_hidden
from table_assist.following.pieces import (
    Bound,
    Found,
    Pieces,
    Slot,
    by_face,
    find_again,
    piece_of,
    rest_of,
)
from table_assist.following.seen_table import Sight, in_rows, turned_treasures
from table_assist.game.state import SEATS, TableState
from table_assist.game.turn import on_turn
from table_assist.tiles import Tile
from table_assist.vision.table.calibration import Point
from table_assist.vision.table.observe import SeenTile
from table_assist.vision.table.zones import ZoneKind, from_seat

Line = tuple[SeenTile, ...]


def kept(state: TableState, sight: Sight, bound: Bound) -> tuple[Sight, Pieces]:
    """The rivers in the order of the record, and where each piece of the record lies now."""
    bound = bound if bound.slots else _of(state)
    found: Found = {}
    for slots, lying in _groups(sight, bound):
        found |= find_again(slots, lying, bound.pieces, sight.observation.times)
    sight = with_hidden(state, _in_order(state, sight, bound, found))
    found |= _by_record(state, sight, bound, found)
    known = {
        (seat, index): found[slot.key]
        for seat in SEATS
        for index, slot in enumerate(bound.of(ZoneKind.RIVER, seat))
        if slot.key in found
    }
    return replace(sight, known=known), _now(bound, found)


def _of(state: TableState) -> Bound:
    """The discards of a state of which nobody knows the entries."""
    return Bound(
        tuple(
            Slot((0, 4 * index + seat), tile, ZoneKind.RIVER, seat)
            for seat in SEATS
            for index, tile in enumerate(state.seats[seat].river)
        )
    )


def _groups(sight: Sight, bound: Bound) -> Iterator[tuple[Sequence[Slot], Line]]:
    """Which pieces of the record may be which of the things that are seen."""
    rivers = [bound.of(ZoneKind.RIVER, seat) for seat in SEATS]
    if sight.heap:
        yield [slot for river in rivers for slot in river], sight.thrown
    else:
        yield from zip(rivers, sight.rivers, strict=True)
    for seat in SEATS:
        melds = sight.observation.in_zone(ZoneKind.MELDS, seat)
        yield bound.of(ZoneKind.MELDS, seat), melds
    yield bound.of(ZoneKind.WALL), tuple(turned_treasures(sight.observation))


def _now(bound: Bound, found: Found) -> Pieces:
    pieces = {}
    for slot in bound.slots:
        if slot.key in found:
            pieces[slot.key] = piece_of(found[slot.key])
        elif slot.key in bound.pieces:
            pieces[slot.key] = bound.pieces[slot.key].unseen
    return pieces


# --- The rivers in the order of the record


def _in_order(state: TableState, sight: Sight, bound: Bound, found: Found) -> Sight:
    """The rivers as they are on record, with an unseen tile where one is not seen now."""
    if sight.heap:
        return sight
    rivers, in_order = list(sight.rivers), set()
    for seat in SEATS:
        slots = bound.of(ZoneKind.RIVER, seat)
        is_bound = any(slot.key in bound.pieces for slot in slots)
        if is_bound and len(slots) == len(state.seats[seat].river):
            line = _line(state, sight, seat, bound, found)
            if line is not None:
                rivers[seat] = line
                in_order.add(seat)
    return replace(sight, rivers=tuple(rivers), in_order=frozenset(in_order))


def _line(state: TableState, sight: Sight, seat: int, bound: Bound, found: Found) -> Line | None:
    """A seat's river, the discards on record first; None where it is not sure which is which."""
    slots, times = bound.of(ZoneKind.RIVER, seat), sight.observation.times
    rest = rest_of(sight.rivers[seat], found)
    stands = _unseen(state, seat, slots, bound.pieces, found, sight.rivers[seat])
    is_seen = sight.observation.sees_all(ZoneKind.RIVER, seat)
    if stands and rest and is_seen and seat != on_turn(state):
        return None  # what lies elsewhere now may be what is missed
    known = {slot.key: found[slot.key] for slot in slots if slot.key in found} | stands
    places = {
        id(tile): at for at, tile in enumerate(in_rows([*known.values(), *rest], seat, times))
    }
    line: list[SeenTile] = []
    for number, slot in enumerate(slots):
        if slot.key in known:
            line.append(known[slot.key])
        elif slot.key not in bound.pieces:
            first = places[id(line[-1])] if line else -1
            later = (places[id(known[each.key])] for each in slots[number:] if each.key in known)
            end = next(later, len(places))
            between = [tile for tile in rest if first < places[id(tile)] < end]
            if not between:
                if number < len(slots) - 1:
                    return None
                continue
            tile = _first_of(slot, between[0], line, seat, times)
            if tile is None:
                return None
            line.append(tile)
            places.setdefault(id(tile), places[id(between[0])] - 1)
            rest = [each for each in rest if each is not tile]
    last = max((places[id(tile)] for tile in line), default=-1)
    is_new = all(places[id(tile)] > last for tile in rest)
    return (*line, *rest) if is_new else None


def _first_of(
    slot: Slot, seen: SeenTile, line: Sequence[SeenTile], seat: int, times: float
) -> SeenTile | None:
    """The discard that was never seen: what lies there next, or nothing in a gap before that."""
    if slot.tile is Tile.UNKNOWN and seen.tile.is_face:
        gap = gap_before([*line, seen], len(line), seat, times)
        if gap is not None:
            return unseen_at(seen, from_seat(*gap, seat))
    is_it = seen.tile is slot.tile or Tile.UNKNOWN in (seen.tile, slot.tile)
    return seen if is_it else None


def _unseen(
    state: TableState,
    seat: int,
    slots: Sequence[Slot],
    pieces: Pieces,
    found: Found,
    river: Sequence[SeenTile],
) -> Found:
    """What lies unseen at the places of pieces that are missed; the last discard may be claimed."""
    claimable = state.last_discard is not None and state.last_discard[0] == seat
    beside = next(iter(river), None)
    if beside is None:
        return {}
    missed = [slot for slot in slots if slot.key in pieces and slot.key not in found]
    return {
        slot.key: unseen_at(beside, _place(slot, pieces))
        for slot in missed
        if not (claimable and slot is slots[-1])
    }


def _place(slot: Slot, pieces: Pieces) -> Point:
    piece = pieces[slot.key]
    return piece.x_mm, piece.y_mm


# --- What was never bound


def _by_record(state: TableState, sight: Sight, bound: Bound, found: Found) -> Found:
    """What is seen of pieces that were not bound yet, or are not any more: by the record."""
    more: Found = {}
    for slots, lying in _groups(sight, bound):
        is_river = bool(slots) and slots[0].kind is ZoneKind.RIVER
        if not is_river:
            more |= by_face(slots, lying, found)
        elif sight.heap:
            more |= _in_heap([slot for slot in slots if slot.key not in bound.pieces], lying, found)
        elif slots[0].seat is not None and len(slots) == len(state.seats[slots[0].seat].river):
            is_away = slots[0].seat == on_turn(state)
            some = [slot for slot in slots if not (is_away and slot.key in bound.pieces)]
            more |= _in_row(slots, some, lying, found)
    return more


def _in_row(slots: Sequence[Slot], some: Sequence[Slot], river: Line, found: Found) -> Found:
    """Each discard where it lies in its river, as far as all there may be what is on record."""
    pairs = list(zip(slots, river, strict=False))
    is_as_recorded = all(
        seen.tile is slot.tile or Tile.UNKNOWN in (seen.tile, slot.tile) for slot, seen in pairs
    )
    if len(pairs) < len(slots) or not is_as_recorded:
        return {}
    taken = {id(seen) for seen in found.values()}
    return {
        slot.key: seen
        for slot, seen in pairs
        if slot in some and slot.key not in found and seen.pictures and id(seen) not in taken
    }


def _in_heap(slots: Sequence[Slot], lying: Line, found: Found) -> Found:
    """By their faces; the only unread discard is the only thing that is nobody's."""
    more = by_face(slots, lying, found)
    unread = [slot for slot in slots if slot.key not in more and slot.key not in found]
    rest = rest_of(lying, found | more)
    if len(unread) == len(rest) == 1 and not unread[0].tile.is_face:
        more[unread[0].key] = rest[0]
    return more
