"""A stranger's JPEG made anew: small, of pixels alone, and nothing else that its file held."""

from pathlib import Path

import cv2
import numpy as np

from table_assist.vision.pictures.picture import Image, PictureError, decode_picture, jpeg

MOST_BYTES = 80_000
WIDEST, HIGHEST = 1200, 600
LEAST_SIDE = 16
QUALITIES = (85, 75, 60, 45)
_JPEG = b"\xff\xd8\xff"
_NAME = Path("the picture")


def small_jpeg(content: bytes, turns: int = 0) -> bytes:
    """The same picture, at most so large, turned clockwise by so many quarters.

    Raises:
        PictureError: it is no JPEG that can be decoded.
    """
    if not content.startswith(_JPEG):
        raise PictureError("the picture is no JPEG", "图片不是 JPEG")
    image = decode_picture(content, _NAME)
    if min(image.shape[:2]) < LEAST_SIDE:
        raise PictureError("the picture is too small", "图片太小")
    image = np.ascontiguousarray(np.rot90(image, -turns))
    image = _within(image, WIDEST, HIGHEST)
    while True:
        for quality in QUALITIES:
            made = jpeg(image, quality)
            if len(made) <= MOST_BYTES:
                return made
        image = _within(image, image.shape[1] * 2 // 3, image.shape[0] * 2 // 3)


def _within(image: Image, width: int, height: int) -> Image:
    share = min(width / image.shape[1], height / image.shape[0])
    if share >= 1:
        return image
    size = max(1, round(image.shape[1] * share)), max(1, round(image.shape[0] * share))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
