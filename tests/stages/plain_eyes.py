"""Eyes that read every picture whole, for tests in which nothing is on the move."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.motion import Box
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.readings import Readings


class PlainEyes:
    """As `table_assist.vision.table.watcher.Eyes`."""

    def __init__(self, read: Callable[[Image], Readings]) -> None:
        self._read = read

    @property
    def unread(self) -> NDArray[np.bool_]:
        """Nothing."""
        return np.zeros((1, 1), np.bool_)

    @property
    def healed(self) -> int:
        """Nothing is remembered."""
        return 0

    def read(self, image: Image, t: float) -> Readings:
        """As `Eyes.read`."""
        return self._read(image)

    def read_afresh(self, area: Box) -> None:
        """Everything is."""

    def expect(self, tile_px: float) -> None:
        """Its size does not matter."""
