"""A user's own tile set: what was learnt from its pictures, and how that changes a reading.

Learning leaves the network alone. It adds a linear correction to the network's logits, which
counts as far as a crop looks like one that was enrolled, and only among what was enrolled: a face
that was not, a die or the felt is no less likely than the network says, unless the crop looks so
much like an enrolled one as no other face does.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from table_assist.languages.words import SaidError
from table_assist.vision.pictures.picture import Array, Mask

ORDINARY_FACES = 34  # the first classes: the faces of every set
GATE_WIDTH = 0.02  # of the cosine: over four times this the correction goes from nearly 0 to 1
# The cosine to the nearest known crop at which half of what goes to other faces goes to the
# enrolled ones. Of 4,200 tiles of 85 sets and looks that training never saw four were so like
# another face, and nine in ten photographed ones like one of their own.
OWN_COSINE = 0.92


class OwnSetError(SaidError):
    """An own tile set cannot be learnt, found or used; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class OwnSet:
    """The learnt part of one tile set.

    Attributes:
        recogniser: sha256 of the network whose features these are.
        correction: (d + 1, classes), times the features gives what is added to the logits; the
            last row is added as it is.
        known: (m, d) directions (see `directions`) of crops that were enrolled.
        alike_from: the cosine to the nearest known crop at which half of the correction counts.
        sharpness: multiplies the logits of crops that look like the set: calibrates them.
        taught: (classes,) whether anything of the class was enrolled.
    """

    name: str
    recogniser: str
    correction: Array
    known: Array
    alike_from: float
    sharpness: float
    taught: Mask

    def __post_init__(self) -> None:
        depth = self.known.shape[-1]
        if self.known.ndim != 2 or self.correction.ndim != 2 or not len(self.known):
            raise ValueError("an own set needs known crops and a correction in rows and columns")
        if self.correction.shape[0] != depth + 1:
            raise ValueError(
                f"a correction of {self.correction.shape[0]} rows does not fit {depth} features"
            )

    def check(self, network: bytes) -> None:
        """Refuse a recogniser that is not the one from which the set was learnt.

        Raises:
            OwnSetError: it is another one.
        """
        actual = digest(network)
        if actual != self.recogniser:
            raise OwnSetError(
                "the tile set {name} was learnt with another recogniser ({recogniser}…, this "
                "one is {actual}…): learn it again with 'table-assist enrol {name_2} --again'",
                "牌套 {name} 是用另一识别网络（{recogniser}…）学的，现在用的是 {actual}…：请用"
                "“table-assist enrol {name_2} --again”重学",
                name=f"{self.name!r}",
                recogniser=self.recogniser[:12],
                actual=actual[:12],
                name_2=self.name,
            )

    def refine(self, features: Array, logits: Array) -> Array:
        """The network's output for n crops, seen by someone who knows the set.

        Args:
            features: (n, d), as the network gives them.
            logits: (n, classes), divided by the network's temperature.

        Returns:
            (n, classes) probabilities, each row summing to 1.
        """
        corrections = features @ self.correction[:-1] + self.correction[-1]
        nearest = self._nearest(features)
        return corrected(logits, corrections, nearest, self.alike_from, self.sharpness, self.taught)

    def alikeness(self, features: Array) -> Array:
        """(n,) from 0, like nothing that was enrolled, to 1."""
        return gate(self._nearest(features), self.alike_from)

    def _nearest(self, features: Array) -> Array:
        return np.asarray((directions(features) @ self.known.T).max(axis=1), np.float32)


def taught_by(labels: Sequence[int] | NDArray[Any], classes: int) -> Mask:
    """(classes,) which a correction may tell apart that was learnt from these.

    "Nothing" and "a part", the last two, are what no set can lack.
    """
    number = np.arange(classes)
    return np.isin(number, np.asarray(labels)) | (number >= classes - 2)


def corrected(
    logits: Array,
    corrections: Array,
    nearest: Array,
    alike_from: float,
    sharpness: float,
    taught: Mask,
) -> Array:
    """(n, classes) probabilities of n crops, (n,) the cosine of each to the nearest known one.

    A correction tells taught classes apart and knows nothing of the others: these keep the share
    that the network gives them, but for crops that are `OWN_COSINE`. A set's 1q looks more like its
    2q than like anything else: without that share 16 of 12,529 photographed tiles, and 8 of 631
    drawn ones, whose faces a set had not been shown were surely named as another face; with it one.
    """
    gated, plain = gate(nearest, alike_from)[:, None], probabilities(logits)
    sharper = 1 + gated * np.float32(sharpness - 1)
    told = np.where(taught, (logits + gated * corrections) * sharper, -np.inf)
    kept = plain * ~taught * (1 - gate(nearest, OWN_COSINE)[:, None])
    told = probabilities(np.asarray(told, np.float32)) * (1 - kept.sum(axis=1, keepdims=True))
    return np.asarray(told + kept, np.float32)


def digest(network: bytes) -> str:
    """By what a recogniser is known: its sha256."""
    return hashlib.sha256(network).hexdigest()


def gate(cosine: Array, alike_from: float) -> Array:
    """From 0 to 1, one half at `alike_from`."""
    return np.asarray(1 / (1 + np.exp((alike_from - cosine) / GATE_WIDTH)), np.float32)


def directions(features: Array) -> Array:
    """Features as unit vectors, so that the cosine of two is how alike two crops are.

    Roots, because a few features are far larger than the rest and would decide alone.
    """
    roots = np.sqrt(np.maximum(features, 0))
    lengths = np.linalg.norm(roots, axis=1, keepdims=True)
    return np.asarray(roots / np.maximum(lengths, 1e-6), np.float32)


def probabilities(logits: Array) -> Array:
    """Rows of logits to rows that sum to 1."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
