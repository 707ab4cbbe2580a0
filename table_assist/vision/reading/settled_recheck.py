"""Where something changed, the piece around it is looked at when it has lain for a second.

A change is looked at in a small part of the picture, and in the first one in which it lies still: a
stream's worst. What is seen there may be less than what the whole picture shows: of three white
dragons side by side two are one large thing, where little else around tells how large tiles are.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.motion import Box, Watched, clusters, with_beside
from table_assist.vision.reading.areas import holds, outwards
from table_assist.vision.reading.detect import Detections, box_area, intersection
from table_assist.vision.reading.motion_gate import small
from table_assist.vision.reading.tiling import SAME_THING, Found, PicturePiece

SETTLED_S = 1.0

Blocks = NDArray[np.bool_]


class SettledRecheck:
    """Which blocks changed, and were not looked at since. Not for several threads."""

    def __init__(self) -> None:
        self._since_t = np.empty((0, 0))

    def begin(self, shape: tuple[int, ...]) -> None:
        """All of a picture of so many rows and columns of blocks was read."""
        self._since_t = np.full(shape, np.inf)

    def changed(self, blocks: Blocks, t: float | None) -> None:
        """These blocks were just read; what is smaller than a tile is noise."""
        self._since_t[blocks & ~small(blocks)] = np.inf if t is None else t

    def leave(self, blocks: Blocks) -> None:
        """These are looked at for another reason."""
        self._since_t[with_beside(blocks)] = np.inf

    def due(self, now: Watched, t: float | None) -> tuple[Box, ...]:
        """Where something has lain still for a second, in the picture's pixels."""
        if t is None:
            return ()
        lies_s = t - self._since_t
        # Clocks are set back: what changed in the future has lain there for long.
        is_due = np.isfinite(lies_s) & ((lies_s < 0) | (lies_s >= SETTLED_S))
        return clusters(is_due, now.size_wh) if is_due.any() else ()

    def waiting(self, now: Watched) -> tuple[Box, ...]:
        """Where something is looked at sooner or later, as `due`."""
        return clusters(np.isfinite(self._since_t), now.size_wh)

    def done(self, now: Watched, area: Box) -> None:
        """The boxes in the area were looked at."""
        left, top, right, bottom = now.block_edges(np.array([area], np.float32))[0]
        self._since_t[top:bottom, left:right] = np.inf


def unseen(old: Found, new: Found) -> Found:
    """Of what an earlier look had found, where a later one has found nothing at all."""
    xyxy, others = old.detections.xyxy, new.detections.xyxy
    areas = box_area(others)
    alone = [
        not (intersection(box, others) > SAME_THING * np.minimum(area, areas)).any()
        for box, area in zip(xyxy, box_area(xyxy), strict=True)
    ]
    return select(old, np.array(alone, np.bool_))


def elsewhere(found: Found, area: Box, looked_at: Iterable[PicturePiece]) -> Found:
    """Of what was found, what does not have its middle in the area, or is not all looked at there.

    Args:
        looked_at: the pieces that tell what lies in the area now.
    """
    xyxy = found.detections.xyxy
    middle = (xyxy[:, :2] + xyxy[:, 2:]) / 2
    there = (area[:2] <= middle) & (middle < area[2:])
    told = [
        bool(inside.all()) and any(holds(piece, outwards(box)) for piece in looked_at)
        for box, inside in zip(xyxy, there, strict=True)
    ]
    return select(found, ~np.array(told, np.bool_))


def select(found: Found, mask: NDArray[np.bool_]) -> Found:
    """Of what was found, what the mask says."""
    seen = found.detections
    return Found(Detections(seen.xyxy[mask], seen.score[mask]), found.cut_off[mask])
