"""Whether all tiles lie elsewhere at once: then the table was bumped, or the camera."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import SeenTile
from table_assist.vision.table.tile_tracker import SAME_PLACE_MM

LEAST_TILES = 6  # face up: fewer may be pushed by a hand
MOST_MISSED = 0.6  # of them still where they were: nothing was bumped
FARTHEST_MM = 60.0
OFF_MM = 5.0  # by which a tile may miss the common motion
TOGETHER = 0.6  # of the tiles share one motion: the table's


@dataclass(frozen=True, slots=True)
class Pushed:
    """How the tiles lie beside how they lay.

    Attributes:
        transform: (2, 3) from where the tiles lay to where they lie, in mm; None for none.
        is_amiss: most of them are not where they were, and no common motion explains it.
    """

    transform: NDArray[np.float64] | None = None
    is_amiss: bool = False

    def refit(self, calibration: Calibration) -> Calibration:
        """The calibration by which every tile lies where it lay."""
        assert self.transform is not None
        half = calibration.side_mm / 2
        corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        moved = corners @ self.transform[:, :2].T + self.transform[:, 2]
        a, b, c, d = (
            (float(x), float(y)) for x, y in calibration.to_picture(moved.astype(np.float32))
        )
        return Calibration((a, b, c, d), calibration.side_mm)


def pushed_together(before: Sequence[SeenTile], now: Sequence[SeenTile]) -> Pushed:
    """Compare the tiles that are followed with those that are seen."""
    were = [tile for tile in before if tile.tile.is_face]
    are = [tile for tile in now if tile.tile.is_face]
    if min(len(were), len(are)) < LEAST_TILES:
        return Pushed()
    were_at, are_at = (np.array([(tile.x_mm, tile.y_mm) for tile in each]) for each in (were, are))
    away = np.hypot(*np.moveaxis(were_at[:, None] - are_at, 2, 0))
    there = np.count_nonzero(away.min(axis=1) <= SAME_PLACE_MM)
    if there > (1 - MOST_MISSED) * len(were):
        return Pushed()
    pairs = [
        (old, new)
        for old in were
        for new in are
        if new.tile is old.tile and _apart(old, new) <= FARTHEST_MM
    ]
    if len(pairs) < LEAST_TILES:
        return Pushed(is_amiss=True)
    start = np.array([(old.x_mm, old.y_mm) for old, _ in pairs], np.float32)
    end = np.array([(new.x_mm, new.y_mm) for _, new in pairs], np.float32)
    matrix, agreeing = cv2.estimateAffinePartial2D(
        start, end, method=cv2.RANSAC, ransacReprojThreshold=OFF_MM, maxIters=500
    )
    if not np.size(matrix):
        return Pushed(is_amiss=True)
    share = len({pairs[i][0].id for i in np.flatnonzero(agreeing)}) / len(were)
    transform = np.asarray(matrix, np.float64)
    scale = float(np.hypot(transform[0, 0], transform[1, 0]))
    if share < TOGETHER or abs(scale - 1) > 0.03:
        return Pushed(is_amiss=True)
    return Pushed(transform)


def _apart(one: SeenTile, other: SeenTile) -> float:
    return hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
