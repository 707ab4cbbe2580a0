"""How bright each point of a picture is: lamps, a window, a mirrored screen, a moving shadow."""

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.twin.lens import Lens
from table_assist.twin.looks import TableLook
from table_assist.twin.tabletop import PLATE_MM
from table_assist.vision.pictures.picture import Image

# Grey levels that stand for a gain of one, so that gains up to 1.7 fit in a byte.
UNIT_GAIN = 150
# In how many pictures clouds pass before the sun once, and somebody walks once around the table.
_CLOUD_PICTURES, _WALK_PICTURES = 260, 190
# The window's light changes in steps that are too small to be seen.
_CLOUD_STEPS = 24
_WALK_MM, _BODY_MM = 380.0, 110.0
_SCREEN_MM = (140.0, 80.0)
_GLOW_SOFT_MM = 40.0
_COARSE = 4


class Light:
    """All that shines on one table, for one camera."""

    def __init__(self, look: TableLook, camera: Lens) -> None:
        self._look, self._camera = look, camera
        self._lamps = _lamps(look, camera)
        self._step = -1
        self._gain = np.zeros((0, 0, 3), np.uint8)

    def gain(self, taken: int) -> Image:
        """How bright each point is in the picture of that number, `UNIT_GAIN` for as it is.

        The very same array where nothing changed.
        """
        daylight = self._look.optics.daylight
        turn = 0.5 - 0.5 * np.cos(2 * np.pi * taken / _CLOUD_PICTURES) if daylight > 0 else 0.0
        step = round(_CLOUD_STEPS * turn)
        if step != self._step:
            self._step = step
            across = np.linspace(1, 0, self._lamps.shape[1], dtype=np.float32)[None, :, None]
            gain = np.round(self._lamps * (1 + daylight * step / _CLOUD_STEPS * across))
            coarse = np.clip(gain, 0, 255).astype(np.uint8)
            fine = cv2.resize(coarse, self._camera.size_wh, interpolation=cv2.INTER_LINEAR)
            self._gain = np.asarray(fine, np.uint8)
        return self._gain

    def shaded(self, picture: Image, taken: int) -> Image:
        """With the shadow of somebody who walks around the table."""
        camera, depth = self._camera, self._look.optics.shadow
        angle = 2 * np.pi * taken / _WALK_PICTURES
        x, y = camera.project(_WALK_MM * np.cos(angle), _WALK_MM * np.sin(angle))
        height, width = picture.shape[:2]
        reach = 2 * (_BODY_MM * camera.px_per_mm) ** 2
        across = np.exp(-((np.arange(0, width, _COARSE, dtype=np.float32) - x) ** 2) / reach)
        down = np.exp(-((np.arange(0, height, _COARSE, dtype=np.float32) - y) ** 2) / reach)
        level = np.round(255 * (1 - depth * down[:, None] * across[None])).astype(np.uint8)
        fine = cv2.resize(level, (width, height), interpolation=cv2.INTER_LINEAR)
        shade = cv2.merge([fine, fine, fine])
        return np.asarray(cv2.multiply(picture, shade, scale=1 / 255), np.uint8)


def _lamps(look: TableLook, camera: Lens) -> NDArray[np.float32]:
    """Lamps' colour and places, lens' dark corners, a mirrored screen, a console that glows.

    All of it is soft: coarse, it is worked out much sooner.
    """
    optics = look.optics
    width, height = camera.size_wh
    x, y = (_middles(side) for side in (width, height))
    x, y = x[None, :], y[:, None]
    fall = _fall(look.lamp_mm, optics.uneven, camera, x, y)
    if optics.second_lamp > 0:
        beside = (-look.lamp_mm[1], look.lamp_mm[0])
        other = _fall(beside, optics.uneven, camera, x, y)
        share = np.float32(optics.second_lamp)
        fall = (1 - share) * fall + share * other
    corner = ((x - width / 2) ** 2 + (y - height / 2) ** 2) / (width**2 + height**2) * 4
    fall *= (1 - optics.vignette * corner**1.5).astype(np.float32)
    if optics.mirror > 0:
        fall *= 1 + np.float32(optics.mirror) * _mirrored(look, camera)
    light = fall[..., None] * np.array(optics.lamp, np.float32)
    if optics.glow > 0:
        colour = np.array(look.plate, np.float32) / max(look.plate)
        light += np.float32(optics.glow) * _beside_console(camera)[..., None] * colour
    return np.asarray(light * UNIT_GAIN, np.float32)


def _fall(
    lamp_mm: tuple[float, float],
    uneven: float,
    camera: Lens,
    x: NDArray[np.float32],
    y: NDArray[np.float32],
) -> NDArray[np.float32]:
    lamp_x, lamp_y = camera.project(*lamp_mm)
    reach = 900 * camera.px_per_mm
    away = ((x - lamp_x) ** 2 + (y - lamp_y) ** 2) / reach**2
    return np.asarray(1 - uneven * (1 - np.exp(-1.4 * away)), np.float32)


def _mirrored(look: TableLook, camera: Lens) -> NDArray[np.float32]:
    """A screen's soft mirror image, away from the lamp, 0-1."""
    away = (-0.6 * look.lamp_mm[0], -0.6 * look.lamp_mm[1])
    return _soft_rectangle(camera, away, _SCREEN_MM, soft_mm=10.0)


def _beside_console(camera: Lens) -> NDArray[np.float32]:
    """How much of a glowing console's light comes to each point, 0-1."""
    return _soft_rectangle(camera, (0.0, 0.0), (PLATE_MM, PLATE_MM), soft_mm=_GLOW_SOFT_MM)


def _soft_rectangle(
    camera: Lens, middle_mm: tuple[float, float], size_mm: tuple[float, float], *, soft_mm: float
) -> NDArray[np.float32]:
    (x, y), (across, along) = middle_mm, (size_mm[0] / 2, size_mm[1] / 2)
    corners = np.array(
        [(x - across, y - along), (x + across, y - along), (x + across, y + along),
         (x - across, y + along)]
    )  # fmt: skip
    width, height = camera.size_wh
    mask = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(mask, np.round(camera.project_points(corners)).astype(np.int32), 255)
    size = len(_middles(width)), len(_middles(height))
    coarse = cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    soft = cv2.GaussianBlur(coarse, (0, 0), soft_mm * camera.px_per_mm * size[0] / width)
    return np.asarray(soft, np.float32) / np.float32(255)


def _middles(side: int) -> NDArray[np.float32]:
    """Where the coarse points of a row or column lie in the picture."""
    count = -(-side // _COARSE)
    return (np.arange(count, dtype=np.float32) + np.float32(0.5)) * (side / count) - np.float32(0.5)
