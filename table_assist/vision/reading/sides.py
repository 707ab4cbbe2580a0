"""The blank side of a tile, beside the face of the same tile: seen from a seat, above it.

No white dragon and no back is shorter than the face that it touches and just as wide. A row of
such things is a row of sides, and no tile is there; one alone may be a tile half covered.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.reading.readings import Readings, tile_of
from table_assist.vision.reading.recognise import LABELS, UNKNOWN, WHITE
from table_assist.vision.reading.why import WhyDoubtful

# Of the face's width: how much two boxes of one tile may differ in it, lie apart or overlap.
AS_WIDE, TOUCHING = 0.15, 0.25
# Of the face's length: a side has less, whatever the camera's angle and the photograph's shape.
LONGEST = 0.75
ROW = 3  # sides that make a row
BLANK = ("back", LABELS[WHITE])


def without_sides(readings: Readings) -> Readings:
    """Readings of a photograph without a row of sides; a single white dragon that may be one is ?.

    Where a table is followed, the camera's place tells sides (`vision/table/observation.py`).
    """
    sides = sides_of(readings)
    if sides.sum() >= ROW:
        return readings.select(np.flatnonzero(~sides).tolist())
    white = [
        bool(side) and label == LABELS[WHITE]
        for side, label in zip(sides, readings.labels, strict=True)
    ]
    if not any(white):
        return readings
    doubted = zip(white, readings.labels, readings.why, strict=True)
    told = [
        (UNKNOWN, WhyDoubtful.BLANK) if is_side else (label, why) for is_side, label, why in doubted
    ]
    return replace(
        readings,
        labels=tuple(label for label, _ in told),
        why=tuple(why for _, why in told),
    )


def sides_of(readings: Readings) -> NDArray[np.bool_]:
    """(n,) which things are a blank side of the tile whose face they touch."""
    low, high = readings.polygons.min(axis=1), readings.polygons.max(axis=1)
    shown = [_shown(readings, i) for i in range(len(readings))]
    blank = np.array([label in BLANK for label in shown], np.bool_)
    face = np.array([label not in BLANK and _is_tile(label) for label in shown], np.bool_)
    found = np.zeros(len(readings), np.bool_)
    for across in (0, 1):
        found |= _beside(low, high, blank, face, across)
    return found


def _beside(
    low: NDArray[np.float32],
    high: NDArray[np.float32],
    blank: NDArray[np.bool_],
    face: NDArray[np.bool_],
    across: int,
) -> NDArray[np.bool_]:
    """(n,) blank things at an end of a face: as wide as it along one axis, shorter on the other."""
    along = 1 - across
    size = high - low
    width, length = size[face, across], size[face, along]
    found = np.zeros(len(low), np.bool_)
    for index in np.flatnonzero(blank).tolist():
        shift = np.abs(low[index, across] - low[face, across])
        shift = np.maximum(shift, np.abs(high[index, across] - high[face, across]))
        apart = np.maximum(
            low[index, along] - high[face, along], low[face, along] - high[index, along]
        )
        is_one = (shift < AS_WIDE * width) & (np.abs(apart) < TOUCHING * width)
        found[index] = (is_one & (size[index, along] < LONGEST * length)).any()
    return found


def _shown(readings: Readings, index: int) -> str:
    """Its name, or the likeliest one."""
    if readings.labels[index] != UNKNOWN or not readings.candidates[index]:
        return readings.labels[index]
    return readings.candidates[index][0].label


def _is_tile(label: str) -> bool:
    tile = tile_of(label)
    return tile is not None and tile.is_face
