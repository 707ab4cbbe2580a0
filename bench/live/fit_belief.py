"""``python -m bench live fit_belief``: what the reader's answers are worth, by recorded hands."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench import BenchError
from bench.belief.evidence import SAID, WEIGHTS, Reliability, Rows, log_softmax
from bench.belief.reliability import (
    Bin,
    expected_error,
    fitted,
    log_loss,
    reliability_table,
    save_reliability,
)
from bench.live.corpus import kinds_named
from bench.live.replay import corpus_in
from bench.live.sightings import load_hand
from bench.live.weighed import Read, readings_of

# As the networks say it: nothing is added.
AS_SAID = np.array([1.0] * SAID + [0.0] * (WEIGHTS - SAID))


@dataclass(frozen=True, slots=True, eq=False)
class FittedEvidence:
    """The evidence on a hand's readings, (n, CLASSES) log-probabilities: by the networks, fitted.

    Attributes:
        read: of these readings.
    """

    before: Rows
    after: Rows
    read: Read


def run(options: argparse.Namespace) -> int:
    """Measure each half of the hands by a fit on the other, and keep the fit on all; returns 0."""
    kinds = [kind.name for kind in kinds_named(options.kind)]
    paths = corpus_in(options.folder, kinds, options.hands, is_final=False)
    read = [(about.kind, readings_of(load_hand(path))) for path, about in paths]
    if len(read) < 2:
        raise BenchError("a fit on a hand is measured on another one: two are needed")
    halves = read[::2], read[1::2]
    measured = [*_said_of(halves[0], halves[1]), *_said_of(halves[1], halves[0])]
    for kind in dict.fromkeys(kind for kind, _ in read):
        print("\n".join(_lines(kind, [each for of, each in measured if of == kind])))
    print("\n".join(_lines("all", [each for _, each in measured], table=True)))
    found = fit([each for _, each in read])
    print(f"{found.readings} readings of {len(read)} hands, kept: {found}")
    save_reliability(found)
    return 0


def _said_of(
    hands: Sequence[tuple[str, Read]], fitted_on: Sequence[tuple[str, Read]]
) -> list[tuple[str, FittedEvidence]]:
    """The evidence on these hands by a fit on others."""
    by = fit([each for _, each in fitted_on]).weights
    return [
        (
            kind,
            FittedEvidence(
                log_softmax(read.features @ AS_SAID), log_softmax(read.features @ by), read
            ),
        )
        for kind, read in hands
    ]


def fit(read: Sequence[Read]) -> Reliability:
    """The worth of the reader's answers in these hands."""
    features = np.concatenate([each.features for each in read])
    truth = np.concatenate([each.truth for each in read])
    worth = np.concatenate([each.worth for each in read])
    wrong, again = np.sum([each.repeats for each in read], axis=0)
    return fitted(features, truth, worth, stuck=float((again + 1) / (wrong + 2)))


def _lines(kind: str, said: Sequence[FittedEvidence], *, table: bool = False) -> list[str]:
    before, after = (
        np.concatenate(rows)
        for rows in zip(*((each.before, each.after) for each in said), strict=True)
    )
    truth = np.concatenate([each.read.truth for each in said])
    worth = np.concatenate([each.read.worth for each in said])
    tables = [reliability_table(rows, truth, worth) for rows in (before, after)]
    lines = [
        f"{kind}: {worth.sum():.0f} pieces; log-loss "
        f"{log_loss(before, truth, worth):.4f} as said, "
        f"{log_loss(after, truth, worth):.4f} fitted; off by {expected_error(tables[0]):.4f} and "
        f"{expected_error(tables[1]):.4f}"
    ]
    for name, bins in zip(("as said", "fitted"), tables, strict=True):
        lines += [_bin_line(name, each) for each in bins] if table else []
    return lines


def _bin_line(name: str, each: Bin) -> str:
    return (
        f"  {name}, from {each.low:g}: {each.count:.0f}, said {each.said:.4f}, so {each.right:.4f}"
    )
