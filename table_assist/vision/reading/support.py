"""Nothing where nothing is: in a photograph a thing is sure only beside others of its set.

A cell of a cutting mat, a ring or a key looks like a back, a 1p or a die. What tells them from
tiles is what lies around: a set's tiles are of one size, its backs of one colour, and it has each
face four times, each flower and season once.
"""

from collections import Counter
from dataclasses import replace

import numpy as np

from table_assist.tiles.tile import COPIES, Tile
from table_assist.vision.pictures.picture import Mask
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.recognise import UNKNOWN
from table_assist.vision.reading.why import WhyDoubtful

# A face as sure as this needs no others if it is large, against the picture's longer side. Of 151
# photographs of one to three tiles all have 0.13 and more; what was surely read in 460 pictures
# without tiles had 0.09 at most (`models/evaluate.py --empty`).
SURE_ALONE, LARGE_ALONE, OTHERS_NEEDED = 0.98, 0.11, 2
# The root of a box's area over another's, at most: tiles one behind the other, a die beside a tile.
AS_LARGE, DIE_AS_LARGE = 1.5, 3.0
# Levels between two colours: a back in the shade differs by up to 26 from others in 400 drawn
# pictures, ivory from a coloured back by 39 and more.
SAME_BACK_LEVELS = 30


def supported(readings: Readings) -> Readings:
    """The readings in which a name is ``?`` that no other tile supports."""
    named = np.array([label != UNKNOWN for label in readings.labels], np.bool_)
    first = _are_supported(readings, named)
    counted = Counter(tile for tile, is_one in zip(readings.tiles, first, strict=True) if is_one)
    # Nobody knows which of them is wrong, and none supports others
    too_many = [tile is not None and counted[tile] > copies(tile) for tile in readings.tiles]
    many = first & np.array(too_many, np.bool_)
    left = _are_supported(readings, named & ~many)
    labels, whys = [*readings.labels], [*readings.why]
    for index in np.flatnonzero(named & ~left).tolist():
        labels[index] = UNKNOWN
        whys[index] = WhyDoubtful.FACE if many[index] else WhyDoubtful.NOTHING
    return replace(readings, labels=tuple(labels), why=tuple(whys))


def copies(tile: Tile) -> float:
    """How many a set has; of white dragons a set that is laid out shows spare ones."""
    if not tile.is_face or tile is Tile.WHITE:
        return np.inf
    return 1 if tile.is_bonus else COPIES


def _are_supported(readings: Readings, named: Mask) -> Mask:
    """(n,) from the surest faces on, whoever is as large as one that is supported."""
    tiles = readings.tiles
    # What is white and round, or has corners, is read as white dragons, and many of them.
    drawn = [tile is not None and tile.is_face and tile is not Tile.WHITE for tile in tiles]
    faces = np.array(drawn, np.bool_)
    most = np.where([tile is None for tile in tiles], DIE_AS_LARGE, AS_LARGE)
    sides = np.sqrt(np.prod(np.ptp(readings.polygons, axis=1).astype(np.float64), axis=1))
    ratio = np.maximum(sides, 1e-6)[:, None] / np.maximum(sides, 1e-6)
    near = np.maximum(ratio, ratio.T) <= most[:, None]
    may = named & ~_of_another_colour(readings)
    faces &= may
    alone = (readings.confidence >= SURE_ALONE) & (sides >= LARGE_ALONE * max(readings.size_wh))
    known = alone | ((near & faces).sum(axis=1) > OTHERS_NEEDED)
    found, more = np.zeros(len(readings), np.bool_), faces & known
    while (more & ~found).any():
        found, more = more, more | (may & near[:, more].any(axis=1))
    return found


def _of_another_colour(readings: Readings) -> Mask:
    """(n,) backs of a colour that most backs have not, or that no other has."""
    colours = [
        colour if tile is Tile.BACK else None
        for tile, colour in zip(readings.tiles, readings.colours, strict=True)
    ]
    alike = [
        one is not None
        and sum(o is not None and one.differs(o) <= SAME_BACK_LEVELS for o in colours)
        for one in colours
    ]
    least = max(2, max(alike, default=0) / 2)  # a single one may be a gap between tiles
    return np.array([0 < count < least for count in alike], np.bool_)
