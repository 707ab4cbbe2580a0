"""Faces as use and carelessness leave them: worn, engraved, or badly cut out of a photograph."""

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.twin.looks import Colour, TableLook
from table_assist.vision.pictures.picture import Image

_MOST_TURN_DEG, _MOST_SHIFT, _MOST_UNEVEN = 4.0, 0.05, 0.35
_FIBRES, _KNOTS, _FIBRE_LEVEL = 22, 3, 0.14  # across a back and along it, and how much they differ
_PATCHES = 7  # lumps of wear across a face
_RELIEF = 0.4  # grey levels of an edge's light side for each level of its contrast


def used(face: Image, look: TableLook, seed: int) -> Image:
    """A face (h, w, 3) BGR on its ground as this set has it; the same seed is the same tile."""
    rng = np.random.default_rng((seed, 0xFACE))
    if look.careless > 0:
        face = _cut_carelessly(face, look.careless, look.ivory, rng)
    if look.engraved > 0:
        face = _engraved(face, look.engraved)
    if look.wear > 0:
        face = _worn(face, look.wear, look.ivory, rng)
    return face


def fibres(width: int, length: int, grain: float) -> NDArray[np.float32]:
    """How much lighter or darker each point of a bamboo back is, shape (length, width)."""
    rng = np.random.default_rng(0xBA3B00)
    across = rng.uniform(-1, 1, _FIBRES).astype(np.float32)
    along = rng.uniform(-1, 1, (_KNOTS, _FIBRES)).astype(np.float32)
    lines = cv2.resize(across[None] + 0.5 * along, (width, length), interpolation=cv2.INTER_CUBIC)
    return np.asarray(1 + _FIBRE_LEVEL * grain * lines, np.float32)


def _worn(face: Image, wear: float, ground: Colour, rng: np.random.Generator) -> Image:
    """Rubbed off in patches, and a little everywhere."""
    height, width = face.shape[:2]
    coarse = rng.uniform(0, 1, (_PATCHES, _PATCHES)).astype(np.float32)
    patches = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    gone = np.clip(wear * (0.3 + 0.9 * patches), 0, 0.9)[..., None]
    return np.asarray(np.clip(face * (1 - gone) + np.array(ground) * gone, 0, 255), np.uint8)


def _engraved(face: Image, depth: float) -> Image:
    """Edges are lit on one side and dark on the other."""
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY).astype(np.float32)
    slope = np.asarray(
        cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.25)
        + cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.25)
    )
    return np.asarray(np.clip(face + _RELIEF * depth * slope[..., None], 0, 255), np.uint8)


def _cut_carelessly(
    face: Image, careless: float, ground: Colour, rng: np.random.Generator
) -> Image:
    """Turned and shifted, with what lay beside it, in light from one side."""
    height, width = face.shape[:2]
    turn, across, down = careless * rng.uniform(-1, 1, 3)
    zoom = 1 + careless * rng.uniform(-0.1, 0.06)
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), _MOST_TURN_DEG * turn, zoom)
    matrix[:, 2] += _MOST_SHIFT * width * across, _MOST_SHIFT * height * down
    beside = tuple(0.75 * channel for channel in ground)
    moved = cv2.warpAffine(
        face, matrix, (width, height), borderMode=cv2.BORDER_CONSTANT, borderValue=beside
    )
    angle = rng.uniform(0, 2 * np.pi)
    x = np.linspace(-0.5, 0.5, width)[None, :] * np.cos(angle)
    y = np.linspace(-0.5, 0.5, height)[:, None] * np.sin(angle)
    light = 1 + _MOST_UNEVEN * careless * (x + y)
    return np.asarray(np.clip(moved * light[..., None], 0, 255), np.uint8)
