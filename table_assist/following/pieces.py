"""The tiles of the record as they lie on the table: each keeps its piece to the end of the hand.

A tile of an entry is bound to the thing in which it was seen, and follows it: by the identity that
the camera's tiles have, else by its place. What is seen again after an arm, a glare or a restart is
found where it lay; what was pushed meanwhile, by its face. No entry takes another one's piece.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot
from types import MappingProxyType

from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import SeenTile
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.tile_tracker import SAME_PLACE_MM
from table_assist.vision.table.zones import ZoneKind

# In a tile's widths: from one look to the next a followed tile moves by less than it lies from its
# neighbour, and so does one that was pushed while nobody saw it. What is seen farther off under its
# identity is another camera's, or another run's.
PUSHED_AT_MOST = 0.85

Key = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Slot:
    """One tile of an entry, that lies open on the table by the record.

    Attributes:
        key: the entry's number, and which of its tiles, from 0.
        kind: where it lies; WALL for an indicator, wherever it was laid aside.
        seat: before whom; None for an indicator.
    """

    key: Key
    tile: Tile
    kind: ZoneKind
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """Where a tile of the record lay when it was seen last.

    Attributes:
        id: of what was seen, as `SeenTile.id`; 0 where nobody follows it.
        is_seen: in the newest look.
    """

    id: int
    x_mm: float
    y_mm: float
    is_seen: bool = True

    @property
    def unseen(self) -> "Piece":
        """The same, that is not there now."""
        return Piece(self.id, self.x_mm, self.y_mm, is_seen=False)


Pieces = Mapping[Key, Piece]
Found = dict[Key, SeenTile]
NO_PIECES: Pieces = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Bound:
    """The recorded pieces that lie on the table, and where.

    Attributes:
        slots: the open tiles of the record; of a river and of a seat's melds the oldest first.
    """

    slots: tuple[Slot, ...] = ()
    pieces: Pieces = field(default_factory=lambda: NO_PIECES)

    def of(self, kind: ZoneKind, seat: int | None = None) -> tuple[Slot, ...]:
        """The slots there; of all seats where none is given."""
        return tuple(
            slot for slot in self.slots if slot.kind is kind and (seat is None or slot.seat == seat)
        )


def piece_of(seen: SeenTile) -> Piece:
    """The piece that is seen there."""
    return Piece(seen.id, seen.x_mm, seen.y_mm)


def find_again(
    slots: Sequence[Slot], lying: Sequence[SeenTile], pieces: Pieces, times: float
) -> Found:
    """Which of what lies there are the pieces of these slots, as far as they were bound before.

    Args:
        lying: where the slots' tiles lie; nothing is two slots' piece.
        times: how many times as large as usual the tiles are.
    """
    found = _followed(slots, lying, pieces, times)
    bound = sum(slot.key in pieces for slot in slots)
    if len(found) == bound and all(
        _may_be(slot, found[slot.key]) for slot in slots if slot.key in found
    ):
        return found
    found = _untangled(slots, lying, found, pieces)
    found |= _at_their_places(slots, lying, found, pieces, times)
    return found | _pushed(slots, lying, found, pieces, times)


def by_face(
    slots: Sequence[Slot], lying: Sequence[SeenTile], found: Mapping[Key, SeenTile]
) -> Found:
    """Of slots that were never bound: those of whose face as many lie there as are missing.

    Equal tiles are bound in their order: nobody can tell them apart, and nothing depends on it.
    """
    rest = rest_of(lying, found)
    missing: dict[Tile, list[Slot]] = {}
    for slot in slots:
        if slot.key not in found and slot.tile.is_face:
            missing.setdefault(slot.tile, []).append(slot)
    more: Found = {}
    for tile, alike in missing.items():
        there = [seen for seen in rest if seen.tile is tile]
        if len(there) == len(alike):
            more |= {slot.key: seen for slot, seen in zip(alike, there, strict=True)}
    return more


def bound_to(keys: Iterable[tuple[Key, Tile]], seen: Iterable[SeenTile]) -> dict[Key, Piece]:
    """The pieces of a new entry's tiles, that were seen when it was written down."""
    rest = list(seen)
    found = {}
    for key, tile in sorted(keys, key=lambda each: not each[1].is_face):
        match = next((each for each in rest if each.tile is tile), None)
        unread = (each for each in rest if not (tile.is_face and each.tile.is_face))
        match = match or next(unread, None)
        if match is not None:
            rest.remove(match)
            found[key] = piece_of(match)
    return found


def _followed(
    slots: Sequence[Slot], lying: Sequence[SeenTile], pieces: Pieces, times: float
) -> Found:
    """By the identity that what is seen has."""
    by_id = {seen.id: seen for seen in lying if seen.id}
    found = {}
    for slot in slots:
        piece = pieces.get(slot.key)
        seen = None if piece is None else by_id.get(piece.id)
        if (
            piece is not None
            and seen is not None
            and _apart(piece, seen) <= PUSHED_AT_MOST * TILE_MM * times
        ):
            found[slot.key] = seen
            del by_id[piece.id]
    return found


def _untangled(
    slots: Sequence[Slot], lying: Sequence[SeenTile], found: Found, pieces: Pieces
) -> Found:
    """A tile was pushed on and another lies at its place now: it is told by its face.

    So are all of a row that was pushed along by a tile's width. Each that shows another face than
    it should must lie elsewhere, surely read; else it is misread rather.
    """
    amiss = [slot for slot in slots if slot.key in found and not _may_be(slot, found[slot.key])]
    if not amiss:
        return found
    lost = [slot for slot in slots if slot.key in pieces and slot.key not in found]
    tangled = [*amiss, *(slot for slot in lost if slot.tile.is_face)]
    there = [found[slot.key] for slot in amiss]
    free = [seen for seen in rest_of(lying, found) if seen.tile.is_face]
    if Counter(slot.tile for slot in amiss) - Counter(seen.tile for seen in (*there, *free)):
        return found
    rest = [*there, *free]
    kept = {key: seen for key, seen in found.items() if seen not in there}
    for slot in tangled:
        alike = [seen for seen in rest if seen.tile is slot.tile]
        if alike:
            match = min(alike, key=lambda seen: _apart(pieces[slot.key], seen))
            rest.remove(match)
            kept[slot.key] = match
    return kept


def _at_their_places(
    slots: Sequence[Slot],
    lying: Sequence[SeenTile],
    found: Mapping[Key, SeenTile],
    pieces: Pieces,
    times: float,
) -> Found:
    """Where they lay when they were seen last, the nearest first.

    What looks like a tile that is missed is rather that one, pushed to the place of an unread one.
    """
    lost = [slot for slot in slots if slot.key in pieces and slot.key not in found]
    missed = {slot.tile for slot in lost if slot.tile.is_face}
    near = [
        (off, number, slot.key)
        for slot in lost
        for number, seen in enumerate(lying)
        if slot.tile is seen.tile or (seen.tile not in missed and _may_be(slot, seen))
        for off in [_apart(pieces[slot.key], seen)]
        if off <= SAME_PLACE_MM * times
    ]
    taken = {id(seen) for seen in found.values()}
    more: Found = {}
    for _, number, key in sorted(near):
        seen = lying[number]
        if key not in more and id(seen) not in taken:
            more[key] = seen
            taken.add(id(seen))
    return more


def _pushed(
    slots: Sequence[Slot],
    lying: Sequence[SeenTile],
    found: Mapping[Key, SeenTile],
    pieces: Pieces,
    times: float,
) -> Found:
    """Pushed while nobody saw it: the only one of its face that is missing, and that lies near."""
    missing = [slot for slot in slots if slot.key in pieces and slot.key not in found]
    rest = rest_of(lying, found)
    wanted, there = (
        Counter(tiles) for tiles in ((s.tile for s in missing), (s.tile for s in rest))
    )
    more = {}
    for slot in missing:
        if slot.tile.is_face and wanted[slot.tile] == there[slot.tile] == 1:
            seen = next(each for each in rest if each.tile is slot.tile)
            if _apart(pieces[slot.key], seen) <= PUSHED_AT_MOST * TILE_MM * times:
                more[slot.key] = seen
    return more


def rest_of(lying: Iterable[SeenTile], found: Mapping[Key, SeenTile]) -> list[SeenTile]:
    """The things that lie there and are nobody's piece."""
    taken = {id(seen) for seen in found.values()}
    return [seen for seen in lying if id(seen) not in taken]


def is_at(piece: Piece, seen: SeenTile, times: float, reach_mm: float = SAME_PLACE_MM) -> bool:
    """Whether it lies where the piece lay."""
    return _apart(piece, seen) <= reach_mm * times


def _may_be(slot: Slot, seen: SeenTile) -> bool:
    """Whether it may be that tile: of a kong some lie face down."""
    if not seen.tile.is_face:
        return seen.tile is Tile.UNKNOWN or slot.kind is ZoneKind.MELDS
    return slot.tile is seen.tile or not slot.tile.is_face


def _apart(piece: Piece, seen: SeenTile) -> float:
    return hypot(piece.x_mm - seen.x_mm, piece.y_mm - seen.y_mm)
