"""How tiles of one size fit on the table: in a seat's own axes (see `places`), centres in mm.

* hand: d 362, from the left; the drawn tile 14 mm apart, a self-drawn winning tile of a shown hand
  20 mm apart;
* melds and eggs: d 300, packed from r 325 to the left, 8 mm between groups. Players who turn the
  claimed tile lay it sideways at the end or middle that points to its discarder. A concealed kong
  shows inner tiles. An added tile lies beside the left end of its group;
* flowers and seasons: the same row, from r -261 to the right;
* wall: d 247; birds and dice in the middle.

Of larger tiles the rivers reach further out, and push the wall, the melds and the hand before them
as far as they must.
"""

from dataclasses import dataclass
from functools import cached_property

from table_assist.twin.scene import TILE_LENGTH_MM, TILE_WIDTH_MM, Point

HAND_FIRST_R, MELDS_RIGHT_R, BONUS_FIRST_R, PASSING_D = -307.0, 325.0, -261.0, 151.0
_HALF_LENGTH_MM, _HALF_DIAGONAL_MM = TILE_LENGTH_MM / 2, 21.8
_AIR_MM = 2.0
_LONG_WALL = 18  # stacks a side, of 144 tiles
# Beyond, a long wall's ends, the melds and the hand find no room any more; and what is drawn.
LARGEST_SCALE = 1.17


@dataclass(frozen=True)
class Fit:
    """Where tiles of one size lie.

    Attributes:
        scale: times as large as usual tiles.

    Raises:
        ValueError: such tiles find no room.
    """

    scale: float = 1.0

    def __post_init__(self) -> None:
        if not 0.5 <= self.scale <= LARGEST_SCALE:
            raise ValueError(
                f"tiles of 0.5 to {LARGEST_SCALE:g} times the usual size fit on the table, "
                f"not {self.scale:g}"
            )

    @cached_property
    def width(self) -> float:
        """Of a tile."""
        return TILE_WIDTH_MM * self.scale

    @cached_property
    def length(self) -> float:
        """Of a tile."""
        return TILE_LENGTH_MM * self.scale

    @cached_property
    def river_first_r(self) -> float:
        """Of a river's first tile."""
        return -65.0 * self.scale

    @cached_property
    def river_d(self) -> float:
        """Of a river's first row, which begins at the console."""
        return 98.0 + _HALF_LENGTH_MM * (self.scale - 1)

    @cached_property
    def river_row(self) -> float:
        """From one row of a river to the next."""
        return 35.5 * self.scale

    @cached_property
    def heap(self) -> tuple[float, float]:
        """How far out a heap's tiles lie, whole between the middle and the wall."""
        near = 98.0 + _HALF_DIAGONAL_MM * (self.scale - 1)
        return near, 204.0 + (self.wall_inner_d - 229.5) - _HALF_DIAGONAL_MM * (self.scale - 1)

    @cached_property
    def wall_d(self) -> float:
        """The wall stands here, or beyond a river of four rows."""
        return max(247.0, 241.5 + 159.0 * (self.scale - 1))

    @cached_property
    def wall_inner_d(self) -> float:
        """The wall's side that looks at the middle."""
        return self.wall_d - self.length / 2

    @cached_property
    def melds_d(self) -> float:
        """The melds lie here, or beyond the end of the neighbour's long wall."""
        wall_ends = self.stack_r(_LONG_WALL, 1) + self.width / 2
        return max(300.0, wall_ends + self.length / 2 + _AIR_MM)

    @cached_property
    def hand_d(self) -> float:
        """The hand stands here, or beyond the melds."""
        return max(362.0, self.melds_d + self.length + _AIR_MM)

    @cached_property
    def birds(self) -> tuple[Point, ...]:
        """On the table: where birds are turned."""
        return tuple(
            (x * self.scale, y * self.scale)
            for x in (30.0, 58.0)
            for y in (20.0, -25.0, 57.0, -60.0)
        )

    def stack_r(self, stacks: int, stack: int) -> float:
        """Where a stack stands, counted from 1 at the seat's right; long sides are a pinwheel.

        >>> Fit().stack_r(13, 7), Fit().stack_r(18, 1)
        (0.0, 226.5)
        """
        overhang = max(stacks * self.width / 2 - self.wall_inner_d, -1.0) + 1.0
        return (stacks - 1) * self.width / 2 - self.width * (stack - 1) + overhang


USUAL_FIT = Fit()
