"""Faces in which a lamp is mirrored: what it wipes out nobody can tell, however sure a name is.

A 5p of which a white patch hides two circles is a fine 3p, and a face that is all white is a fine
white dragon. Where light is plain white on one tile, and the rest of it and the other tiles are
well exposed, it is such a patch; where all of a tile is nearly white, the lamp is only too near.
What could not be read there may be any face, too, and no rather a back than another.
"""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.channels import darkest
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.readings import Readings, tile_of
from table_assist.vision.reading.recognise import UNKNOWN

LEAST_KNOWN = 8  # faces needed to know the exposure
PLAIN_WHITE = 250  # of all three channels, in grey levels: nothing of a drawing is left
# Of a face's box: one patch so large, where the brighter part of the rest is darker than this; or
# whatever the rest, where the face is said to be plain.
PATCH, DARKER_THAN, PLAIN_PATCH = 0.12, 238, 0.2
MOST = 0.3  # of a box that was not read: a smaller patch may be mirrored beside a tile
WELL_EXPOSED = 0.01  # of the median face's box is plain white
IVORY_PERCENTILE = 80
PLAIN = "P"


def without_glared(readings: Readings, image: Image) -> Readings:
    """The readings with a "?" for each face that a lamp wipes out; the very same without such.

    Args:
        image: (h, w, 3) BGR, in which they were read.
    """
    faces = [
        index
        for index, label in enumerate(readings.labels)
        if label != UNKNOWN and (tile := tile_of(label)) is not None and tile.is_face
    ]
    if len(faces) < LEAST_KNOWN:
        return readings
    parts = [_part(image, readings.polygons[index]) for index in faces]
    white = [float((part >= PLAIN_WHITE).mean()) for part in parts]
    if np.median(white) >= WELL_EXPOSED:
        return readings
    glared = {
        index
        for index, part, share in zip(faces, parts, white, strict=True)
        if share >= PATCH and _is_wiped_out(part, readings.labels[index])
    }
    glared |= {
        index
        for index, label in enumerate(readings.labels)
        if label == UNKNOWN
        and readings.candidates[index]
        and (_part(image, readings.polygons[index]) >= PLAIN_WHITE).mean() >= MOST
    }
    if not glared:
        return readings
    labels = tuple(UNKNOWN if i in glared else name for i, name in enumerate(readings.labels))
    likely = tuple(() if i in glared else each for i, each in enumerate(readings.candidates))
    return replace(readings, labels=labels, candidates=likely)


def _part(image: Image, polygon: NDArray[np.float32]) -> NDArray[np.uint8]:
    """(h, w) the darkest channel of what lies in the box."""
    left, top = np.floor(polygon.min(axis=0)).astype(int).clip(0).tolist()
    right, bottom = np.ceil(polygon.max(axis=0)).astype(int).clip(1).tolist()
    part = darkest(image[top:bottom, left:right])
    return part if part.size else np.zeros((1, 1), np.uint8)


def _is_wiped_out(part: NDArray[np.uint8], label: str) -> bool:
    plain = part >= PLAIN_WHITE
    _, _, stats, _ = cv2.connectedComponentsWithStats(plain.astype(np.uint8))
    patch = stats[1:, cv2.CC_STAT_AREA].max() / plain.size
    if label == PLAIN and patch >= PLAIN_PATCH:
        return True
    rest = part[~plain]
    is_exposed = rest.size > 0 and np.percentile(rest, IVORY_PERCENTILE) < DARKER_THAN
    return bool(patch >= PATCH and is_exposed)
