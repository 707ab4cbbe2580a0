"""Whether a box can hold a whole tile: half a 4p is no 2p.

The recogniser has a class for parts of tiles. This is the second witness: the camera's place tells
how large a tile is (`vision/table/observation.py`), or, in a photograph, the tiles around do.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Mask
from table_assist.vision.reading.readings import Readings, tile_of
from table_assist.vision.reading.recognise import UNKNOWN
from table_assist.vision.reading.why import WhyDoubtful

BORDER_PX = 2.0  # a box that ends so close to the picture's border may be cut off there
USUAL_ASPECT = 1.35  # a tile's length over its width: sets differ from 1.25 to 1.4
# Of the width that the tiles around have. Half of an upright tile has 0.71 or 0.79.
WHOLE_WIDTH = 0.82
WHOLE_AROUND, SIZE_NEAREST = 3, 8  # whole tiles needed to tell the usual size, and how many tell it


def checked(
    readings: Readings, share: NDArray[np.float64] | None = None, *, least: float = WHOLE_WIDTH
) -> Readings:
    """The readings in which what is no whole tile by its size is ``?``, its candidates doubtful.

    Args:
        share: (n,) of a whole tile that fits into each box; None: the tiles around tell.
        least: what a whole one has of it.
    """
    if not len(readings):
        return readings
    low, high = readings.polygons.min(axis=1), readings.polygons.max(axis=1)
    beyond = high >= np.array(readings.size_wh) - BORDER_PX
    at_border = np.asarray(((low <= BORDER_PX) | beyond).any(axis=1), np.bool_)
    if share is None:
        share, least = relative_widths(readings, at_border), WHOLE_WIDTH
    tiles = [tile_of(label) for label in readings.labels]
    faces = np.array([tile is not None and tile.is_face for tile in tiles], np.bool_)
    # Half a back is a back. At the border a face is sure only where others tell its size.
    may_be_half = faces | (np.array(readings.labels) == UNKNOWN)
    small = (share < least) & may_be_half | at_border & np.isnan(share) & faces
    if not small.any():
        return readings
    why = [
        (WhyDoubtful.CUT_OFF if at_border[i] else WhyDoubtful.PART) if small[i] else each
        for i, each in enumerate(readings.why)
    ]
    # Half of what it may be: whoever weighs many looks at a part never comes to be sure of it.
    candidates = [
        tuple(replace(each, confidence=each.confidence / 2) for each in known) if is_part else known
        for known, is_part in zip(readings.candidates, small, strict=True)
    ]
    confidence = np.where(small, readings.confidence / 2, readings.confidence)
    return replace(
        readings,
        labels=tuple(np.where(small, UNKNOWN, readings.labels).tolist()),
        confidence=confidence.astype(np.float32),
        candidates=tuple(candidates),
        why=tuple(why),
    )


def cut_off(readings: Readings) -> int:
    """How many tiles the picture's border cuts off."""
    return sum(why is WhyDoubtful.CUT_OFF for why in readings.why)


def relative_widths(readings: Readings, at_border: Mask) -> NDArray[np.float64]:
    """(n,) the largest width a tile may have by its box, over that of those nearest to it.

    NaN for dice, and where fewer than `WHOLE_AROUND` whole tiles are there to tell.
    """
    least, largest = _widths(readings)
    tiles = np.array([tile_of(label) is not None for label in readings.labels], np.bool_)
    whole = np.flatnonzero(tiles & ~at_border)
    share, centres = np.full(len(readings), np.nan), readings.centres
    for index in np.flatnonzero(tiles).tolist():
        others = whole[whole != index]
        if len(others) < WHOLE_AROUND:
            continue
        away = np.abs(centres[others] - centres[index]).max(axis=1)
        nearest = others[np.argsort(away, kind="stable")[:SIZE_NEAREST]]
        share[index] = largest[index] / np.median(least[nearest])
    return share


def _widths(readings: Readings) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(n,) the least and the largest width of the tile of which each thing's upright box is that.

    Of a tile w wide and aw long, turned by an angle of cosine c and sine s, the box's sides add up
    to (1 + a)(c + s)w and differ by (a - 1)(c - s)w, and (c + s)² + (c - s)² is 2. That gives the
    least: a tile that is seen foreshortened has sides as equal as one that lies askew.
    """
    sides = np.ptp(readings.polygons, axis=1).astype(np.float64)
    total, off = sides.sum(axis=1), np.abs(sides[:, 0] - sides[:, 1])
    tilt = np.clip(off / np.maximum(total, 1e-9) * (USUAL_ASPECT + 1) / (USUAL_ASPECT - 1), 0, 1)
    largest = total / (1 + USUAL_ASPECT)
    return largest / np.sqrt(2 / (1 + tilt**2)), largest
