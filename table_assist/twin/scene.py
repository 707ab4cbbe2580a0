"""The physical things on a table: tiles, dice and whatever covers them, in millimetres.

The origin is the table's centre, x points to seat 1 (right in the picture), y to seat 2 (up).
Seat 0 sits at the bottom, seat 3 left. Angles turn counter-clockwise: what seat ``k`` reads
upright has ``turn_deg = 90 * k``.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import atan2, cos, degrees, hypot, radians, sin

from table_assist.tiles.tile import Tile

TABLE_MM = 800.0
# A common set for automatic tables, between the small (24 mm) and the large (44 mm) ones.
TILE_WIDTH_MM = 26.0
TILE_LENGTH_MM = 35.0
TILE_THICKNESS_MM = 20.0
DIE_MM = 16.0

Point = tuple[float, float]


class Pose(StrEnum):
    """How a tile lies or stands, and on how many others that lie face down."""

    FACE_UP = "face_up"
    FACE_DOWN = "face_down"
    STANDING = "standing"
    STACKED = "stacked"  # face down on another
    TOPPED = "topped"  # face down on two others
    TURNED = "turned"  # face up on another


# Footprint's width and depth, and height, of each pose.
SIZES_MM: dict[Pose, tuple[float, float, float]] = {
    Pose.FACE_UP: (TILE_WIDTH_MM, TILE_LENGTH_MM, TILE_THICKNESS_MM),
    Pose.FACE_DOWN: (TILE_WIDTH_MM, TILE_LENGTH_MM, TILE_THICKNESS_MM),
    Pose.STANDING: (TILE_WIDTH_MM, TILE_THICKNESS_MM, TILE_LENGTH_MM),
    Pose.STACKED: (TILE_WIDTH_MM, TILE_LENGTH_MM, 2 * TILE_THICKNESS_MM),
    Pose.TOPPED: (TILE_WIDTH_MM, TILE_LENGTH_MM, 3 * TILE_THICKNESS_MM),
    Pose.TURNED: (TILE_WIDTH_MM, TILE_LENGTH_MM, 2 * TILE_THICKNESS_MM),
}
_PIECES_OF = {Pose.STACKED: 2, Pose.TOPPED: 3, Pose.TURNED: 2}


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """A tile on the table.

    A standing tile shows its face to whom it would be upright (``turn_deg`` 0: seat 0) and its
    back to the other side. Tiles one on the other are one placed tile: the uppermost.

    Attributes:
        x_mm: centre of the footprint, as ``y_mm``.
        turn_deg: counter-clockwise, 0 is readable from the bottom of the picture.
        scale: times as large as a usual tile.
    """

    tile: Tile
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    pose: Pose = Pose.FACE_UP
    scale: float = 1.0

    @property
    def pieces(self) -> int:
        """How many tiles of the set this is: those below it count, too."""
        return _PIECES_OF.get(self.pose, 1)

    @property
    def shows(self) -> Tile | None:
        """The upper side: a face, a back, or None for a standing tile."""
        match self.pose:
            case Pose.STANDING:
                return None
            case Pose.FACE_UP | Pose.TURNED:
                return self.tile
            case _:
                return Tile.BACK

    @property
    def size_mm(self) -> tuple[float, float, float]:
        """Width and depth of the footprint before turning, and the height."""
        width, depth, height = SIZES_MM[self.pose]
        return width * self.scale, depth * self.scale, height * self.scale

    def corners_mm(self) -> tuple[Point, Point, Point, Point]:
        """The footprint: upper left, upper right, lower right, lower left, as the tile is read."""
        width, depth, _ = self.size_mm
        return rectangle(self.x_mm, self.y_mm, width=width, depth=depth, turn_deg=self.turn_deg)


@dataclass(frozen=True, slots=True)
class PlacedDie:
    """A die showing ``value`` (1-6) upwards.

    Attributes:
        size_mm: an edge.

    Raises:
        ValueError: there is no such face.
    """

    value: int
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    size_mm: float = DIE_MM

    def __post_init__(self) -> None:
        if not 1 <= self.value <= 6:
            raise ValueError(f"a die shows 1 to 6, not {self.value}")

    def corners_mm(self) -> tuple[Point, Point, Point, Point]:
        """The footprint, as ``PlacedTile.corners_mm``."""
        side = self.size_mm
        return rectangle(self.x_mm, self.y_mm, width=side, depth=side, turn_deg=self.turn_deg)


@dataclass(frozen=True, slots=True)
class Cover:
    """Something above the table that hides it: a hand, a sleeve, a cloth, a sheet over the lens.

    Attributes:
        polygon_mm: at least three corners, in order.
        colour: blue, green, red, 0-255.
        height_mm: above the table; says how far its shadow falls.
        is_light: it is no body but a lamp's mirror image. Glossy tiles are white in it, the cloth
            is as it was; it has soft borders and no shadow.
    """

    polygon_mm: tuple[Point, ...]
    colour: tuple[int, int, int]
    height_mm: float = 50.0
    is_light: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything the camera can see on one table; later covers lie above earlier ones."""

    tiles: tuple[PlacedTile, ...] = ()
    dice: tuple[PlacedDie, ...] = ()
    covers: tuple[Cover, ...] = ()


def rectangle(
    x_mm: float, y_mm: float, *, width: float, depth: float, turn_deg: float = 0.0
) -> tuple[Point, Point, Point, Point]:
    """Corners of a turned rectangle: upper left, upper right, lower right, lower left.

    >>> rectangle(10, 0, width=4, depth=2)
    ((8.0, 1.0), (12.0, 1.0), (12.0, -1.0), (8.0, -1.0))
    """
    half, up = width / 2, depth / 2
    upper_left, upper_right, lower_right, lower_left = _placed(
        ((-half, up), (half, up), (half, -up), (-half, -up)), x_mm, y_mm, turn_deg=turn_deg
    )
    return upper_left, upper_right, lower_right, lower_left


SKIN = (142, 172, 214)
SLEEVE = (92, 66, 48)


def reaching_arm(
    seat: int,
    x_mm: float,
    y_mm: float,
    *,
    skin: tuple[int, int, int] = SKIN,
    sleeve: tuple[int, int, int] = SLEEVE,
) -> tuple[Cover, Cover]:
    """A seat's arm reaching from the rim to a point: the sleeve, and the hand above it."""
    (start,) = _placed(((0.0, -0.625 * TABLE_MM),), 0, 0, turn_deg=90 * seat)
    length = hypot(x_mm - start[0], y_mm - start[1])
    turn = degrees(atan2(y_mm - start[1], x_mm - start[0])) - 90
    # Beyond the rim, to where the shoulder is out of any picture.
    shoulder = -max(length, 200.0) - 350.0
    arm = ((-36, -150), (36, -150), (68, shoulder), (-68, shoulder))
    return (
        Cover(_placed(arm, x_mm, y_mm, turn_deg=turn), sleeve),
        Cover(_placed(_HAND_OUTLINE, x_mm, y_mm, turn_deg=turn), skin),
    )


# A loosely closed hand seen from above, fingertips at the origin, y forward.
_HAND_OUTLINE: tuple[Point, ...] = (
    (-30, -175), (-34, -150), (-44, -120), (-58, -92), (-64, -66), (-56, -58), (-48, -68),
    (-42, -86), (-39, -78), (-37, -50), (-34, -12), (-27, -4), (-20, -8), (-18, -30), (-17, -58),
    (-12, -58), (-11, -20), (-9, 0), (-1, 4), (5, 0), (6, -24), (7, -56), (12, -56), (13, -24),
    (15, -6), (22, -4), (27, -10), (27, -34), (27, -62), (32, -62), (33, -44), (35, -28),
    (41, -27), (45, -34), (45, -58), (43, -92), (38, -130), (32, -175),
)  # fmt: skip


def _placed(
    outline: tuple[Point, ...], x_mm: float, y_mm: float, *, turn_deg: float
) -> tuple[Point, ...]:
    """An outline drawn around the origin, turned and moved to a place on the table."""
    across, along = cos(radians(turn_deg)), sin(radians(turn_deg))
    return tuple(
        (x_mm + dx * across - dy * along, y_mm + dx * along + dy * across) for dx, dy in outline
    )
