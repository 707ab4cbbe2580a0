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
AROUND, NEAREST = 3, 8  # whole tiles needed to tell the usual size, and how many tell it


def part_of_a_tile(readings: Readings) -> NDArray[np.bool_]:
    """(n,) whether a box is only a part of a tile.

    The whole tiles nearest to it tell how large tiles are there; where there are fewer than three,
    nothing can be said. Away from the border those must be of one size: tiles lying at all angles
    have boxes of many sizes.
    """
    boxes = np.concatenate([readings.polygons.min(axis=1), readings.polygons.max(axis=1)], axis=1)
    at_border = (boxes[:, :2] <= BORDER_PX).any(axis=1) | (
        boxes[:, 2:] >= np.array(readings.size_wh) - BORDER_PX
    ).any(axis=1)
    tiles = np.array([tile_of(label) is not None for label in readings.labels], np.bool_)
    whole = np.flatnonzero(tiles & ~at_border)
    partly = np.zeros(len(readings), np.bool_)
    if len(whole) < AROUND:
        return partly
    area = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
    middles, at_the_border = readings.centres, set(np.flatnonzero(at_border).tolist())
    for index in np.flatnonzero(tiles):
        others = whole[whole != index]
        away = np.abs(middles[others] - middles[index]).max(axis=1)
        nearest = area[others[np.argsort(away, kind="stable")[:NEAREST]]]
        usual = np.median(nearest)
        alike = len(nearest) >= AROUND and (np.abs(nearest / usual - 1) < ALIKE).mean() >= MOST
        least = WHOLE if index in at_the_border else WHOLE_INSIDE if alike else 0.0
        partly[index] = area[index] < least * usual
    return partly


def without_parts(readings: Readings) -> Readings:
    """The readings in which what is only a part of a tile is ``?``; its candidates stay."""
    partly = part_of_a_tile(readings)
    if not partly.any():
        return readings
    labels = (
        UNKNOWN if part else label for label, part in zip(readings.labels, partly, strict=True)
    )
    return replace(readings, labels=tuple(labels))
