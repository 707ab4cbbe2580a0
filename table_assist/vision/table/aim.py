"""Whether a picture is good enough to set a camera up by: still, sharp, lit. For a person who aims.

The first thing that is wrong is told, in one sentence; what follows from it is not.
"""

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from table_assist.languages.words import NOTHING, Words
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.recognise import CLIPPED
from table_assist.vision.table.advice import MOST_CLIPPED_PICTURE

AIM_SIDE = 480  # px of the longer side at which motion and light are judged
DIM = 60  # grey level of a picture's lightest twentieth, below which faces are hard to tell
# Mean grey levels between two pictures: noise makes 0.6 to 1.6, a push of 6 px 2.5
MOVED_MEAN = 2.0
EDGES = 99.5  # percentile of the steps between neighbours: the borders of tiles and table
# Share of those steps that a blur of 1.5 px takes: 0.36 and more on sharp tiles, 0.12 at most on
# tiles blurred by 2.5 px; a bare cloth has 0.16 where its border is soft.
LEAST_SHARP = 0.14


class Amiss(StrEnum):
    """The faults of a view."""

    DARK = "dark"
    GLARE = "glare"
    MOVING = "moving"
    BLURRED = "blurred"


@dataclass(frozen=True, slots=True)
class Aim:
    """How a picture is.

    Attributes:
        light: grey level of its lightest twentieth, 0-255.
        glare: share of it that is plain white.
        moved: mean grey levels by which it differs from the one before.
        sharp: share of its strongest edges that a blur takes from it, 0-1.
    """

    light: float
    glare: float
    moved: float
    sharp: float

    @property
    def amiss(self) -> Amiss | None:
        """The fault to be put right first; None: the view is good."""
        if self.light < DIM:
            return Amiss.DARK
        if self.glare > MOST_CLIPPED_PICTURE:
            return Amiss.GLARE
        if self.moved > MOVED_MEAN:
            return Amiss.MOVING
        return Amiss.BLURRED if self.sharp < LEAST_SHARP else None

    @property
    def words(self) -> Words:
        """The advice in one sentence; nothing when the view is good."""
        return NOTHING if self.amiss is None else _AMISS_WORDS[self.amiss]


def aim_of(image: Image, before: Image | None) -> Aim:
    """Judge a picture (h, w, 3) BGR.

    Args:
        before: the one before it, of any size; None: nothing is known of motion, so it counts as
            moving.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    small = _small(grey)
    moved = np.inf
    if before is not None:
        earlier = _small(np.asarray(cv2.cvtColor(before, cv2.COLOR_BGR2GRAY), np.uint8))
        if earlier.shape == small.shape:
            moved = float(cv2.absdiff(small, earlier).mean())
    steps = _strongest(grey)
    dulled = np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.5), np.uint8)
    return Aim(
        light=float(np.percentile(small, 95)),
        glare=float((small >= CLIPPED).mean()),
        moved=moved,
        sharp=1 - _strongest(dulled) / steps if steps > 0 else 0.0,
    )


def _small(grey: Image) -> Image:
    scale = min(1.0, AIM_SIDE / max(grey.shape))
    size = round(grey.shape[1] * scale), round(grey.shape[0] * scale)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _strongest(grey: Image) -> float:
    return float(np.percentile(cv2.absdiff(grey[:, 1:], grey[:, :-1]), EDGES))


_AMISS_WORDS = {
    Amiss.DARK: Words("Too dark: more light.", "太暗：请增加光线。"),
    Amiss.GLARE: Words(
        "Glare: turn the lamp aside, or tilt the phone.", "反光：请移开灯，或调整手机角度。"
    ),
    Amiss.MOVING: Words("Hold it still.", "请保持不动。"),
    Amiss.BLURRED: Words(
        "Blurred: wipe the lens, and let it focus.", "模糊：请擦净镜头并等待对焦。"
    ),
}
