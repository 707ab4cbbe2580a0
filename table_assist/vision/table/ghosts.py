"""Things that are none: bare cloth between seams read as a back, the cloth's print as a "?".

A back shows no drawing, and neither does the cloth; a ring that is printed on the cloth is read as
hardly anything. What tells them apart is colour: a thing that looks as the cloth does, and not as
the other backs do, or as tiles that were read, is the cloth.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.readings import Readings, tile_of
from table_assist.vision.reading.recognise import UNKNOWN

LEAST_KNOWN = 8  # backs, or faces, needed to know the set's colour
# Natural logarithms, between two channels, as `occlusion` has them: noise and uneven light stay
# below 0.1, and a green back differs from green cloth by 0.3 and more.
ALIKE, OTHER = 0.10, 0.20
INSIDE = 0.6  # of a box's sides: its borders show its neighbours
DARKEST = 10.0
BACK = "back"
# Before faces are read: what is so far from grey is no ivory in any lamp that is nearly white.
GREY, COLOURED = np.zeros(3, np.float32), 0.5


def without_ghosts(readings: Readings, image: Image, cloth: NDArray[np.float32] | None) -> Readings:
    """The readings without backs and unread things that are cloth; the very same without such.

    Args:
        image: (h, w, 3) BGR, in which they were read.
        cloth: (3,) the bare table's colour; None: not known.
    """
    if cloth is None:
        return readings
    faces, backs, unread = _kinds(readings)
    ghosts = set()
    if len(backs) >= LEAST_KNOWN:
        usual = np.median(_logs(image, readings, backs), axis=0)
        ghosts |= _cloth_among(backs, usual, OTHER, readings, image, cloth)
    if len(faces) >= LEAST_KNOWN:
        usual = np.median(_logs(image, readings, faces), axis=0)
        ghosts |= _cloth_among(unread, usual, OTHER, readings, image, cloth)
    else:
        ghosts |= _cloth_among(unread, GREY, COLOURED, readings, image, cloth)
    if not ghosts:
        return readings
    return readings.select([index for index in range(len(readings)) if index not in ghosts])


def _kinds(readings: Readings) -> tuple[list[int], list[int], list[int]]:
    """Which are faces, which backs, and which could not be read and are hardly backs."""
    faces, backs, unread = [], [], []
    for index, label in enumerate(readings.labels):
        if label == UNKNOWN:
            candidates = readings.candidates[index]
            if candidates and candidates[0].label != BACK:
                unread.append(index)
        elif label == BACK:
            backs.append(index)
        elif (tile := tile_of(label)) is not None and tile.is_face:
            faces.append(index)
    return faces, backs, unread


def _cloth_among(
    doubted: list[int],
    usual: NDArray[np.float32],
    other: float,
    readings: Readings,
    image: Image,
    cloth: NDArray[np.float32],
) -> set[int]:
    """Those that look as the cloth does, and not as usual ones of their kind do."""
    if not doubted:
        return set()
    colours = _logs(image, readings, doubted)
    from_cloth = np.ptp(colours - np.log(cloth + DARKEST), axis=1)
    is_ghost = (from_cloth < ALIKE) & (np.ptp(colours - usual, axis=1) > other)
    return {doubted[index] for index in np.flatnonzero(is_ghost)}


def _logs(image: Image, readings: Readings, which: list[int]) -> NDArray[np.float32]:
    """(n, 3) of the colours of those things."""
    return np.asarray(np.log(_colours(image, readings.polygons[which]) + DARKEST), np.float32)


def _colours(image: Image, polygons: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, 3) the mean colours inside."""
    middle = polygons.mean(axis=1, keepdims=True)
    inner = middle + INSIDE * (polygons - middle)
    low = np.floor(inner.min(axis=1)).astype(int).clip(0).tolist()
    high = np.ceil(inner.max(axis=1)).astype(int).clip(1).tolist()
    parts = (
        image[top:bottom:2, left:right:2]
        for (left, top), (right, bottom) in zip(low, high, strict=True)
    )
    return np.array([_mean(part) for part in parts], np.float32)


def _mean(part: Image) -> Sequence[float]:
    """Of its colours; black where there is nothing."""
    return cv2.mean(np.ascontiguousarray(part))[:3] if part.size else (0.0, 0.0, 0.0)
