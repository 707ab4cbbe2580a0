"""Backs that are none: a piece of bare cloth between seams, where backs are of its colour.

A back shows no drawing, and neither does the cloth. What tells them apart is the set's own colour:
a thing that looks as the cloth does, and not as the other backs do, is the cloth.
"""

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.readings import Readings

LEAST_BACKS = 8  # needed to know the set's colour
# Natural logarithms, between two channels, as `occlusion` has them: noise and uneven light stay
# below 0.1, and a green back differs from green cloth by 0.3 and more.
ALIKE, OTHER = 0.10, 0.20
INSIDE = 0.6  # of a box's sides: its borders show its neighbours
DARKEST = 10.0


def without_ghosts(readings: Readings, image: Image, cloth: NDArray[np.float32] | None) -> Readings:
    """The readings without backs that are cloth; the very same where there are none.

    Args:
        image: (h, w, 3) BGR, in which they were read.
        cloth: (3,) the bare table's colour; None: not known.
    """
    backs = [index for index, label in enumerate(readings.labels) if label == "back"]
    if cloth is None or len(backs) < LEAST_BACKS:
        return readings
    colours = np.log(_colours(image, readings.polygons[backs]) + DARKEST)
    from_cloth = np.ptp(colours - np.log(cloth + DARKEST), axis=1)
    from_backs = np.ptp(colours - np.median(colours, axis=0), axis=1)
    is_ghost = (from_cloth < ALIKE) & (from_backs > OTHER)
    if not is_ghost.any():
        return readings
    ghosts = {backs[index] for index in np.flatnonzero(is_ghost)}
    return readings.select([index for index in range(len(readings)) if index not in ghosts])


def _colours(image: Image, polygons: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, 3) the mean colours inside."""
    middle = polygons.mean(axis=1, keepdims=True)
    inner = middle + INSIDE * (polygons - middle)
    low = np.floor(inner.min(axis=1)).astype(int).clip(0).tolist()
    high = np.ceil(inner.max(axis=1)).astype(int).clip(1).tolist()
    parts = (
        image[top:bottom:2, left:right:2].reshape(-1, 3)
        for (left, top), (right, bottom) in zip(low, high, strict=True)
    )
    return np.array([part.mean(axis=0) if len(part) else np.zeros(3) for part in parts], np.float32)
