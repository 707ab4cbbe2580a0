"""The parts of the table that covers hide, by geometry: as `vision.visible` finds them."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.twin.lens import Lens
from table_assist.twin.scene import Cover, Point
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.occlusion import (
    CELL_MM,
    CELLS,
    HIDES_CELLS,
    RESTLESS_CELLS,
    Coming,
    crowding,
    least_cells,
)
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zone_views import zone_polygons
from table_assist.vision.table.zones import Layout, Zone, zone_at

Cells = NDArray[np.uint8]


class HiddenView:
    """Follows what is hidden; the covers' edges are seen as they are."""

    def __init__(self) -> None:
        self.unavailable: tuple[OccludedZone, ...] = ()
        self.partly_hidden: frozenset[Zone] = frozenset()
        self.fit(Layout(), 1.0)
        self._hidden = np.zeros((CELLS, CELLS), np.uint8)
        self._coming = Coming()
        self._restless: set[Zone] = set()

    def fit(self, layout: Layout, times: float) -> None:
        """As `TableView.fit`."""
        self._layout, self._times = layout, times
        self._zones = {zone: _filled(outline) for zone, outline in zone_polygons(layout).items()}

    def look(
        self, covers: tuple[Cover, ...], lens: Lens, calibration: Calibration, t: float
    ) -> None:
        """Take in what lies over the table now."""
        since = {gone.zone: gone.since_t for gone in self.unavailable}
        self._hidden = np.zeros((CELLS, CELLS), np.uint8)
        for cover in covers:
            lifted = np.array([(x, y, cover.height_mm) for x, y in cover.polygon_mm])
            seen = calibration.to_table(lens.project_points(lifted).astype(np.float32))
            cv2.fillPoly(self._hidden, [_cells(seen)], 1)
        fresh = self._coming.update(self._hidden > 0, t)
        self._restless = {
            zone for zone, own in self._zones.items() if (fresh & (own > 0)).sum() >= RESTLESS_CELLS
        }
        counts = {zone: int((self._hidden & own).sum()) for zone, own in self._zones.items()}
        self.unavailable = tuple(
            OccludedZone(zone, since.get(zone, t), WhyUnseen.HIDDEN)
            for zone, count in counts.items()
            if covers and count >= least_cells(self._times)
        )
        self.partly_hidden = frozenset(
            zone for zone, count in counts.items() if count >= HIDES_CELLS
        )

    def hides(self, place_mm: Point) -> bool:
        """Whether a tile at that place could not be seen, though it lies there."""
        if zone_at(*place_mm, self._layout) in self._restless:
            return True
        column, row = _cells(np.array([place_mm]))[0].tolist()
        around = self._hidden[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
        return bool(around.sum() >= HIDES_CELLS)

    def crowds(self, place_mm: Point) -> bool:
        """Whether something lies so near a place that a tile there is not read surely."""
        column, row = _cells(np.array([place_mm]))[0].tolist()
        reach = crowding(self._times)
        low, high = max(row - reach, 0), row + reach + 1
        left, right = max(column - reach, 0), column + reach + 1
        return bool(self._hidden[low:high, left:right].sum() >= HIDES_CELLS)


def _cells(points_mm: NDArray[np.floating]) -> NDArray[np.int32]:
    return np.asarray(np.floor(points_mm / CELL_MM + CELLS / 2), np.int32)


@cache
def _filled(outline: tuple[Point, ...]) -> Cells:
    own = np.zeros((CELLS, CELLS), np.uint8)
    cv2.fillConvexPoly(own, _cells(np.array(outline)), 1)
    return own
