"""Fits what the reader's answers are worth, and says how true they are."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.belief.evidence import (
    CLASSES,
    FACES,
    SAID,
    WEIGHTS,
    Reliability,
    Rows,
    log_softmax,
)

# A reading that nothing is known of is met once in so many readings more than were counted.
_SPARE = 1.0
# A fit ends when a step gains less, each reading; or after so many steps.
_GAIN, _STEPS = 1e-7, 100
# As if so many readings had said that the networks are as good as they say.
_PRIOR = 1.0
EDGES = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)
_FILE = Path(__file__).with_name("reader.json")


@dataclass(frozen=True, slots=True)
class Bin:
    """Of the answers with a probability from `low` on, below the next one's.

    Attributes:
        count: each piece once, however often it was read.
        said: the mean of what they said.
        right: the share that was so.
    """

    low: float
    count: float
    said: float
    right: float


def fitted(
    features: NDArray[np.float64],
    truth: NDArray[np.int64],
    worth: NDArray[np.float64],
    *,
    stuck: float,
) -> Reliability:
    """The value by which the truth is likeliest: a logistic regression, by Newton's steps.

    Args:
        features: (n, CLASSES, WEIGHTS), as `evidence.features`.
        truth: (n,) the class of each thing.
        worth: (n,) how much each counts.
    """
    start = np.zeros(WEIGHTS)
    start[:SAID] = 1.0
    weights = start
    loss, slope, curve = _loss(features, truth, worth, weights, start)
    for _ in range(_STEPS):
        step = np.linalg.solve(curve, slope)
        share = 1.0
        while (
            share > _GAIN and loss < _loss(features, truth, worth, weights - share * step, start)[0]
        ):
            share /= 2
        before, weights = loss, weights - share * step
        loss, slope, curve = _loss(features, truth, worth, weights, start)
        if before - loss < _GAIN:
            break
    each = [round(float(value), 4) for value in weights]
    shares = _shares(truth, worth)
    named: dict[str, Any] = dict(
        zip((field.name for field in fields(Reliability)), each, strict=False)
    )
    rest: dict[str, Any] = {"shares": shares, "stuck": round(stuck, 3), "readings": len(truth)}
    return Reliability(**named, **rest)


def _loss(
    features: NDArray[np.float64],
    truth: NDArray[np.int64],
    worth: NDArray[np.float64],
    weights: NDArray[np.float64],
    start: NDArray[np.float64],
) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """The mean log-loss, its slope and its curvature."""
    each, count = np.arange(len(truth)), worth.sum()
    rows = log_softmax(features @ weights)
    shares = np.exp(rows)
    mean = np.einsum("nc,ncw->nw", shares, features)
    often = np.einsum("n,nc,ncw,ncv->wv", worth, shares, features, features, optimize=True)
    spread = often - (worth[:, None] * mean).T @ mean
    off = weights - start
    loss = (-worth @ rows[each, truth] + _PRIOR * off @ off / 2) / count
    slope = (worth @ (mean - features[each, truth]) + _PRIOR * off) / count
    return float(loss), slope, (spread + _PRIOR * np.eye(WEIGHTS)) / count


def _shares(truth: NDArray[np.int64], worth: NDArray[np.float64]) -> tuple[float, ...]:
    """How often each class is met; all faces alike, as the pool says which are left."""
    counts = np.bincount(truth, worth, CLASSES) + _SPARE
    counts[:FACES] = counts[:FACES].mean()
    return tuple(float(f"{share:.4g}") for share in counts / counts.sum())


def reliability_table(
    rows: Rows, truth: NDArray[np.int64], worth: NDArray[np.float64]
) -> tuple[Bin, ...]:
    """How often the likeliest class was the true one, by what was said of it.

    Args:
        rows: (n, CLASSES) log-probabilities.
        worth: (n,) how much each counts.
    """
    said = np.exp(rows.max(axis=1))
    right = rows.argmax(axis=1) == truth
    place = np.clip(np.searchsorted(EDGES, said, side="right") - 1, 0, len(EDGES) - 2)
    found = []
    for index, low in enumerate(EDGES[:-1]):
        own = place == index
        if own.any():
            mean = np.average(np.array([said, right])[:, own], axis=1, weights=worth[own])
            found.append(Bin(low, float(worth[own].sum()), *mean.tolist()))
    return tuple(found)


def log_loss(rows: Rows, truth: NDArray[np.int64], worth: NDArray[np.float64]) -> float:
    """The mean of minus the logarithm of what was said of the truth: 0 for a sure, right reader."""
    return float(-np.average(rows[np.arange(len(truth)), truth], weights=worth))


def expected_error(bins: Sequence[Bin]) -> float:
    """By how much what is said and what is so differ, in the mean of all answers."""
    count = sum(each.count for each in bins)
    return sum(each.count * abs(each.said - each.right) for each in bins) / max(count, 1e-9)


def save_reliability(found: Reliability, path: Path = _FILE) -> None:
    """Write it where the program reads it."""
    path.write_text(json.dumps(asdict(found), indent=1) + "\n", encoding="utf-8")


@cache
def measured() -> Reliability:
    """The reliability as measured for the reader that the program comes with."""
    raw = json.loads(_FILE.read_text(encoding="utf-8"))
    return Reliability(**{**raw, "shares": tuple(raw["shares"])})
