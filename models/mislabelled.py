"""How many wrong labels enrolment notices: `python -m models.mislabelled --sheets DIR`.

DIR is what `models.sheets` writes: each sheet as it is and in two views, as three photographs.
One label after the other is made wrong, and the others stay as they are.
"""

import argparse
from itertools import groupby
from pathlib import Path

import numpy as np

from table_assist.vision.enrolment.learn import Sample, see
from table_assist.vision.enrolment.mislabelled import find_suspects, how_alike
from table_assist.vision.enrolment.pictures import labelled_samples
from table_assist.vision.reading.recognise import OnnxRecogniser
from table_assist.vision.reading.weights import load_weights

ORDINARY = 34


def main() -> None:
    """Print one line a sheet, and the sum."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=Path, required=True)
    parser.add_argument("--trials", type=int, default=25, help="wrong labels of each sheet")
    options = parser.parse_args()
    sight = OnnxRecogniser(load_weights().recogniser, threads=1)
    names: list[str] = sorted(path.stem for path in (options.sheets / "images").glob("*"))

    def sheet(sample: Sample) -> str:
        return names[sample.picture].removeprefix("plain").removeprefix("view").split("_")[0]

    samples = sorted(labelled_samples(options.sheets), key=sheet)
    total = np.zeros(4, np.int64)
    for name, own in groupby(samples, key=sheet):
        counts = measure(list(own), sight, options.trials)
        total += counts
        print(f"sheet {name}: {tell(counts)}", flush=True)
    print(f"all: {tell(total)}")


def measure(samples: list[Sample], sight: OnnxRecogniser, trials: int) -> np.ndarray:
    """Tiles, right ones that are suspected, labels made wrong, and those of them found."""
    rng = np.random.default_rng(0)
    seen = see(samples, sight)
    alike = how_alike(seen.features, seen.sample, seen.plain)
    labels = np.array([each.label for each in samples])
    pictures = [each.picture for each in samples]
    suspected = len(find_suspects(alike, labels.tolist(), pictures))
    ordinary, found = np.flatnonzero(labels < ORDINARY), 0
    for _ in range(trials):
        at = int(rng.choice(ordinary))
        others = np.unique(labels[ordinary])
        wrong = labels.copy()
        wrong[at] = rng.choice(others[others != labels[at]])
        suspects = find_suspects(alike, wrong.tolist(), pictures)
        found += any(each.sample == at and each.like == labels[at] for each in suspects)
    return np.array([len(samples), suspected, trials, found])


def tell(counts: np.ndarray) -> str:
    """In words."""
    tiles, suspected, trials, found = counts.tolist()
    return f"{suspected} of {tiles} right labels suspected, {found} of {trials} wrong ones found"


if __name__ == "__main__":
    main()
