"""Pictures made worse in one way: how the reader fares with a worse camera or light."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.languages.words import UserError
from table_assist.vision.enrolment.labelled import Labels
from table_assist.vision.pictures.picture import Image, resized


class SpoilError(UserError, ValueError):
    """There is no such way, or no such amount; one sentence."""


@dataclass(frozen=True, slots=True)
class Spoil:
    """One way to make pictures worse.

    Attributes:
        kind: a key of ``KINDS``.
        amount: what it means is said there.
    """

    kind: str
    amount: float

    def picture(self, image: Image) -> Image:
        """The picture (h, w, 3) BGR made worse."""
        return _KINDS[self.kind].change(image, self.amount)

    def labels(self, labels: Labels) -> Labels:
        """The labels of the picture made worse."""
        if self.kind != "turn" or not labels:
            return labels
        shares = labels.shares
        for _ in range(round(self.amount / 90) % 4):
            left, top, right, bottom = shares.T
            shares = np.stack([1 - bottom, left, 1 - top, right], axis=1)
        return replace(labels, shares=shares)


def parse_spoil(text: str) -> Spoil:
    """A way and its amount from ``kind=amount``.

    >>> parse_spoil("blur=2")
    Spoil(kind='blur', amount=2.0)

    Raises:
        SpoilError: the kind is unknown or the amount makes no sense.
    """
    kind, _, amount = text.partition("=")
    if kind not in _KINDS:
        raise SpoilError(f"pictures cannot be spoilt by {kind!r}; there are {', '.join(_KINDS)}")
    allowed = _KINDS[kind]
    try:
        value = float(amount) if amount else allowed.usual
    except ValueError:
        value = float("nan")
    if not allowed.low <= value <= allowed.high:
        raise SpoilError(f"{kind} goes from {allowed.low:g} to {allowed.high:g}, not {amount!r}")
    return Spoil(kind, value)


@dataclass(frozen=True, slots=True)
class _Kind:
    low: float
    high: float
    usual: float
    change: Callable[[Image, float], Image]


def _blur(image: Image, sigma_px: float) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma_px), np.uint8)


def _light(image: Image, factor: float) -> Image:
    """More or less light on the sensor, which clips."""
    return _byte(image.astype(np.float32) * factor)


def _noise(image: Image, sigma: float) -> Image:
    grain = np.random.default_rng(0).normal(0, sigma, image.shape)
    return _byte(image.astype(np.float32) + grain.astype(np.float32))


def _grey(image: Image, amount: float) -> Image:
    grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return _byte(image * np.float32(1 - amount) + grey * np.float32(amount))


def _turn(image: Image, degrees: float) -> Image:
    return np.ascontiguousarray(np.rot90(image, -round(degrees / 90)))


def _byte(values: NDArray[np.float32]) -> Image:
    return np.asarray(np.clip(np.round(values), 0, 255), np.uint8)


_KINDS = {
    "shrink": _Kind(0.02, 1, 0.5, resized),  # factor of both sides
    "blur": _Kind(0.1, 50, 2, _blur),  # standard deviation, pixels
    "light": _Kind(0.01, 20, 2, _light),  # factor; below 1 is darker
    "noise": _Kind(0, 100, 10, _noise),  # standard deviation, grey levels
    "grey": _Kind(0, 1, 1, _grey),  # share of colour that is lost
    "turn": _Kind(0, 360, 180, _turn),  # degrees clockwise, rounded to quarter turns
}
KINDS = tuple(_KINDS)
