"""From a found box to its name: the recogniser's crop."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

CROP_SIZE = 64  # px, the side of the recogniser's input
CROP_MARGIN = (
    1.35  # the crop's side over the box's longer side: a turned tile's corners stay inside
)

Image = NDArray[np.uint8]


def crop_tile(image: Image, xyxy: Sequence[float] | NDArray[np.float32]) -> Image:
    """Cut the square around a box that the recogniser reads; training cuts with this too.

    Args:
        image: (h, w, 3) BGR.
        xyxy: one box in pixels; it may reach beyond the picture, whose border is then repeated.

    Returns:
        (64, 64, 3) RGB.
    """
    height, width = image.shape[:2]
    x1, y1, x2, y2 = (float(value) for value in xyxy)
    side = max(1, round(CROP_MARGIN * max(x2 - x1, y2 - y1)))
    left = round((x1 + x2) / 2 - side / 2)
    top = round((y1 + y2) / 2 - side / 2)
    # A box wholly outside still gets the nearest border, never an empty slice.
    inner_left, inner_right = _inside(left, left + side, width)
    inner_top, inner_bottom = _inside(top, top + side, height)
    piece = image[inner_top:inner_bottom, inner_left:inner_right]
    before_x, after_x = _missing(left, side, inner_left, inner_right)
    before_y, after_y = _missing(top, side, inner_top, inner_bottom)
    if before_x or after_x or before_y or after_y:
        piece = cv2.copyMakeBorder(
            piece, before_y, after_y, before_x, after_x, cv2.BORDER_REPLICATE
        ).astype(np.uint8, copy=False)
    shrinking = side > CROP_SIZE
    resized = cv2.resize(
        piece,
        (CROP_SIZE, CROP_SIZE),
        interpolation=cv2.INTER_AREA if shrinking else cv2.INTER_LINEAR,
    )
    return np.ascontiguousarray(resized[:, :, ::-1]).astype(np.uint8, copy=False)


def _inside(start: int, end: int, size: int) -> tuple[int, int]:
    """The part of [start, end) within [0, size), at least one pixel of it."""
    first = min(max(start, 0), size - 1)
    return first, max(min(end, size), first + 1)


def _missing(start: int, side: int, first: int, last: int) -> tuple[int, int]:
    """Pixels to repeat before and after so that [first, last) grows to the side."""
    before = min(max(first - start, 0), side - (last - first))
    return before, side - (last - first) - before
