"""Which parts of a picture changed since they were last read.

A picture is watched in grey and reduced. A point counts as changed when it lies outside of what the
reference had within one watched pixel around it: so sensor noise, JPEG's ringing and a shake of a
pixel change nothing, however hard the edges are, while another face in the same place does.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Array, Image, Mask

# Longer sides are reduced, by a whole number: that takes a fifth of the time. Of a 4K picture a
# shake of a watched pixel is two of the camera's.
WATCH_SIDE = 1920
BLOCK = 8  # watched px; a tile of 20 px still fills several
NOISE = 10  # grey levels beyond the neighbourhood: three sigma of a noisy webcam (5 levels)
CHANGED_LEVELS = 2.0  # mean grey levels beyond noise in a block: a stroke of two by four pixels
# A change counts for a box from this share of its sides inwards: not its neighbour's
COUNTED_SHARE = 0.9

Box = tuple[int, int, int, int]  # left, top, right, bottom in the picture's pixels


@dataclass(frozen=True, slots=True)
class Watched:
    """A picture as it is watched.

    Attributes:
        grey: reduced, its right and lower border repeated to whole blocks.
        size_wh: the picture's own size.
    """

    grey: Image
    size_wh: tuple[int, int]
    _bounds: list[tuple[Image, Image]] = field(default_factory=list, repr=False, compare=False)

    def bounds(self) -> tuple[Image, Image]:
        """How dark and how bright each point may be in another picture and still be as it was.

        Worked out once: most pictures are compared with the same one.
        """
        if not self._bounds:
            kernel, noise = np.ones((3, 3), np.uint8), np.array([NOISE, 0, 0, 0], np.float64)
            low = cv2.subtract(cv2.erode(self.grey, kernel), noise)
            high = cv2.add(cv2.dilate(self.grey, kernel), noise)
            # A shake brings in the ground beyond the border: there anything is as it was.
            right, bottom = (side * BLOCK // block_px(self.size_wh) - 1 for side in self.size_wh)
            for bound, least in ((low, 0), (high, 255)):
                bound[:1] = bound[bottom:] = bound[:, :1] = bound[:, right:] = least
            self._bounds.append((np.asarray(low, np.uint8), np.asarray(high, np.uint8)))
        return self._bounds[0]

    def block_edges(self, boxes: Array) -> NDArray[np.intp]:
        """(n, 4) boxes in the picture's pixels to left, top, right, bottom in blocks, outwards."""
        rows, columns = (size // BLOCK for size in self.grey.shape)
        scaled = boxes / block_px(self.size_wh)
        edges = np.concatenate([np.floor(scaled[:, :2]), np.ceil(scaled[:, 2:])], axis=1)
        return np.asarray(np.clip(edges, 0, (columns, rows) * 2), np.intp)


def block_px(size_wh: tuple[int, int]) -> int:
    """A block's side in the pixels of a picture of that size."""
    return BLOCK * -(-max(size_wh) // WATCH_SIDE)


def watch(image: Image) -> Watched:
    """Reduce a picture (h, w, 3) BGR to what is watched."""
    height, width = image.shape[:2]
    block = block_px((width, height))
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    below, beside = -height % block, -width % block
    if below or beside:
        grey = cv2.copyMakeBorder(grey, 0, below, 0, beside, cv2.BORDER_REPLICATE)
    if block > BLOCK:
        size = grey.shape[1] * BLOCK // block, grey.shape[0] * BLOCK // block
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return Watched(np.asarray(grey, np.uint8), (width, height))


def changed_blocks(reference: Watched, now: Watched) -> Mask:
    """(rows, columns) of blocks in which something changed; the sizes must be equal."""
    low, high = reference.bounds()
    beyond = cv2.max(cv2.subtract(now.grey, high), cv2.subtract(low, now.grey))
    rows, columns = (size // BLOCK for size in now.grey.shape)
    blocks = cv2.resize(
        np.asarray(beyond, np.float32), (columns, rows), interpolation=cv2.INTER_AREA
    )
    return np.asarray(blocks > CHANGED_LEVELS, np.bool_)


def clusters(mask: Mask, size_wh: tuple[int, int]) -> tuple[Box, ...]:
    """Connected changed blocks as boxes in the picture's pixels; a block's gap still connects."""
    grown = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(np.asarray(grown, np.uint8))
    block = block_px(size_wh)
    return tuple(
        (
            left * block,
            top * block,
            min(size_wh[0], (left + width) * block),
            min(size_wh[1], (top + height) * block),
        )
        for left, top, width, height, _ in stats[1:count].tolist()
    )


def components(mask: Mask) -> tuple[int, NDArray[np.int32]]:
    """How many clusters there are, and (rows, columns) which of them a block lies in or beside.

    0 is none; a block's gap still connects.
    """
    grown = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8))
    count, labels = cv2.connectedComponents(np.asarray(grown, np.uint8))
    return count - 1, np.asarray(labels, np.int32)


def renew(reference: Watched, now: Watched, blocks: Mask) -> Watched:
    """The reference with those blocks, and what is beside them, taken from the picture of now."""
    around = np.asarray(
        cv2.dilate(blocks.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0, np.bool_
    )
    rows, columns = around.shape
    grey = reference.grey.copy()
    taken = grey.reshape(rows, BLOCK, columns, BLOCK).swapaxes(1, 2)
    taken[around] = now.grey.reshape(rows, BLOCK, columns, BLOCK).swapaxes(1, 2)[around]
    return Watched(grey, reference.size_wh)


def touched(
    boxes: Array,
    now: Watched,
    changed: Mask,
    margin: float = COUNTED_SHARE,
) -> Mask:
    """(n,) whether something changed in boxes whose sides are taken ``margin`` times as long.

    With a margin above 1 the boxes are squared first, as the recogniser's crops are.
    """
    half = (boxes[:, 2:] - boxes[:, :2]) / 2
    if margin > 1:
        half = half.max(axis=1, keepdims=True)
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    left, top, right, bottom = now.block_edges(
        np.concatenate([middle - margin * half, middle + margin * half], axis=1)
    ).T
    sums = cv2.integral(changed.astype(np.uint8))
    within = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
    return np.asarray(within > 0, np.bool_)
