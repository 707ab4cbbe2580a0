"""Colours, compared as lamps and shadows leave them: by logarithms of the channels.

A lamp or a shadow makes all channels so many times as strong; their logarithms differ by alike.
"""

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.channels import mean, spread
from table_assist.vision.pictures.picture import Array, Image, Mask

DARKEST = 10.0  # grey levels added before comparing: in the dark, noise has any colour
# Of how colours may differ that are the same: between two channels, where noise and uneven light
# stay below 0.1 and a green back is 0.3 and more from green cloth; and of all channels, as a hand's
# shadow takes up to half of the light.
OTHER_COLOUR = 0.20
BRIGHTER, DARKER = 0.30, -0.70
INSIDE_BOX = 0.6  # of a box's sides: its borders show its neighbours
POINTS_EACH_WAY = 12  # each way that are looked at


def logarithms(colours: Array | NDArray[np.uint8]) -> Array:
    """(…, 3) natural logarithms of grey levels (…, 3)."""
    return np.asarray(np.log(colours.astype(np.float32) + DARKEST), np.float32)


def sampled(image: Image, polygons: Array) -> NDArray[np.uint8]:
    """(n, points, 3) of a picture (h, w, 3) within (n, 4, 2) outlines, their borders left out."""
    middle = polygons.mean(axis=1, keepdims=True)
    inner = middle + INSIDE_BOX * (polygons - middle)
    low, high = inner.min(axis=1), inner.max(axis=1)
    along = np.linspace(0, 1, POINTS_EACH_WAY, dtype=np.float32)[:, None]
    places = low[:, None] + along * (high - low)[:, None]  # (n, points, 2)
    height, width = image.shape[:2]
    columns = places[:, :, 0].astype(int).clip(0, width - 1)
    rows = places[:, :, 1].astype(int).clip(0, height - 1)
    seen = image[rows[:, :, None], columns[:, None]]
    return np.asarray(seen.reshape(-1, POINTS_EACH_WAY * POINTS_EACH_WAY, 3), np.uint8)


def are_alike(beside: Array, most: float = OTHER_COLOUR) -> Mask:
    """(…) whether colours are the same in any lamp's shadow.

    Args:
        beside: (…, 3) by how much their logarithms differ.
        most: between two channels.
    """
    light = mean(beside)
    same = (spread(beside) <= most) & (light <= BRIGHTER) & (light >= DARKER)
    return np.asarray(same, np.bool_)
