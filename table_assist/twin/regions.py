"""Where a picture differs from the one before it: only there it is worked out again."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.motion import Box
from table_assist.vision.pictures.picture import Image

# Of a picture, from which working it out whole is no slower.
MOST = 0.6


@dataclass(frozen=True, slots=True)
class RegionChange:
    """How a drawing came from another one.

    Attributes:
        before: the other one.
        boxes: outside of these both are equal.
    """

    before: Image
    boxes: tuple[Box, ...]


def around(points: NDArray[np.int32], margin: int, size_wh: tuple[int, int]) -> Box:
    """The box around points (n, 2), so much larger each way, cut to the picture."""
    (left, top), (right, bottom) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    return grown((left, top, right + 1, bottom + 1), margin, size_wh)


def grown(box: Box, margin: int, size_wh: tuple[int, int]) -> Box:
    """So much larger each way, cut to the picture; of one beside it nothing is left."""
    width, height = size_wh
    left, right = max(box[0] - margin, 0), min(box[2] + margin, width)
    top, bottom = max(box[1] - margin, 0), min(box[3] + margin, height)
    return left, top, max(left, right), max(top, bottom)


def common(one: Box, other: Box) -> Box | None:
    """The intersection of two boxes; None: nothing."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    return (left, top, right, bottom) if left < right and top < bottom else None


def joined(boxes: Iterable[Box], size_wh: tuple[int, int]) -> tuple[Box, ...] | None:
    """The boxes without empty ones, those that meet made one; None: they are nearly all of it."""
    apart: list[Box] = []
    for box in boxes:
        one = box
        while (other := next((each for each in apart if common(one, each)), None)) is not None:
            apart.remove(other)
            low = min(one[0], other[0]), min(one[1], other[1])
            one = (*low, max(one[2], other[2]), max(one[3], other[3]))
        if one[0] < one[2] and one[1] < one[3]:
            apart.append(one)
    pixels = sum((box[2] - box[0]) * (box[3] - box[1]) for box in apart)
    return None if pixels > MOST * size_wh[0] * size_wh[1] else tuple(apart)


def part(box: Box) -> tuple[slice, slice]:
    """The box's rows and columns."""
    return slice(box[1], box[3]), slice(box[0], box[2])
