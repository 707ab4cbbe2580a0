"""The print of a tile's face: inks, discs and bars."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Image

Random = np.random.Generator
Ink = tuple[float, float, float]  # BGR
Point = tuple[float, float]  # shares of a face's width and height, or px
SIZE_WH = (216, 288)  # px of a drawn face
IVORY = (250.0, 250.0, 250.0)  # what shows between strokes


@dataclass(slots=True)
class Face:
    """A face in the making: inks, and where they lie."""

    colour: Image
    opacity: NDArray[np.uint8]

    @classmethod
    def blank(cls) -> "Face":
        """Nothing printed on it yet."""
        width, height = SIZE_WH
        return cls(np.full((height, width, 3), 255, np.uint8), np.zeros((height, width), np.uint8))

    def lay(self, mask: NDArray[np.uint8], ink: Ink) -> None:
        """Print a mask (288, 216) of 0 to 255 in one ink."""
        share = mask[..., None] / np.float32(255)
        self.colour[:] = self.colour * (1 - share) + np.array(ink, np.float32) * share
        np.maximum(self.opacity, mask, out=self.opacity)

    def picture(self) -> Image:
        """(288, 216, 4) BGRA."""
        return np.dstack([self.colour, self.opacity])


@dataclass(frozen=True, slots=True)
class Inks:
    """Of one set."""

    dark: Ink
    red: Ink
    green: Ink
    blue: Ink


def disc(face: Face, at: Point, radius: float, ink: Ink) -> None:
    """Print a disc around a point, in px."""
    mask = np.zeros(face.opacity.shape, np.uint8)
    centre = (round(at[0] * 16), round(at[1] * 16))
    cv2.circle(mask, centre, round(radius * 16), 255, -1, cv2.LINE_AA, 4)
    face.lay(mask, ink)


def bar(
    face: Face,
    start: NDArray[np.float64],
    end: NDArray[np.float64],
    thick: float,
    ink: Ink,
) -> None:
    """Print a bar with round ends from point to point, in px."""
    mask = np.zeros(face.opacity.shape, np.uint8)
    ends = [(round(float(x) * 16), round(float(y) * 16)) for x, y in (start, end)]
    cv2.line(mask, ends[0], ends[1], 255, max(1, round(thick)), cv2.LINE_AA, 4)
    face.lay(mask, ink)
