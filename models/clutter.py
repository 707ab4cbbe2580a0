"""Clutter on a table: papers with writing, sticks, cups, telephones, cards."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from models.materials import Random
from table_assist.vision.pictures.picture import Image

_LETTERS = "ABCDEFGHKLMNPRSTUVWXYZabdeghknqrst0123456789+=#%&"


def scatter(random: Random, image: Image) -> None:
    """Lay one to five things on a ground, before the tiles."""
    for _ in range(int(random.integers(1, 6))):
        kind = _KINDS[int(random.integers(len(_KINDS)))]
        kind(random, image, tuple(random.uniform(0, 1, 2) * image.shape[1::-1]))


def _colour(random: Random) -> tuple[float, float, float]:
    level = random.uniform(10, 250)
    blue, green, red = np.clip(level + random.normal(0, 40, 3), 0, 255)
    return float(blue), float(green), float(red)


def _slab(
    random: Random, image: Image, centre: tuple[float, float], size: tuple[float, float]
) -> None:
    corners = cv2.boxPoints((centre, size, float(random.uniform(0, 180))))
    cv2.fillConvexPoly(image, corners.astype(np.int32), _colour(random), cv2.LINE_AA)


def _paper(random: Random, image: Image, centre: tuple[float, float]) -> None:
    """A pale sheet, or the bare ground, with lines of letters and digits."""
    if random.random() < 0.7:
        _slab(random, image, centre, (random.uniform(80, 400), random.uniform(60, 300)))
    scale, ink = random.uniform(0.4, 3.0), _colour(random)
    font = int(random.choice([0, 1, 2, 3, 4, 6, 7]))
    for line in range(int(random.integers(1, 7))):
        text = "".join(random.choice(list(_LETTERS), int(random.integers(1, 16))))
        place = int(centre[0] - 90 * scale), int(centre[1] + line * 34 * scale - 50)
        cv2.putText(image, text, place, font, scale, ink, int(scale * 2) + 1, cv2.LINE_AA)


def _sticks(random: Random, image: Image, centre: tuple[float, float]) -> None:
    """Score sticks, side by side."""
    length, width = random.uniform(40, 260), random.uniform(3, 14)
    angle, body, spot = random.uniform(0, np.pi), _colour(random), _colour(random)
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    for number in range(int(random.integers(1, 8))):
        middle = np.array(centre) + across * number * width * 1.3
        half = along * length / 2
        cv2.line(image, _pixel(middle - half), _pixel(middle + half), body, int(width))
        for step in range(-2, 3):
            dot = _pixel(middle + along * step * width * 0.9)
            cv2.circle(image, dot, max(1, int(width / 4)), spot, -1)


def _pixel(point: NDArray[np.float64]) -> tuple[int, int]:
    return int(point[0]), int(point[1])


def _cup(random: Random, image: Image, centre: tuple[float, float]) -> None:
    radius, place = random.uniform(8, 120), (int(centre[0]), int(centre[1]))
    for share in (1.0, random.uniform(0.6, 0.95), random.uniform(0.1, 0.6)):
        cv2.circle(image, place, int(radius * share), _colour(random), -1, cv2.LINE_AA)


def _slabs(random: Random, image: Image, centre: tuple[float, float]) -> None:
    """A telephone, a tray, cards: one in another."""
    size = random.uniform(25, 300), random.uniform(25, 300)
    angle = float(random.uniform(0, 180))
    for share in (1.0, random.uniform(0.8, 0.95), random.uniform(0.1, 0.7)):
        scaled = size[0] * share, size[1] * share
        corners = cv2.boxPoints((centre, scaled, angle))
        cv2.fillConvexPoly(image, corners.astype(np.int32), _colour(random), cv2.LINE_AA)


_KINDS: list[Callable[[Random, Image, tuple[float, float]], None]] = [
    _paper, _paper, _sticks, _cup, _slabs,
]  # fmt: skip
