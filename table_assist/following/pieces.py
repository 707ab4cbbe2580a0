"""The tiles of the record as they lie on the table: each keeps its piece to the end of the hand.

A tile of an entry is bound to the thing in which it was seen, and follows it: by the identity that
the camera's tiles have, else by its place. What is seen again after an arm, a glare or a restart is
found where it lay; what was pushed meanwhile, by its face. No entry takes another one's piece.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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
FARTHEST_PUSHED = 1.7  # of a river as a whole
READ_ALIKE = 3  # a face that is read tells so much more of a push than an unread one

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
    found = _untangled(slots, lying, _followed(slots, lying, pieces, times))
    for is_same in (True, False):
        while more := _moved_alike(slots, lying, found, pieces, times, is_same=is_same):
            found |= more
    return found


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


def _untangled(slots: Sequence[Slot], lying: Sequence[SeenTile], found: Found) -> Found:
    """A tile was pushed on and another lies at its place now: it is told by its face.

    So are all of a row that was pushed along by a tile's width. Each that shows another face than
    it should must lie elsewhere, surely read; else it is misread rather.
    """
    amiss = {
        slot.key: slot.tile
        for slot in slots
        if slot.key in found and not _may_be(slot, found[slot.key])
    }
    kept = {key: seen for key, seen in found.items() if key not in amiss}
    free = Counter(seen.tile for seen in rest_of(lying, kept))
    return found if Counter(amiss.values()) - free else kept


def _moved_alike(
    slots: Sequence[Slot],
    lying: Sequence[SeenTile],
    found: Mapping[Key, SeenTile],
    pieces: Pieces,
    times: float,
    *,
    is_same: bool,
) -> Found:
    """Those that lie where they lay, or that were pushed on alike while nobody saw it.

    A river is pushed as a whole, or its end is. Which way the faces tell that are read: most of
    what was lost fits to it. One face more does not tell that all lies another place on, unless
    what lies at the old one is surely another tile. What looks like a tile that is missed is rather
    that one, at the place of an unread one.

    Args:
        is_same: what is unread on one side alone is left.
    """
    rest = rest_of(lying, found)
    lost = {slot: _at(pieces[slot.key]) for slot in slots if slot.key in pieces.keys() - found}
    missed = {slot.tile for slot in lost if slot.tile.is_face}
    ways = {0j} | {
        _at(seen) - at for slot, at in lost.items() for seen in rest if slot.tile is seen.tile
    }
    best, most = Found(), 0
    for way in sorted(ways, key=abs):
        if abs(way) > FARTHEST_PUSHED * TILE_MM * times:
            break
        fits, taken, worth = Found(), set[int](), 0
        near = sorted(
            (off, number, slot.key, slot)
            for slot, at in lost.items()
            for number, seen in enumerate(rest)
            for off in [abs(at + way - _at(seen))]
            if off <= SAME_PLACE_MM * times
        )
        for _, number, key, slot in near:
            seen = rest[number]
            if key in fits or number in taken:
                continue
            is_alike = slot.tile is seen.tile and seen.tile.is_face
            if not is_alike and (seen.tile in missed or not _may_be(slot, seen)):
                worth -= READ_ALIKE
            elif slot.tile is seen.tile or not is_same:
                fits[key] = seen
                taken.add(number)
                worth += READ_ALIKE if is_alike else 1
        is_far = abs(way) > PUSHED_AT_MOST * TILE_MM * times
        if not way or worth > max(most + is_far * READ_ALIKE, 0):
            best, most = fits, worth
    return best


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
    return abs(_at(piece) - _at(seen))


def _at(there: Piece | SeenTile) -> complex:
    return complex(there.x_mm, there.y_mm)
