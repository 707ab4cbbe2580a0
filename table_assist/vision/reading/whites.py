"""The second proof of a white dragon on which nothing is drawn: a back, or a side, looks like it.

Backs of the same colour in the same picture say that it may be one; backs of another colour, that
it is none. Where no back is in sight it must lie in a row of faces, or be surer than usual. And a
set has four: where more are read, one at least is wrong, and nobody knows which. Only a set that is
laid out, without a back, may show its spare ones in its rows.
"""

import numpy as np
from numpy.typing import NDArray

from table_assist.tiles.tile import Tile
from table_assist.vision.reading.plain import Colour
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.recognise import LABELS, UNKNOWN, WHITE
from table_assist.vision.reading.why import WhyDoubtful

MOST = 4  # of one set
# Levels between two colours: a back in the shade differs by up to 26 from others in 400 drawn
# pictures, ivory from a coloured back by 39 and more.
SAME_COLOUR = 30
OF_ANOTHER = 2  # backs: a single one may be none
SURE_ALONE = 0.98
# A row: so many faces, about as large, with their middles in a line, and the nearest near by.
FACES, AS_LARGE, IN_LINE, NEAREST = 3, 0.25, 0.3, 2.3


def doubted(readings: Readings) -> NDArray[np.bool_]:
    """(n,) which white dragons need another proof and have none but their size."""
    whites = np.array([label == LABELS[WHITE] for label in readings.labels], np.bool_)
    backs = [i for i in range(len(readings)) if _is_back(readings, i)]
    if whites.sum() > MOST:
        return whites & (bool(backs) or not _are_laid_out(readings, whites))
    blank = np.array([why is WhyDoubtful.BLANK for why in readings.why], np.bool_)
    if not blank.any():
        return blank
    colours = [colour for i in backs if (colour := readings.colours[i])]
    proven = [is_blank and _is_proven(readings, i, colours) for i, is_blank in enumerate(blank)]
    return blank & ~np.array(proven, np.bool_)


def _are_laid_out(readings: Readings, whites: NDArray[np.bool_]) -> bool:
    """Whether each of them counts without a back in sight, and most lie in rows of faces."""
    each = np.flatnonzero(whites).tolist()
    in_rows = sum(_is_in_row(readings, index) for index in each)
    return 2 * in_rows > len(each) and all(_stands_alone(readings, index) for index in each)


def _is_proven(readings: Readings, index: int, backs: list[Colour]) -> bool:
    colour = readings.colours[index]
    if colour is None or any(colour.differs(back) <= SAME_COLOUR for back in backs):
        return False
    if backs:
        return len(backs) >= OF_ANOTHER or readings.confidence[index] >= SURE_ALONE
    return _stands_alone(readings, index)


def _stands_alone(readings: Readings, index: int) -> bool:
    """Whether it counts though no back is in sight: it is surer, or lies in a row of faces."""
    return readings.confidence[index] >= SURE_ALONE or _is_in_row(readings, index)


def _is_in_row(readings: Readings, index: int) -> bool:
    """Whether faces lie in a line with it, upright or across the picture."""
    face = [tile is not None and tile.is_face and tile is not Tile.WHITE for tile in readings.tiles]
    sizes = np.ptp(readings.polygons, axis=1)
    alike = (np.abs(sizes / sizes[index] - 1) < AS_LARGE).all(axis=1) & np.array(face, np.bool_)
    away = np.abs(readings.centres - readings.centres[index]) / sizes[index]
    for along in (0, 1):
        beside = away[alike & (away[:, 1 - along] < IN_LINE), along]
        if len(beside) >= FACES and beside.min() < NEAREST:
            return True
    return False


def _is_back(readings: Readings, index: int) -> bool:
    """Whether it is named a back, or rather is one."""
    label, candidates = readings.labels[index], readings.candidates[index]
    if label == UNKNOWN and candidates:
        label = candidates[0].label
    return label == "back"
