"""A square seen by a camera: fitted to all that is seen of its sides at once, with its doubt."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]

UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)  # a table's corners
PLACES = np.stack(np.meshgrid(*[np.linspace(0, 1, 5)] * 2), -1).reshape(-1, 1, 2)
# Focal lengths of phones and webcams, in picture widths, and by what share most others differ.
USUAL_FOCAL, OTHER_FOCALS = 0.77, 0.2
BENT = 0.006  # by which lenses and tables make a square none
# A cloth's edge is seen so far off its place, as a share of the side, and alike at so many places.
EDGE, ALIKE = 0.003, 20


@dataclass(frozen=True, slots=True)
class Square:
    """A table's outline.

    Attributes:
        corners: (4, 2) in px; a side goes from each to the next.
        doubt: how far a place of it that is in sight may be off, as a share of the side.
    """

    corners: Floats
    doubt: float


@dataclass(frozen=True, slots=True)
class UsualCamera:
    """What is known of a camera before it has seen anything.

    Attributes:
        axis: (2,) where its axis meets the picture, in px: the middle.
        focal: the usual focal length, in px.
        size_wh: of the part of the picture that is looked at.
    """

    axis: Floats
    focal: float
    size_wh: tuple[int, int]

    def misfit(self, corners: Floats, times: Floats) -> tuple[Floats, Floats]:
        """(n,) by how much (4, 2) are no square: off the right angle, and in their sides' lengths.

        Args:
            times: (n,) the focal length, as so many usual ones.
        """
        centred = (corners - self.axis).astype(np.float32)
        matrix = np.asarray(cv2.getPerspectiveTransform(UNIT, centred), np.float64)
        # The table's axes as this camera would see them are at right angles and of one length.
        scale = np.stack([1 / (self.focal * times)] * 2 + [np.ones_like(times)])
        one, other = (scale * matrix[:, axis][:, None] for axis in (0, 1))
        lengths = np.linalg.norm(one, axis=0), np.linalg.norm(other, axis=0)
        return (one * other).sum(0) / (lengths[0] * lengths[1]), np.log(lengths[0] / lengths[1])

    def off_square(self, corners: Floats) -> float:
        """By how much they are no square for the camera that fits best, and how unusual that is."""
        times = np.geomspace(0.7, 2.0, 36)
        angle, stretch = self.misfit(corners, times)
        unusual = 0.1 * np.log(times)
        return float(np.hypot(np.maximum(np.abs(angle), np.abs(stretch)), unusual).min())

    def squares(self, one: Floats, middle: Floats, other: Floats) -> Iterator[Floats]:
        """(4, 2) the corners of the squares that have three sides: one to either side of it.

        Args:
            middle: (3,) a line a x + b y + c = 0, as the others: between the two opposite ones.
        """
        to_px = np.array([[self.focal, 0, self.axis[0]], [0, self.focal, self.axis[1]], [0, 0, 1]])
        planes = [to_px.T @ line for line in (one, middle, other)]
        along = np.cross(planes[0], planes[2])
        across = np.cross(planes[1], along)
        start, end = np.cross(planes[0], planes[1]), np.cross(planes[1], planes[2])
        upwards = np.cross(along, across)
        if min(abs(upwards @ start), abs(upwards @ end), abs(upwards @ upwards)) < 1e-9:
            return
        start, end = start / (upwards @ start), end / (upwards @ end)
        far = along / np.linalg.norm(along) * np.linalg.norm(end - start)
        for side in (far, -far):
            seen = np.array([start, end, end + side, start + side])
            if abs(np.sign(seen[:, 2]).sum()) == 4:
                yield (seen @ to_px.T)[:, :2] / seen[:, 2:]

    def fit(self, corners: Floats, seen: Sequence[Floats]) -> Square | None:
        """The square that fits best; None where what is seen tells too little.

        Args:
            corners: (4, 2) near the true ones.
            seen: of each side, the (n, 2) places at which it was seen.
        """
        size = float(np.sqrt(cv2.contourArea(corners.astype(np.float32))))
        values = np.append(corners.ravel() / size, 0.0)

        def misfits(values: Floats) -> Floats:
            there, found = values[:8].reshape(4, 2), []
            for index, places in enumerate(seen):
                one, along = there[index], there[(index + 1) % 4] - there[index]
                normal = np.array((-along[1], along[0])) / np.linalg.norm(along)
                found.append((places / size - one) @ normal / (EDGE * ALIKE**0.5))
            bent = np.array(self.misfit(there * size, np.exp(values[8:]))).ravel() / BENT
            return np.concatenate([*found, bent, values[8:] / OTHER_FOCALS])

        for _ in range(5):
            left = misfits(values)
            slopes = (
                np.stack([misfits(values + step) - left for step in 1e-4 * np.eye(9)], 1) / 1e-4
            )
            if np.linalg.cond(slopes) > 1e6:
                return None
            values = values - np.linalg.lstsq(slopes, left, rcond=None)[0]
            if np.abs(values[:8] * size - corners.ravel()).max() > size or abs(values[8]) > 1:
                return None
        left = misfits(values)
        strain = float(left @ left) / max((len(left) - 3) / ALIKE + 3 - 9, 1.0)
        spread = np.linalg.cholesky(np.linalg.inv(slopes.T @ slopes) * max(strain, 1.0))
        found = values[:8].reshape(4, 2) * size
        there = cv2.perspectiveTransform(PLACES, _matrix(found))
        inside = np.all((there >= 0) & (there < np.array(self.size_wh)), axis=(1, 2))
        offs = [
            cv2.perspectiveTransform(
                there[inside], np.linalg.inv(_matrix(found + size * step[:8].reshape(4, 2)))
            )
            - PLACES[inside]
            for step in spread.T
        ]
        doubt = np.sqrt(np.square(offs).sum(axis=(0, 2, 3)).max()) if inside.any() else 1.0
        return Square(found, float(doubt))


def _matrix(corners: Floats) -> Floats:
    return np.asarray(cv2.getPerspectiveTransform(UNIT, corners.astype(np.float32)), np.float64)
