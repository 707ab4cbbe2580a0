"""Where on the table: hand, melds, wall and river of each seat, the dice and the birds.

A seat's own axes: `r` to the player's right, `d` from the table's centre towards the player's
edge, both in millimetres. Every point of the table belongs to exactly one zone.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from math import hypot

from table_assist.vision.table.tile_size import TILE_MM


class ZoneKind(StrEnum):
    """The kinds of zones."""

    HAND = "hand"
    MELDS = "melds"
    WALL = "wall"
    RIVER = "river"
    DICE = "dice"
    BIRDS = "birds"
    ELSEWHERE = "elsewhere"


# Where tiles of play lie open; and where they lie flat for all cameras alike, and none before the
# deal. A wall and standing tiles look different from each.
LYING = (ZoneKind.RIVER, ZoneKind.MELDS)
FLAT = (*LYING, ZoneKind.BIRDS)


@dataclass(frozen=True, slots=True)
class Zone:
    """A kind of zone and the seat it belongs to; None for what is common to all."""

    kind: ZoneKind
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """Distances that separate the zones, in mm from the table's centre along a seat's `d`.

    The defaults fit a table of 800 mm with tiles of about 26 x 35 mm: dice and birds in the
    middle, then four rows of river, the wall, the melds, and the hand at the edge.

    Attributes:
        centre: half the side of the common square in the middle.
        river: where the river ends and the wall begins.
        wall: where the wall ends and the melds begin.
        melds: where the melds end and the hand begins.
        edge: half the table's side.
        well: the radius of the window in the middle under which the dice lie; 0: there is none.
    """

    centre: float = 76.0
    river: float = 226.0
    wall: float = 274.0
    melds: float = 331.0
    edge: float = 400.0
    well: float = 0.0

    def fitted(self, tile_mm: float) -> "Layout":
        """The same for tiles of that width; borders that were set by hand stay.

        Larger tiles' rivers, of four rows from the middle outwards, push the wall before them, and
        that the melds: these may lie as far out as the end of a neighbour's wall of 18 stacks.
        """
        if replace(self, well=0.0) != Layout() or tile_mm <= TILE_MM:
            return self
        times = tile_mm / TILE_MM
        return Layout(
            self.centre,
            max(self.river, 81.5 + 141.5 * times),
            max(self.wall, 84.5 + 176.5 * times),
            max(self.melds, 361.5 * times - 78.5),
            self.edge,
            self.well,
        )

    def __post_init__(self) -> None:
        steps = (0.0, self.centre, self.river, self.wall, self.melds, self.edge)
        if any(low >= high for low, high in pairwise(steps)):
            raise ValueError(
                f"zone borders must grow from the centre to the edge, got {steps[1:]} mm"
            )
        if not 0 <= self.well <= self.centre:
            raise ValueError(f"a well of {self.well} mm does not fit the middle, {self.centre} mm")


def to_seat(x_mm: float, y_mm: float, seat: int) -> tuple[float, float]:
    """A point in the seat's own axes (r, d).

    >>> to_seat(10, -300, 0), to_seat(300, 10, 1)
    ((10, 300), (10, 300))
    """
    match seat:
        case 0:
            return x_mm, -y_mm
        case 1:
            return y_mm, x_mm
        case 2:
            return -x_mm, y_mm
        case _:
            return -y_mm, -x_mm


def from_seat(r: float, d: float, seat: int) -> tuple[float, float]:
    """The inverse of `to_seat`."""
    match seat:
        case 0:
            return r, -d
        case 1:
            return d, r
        case 2:
            return -r, d
        case _:
            return -d, -r


def zone_at(x_mm: float, y_mm: float, layout: Layout) -> Zone:
    """The zone of a point."""
    if layout.well and hypot(x_mm, y_mm) < layout.well:
        return Zone(ZoneKind.DICE)
    if abs(x_mm) < layout.centre and abs(y_mm) < layout.centre:
        return Zone(ZoneKind.DICE if x_mm < 0 else ZoneKind.BIRDS)
    # Near a corner two seats' rows cross: melds are packed from their owner's right-hand end, so
    # the corner of their ring belongs to the seat for which it lies to the right.
    for seat in range(4):
        r, d = to_seat(x_mm, y_mm, seat)
        if layout.melds <= d <= layout.edge and abs(r) <= layout.melds:
            return Zone(ZoneKind.HAND, seat)
        if layout.wall <= d < layout.melds and -layout.wall <= r <= layout.melds:
            return Zone(ZoneKind.MELDS, seat)
    seat = max(range(4), key=lambda s: to_seat(x_mm, y_mm, s)[1])
    d = to_seat(x_mm, y_mm, seat)[1]
    if d >= layout.wall:
        return Zone(ZoneKind.ELSEWHERE)
    return Zone(ZoneKind.WALL if d >= layout.river else ZoneKind.RIVER, seat)
