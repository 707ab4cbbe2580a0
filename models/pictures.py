"""Pictures as they are kept on disk: 8 bits a channel, or refused."""

from pathlib import Path

import cv2
import numpy as np
from cv2.typing import MatLike

from table_assist.vision.pictures.picture import Image


def load_image(path: Path, flags: int = cv2.IMREAD_COLOR) -> Image:
    """(h, w, 3) BGR; by other flags of OpenCV's also grey or with transparency.

    Raises:
        ValueError: the file is no picture of 8 bits.
    """
    image = cv2.imread(str(path), flags)
    if image is None or image.dtype != np.uint8:
        raise ValueError(f"{path} is no picture of 8 bits")
    return np.asarray(image, np.uint8)


def sized(image: MatLike, size_wh: tuple[int, int]) -> Image:
    """Another size, made by area: a linear resize alone would alias what is shrunk."""
    return np.asarray(cv2.resize(image, size_wh, interpolation=cv2.INTER_AREA), np.uint8)


def scaled(image: MatLike, scale: float) -> Image:
    """So many times as large, made by area."""
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def shrunk(image: MatLike, longest: int) -> tuple[Image, float]:
    """With no side longer than that; and by what its pixels were scaled, 1 at most."""
    scale = min(1.0, longest / max(image.shape[:2]))
    return scaled(image, scale), scale
