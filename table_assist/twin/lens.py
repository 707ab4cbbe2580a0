"""Where the simulated camera hangs, where it sees a point, and where two pictures differ."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray

from table_assist.twin.scene import TABLE_MM, Point
from table_assist.vision.pictures.motion import Box
from table_assist.vision.pictures.picture import Image

_SHELF_MM = 1500.0  # from where a phone on a shelf or a tripod looks
_SEEN_AROUND_MM = 30.0  # of what is beside the cloth is seen


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera without distortion that looks at a point of the table.

    Attributes:
        px_per_mm: at the point it looks at, in the table's plane.
        height_mm: the distance to that point; small means that tiles far out lean outwards.
        tilt_deg: 0 looks straight down; positive stands behind seat 0 and looks over it.
        turn_deg: how far the table is turned in the picture, counter-clockwise; a camera that
            hangs from seat 1's side has 90 more or less.
        aim_mm: the point it looks at.
    """

    size_wh: tuple[int, int] = (1920, 1080)
    px_per_mm: float = 1.28
    height_mm: float = 1200.0
    tilt_deg: float = 0.0
    turn_deg: float = 0.0
    aim_mm: Point = (0.0, 0.0)
    _matrix: NDArray[np.float64] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= abs(self.tilt_deg) <= 60:
            raise ValueError(f"a table is seen at 0 to 60 degrees, not {self.tilt_deg:g}")
        tilt, turn = radians(self.tilt_deg), radians(self.turn_deg)
        turned = _matrix((cos(turn), -sin(turn), 0), (sin(turn), cos(turn), 0), (0, 0, 1))
        # Rows: right, down and forward in the picture, for a table already turned.
        looking = _matrix((1, 0, 0), (0, -cos(tilt), -sin(tilt)), (0, sin(tilt), -cos(tilt)))
        rotation = looking @ turned
        shift = -rotation @ np.array(self.position_mm)
        focal = self.px_per_mm * self.height_mm
        width, height = self.size_wh
        inner = _matrix((focal, 0, width / 2), (0, focal, height / 2), (0, 0, 1))
        object.__setattr__(self, "_matrix", np.asarray(inner @ np.column_stack([rotation, shift])))

    @property
    def position_mm(self) -> tuple[float, float, float]:
        """Where the camera is, z above the table."""
        # The table is turned in the picture, so the camera stands turned the other way.
        turn, tilt = radians(self.turn_deg), radians(self.tilt_deg)
        back = self.height_mm * sin(tilt)
        return (
            self.aim_mm[0] - back * sin(turn),
            self.aim_mm[1] - back * cos(turn),
            self.height_mm * cos(tilt),
        )

    def project(self, x_mm: float, y_mm: float, z_mm: float = 0.0) -> Point:
        """A point of the table, or above it, in the picture; it may lie outside."""
        u, v = self.project_points(np.array([[x_mm, y_mm, z_mm]]))[0]
        return float(u), float(v)

    def project_points(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points of shape (n, 2) on the table or (n, 3), to picture points of shape (n, 2)."""
        points = np.asarray(points_mm, np.float64)
        rotation, shift = self._matrix[:, :3], self._matrix[:, 3]
        seen = points @ rotation[:, : points.shape[1]].T + shift
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def corners_px(self) -> tuple[Point, Point, Point, Point]:
        """The table's corners in a calibration's order: (-,-), (+,-), (+,+), (-,+)."""
        half = TABLE_MM / 2
        a, b, c, d = (
            self.project(x, y)
            for x, y in ((-half, -half), (half, -half), (half, half), (-half, half))
        )
        return a, b, c, d

    def plane_matrix(self) -> NDArray[np.float64]:
        """The 3 x 3 matrix from table millimetres (x, y, 1) to the picture."""
        return np.asarray(self._matrix[:, [0, 1, 3]])


def askew(lens: Lens, tilt_deg: float, *, turn_deg: float = 0.0) -> Lens:
    """The camera as on a shelf behind seat 0: tilted, and so near that the table fills the picture.

    Args:
        lens: its picture's size counts.
    """
    width, height = lens.size_wh
    half = TABLE_MM / 2 + _SEEN_AROUND_MM
    far = replace(lens, height_mm=_SHELF_MM, tilt_deg=tilt_deg, turn_deg=turn_deg)
    for _ in range(4):  # what is nearer is larger: each round brings the middle nearer to its place
        corners = far.project_points(half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]))
        low, high = corners.min(axis=0), corners.max(axis=0)
        fits = float(min((width, height) / (high - low)))
        off_mm = ((low + high) / 2 - np.array([width, height]) / 2) / far.px_per_mm
        turn = radians(turn_deg)
        x, y = far.aim_mm
        across, up = float(off_mm[0]), -float(off_mm[1]) / cos(radians(tilt_deg))
        far = replace(
            far,
            px_per_mm=far.px_per_mm * fits,
            aim_mm=(
                x + across * cos(turn) + up * sin(turn),
                y - across * sin(turn) + up * cos(turn),
            ),
        )
    return replace(far, px_per_mm=far.px_per_mm * 0.99)


def _matrix(*rows: Sequence[float]) -> NDArray[np.float64]:
    return np.array(rows, np.float64)


# Of a picture, from which working it out whole is no slower.
MOST_OF_PICTURE = 0.6


@dataclass(frozen=True, slots=True)
class RegionChange:
    """How a drawing came from another one.

    Attributes:
        before: the other one.
        boxes: outside of these both are equal.
    """

    before: Image
    boxes: tuple[Box, ...]


def around(points: NDArray[np.int32], margin: int, size_wh: tuple[int, int]) -> Box:
    """The box around points (n, 2), so much larger each way, cut to the picture."""
    (left, top), (right, bottom) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    return grown((left, top, right + 1, bottom + 1), margin, size_wh)


def grown(box: Box, margin: int, size_wh: tuple[int, int]) -> Box:
    """So much larger each way, cut to the picture; of one beside it nothing is left."""
    width, height = size_wh
    left, right = max(box[0] - margin, 0), min(box[2] + margin, width)
    top, bottom = max(box[1] - margin, 0), min(box[3] + margin, height)
    return left, top, max(left, right), max(top, bottom)


def common(one: Box, other: Box) -> Box | None:
    """The intersection of two boxes; None: nothing."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    return (left, top, right, bottom) if left < right and top < bottom else None


def joined(boxes: Iterable[Box], size_wh: tuple[int, int]) -> tuple[Box, ...] | None:
    """The boxes without empty ones, those that meet made one; None: they are nearly all of it."""
    apart: list[Box] = []
    for box in boxes:
        one = box
        while (other := next((each for each in apart if common(one, each)), None)) is not None:
            apart.remove(other)
            low = min(one[0], other[0]), min(one[1], other[1])
            one = (*low, max(one[2], other[2]), max(one[3], other[3]))
        if one[0] < one[2] and one[1] < one[3]:
            apart.append(one)
    pixels = sum((box[2] - box[0]) * (box[3] - box[1]) for box in apart)
    return None if pixels > MOST_OF_PICTURE * size_wh[0] * size_wh[1] else tuple(apart)


def part(box: Box) -> tuple[slice, slice]:
    """The box's rows and columns."""
    return slice(box[1], box[3]), slice(box[0], box[2])
