"""From one picture after the other to steady observations of the table."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.calibration import Calibration, CalibrationError, KeptCalibration
from table_assist.vision.dice import DiceTray
from table_assist.vision.moved import MoveWatch, Stand, reference_from, reference_of
from table_assist.vision.observe import Observation, observe
from table_assist.vision.readings import Readings
from table_assist.vision.steady import Steady
from table_assist.vision.zones import Layout

Image = NDArray[np.uint8]


class Watcher:
    """Follows one camera. Used by one thread.

    Args:
        read: names what lies in a picture of the table, (h, w, 3) BGR.
        sure: the confidence from which a face counts as read.
        kept: the calibration as it was kept, by whose picture a moved camera is noticed; without
            one, by the first picture.

    Attributes:
        trouble: one sentence when it is not known where the table is now; else empty.
        note: one sentence when the camera was moved and the corners were fitted again.
    """

    def __init__(
        self,
        read: Callable[[Image], Readings],
        calibration: Calibration,
        layout: Layout,
        *,
        sure: float,
        kept: KeptCalibration | None = None,
    ) -> None:
        self.trouble = self.note = ""
        self._read = read
        self._calibration = calibration
        self._layout = layout
        self._steady = Steady(sure)
        self._tray = DiceTray()
        self._kept = kept
        self._moves: MoveWatch | None = None
        self._latest = Observation(0.0, ())

    def look(self, image: Image, t: float) -> Observation:
        """What is steady on the table after this picture, taken at `t`.

        Raises:
            CalibrationError: the picture is not of the size that was calibrated on.
        """
        calibration = self._where_it_is(image, t)
        if calibration is None:
            return replace(self._latest, t=t)
        x0, y0, x1, y1 = calibration.window((image.shape[1], image.shape[0]))
        window = np.ascontiguousarray(image[y0:y1, x0:x1])
        shifted = calibration.moved(-x0, -y0)
        seen = self._steady.update(observe(self._read(window), shifted, self._layout, t))
        self._latest = replace(seen, dice=self._tray.update(t, seen.seen_dice).settled)
        return self._latest

    def _where_it_is(self, image: Image, t: float) -> Calibration | None:
        """Where the table is now; None while the camera is on the move.

        A moved camera's tiles would lie in other zones: they are read once it is certain where.
        """
        moves = self._watch_moves(image)
        moves.look(image, t)
        self.note = moves.sentence if moves.is_certain else ""
        self.trouble = "" if moves.is_certain else moves.sentence
        if moves.latest.stand is not Stand.MOVED:
            return self._calibration
        if not moves.is_certain:
            return None
        a, b, c, d = moves.latest.corners_px
        return Calibration((a, b, c, d), self._calibration.side_mm)

    def _watch_moves(self, image: Image) -> MoveWatch:
        size_wh = image.shape[1], image.shape[0]
        kept = self._kept
        if kept is not None and kept.size_wh != size_wh:
            raise CalibrationError(
                f"the table was calibrated on pictures of {kept.size_wh[0]} x {kept.size_wh[1]} px "
                f"and the camera gives {size_wh[0]} x {size_wh[1]} px: calibrate again"
            )
        if self._moves is None:
            self._moves = MoveWatch(
                reference_of(image, self._calibration)
                if kept is None
                else reference_from(kept.grey, size_wh, self._calibration)
            )
        return self._moves
