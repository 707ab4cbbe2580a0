"""A stranger's JPEG made anew: small, of pixels alone, and nothing else that its file held."""

import numpy as np

from table_assist.vision.pictures.picture import Image, decode_frame, jpeg, resized

MOST_SMALL_BYTES = 80_000
WIDEST, HIGHEST = 1200, 600
LEAST_SMALL_SIDE = 16
QUALITIES = (85, 75, 60, 45)


def small_jpeg(content: bytes, turns: int = 0) -> bytes:
    """The same picture, at most so large, turned clockwise by so many quarters.

    Raises:
        PictureError: it is no plain JPEG that can be decoded.
    """
    image = decode_frame(content, "a table", LEAST_SMALL_SIDE)
    image = np.ascontiguousarray(np.rot90(image, -turns))
    image = _within(image, WIDEST, HIGHEST)
    while True:
        for quality in QUALITIES:
            made = jpeg(image, quality)
            if len(made) <= MOST_SMALL_BYTES:
                return made
        image = _within(image, image.shape[1] * 2 // 3, image.shape[0] * 2 // 3)


def _within(image: Image, width: int, height: int) -> Image:
    share = min(width / image.shape[1], height / image.shape[0])
    if share >= 1:
        return image
    return resized(image, share)
