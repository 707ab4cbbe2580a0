"""Small pictures of single pieces: drawn oversampled, pasted with soft edges."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.twin.lens import Lens
from table_assist.twin.looks import Colour
from table_assist.vision.pictures.motion import Box
from table_assist.vision.pictures.picture import Image

Points = NDArray[np.float64]

OVERSAMPLING = 3
_FIXED_POINT_BITS = 4


@dataclass(frozen=True, slots=True)
class Sprite:
    """A drawn piece and where it goes; pieces keep their place, so sprites can be kept.

    Attributes:
        colour: shape (h, w, 3), already multiplied by the opacity.
        behind: shape (h, w, 1), 0 where the piece hides the picture, 256 where it is not.
    """

    x: int
    y: int
    colour: Image
    behind: NDArray[np.uint16]

    def paste(self, picture: Image, within: Box) -> None:
        """Draw into a picture, clipped to a part of it."""
        height, width = self.colour.shape[:2]
        left, top = max(self.x, within[0]), max(self.y, within[1])
        right, bottom = min(self.x + width, within[2]), min(self.y + height, within[3])
        if left >= right or top >= bottom:
            return
        own = np.s_[top - self.y : bottom - self.y, left - self.x : right - self.x]
        below = picture[top:bottom, left:right]
        below[:] = (below * self.behind[own] >> 8).astype(np.uint8) + self.colour[own]


class SpritePatch:
    """A small oversampled canvas around one piece.

    Args:
        see_through: how much of what lies below shows through its body, 0-1; print hides it.
    """

    def __init__(self, camera: Lens, silhouette: Points, see_through: float = 0.0) -> None:
        low, high = np.floor(silhouette.min(0)) - 2, np.ceil(silhouette.max(0)) + 2
        self._camera = camera
        self._origin = low
        width, height = (int(side) * OVERSAMPLING for side in high - low)
        self._colour = np.zeros((height, width, 3), np.uint8)
        self._mask = np.zeros((height, width), np.uint8)
        self._body = round(255 * (1 - see_through))

    def wall(self, outline: Points, low: float, high: float, colour: Colour) -> None:
        """Fill what an upright body with this outline covers, from one height to another."""
        points = self._seen(np.concatenate([raised(outline, low), raised(outline, high)]))
        hull = cv2.convexHull(points.astype(np.float32))
        fixed = np.round(hull * (1 << _FIXED_POINT_BITS)).astype(np.int32)
        cv2.fillConvexPoly(self._colour, fixed, colour, cv2.LINE_8, _FIXED_POINT_BITS)
        cv2.fillConvexPoly(self._mask, fixed, self._body, cv2.LINE_8, _FIXED_POINT_BITS)

    def stretch(
        self, texture: Image, corners: Points, gain: float, ink: Image | None = None
    ) -> None:
        """Lay a picture over four corners, the picture's upper left first.

        Args:
            ink: (h, w) how much of what lies below the picture hides, 0-255; None: as the body.
        """
        height, width = texture.shape[:2]
        own = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        # Pixel centres lie half a pixel inside the corner.
        matrix = cv2.getPerspectiveTransform(own - 0.5, self._seen(corners).astype(np.float32))
        size = (self._colour.shape[1], self._colour.shape[0])
        cv2.warpPerspective(
            cv2.convertScaleAbs(texture, alpha=gain),
            matrix,
            size,
            self._colour,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_TRANSPARENT,
        )
        if ink is not None:
            inked = cv2.warpPerspective(ink, matrix, size, flags=cv2.INTER_LINEAR)
            self._mask = np.asarray(cv2.max(self._mask, inked), np.uint8)

    def sprite(self) -> Sprite:
        """The finished piece at the picture's own scale."""
        size = (self._mask.shape[1] // OVERSAMPLING, self._mask.shape[0] // OVERSAMPLING)
        own = self._colour
        if self._body < 255:
            own = np.asarray(
                cv2.multiply(own, cv2.merge([self._mask] * 3), scale=1 / 255), np.uint8
            )
        colour = cv2.resize(own, size, interpolation=cv2.INTER_AREA)
        opacity = cv2.resize(self._mask, size, interpolation=cv2.INTER_AREA)
        return Sprite(
            int(self._origin[0]),
            int(self._origin[1]),
            np.asarray(colour, np.uint8),
            np.round(256 - opacity.astype(np.float32) * (256 / 255)).astype(np.uint16)[..., None],
        )

    def _seen(self, points: Points) -> Points:
        """From millimetres to the canvas; whole numbers are pixel centres, as OpenCV has it."""
        seen = self._camera.project_points(points) - self._origin
        return np.asarray((seen + 0.5) * OVERSAMPLING - 0.5)


def raised(outline: Points, height: float) -> Points:
    """A level outline (n, 2) at a height, shape (n, 3)."""
    return np.column_stack([outline, np.full(len(outline), height)])
