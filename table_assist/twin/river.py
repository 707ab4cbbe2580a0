"""Where discards come to lie: six a row before their seat, or anywhere in one heap."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from random import Random

from table_assist.tiles.tile import Tile
from table_assist.twin.scene import TILE_LENGTH_MM, TILE_WIDTH_MM, PlacedTile, Point, Pose

HAND_FIRST_R, MELDS_RIGHT_R, BONUS_FIRST_R, PASSING_D = -307.0, 325.0, -261.0, 151.0
_HALF_LENGTH_MM, _HALF_DIAGONAL_MM = TILE_LENGTH_MM / 2, 21.8
_AIR_MM = 2.0
_LONG_WALL = 18  # stacks a side, of 144 tiles
# Beyond, a long wall's ends, the melds and the hand find no room any more; and what is drawn.
LARGEST_SCALE = 1.17


class Fit:
    """Where tiles of one size lie.

    Attributes:
        scale: times as large as usual tiles.
        width, length: of a tile.
        river_first_r: of a river's first tile.
        river_d: of a river's first row, which begins at the console.
        river_row: from one row of a river to the next.
        heap: how far out a heap's tiles lie, whole between the middle and the wall.
        wall_d: the wall stands here, or beyond a river of four rows.
        melds_d: the melds lie here, or beyond the end of the neighbour's long wall.
        hand_d: the hand stands here, or beyond the melds.
        birds: on the table: where birds are turned.

    Raises:
        ValueError: such tiles find no room.
    """

    def __init__(self, scale: float = 1.0) -> None:
        if not 0.5 <= scale <= LARGEST_SCALE:
            raise ValueError(
                f"tiles of 0.5 to {LARGEST_SCALE:g} times the usual size fit on the table, "
                f"not {scale:g}"
            )
        self.scale = scale
        self.width, self.length = TILE_WIDTH_MM * scale, TILE_LENGTH_MM * scale
        self.river_first_r, self.river_row = -65.0 * scale, 35.5 * scale
        self.river_d = 98.0 + _HALF_LENGTH_MM * (scale - 1)
        self.wall_d = max(247.0, 241.5 + 159.0 * (scale - 1))
        self._wall_inner_d = self.wall_d - self.length / 2  # its side that looks at the middle
        beyond = _HALF_DIAGONAL_MM * (scale - 1)
        self.heap = 98.0 + beyond, 204.0 + (self._wall_inner_d - 229.5) - beyond
        wall_ends = self.stack_r(_LONG_WALL, 1) + self.width / 2
        self.melds_d = max(300.0, wall_ends + self.length / 2 + _AIR_MM)
        self.hand_d = max(362.0, self.melds_d + self.length + _AIR_MM)
        self.birds: tuple[Point, ...] = tuple(
            (x * scale, y * scale) for x in (30.0, 58.0) for y in (20.0, -25.0, 57.0, -60.0)
        )

    def stack_r(self, stacks: int, stack: int) -> float:
        """Where a stack stands, counted from 1 at the seat's right; long sides are a pinwheel.

        >>> Fit().stack_r(13, 7), Fit().stack_r(18, 1)
        (0.0, 226.5)
        """
        overhang = max(stacks * self.width / 2 - self._wall_inner_d, -1.0) + 1.0
        return (stacks - 1) * self.width / 2 - self.width * (stack - 1) + overhang


USUAL_FIT = Fit()


def on_table(seat: int, r: float, d: float) -> Point:
    """A seat's place in the table's axes: seat 0's place, turned by 90 degrees a seat.

    >>> on_table(0, 10, 300), on_table(1, 10, 300)
    ((10, -300), (300, 10))
    """
    x, y = r, -d
    for _ in range(seat % 4):
        x, y = -y, x
    return x, y


def put(
    seat: int,
    tile: Tile,
    *,
    r: float,
    d: float,
    turn: float = 0.0,
    pose: Pose = Pose.FACE_UP,
    scale: float = 1.0,
) -> PlacedTile:
    """A tile at a seat's place; `turn` 0 is upright for that seat, positive counter-clockwise."""
    x, y = on_table(seat, r, d)
    return PlacedTile(tile, x, y, 90.0 * seat + turn, pose, scale)


def penetration(one: tuple[Point, ...], other: tuple[Point, ...]) -> float:
    """How far two rectangles would have to be moved apart, in mm; 0 when they do not overlap.

    Corners in order, as `PlacedTile.corners_mm` gives them. Rectangles are convex, so they are
    apart exactly when the normal of one of their sides separates them.
    """
    least = float("inf")
    for corners in (one, other):
        for start, end in ((corners[0], corners[1]), (corners[1], corners[2])):
            across, along = end[0] - start[0], end[1] - start[1]
            length = (across * across + along * along) ** 0.5
            first = [(x * across + y * along) / length for x, y in one]
            second = [(x * across + y * along) / length for x, y in other]
            least = min(least, max(first) - min(second), max(second) - min(first))
            if least <= 0:
                return 0.0
    return least


RIVER_ROW, RIVER_ROWS = 6, 4
# Discards are laid down less carefully than tiles that are pushed together in a row.
RIVER_JITTER_MM, RIVER_JITTER_DEG = 1.5, 1.7
RIVER_HABIT_DEG = 2.3
# Tiles that would press deeper than this into their neighbours push themselves aside.
TOUCH_MM = 0.3
# Only tiles so near can touch: the largest measure 51 mm across.
NEAR_TILES_MM = 55.0
_THROWS = 400


class RiverStyle(StrEnum):
    """How people discard."""

    ROWS = "rows"
    HEAP = "heap"


class Rivers:
    """The discards of one hand as they lie; what lies does not move."""

    def __init__(self, rng: Random, style: RiverStyle, fit: Fit) -> None:
        self._rng = rng
        self._fit = fit
        self._style = style
        self._turns = [rng.uniform(-1, 1) * RIVER_HABIT_DEG for _ in range(4)]
        self._lying: list[dict[int, PlacedTile]] = [{}, {}, {}, {}]

    def clear(self) -> None:
        """Everything went into the machine."""
        self._lying = [{}, {}, {}, {}]

    def tiles(self) -> Iterable[PlacedTile]:
        """All of them."""
        for river in self._lying:
            yield from river.values()

    def place(self, piece: int, seat: int) -> PlacedTile:
        """Where a discard of the seat lies."""
        return self._lying[seat][piece]

    def update(self, seat: int, pieces: Sequence[int], faces: Sequence[Tile]) -> None:
        """These are the seat's discards now, the oldest first."""
        river = self._lying[seat]
        for piece in set(river).difference(pieces):
            del river[piece]
        for piece, face in zip(pieces, faces, strict=True):
            if piece not in river:
                thrown = self._style is RiverStyle.HEAP
                river[piece] = self._thrown(seat, face) if thrown else self._laid(seat, face)

    def _laid(self, seat: int, face: Tile) -> PlacedTile:
        rng, fit = self._rng, self._fit
        river = list(self._lying[seat].values())
        row = min(len(river) // RIVER_ROW, RIVER_ROWS - 1)
        r = fit.river_first_r + fit.width * (len(river) - RIVER_ROW * row)
        r += rng.uniform(-1, 1) * RIVER_JITTER_MM
        d = fit.river_d + fit.river_row * row + rng.uniform(-1, 1) * RIVER_JITTER_MM
        turn = self._turns[seat] + rng.uniform(-1, 1) * RIVER_JITTER_DEG
        row_before, others = river[RIVER_ROW * row :], list(self.tiles())
        placed = put(seat, face, r=r, d=d, turn=turn, scale=fit.scale)
        for _ in range(12):
            aside, outwards = pressed(placed, row_before), pressed(placed, others)
            if outwards == 0:
                break
            r, d = (r + aside, d) if aside else (r, d + outwards)
            placed = put(seat, face, r=r, d=d, turn=turn, scale=fit.scale)
        return placed

    def _thrown(self, seat: int, face: Tile) -> PlacedTile:
        """Anywhere that is free: people look where they throw."""
        rng, others, scale = self._rng, list(self.tiles()), self._fit.scale
        near, far = self._fit.heap
        placed, least = put(seat, face, r=0, d=far, scale=scale), float("inf")
        for _ in range(_THROWS):
            x, y = rng.uniform(-far, far), rng.uniform(-far, far)
            if max(abs(x), abs(y)) < near:
                continue
            tried = PlacedTile(face, x, y, rng.uniform(0, 360), scale=scale)
            deep = pressed(tried, others)
            if deep < least:
                placed, least = tried, deep
            if least == 0:
                break
        return placed


def pressed(placed: PlacedTile, others: Iterable[PlacedTile]) -> float:
    """How deep a tile presses into the others, where that is more than a touch; else 0."""
    corners = placed.corners_mm()
    near = (
        penetration(corners, other.corners_mm())
        for other in others
        if abs(other.x_mm - placed.x_mm) < NEAR_TILES_MM
        and abs(other.y_mm - placed.y_mm) < NEAR_TILES_MM
    )
    deepest = max(near, default=0.0)
    return deepest if deepest > TOUCH_MM else 0.0
