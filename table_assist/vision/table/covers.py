"""Where in kept pictures something lies over the table: hands, arms, cups."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.motion import Box
from table_assist.vision.pictures.picture import Image
from table_assist.vision.table.blacken import Polygon
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.occlusion import CELL_MM, CELLS, TableView
from table_assist.vision.table.zones import Layout

_NOTHING_MOVES = np.zeros((1, 1), np.bool_)
# Time stands still here: what lies somewhere for long is no part of the table.
_T = 0.0


def in_picture(boxes_px: NDArray[np.float32], window: Box) -> NDArray[np.float32]:
    """(n, 4, 2) corners in the whole picture of what was read in a part of it."""
    return np.asarray(boxes_px + np.array(window[:2]), np.float32)


class Covers:
    """Finds what is neither cloth nor tile, as `TableView` does for who follows a table.

    Give it the pictures from the last to the first: what lies there in the first one that it is
    given is the table, and at the end of a trial the table is empty.
    """

    def __init__(self, layout: Layout) -> None:
        # A follower sees nothing in a standing hand; here an arm over it is an arm.
        self._view = TableView(replace(layout, melds=layout.edge - 1.0))

    def places(
        self, image: Image, calibration: Calibration, boxes_px: NDArray[np.float32]
    ) -> tuple[Polygon, ...]:
        """The covers over the table in a picture (h, w, 3) BGR: convex corners in its pixels.

        Args:
            boxes_px: (n, 4, 2) corners of the tiles and dice that were read in it.
        """
        self._view.update(image, calibration, boxes_px, _NOTHING_MOVES, (), _T)
        found = []
        for row, cells in enumerate(self._view.hidden):
            edges = np.flatnonzero(np.diff(np.concatenate([[0], cells.astype(np.int8), [0]])))
            for first, last in edges.reshape(-1, 2).tolist():
                square = [(first, row), (last, row), (last, row + 1), (first, row + 1)]
                corners_mm = (np.array(square, np.float32) - CELLS / 2) * CELL_MM
                places = calibration.to_picture(np.asarray(corners_mm, np.float32))
                found.append(tuple((float(x), float(y)) for x, y in places))
        return tuple(found)
