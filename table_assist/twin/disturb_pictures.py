"""Rendered pictures of disturbed moments: blur, wrong colours, a camera that was bumped."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import cv2
import numpy as np

from table_assist.twin.disturb import CameraMoment, Spoiled
from table_assist.twin.lens import Lens
from table_assist.twin.render import Renderer
from table_assist.twin.scene import Point
from table_assist.vision.pictures.picture import Image

BLUR_PX = 2.2
# A lamp of another colour than the camera was set for, before it has adapted.
TINTS = ((0.62, 0.95, 1.25), (1.3, 0.95, 0.66))


class DisturbedRenderer:
    """Takes pictures of moments; one renderer for each place of the camera.

    Args:
        make: a renderer for a lens.
    """

    def __init__(self, make: Callable[[Lens], Renderer], lens: Lens, seed: int) -> None:
        self._make = make
        self._lens = lens
        self._tint = TINTS[Random(f"tint-{seed}").randrange(len(TINTS))]
        self._renderers: dict[Point, Renderer] = {}

    def picture(self, moment: CameraMoment) -> Image:
        """Shape (h, w, 3), BGR."""
        moved_mm = moment.moved_mm
        if moved_mm not in self._renderers:
            self._renderers[moved_mm] = self._make(moved_lens(self._lens, moved_mm))
        image = self._renderers[moved_mm].picture(moment.scene)
        match moment.spoiled:
            case Spoiled.BLURRED:
                return np.asarray(cv2.GaussianBlur(image, (0, 0), BLUR_PX), np.uint8)
            case Spoiled.TINTED:
                gains = self._tint
                steps = np.arange(256, dtype=np.float64)
                table = np.stack([np.clip(steps * gain, 0, 255) for gain in gains], axis=1)
                return np.asarray(
                    cv2.LUT(image, np.round(table).astype(np.uint8)[:, None]), np.uint8
                )
            case Spoiled.CLEAR:
                return image


def moved_lens(lens: Lens, moved_mm: Point) -> Lens:
    """The camera that sees the table shifted by so much."""
    x, y = lens.aim_mm
    return replace(lens, aim_mm=(x - moved_mm[0], y - moved_mm[1]))
