"""Parts of tiles, at the picture's border or under a hand: half a 4p is no 2p.

Of 216 photographed tiles cut in half, 9 were surely named as another face; what is visibly less
than a whole tile is therefore never named.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.reading.readings import Readings, tile_of
from table_assist.vision.reading.recognise import UNKNOWN

BORDER_PX = 2.0  # a box that ends so close to the picture's border may be cut off there
WHOLE = 0.72  # of the usual area: below, every third face was hidden or another
WHOLE_INSIDE = 0.66  # away from the border, where all around are of one size
ALIKE, MOST = 0.15, 0.85  # boxes of one size: so much apart at most, so many of the nearest
# Of what a part may be: whoever weighs many looks at it never comes to be sure of it.
PART_SURE = 0.5
AROUND, NEAREST = 3, 8  # whole tiles needed to tell the usual size, and how many tell it


def part_of_a_tile(readings: Readings) -> NDArray[np.bool_]:
    """(n,) whether a box is only a part of a tile.

    The whole tiles nearest to it tell how large tiles are there; where there are fewer than three,
    nothing can be said. Away from the border those must be of one size: tiles lying at all angles
    have boxes of many sizes.
    """
    boxes = np.concatenate([readings.polygons.min(axis=1), readings.polygons.max(axis=1)], axis=1)
    after = boxes[:, 2:] >= np.array(readings.size_wh) - BORDER_PX
    ends = np.concatenate([boxes[:, :2] <= BORDER_PX, after], axis=1)
    at_border: NDArray[np.bool_] = np.asarray(ends.any(axis=1), np.bool_)
    tiles = np.array([tile_of(label) is not None for label in readings.labels], np.bool_)
    whole = np.flatnonzero(tiles & ~at_border)
    partly = np.zeros(len(readings), np.bool_)
    if len(whole) < AROUND:
        return partly
    area = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
    for group, others in (
        (whole, len(whole) - 1),
        (np.flatnonzero(tiles & at_border), len(whole)),
    ):
        nearest = area[_nearest(readings.centres, group, whole, min(NEAREST, others))]
        usual = np.median(nearest, axis=1)
        near_usual = np.abs(nearest / usual[:, None] - 1) < ALIKE
        is_alike = (nearest.shape[1] >= AROUND) & (near_usual.mean(axis=1) >= MOST)
        least = np.where(at_border[group], WHOLE, np.where(is_alike, WHOLE_INSIDE, 0.0))
        partly[group] = area[group] < least * usual
    return partly


def _nearest(
    middles: NDArray[np.float32], group: NDArray[np.intp], whole: NDArray[np.intp], count: int
) -> NDArray[np.intp]:
    """(n, count) which whole tiles lie nearest to each of a group, itself not counted."""
    away = np.abs(middles[group, None] - middles[whole]).max(axis=2)
    away[group[:, None] == whole] = np.inf
    return whole[np.argsort(away, axis=1, kind="stable")[:, :count]]


def without_parts(readings: Readings) -> Readings:
    """The readings in which what is only a part of a tile is ``?``, and its candidates doubtful."""
    partly = part_of_a_tile(readings)
    if not partly.any():
        return readings
    rows = zip(readings.labels, readings.candidates, partly, strict=True)
    named = [
        (UNKNOWN, tuple(replace(each, confidence=PART_SURE * each.confidence) for each in known))
        if part
        else (label, known)
        for label, known, part in rows
    ]
    labels, candidates = zip(*named, strict=True)
    confidence = np.where(partly, PART_SURE * readings.confidence, readings.confidence)
    return replace(
        readings,
        labels=labels,
        confidence=confidence.astype(np.float32),
        candidates=candidates,
    )
