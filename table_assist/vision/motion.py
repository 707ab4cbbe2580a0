"""Which parts of a picture changed since they were last read.

A picture is watched in grey and reduced. A point counts as changed when it lies outside of what the
reference had within one watched pixel around it: so sensor noise, JPEG's ringing and a shake of a
pixel change nothing, however hard the edges are, while another face in the same place does.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.detect import Image

WATCH_SIDE = 1920  # px of the longer side: at 4K, a shake of a watched pixel is two of the camera's
BLOCK = 8  # watched px; a tile of 20 px still fills several
NOISE = 10  # grey levels beyond the neighbourhood: three sigma of a noisy webcam (5 levels)
CHANGED = 2.0  # mean grey levels beyond noise in a block: a stroke of two by four pixels

Box = tuple[int, int, int, int]  # left, top, right, bottom in the picture's pixels


@dataclass(frozen=True, slots=True)
class Watched:
    """A picture as it is watched.

    Attributes:
        grey: reduced, both sides a multiple of ``BLOCK``.
        size_wh: the picture's own size.
    """

    grey: Image
    size_wh: tuple[int, int]

    def block_edges(self, boxes: NDArray[np.float32]) -> NDArray[np.intp]:
        """(n, 4) boxes in the picture's pixels to left, top, right, bottom in blocks, outwards."""
        rows, columns = (size // BLOCK for size in self.grey.shape)
        limit = np.array((columns, rows) * 2, np.float64)
        scaled = boxes * (limit / np.array(self.size_wh * 2))
        edges = np.concatenate([np.floor(scaled[:, :2]), np.ceil(scaled[:, 2:])], axis=1)
        return np.asarray(np.clip(edges, 0, limit), np.intp)


def watch(image: Image) -> Watched:
    """Reduce a picture (h, w, 3) BGR to what is watched."""
    height, width = image.shape[:2]
    scale = min(1.0, WATCH_SIDE / max(width, height))
    size = tuple(max(1, round(length * scale / BLOCK)) * BLOCK for length in (width, height))
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    grey = cv2.resize(grey, (size[0], size[1]), interpolation=cv2.INTER_AREA)
    return Watched(np.asarray(grey, np.uint8), (width, height))


def changed_blocks(reference: Watched, now: Watched) -> NDArray[np.bool_]:
    """(rows, columns) of blocks in which something changed; the sizes must be equal."""
    kernel = np.ones((3, 3), np.uint8)
    above = cv2.subtract(now.grey, cv2.dilate(reference.grey, kernel))
    below = cv2.subtract(cv2.erode(reference.grey, kernel), now.grey)
    beyond = np.maximum(cv2.max(above, below), NOISE) - NOISE
    rows, columns = (size // BLOCK for size in now.grey.shape)
    blocks = cv2.resize(
        np.asarray(beyond, np.float32), (columns, rows), interpolation=cv2.INTER_AREA
    )
    return np.asarray(blocks > CHANGED, np.bool_)


def clusters(mask: NDArray[np.bool_], size_wh: tuple[int, int]) -> tuple[Box, ...]:
    """Connected changed blocks as boxes in the picture's pixels; a block's gap still connects."""
    grown = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(np.asarray(grown, np.uint8))
    rows, columns = mask.shape
    gain_x, gain_y = size_wh[0] / columns, size_wh[1] / rows
    return tuple(
        (
            int(left * gain_x),
            int(top * gain_y),
            min(size_wh[0], int(np.ceil((left + width) * gain_x))),
            min(size_wh[1], int(np.ceil((top + height) * gain_y))),
        )
        for left, top, width, height, _ in stats[1:count].tolist()
    )


def renew(reference: Watched, now: Watched, boxes: tuple[Box, ...]) -> Watched:
    """The reference with those boxes taken from the picture of now."""
    grey = reference.grey.copy()
    edges = now.block_edges(np.array(boxes, np.float32).reshape(-1, 4)) * BLOCK
    for left, top, right, bottom in edges.tolist():
        grey[top:bottom, left:right] = now.grey[top:bottom, left:right]
    return Watched(grey, reference.size_wh)
