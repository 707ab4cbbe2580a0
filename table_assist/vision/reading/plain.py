"""Things without a drawing: backs, sides of tiles, and white dragons without a frame.

From the middle of a thing its one colour is followed as far as it goes. On a white dragon with a
frame it ends there, well inside the tile, at whatever angle that lies; on a plain thing it ends at
the thing's edge, or beyond.
"""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Image

LEVELS = 12  # of one colour, in each channel
# Of the thing's box, along the side where it reaches farther: frames of real whites leave 0.3-0.6.
REACHES = 0.8
MIDDLE = 0.2  # of the crop: where the colour is taken from


class Colour(NamedTuple):
    """In CIELAB as OpenCV has it, 0-255 each."""

    light: int
    red: int
    yellow: int

    def differs(self, other: "Colour") -> int:
        """By how many levels, in what differs most."""
        return max(abs(a - b) for a, b in zip(self, other, strict=True))


def plain_colour(crop: Image, box_px: NDArray[np.float32]) -> Colour | None:
    """The colour of a thing on which nothing is drawn; None: something is.

    Args:
        crop: (n, n, 3) RGB with the thing in its middle.
        box_px: (2,) the width and the height of its box in the crop.
    """
    soft = np.asarray(cv2.GaussianBlur(crop, (3, 3), 0), np.uint8)
    half, reach = crop.shape[0] // 2, round(MIDDLE * crop.shape[0] / 2)
    middle = soft[half - reach : half + reach, half - reach : half + reach]
    usual = np.median(middle.reshape(-1, 3), axis=0)
    away = np.abs(middle - usual).max(axis=2)
    row, column = np.unravel_index(int(away.argmin()), away.shape)
    mask = np.zeros((crop.shape[0] + 2, crop.shape[1] + 2), np.uint8)
    seed = (int(column) + half - reach, int(row) + half - reach)
    flags = 4 | cv2.FLOODFILL_FIXED_RANGE | cv2.FLOODFILL_MASK_ONLY | (1 << 8)
    cv2.floodFill(soft, mask, seed, 0, (LEVELS,) * 3, (LEVELS,) * 3, flags)
    rows, columns = np.nonzero(mask[1:-1, 1:-1])  # its border is always set
    extent = np.array([np.ptp(columns) + 1, np.ptp(rows) + 1])
    if (extent < REACHES * box_px).all():
        return None
    # (3,) RGB, 0-255, as a colour
    lab = cv2.cvtColor(usual.astype(np.uint8)[None, None], cv2.COLOR_RGB2LAB)[0, 0]
    return Colour(*lab.astype(int).tolist())
