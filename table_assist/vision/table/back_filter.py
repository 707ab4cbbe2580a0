"""Bare cloth between seams, read as a back.

A back shows no drawing, and neither does the cloth. What tells them apart is colour: a tile hides
the cloth. Where a back shows as much of the cloth's own colour as no tile does, it is the cloth,
and lines of a print across it make no tile of it.
"""

import numpy as np

from table_assist.vision.pictures.picture import Array, Image
from table_assist.vision.reading.limits import FEWEST
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.recognise import BACK, UNKNOWN
from table_assist.vision.table.colours import OTHER_COLOUR, are_alike, logarithms, sampled

CHANNELS_ALIKE = 0.10  # between two channels; `colours.OTHER_COLOUR` is another one
# Shares of a thing's points that have the cloth's colour. Of real tiles on the cloths of three
# tables at most 0.01 had it (950 readings), of what was printed 0.13 to 0.98 (1,050).
HIDES, SHOWS = 0.05, 0.2


class BackFilter:
    """Tells them by the colour of the set's backs, also when few are left that show it."""

    def __init__(self) -> None:
        self._usual: Array | None = None  # (3,) logarithms, beside the cloth's

    def forget_the_set(self) -> None:
        """Another one may be played with from now on, as machines with two sets do."""
        self._usual = None

    def without(self, readings: Readings, image: Image, cloth: Array | None) -> Readings:
        """The readings without backs that are cloth; the very same without such.

        Args:
            image: (h, w, 3) BGR, in which they were read.
            cloth: (3,) the bare table's colour; None: not known.
        """
        is_back = np.array([label == BACK for label in readings.labels], np.bool_)
        # Of what could not be read, a likely back
        likely = [
            label == UNKNOWN and bool(known) and known[0].label == BACK
            for label, known in zip(readings.labels, readings.candidates, strict=True)
        ]
        backs = np.flatnonzero(is_back | np.array(likely, np.bool_))
        if cloth is None or not len(backs):
            return readings
        # How many times the cloth's each mean colour is, and how much of each thing has its colour
        ground, seen = logarithms(cloth), sampled(image, readings.polygons[backs])
        beside = logarithms(seen.mean(axis=1)) - ground
        shares = are_alike(logarithms(seen) - ground, CHANNELS_ALIKE).mean(axis=1)
        # There may be more ghosts than backs: what shows the cloth tells nothing of the backs.
        hiding = beside[is_back[backs] & (shares < HIDES)]
        if len(hiding) >= FEWEST:
            self._usual = np.asarray(np.median(hiding, axis=0))
        usual = self._usual
        if usual is None:
            return readings
        is_cloth = np.ptp(beside, axis=1) < CHANNELS_ALIKE
        is_cloth &= np.ptp(beside - usual, axis=1) > OTHER_COLOUR
        is_cloth |= (shares >= SHOWS) & (np.ptp(usual) > OTHER_COLOUR)
        if not is_cloth.any():
            return readings
        return readings.select(np.setdiff1d(np.arange(len(readings)), backs[is_cloth]).tolist())
