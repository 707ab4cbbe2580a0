"""Where the pieces of the record lie now: found again by what is known of them, else by the record.

What is new on the table, and what is read late, is told by order and faces; which piece a discard
is, by this.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from table_assist.following.pieces import (
    Bound,
    Found,
    Pieces,
    Slot,
    by_face,
    find_again,
    is_at,
    piece_of,
    rest_of,
)
from table_assist.following.seen_table import TableSight, turned_treasures
from table_assist.game.state import SEATS, TableState
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import SeenTile
from table_assist.vision.table.zones import ZoneKind

Lying = tuple[SeenTile, ...]


def kept(state: TableState, sight: TableSight, bound: Bound) -> tuple[TableSight, Pieces]:
    """The sight with the pieces of discards that are known in it, and where every piece lies."""
    if not bound.slots:  # nobody knows the entries of the discards
        lying = ((seat, *each) for seat in SEATS for each in enumerate(state.seats[seat].river))
        nameless = (Slot((0, 4 * n + seat), tile, ZoneKind.RIVER, seat) for seat, n, tile in lying)
        bound = Bound(tuple(nameless))
    found: Found = {}
    for slots, there in _groups(sight, bound):
        seen = [each for each in there if each.pictures]  # and none that only keeps a place
        found |= find_again(slots, seen, bound.pieces, sight.observation.times)
    found |= _by_record(sight, bound, found)
    rivers = ((seat, enumerate(bound.of(ZoneKind.RIVER, seat))) for seat in SEATS)
    keys = {(seat, index): slot.key for seat, river in rivers for index, slot in river}
    known = {
        (seat, index): found[key]
        for (seat, index), key in keys.items()
        if key in found and index < len(state.seats[seat].river)
    }
    lost = {
        place: bound.pieces[key]
        for place, key in keys.items()
        if key in bound.pieces and key not in found
    }
    return replace(sight, known=known, lost=lost), _now(bound, found)


def as_owned(sight: TableSight, bound: Bound) -> TableSight:
    """The rivers with each piece among the discards of its seat, before whomever it lies."""
    lying = [(seat, seen) for seat in SEATS for seen in sight.rivers[seat]]
    followed = {seen.id: (seat, seen) for seat, seen in lying if seen.id}
    for owner in () if sight.heap else SEATS:
        for index, slot in enumerate(bound.of(ZoneKind.RIVER, owner)):
            piece = bound.pieces.get(slot.key)
            if piece is None:
                continue
            for seat, seen in [followed[piece.id]] if piece.id in followed else lying:
                if seat != owner and is_at(piece, seen, sight.observation.times):
                    sight = sight.owned(seen, owner, index)
    return sight


def _groups(sight: TableSight, bound: Bound) -> Iterator[tuple[Sequence[Slot], Lying]]:
    """Which pieces of the record may be which of the things that are seen."""
    rivers = [bound.of(ZoneKind.RIVER, seat) for seat in SEATS]
    if sight.heap:
        yield [slot for river in rivers for slot in river], sight.thrown
    else:
        yield from zip(rivers, sight.rivers, strict=True)
    for seat in SEATS:
        melds = bound.of(ZoneKind.MELDS, seat)
        if melds:
            yield melds, sight.observation.in_zone(ZoneKind.MELDS, seat)
    indicators = bound.of(ZoneKind.WALL)
    if indicators:
        yield indicators, tuple(turned_treasures(sight.observation))


def _now(bound: Bound, found: Found) -> Pieces:
    pieces = {}
    for slot in bound.slots:
        if slot.key in found:
            pieces[slot.key] = piece_of(found[slot.key])
        elif slot.key in bound.pieces:
            pieces[slot.key] = bound.pieces[slot.key].unseen
    return pieces


def _by_record(sight: TableSight, bound: Bound, found: Found) -> Found:
    """The tiles of pieces that were not bound yet: by the record alone."""
    more: Found = {}
    for slots, lying in _groups(sight, bound):
        new = [slot for slot in slots if slot.key not in bound.pieces and slot.key not in found]
        if not new:
            continue
        is_row = slots[0].kind is ZoneKind.RIVER and not sight.heap
        more |= _in_row(slots, new, lying, found) if is_row else _by_faces(new, lying, found)
    return more


def _in_row(slots: Sequence[Slot], new: Sequence[Slot], river: Lying, found: Found) -> Found:
    """Each discard where it lies in its river, if just those lie there that are on record."""
    pairs = list(zip(slots, river, strict=False))
    is_as_recorded = len(river) == len(slots) and all(
        seen.tile is slot.tile or Tile.UNKNOWN in (seen.tile, slot.tile) for slot, seen in pairs
    )
    if not is_as_recorded:
        return {}
    taken = {id(seen) for seen in found.values()}
    return {
        slot.key: seen
        for slot, seen in pairs
        if slot in new and seen.pictures and id(seen) not in taken
    }


def _by_faces(new: Sequence[Slot], lying: Lying, found: Found) -> Found:
    """By their faces; the only unread one is the only thing that is nobody's."""
    more = by_face(new, lying, found)
    unread = [slot for slot in new if slot.key not in more]
    rest = rest_of(lying, found | more)
    if len(unread) == len(rest) == 1 and not unread[0].tile.is_face:
        more[unread[0].key] = rest[0]
    return more
