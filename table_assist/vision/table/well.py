"""The marked middle of an automatic table: dice under glass, read at the camera's own resolution.

The table's calibration brings the round window into a view from straight above, as finely as the
camera shows it and finer; `read_dice` reads that.
"""

import cv2
import numpy as np

from table_assist.vision.pictures.picture import Array, Image
from table_assist.vision.reading.dice_in_view import read_dice
from table_assist.vision.reading.pips import VIEW_PX_PER_MM
from table_assist.vision.reading.recognise import Recogniser
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.dice import SeenDie

RING_MM = 4.0  # of the ring is seen around the window
COARSE_TIMES = 8  # times smaller: what tells whether anything moves
MOVED_LEVELS = 14.0
WELL_LOOKS = 3  # at dice that lie still; each has its own noise


class Well:
    """Follows one well. Not for several threads.

    Args:
        radius_mm: of the window in the table's middle.
    """

    def __init__(self, recogniser: Recogniser, radius_mm: float) -> None:
        self._recogniser, self._radius_mm = recogniser, radius_mm
        self._before: Array | None = None
        self._looks = 0
        self._dice: tuple[SeenDie, ...] = ()

    def read_dice(self, picture: Image, calibration: Calibration) -> tuple[SeenDie, ...] | None:
        """The dice in a picture (h, w, 3); None: something moves there."""
        view = self.view(picture, calibration)
        small = cv2.resize(
            view, None, fx=1 / COARSE_TIMES, fy=1 / COARSE_TIMES, interpolation=cv2.INTER_AREA
        )
        now = np.asarray(cv2.GaussianBlur(small, (0, 0), 1), np.float32)
        before, self._before = self._before, now
        if before is None or np.abs(now - before).max() > MOVED_LEVELS:
            self._looks = 0
            return None
        if self._looks < WELL_LOOKS:
            self._looks += 1
            self._dice = self.read(view)
        return self._dice

    def view(self, picture: Image, calibration: Calibration) -> Image:
        """The window from straight above, `VIEW_PX_PER_MM`."""
        reach = self._radius_mm + RING_MM
        side = round(2 * reach * VIEW_PX_PER_MM)
        corners = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], np.float32) * np.float32(reach)
        own = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - np.float32(0.5)
        matrix = cv2.getPerspectiveTransform(calibration.to_picture(corners), own)
        seen = cv2.warpPerspective(
            picture, matrix, (side, side), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(seen, np.uint8)

    def read(self, view: Image) -> tuple[SeenDie, ...]:
        """The dice in such a view, in the table's millimetres."""
        middle = view.shape[0] / 2
        return tuple(
            SeenDie(die.value, (die.x - middle) / VIEW_PX_PER_MM, (middle - die.y) / VIEW_PX_PER_MM)
            for die in read_dice(view, self._radius_mm * VIEW_PX_PER_MM, self._recogniser)
        )
