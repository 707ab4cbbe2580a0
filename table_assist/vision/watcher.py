"""From one picture after the other to steady observations of the table."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.calibration import Calibration
from table_assist.vision.dice import DiceTray
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
    """

    def __init__(
        self,
        read: Callable[[Image], Readings],
        calibration: Calibration,
        layout: Layout,
        *,
        sure: float,
    ) -> None:
        self._read = read
        self._calibration = calibration
        self._layout = layout
        self._steady = Steady(sure)
        self._tray = DiceTray()

    def look(self, image: Image, t: float) -> Observation:
        """What is steady on the table after this picture, taken at `t`."""
        x0, y0, x1, y1 = self._calibration.window((image.shape[1], image.shape[0]))
        window = np.ascontiguousarray(image[y0:y1, x0:x1])
        calibration = self._calibration.moved(-x0, -y0)
        seen = self._steady.update(observe(self._read(window), calibration, self._layout, t))
        return replace(seen, dice=self._tray.update(t, seen.seen_dice).settled)
