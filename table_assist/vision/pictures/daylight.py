"""Light that changes slowly over a picture is no change of what lies there.

A cloud before the sun changes the light on a whole table by a part in a hundred at a time. In
cells of the picture, larger than several tiles, the median point says how much: what comes to lie
there is smaller than half of a cell, or differs by far more.
"""

import cv2
import numpy as np

from table_assist.vision.pictures.motion import BLOCK, Watched

CELL = 15  # blocks each way: at 1080 lines three tiles by four
DARK_ADDED = 10.0  # grey levels added before comparing
# Less is no change that could be taken for one, and more is no slow one.
LEAST_CHANGE, MOST_CHANGE = 0.015, 0.08


def in_the_light_of(reference: Watched, now: Watched) -> Watched:
    """The reference as it would look in the light of another picture of that size.

    The very same value where the light is about as it was, or changed at once.
    """
    tall, wide = now.grey.shape
    blocks = wide // BLOCK, tall // BLOCK
    before, after = (
        np.asarray(cv2.resize(each.grey, blocks, interpolation=cv2.INTER_AREA), np.float32)
        + DARK_ADDED
        for each in (reference, now)
    )
    ratio = after / before
    rows, columns = (-(-side // CELL) for side in ratio.shape)
    beyond = (0, rows * CELL - ratio.shape[0]), (0, columns * CELL - ratio.shape[1])
    cells = np.pad(ratio, beyond, "edge").reshape(rows, CELL, columns, CELL)
    each = cells.swapaxes(1, 2).reshape(rows, columns, CELL * CELL)
    # An odd number: the median is one of them, and found in half of the time of `np.median`.
    middle = CELL * CELL // 2
    gains = np.asarray(np.partition(each, middle, axis=2)[:, :, middle], np.float32)
    slow = np.abs(gains - 1) <= MOST_CHANGE
    if 2 * slow.sum() <= slow.size:
        return reference
    gains = np.where(slow, gains, np.float32(np.median(gains[slow])))
    if np.abs(gains - 1).max() < LEAST_CHANGE:
        return reference
    height, width = reference.grey.shape
    # The last cells reach beyond the picture.
    size = gains.shape[1] * CELL * BLOCK, gains.shape[0] * CELL * BLOCK
    fine = cv2.resize(gains, size, interpolation=cv2.INTER_LINEAR)[:height, :width]
    lit = cv2.multiply(reference.grey, fine, dtype=cv2.CV_8U)
    return Watched(np.asarray(lit, np.uint8), reference.size_wh)
