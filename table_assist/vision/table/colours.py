"""Colours, compared as lamps and shadows leave them: by logarithms of the channels.

A lamp or a shadow makes all channels so many times as strong; their logarithms differ by alike.
"""

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.channels import mean, spread

DARKEST = 10.0  # grey levels added before comparing: in the dark, noise has any colour
# Of how colours may differ that are the same: between two channels, where noise and uneven light
# stay below 0.1 and a green back is 0.3 and more from green cloth; and of all channels, as a hand's
# shadow takes up to half of the light.
OTHER_COLOUR = 0.20
BRIGHTER, DARKER = 0.30, -0.70


def logarithms(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    """(…, 3) natural logarithms of grey levels (…, 3)."""
    return np.asarray(np.log(colours.astype(np.float32) + DARKEST), np.float32)


def are_alike(beside: NDArray[np.float32], most: float = OTHER_COLOUR) -> NDArray[np.bool_]:
    """(…) whether colours are the same in any lamp's shadow.

    Args:
        beside: (…, 3) by how much their logarithms differ.
        most: between two channels.
    """
    light = mean(beside)
    same = (spread(beside) <= most) & (light <= BRIGHTER) & (light >= DARKER)
    return np.asarray(same, np.bool_)
