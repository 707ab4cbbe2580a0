"""A tile's kept patch for learning: wider than its crop, with the many ways to see it."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from table_assist.vision.pictures.picture import Array, Image
from table_assist.vision.reading.recognise import CROP_MARGIN, CROP_SIZE

Random = np.random.Generator

WIDER = 1.5  # the patch's side over the crop's: turned and shifted crops stay inside
PATCH_SIZE = round(WIDER * CROP_SIZE)
PATCH_MIDDLE = PATCH_SIZE / 2 - 0.5


@dataclass(frozen=True, slots=True)
class Patch:
    """A tile and what lies around it.

    Attributes:
        image: (96, 96, 3) RGB; its inner 64 are the recogniser's crop.
        box_wh: width and height of the tile's box, in any unit.
    """

    image: Image
    box_wh: tuple[float, float]

    def __post_init__(self) -> None:
        if self.image.shape != (PATCH_SIZE, PATCH_SIZE, 3):
            raise ValueError(f"a patch has shape {self.image.shape}, expected ({PATCH_SIZE},) * 2")


def cut_patch(image: Image, xyxy: Sequence[float] | Array, stretch: float = 1.0) -> Patch:
    """Cut the patch of one box out of a picture (h, w, 3) BGR; the picture's border is repeated.

    Args:
        stretch: times as high as in the picture it is to be shown, as `recognise.crop_tile`.
    """
    x1, y1, x2, y2 = (float(value) for value in xyxy)
    side = max(1, round(WIDER * CROP_MARGIN * max(x2 - x1, stretch * (y2 - y1))))
    high = max(1, round(side / stretch))
    left, top = round((x1 + x2 - side) / 2), round((y1 + y2 - high) / 2)
    columns = np.clip(np.arange(left, left + side), 0, image.shape[1] - 1)
    rows = np.clip(np.arange(top, top + high), 0, image.shape[0] - 1)
    resized = cv2.resize(
        np.ascontiguousarray(image[rows[:, None], columns[None]]),
        (PATCH_SIZE, PATCH_SIZE),
        interpolation=cv2.INTER_AREA if side > PATCH_SIZE else cv2.INTER_LINEAR,
    )
    rgb = np.ascontiguousarray(resized[:, :, ::-1]).astype(np.uint8)
    return Patch(rgb, (x2 - x1, stretch * (y2 - y1)))


def plain_crop(patch: Patch) -> Image:
    """The recogniser's crop as it lies, (64, 64, 3) RGB."""
    edge = (PATCH_SIZE - CROP_SIZE) // 2
    return np.ascontiguousarray(patch.image[edge : edge + CROP_SIZE, edge : edge + CROP_SIZE])


def vary(patch: Patch, random: Random, *, quarters: int, loose: bool) -> Image:
    """The tile as another picture might show it, (64, 64, 3) RGB.

    Args:
        quarters: quarter turns; a small angle comes to them.
        loose: any angle instead, as in a heap, where boxes are loose around their tiles.
    """
    angle = 90 * quarters + (random.uniform(-45, 45) if loose else random.normal(0, 3))
    # A detector's box grows as the tile turns in it, so the crop shows the tile smaller.
    width, height = patch.box_wh
    cos, sin = abs(np.cos(np.radians(angle))), abs(np.sin(np.radians(angle)))
    longest = max(width * cos + height * sin, width * sin + height * cos)
    # Round corners: the box does not reach the corners of the turned rectangle.
    growth = float(1 + 0.85 * (longest / max(width, height, 1e-6) - 1))
    scale = np.exp(random.normal(0, 0.04)) / growth
    stretch = np.exp(random.normal(0, 0.05))
    shear = np.array([[stretch, random.normal(0, 0.03)], [random.normal(0, 0.03), 1 / stretch]])
    matrix = cv2.getRotationMatrix2D((PATCH_MIDDLE, PATCH_MIDDLE), float(angle), float(scale))
    linear = shear @ matrix[:, :2]
    middle = np.full(2, PATCH_MIDDLE)
    shift = random.normal(0, 2.0, 2) - (PATCH_SIZE - CROP_SIZE) / 2
    moved = np.column_stack([linear, middle - linear @ middle + shift])
    crop = cv2.warpAffine(
        patch.image,
        moved,
        (CROP_SIZE, CROP_SIZE),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return _relight(_coarsen(np.asarray(crop, np.uint8), random), random)


def _coarsen(crop: Image, random: Random) -> Image:
    """Sometimes as seen from farther away, sometimes a little out of focus."""
    choice = random.random()
    if choice < 0.4:
        side = int(random.integers(24, 56))
        small = cv2.resize(crop, (side, side), interpolation=cv2.INTER_AREA)
        crop = np.asarray(cv2.resize(small, (CROP_SIZE, CROP_SIZE)), np.uint8)
    elif choice < 0.6:
        crop = np.asarray(cv2.GaussianBlur(crop, (3, 3), 0), np.uint8)
    return crop


def _relight(crop: Image, random: Random) -> Image:
    """Another light, its colour, contrast and the camera's noise.

    Enrolled is in one light and played in others: a dark one has another gamma, too.
    """
    light = 255 * (crop / np.float32(255)) ** np.exp(random.normal(0, 0.25))
    light = light * np.exp(random.normal(0, 0.22)) * np.exp(random.normal(0, 0.07, 3))
    light = (light - 128) * np.exp(random.normal(0, 0.12)) + 128
    if random.random() < 0.5:
        light += random.normal(0, 5, crop.shape)
    return np.asarray(np.clip(light, 0, 255), np.uint8)
