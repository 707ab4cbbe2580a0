"""``table-assist bench live calibrate``: what the reader's answers are worth, by recorded hands."""

import argparse
from collections.abc import Sequence

import numpy as np

from table_assist.belief.evidence import Reliability, log_softmax
from table_assist.belief.reliability import (
    Bin,
    expected_error,
    fitted,
    log_loss,
    reliability_table,
    save_reliability,
)
from table_assist.bench.live.corpus import kinds_named
from table_assist.bench.live.replay import corpus_in
from table_assist.bench.live.weighed import Read, readings_of
from table_assist.capture.sightings.file import load_hand

# As the networks say it: nothing is added, and a part is none of their classes.
AS_SAID = np.array([1.0, 1.0, 0, 0, -50.0, 0, 0, 0, 0, 0])


def run(options: argparse.Namespace) -> int:
    """Fit on the even hands of each kind, measure on the odd ones, and keep it; returns 0."""
    kinds = [kind.name for kind in kinds_named(options.kind)]
    paths = corpus_in(options.folder, kinds, options.hands, is_final=False)
    every = [(about.kind, about.seed, load_hand(path)) for path, about in paths]
    read = [(kind, seed % 2, readings_of(hand)) for kind, seed, hand in every]
    found = fit([each for _, is_odd, each in read if not is_odd])
    print(f"{found.readings} readings of hands with even seeds: {found}")
    for kind in dict.fromkeys(kind for kind, _, _ in read):
        odd = [each for other, is_odd, each in read if other == kind and is_odd]
        if odd:
            print("\n".join(_lines(kind, odd, found)))
    odd = [each for _, is_odd, each in read if is_odd]
    if odd:
        print("\n".join(_lines("all", odd, found, table=True)))
    save_reliability(found)
    return 0


def fit(read: Sequence[Read]) -> Reliability:
    """What the reader's answers in these hands are worth."""
    features = np.concatenate([each.features for each in read])
    truth = np.concatenate([each.truth for each in read])
    worth = np.concatenate([each.worth for each in read])
    wrong, again = np.sum([each.repeats for each in read], axis=0)
    return fitted(features, truth, worth, stuck=float((again + 1) / (wrong + 2)))


def _lines(
    kind: str, read: Sequence[Read], found: Reliability, *, table: bool = False
) -> list[str]:
    features = np.concatenate([each.features for each in read])
    truth = np.concatenate([each.truth for each in read])
    worth = np.concatenate([each.worth for each in read])
    said, fit = (log_softmax(features @ by) for by in (AS_SAID, found.weights))
    before, after = (reliability_table(rows, truth, worth) for rows in (said, fit))
    lines = [
        f"{kind}: {worth.sum():.0f} pieces of odd seeds; log-loss "
        f"{log_loss(said, truth, worth):.4f} as said, "
        f"{log_loss(fit, truth, worth):.4f} fitted; off by {expected_error(before):.4f} and "
        f"{expected_error(after):.4f}"
    ]
    for name, bins in (("as said", before), ("fitted", after)):
        lines += [_bin_line(name, each) for each in bins] if table else []
    return lines


def _bin_line(name: str, each: Bin) -> str:
    return (
        f"  {name}, from {each.low:g}: {each.count:.0f}, said {each.said:.4f}, so {each.right:.4f}"
    )
