"""Where the camera is: by that, what stands above the table is seen elsewhere than it is.

A picture is mapped to the table's plane. A wall two tiles high, seen obliquely, appears farther out
than it stands; how far follows from the camera's place over the table, and that from the four
corners of the square table and the middle of the picture.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.table.calibration import Calibration

# Of the picture's longer side: common webcams' focal lengths, and by how many times others differ.
WEBCAM_FOCAL, OTHER_FOCALS = 0.85, 4.0
# How little a camera that looks straight down says about its focal length: what is usual counts.
PRIOR = 0.02
# A lying tile's upper side, in mm; and a back's, which may be that of a wall two tiles high.
FACE_MM, BACK_MM = 20.0, 30.0


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """The camera's place over the table, in mm; z upwards."""

    x_mm: float
    y_mm: float
    z_mm: float

    def below(self, x_mm: float, y_mm: float, height_mm: float) -> tuple[float, float]:
        """Where something at that height is, which is seen where the plane has the point."""
        share = height_mm / self.z_mm
        return x_mm + (self.x_mm - x_mm) * share, y_mm + (self.y_mm - y_mm) * share

    def seen_at(self, x_mm: float, y_mm: float, height_mm: float) -> tuple[float, float]:
        """Where the plane has what stands there at that height: the inverse of `below`."""
        share = height_mm / (self.z_mm - height_mm)
        return x_mm + (x_mm - self.x_mm) * share, y_mm + (y_mm - self.y_mm) * share


@lru_cache(maxsize=16)
def viewpoint(calibration: Calibration, size_wh: tuple[int, int]) -> Viewpoint | None:
    """Where the camera is; None where the corners cannot be of a square seen by one.

    Args:
        size_wh: of the whole picture: its middle is taken for the lens's axis.
    """
    axis = (size_wh[0] / 2, size_wh[1] / 2)
    # (3, 3) from table mm to picture points, counted from the axis
    rows = []
    for (x, y), (u, v) in zip(calibration.corners_mm, calibration.corners_px, strict=True):
        u, v = u - axis[0], v - axis[1]
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y, -u], [0, 0, 0, x, y, 1, -v * x, -v * y, -v]]
    plane = np.asarray(np.linalg.svd(np.array(rows))[2][-1].reshape(3, 3), np.float64)
    usual = WEBCAM_FOCAL * max(size_wh)
    tried = [usual * exp(log(OTHER_FOCALS) * step) for step in np.linspace(-1, 1, 121)]
    focal = min(tried, key=lambda f: _misfit(plane, f) + (PRIOR * log(f / usual)) ** 2)
    across, along, start = (plane / np.array([[focal], [focal], [1.0]])).T
    scale = 2 / (np.linalg.norm(across) + np.linalg.norm(along))
    across, along, start = across * scale, along * scale, start * scale
    if start[2] < 0:  # the table is before the camera, not behind it
        across, along, start = -across, -along, -start
    rotation = np.column_stack([across, along, np.cross(across, along)])
    x, y, z = (float(value) for value in -np.linalg.inv(rotation) @ start)
    # Pictures count their rows downwards, so what is above the table comes out below zero.
    return Viewpoint(x, y, abs(z)) if abs(z) > BACK_MM else None


def _misfit(plane: NDArray[np.float64], focal: float) -> float:
    """How far the table's two sides are from being at right angles and alike, squared."""
    across, along, _ = (plane / np.array([[focal], [focal], [1.0]])).T
    lengths = np.linalg.norm(across), np.linalg.norm(along)
    angle = float(across @ along) / float(lengths[0] * lengths[1])
    return angle**2 + log(float(lengths[0] / lengths[1])) ** 2
