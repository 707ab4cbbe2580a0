"""Reads labelled pictures through the program's own runtime and counts what is right.

`python models/evaluate.py --data ../shared/data --split val`, or `--labelled DIR` for any folder
with `images/` and `labels/` (YOLO boxes, class ids of tiles.toml), or `--empty DIR` for pictures in
which there is no tile: all that is read there is extra. `--split held` is of the second delivery's
series that nobody trained on. With `--beside DIR…` folders of drawn pictures (`models.tables`)
stand beside them, by kind of tile: "times" as often as in the first a tile is not named right.
"""

import argparse
import csv
import itertools
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.crops import read_labels
from models.detector_data import series_of, series_pictures
from models.pictures import load_image
from table_assist.vision.reading.limits import LimitKind, kind_of
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.recognise import LABELS, UNKNOWN
from table_assist.vision.reading.tiling import ENOUGH_PX
from table_assist.vision.reading.weights import WEIGHTS
from table_assist.vision.reading.whole import BORDER_PX

MATCH_IOU = 0.5
OUTCOMES = ("right", "asked", "wrong", "missed", "phantom")
Boxes = NDArray[np.float64]
RELIABILITY_BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled picture; extras are counted only where every piece is labelled.

    Attributes:
        by_middle: labels may enclose a tile's print alone, as `match` has it.
    """

    path: Path
    groups: tuple[str, ...]
    complete: bool
    empty: bool = False
    by_middle: bool = False


@dataclass(slots=True)
class CropTally:
    """Counts over pictures; `right`, `asked` and `wrong` are of the tiles found."""

    pictures: int = 0
    pictures_right: int = 0
    tiles: int = 0
    found: int = 0
    right: int = 0
    asked: int = 0
    wrong: int = 0
    complete_pictures: int = 0
    extra: int = 0
    extra_asked: int = 0
    confusions: Counter[str] = field(default_factory=Counter)
    asked_because: Counter[str] = field(default_factory=Counter)
    # Of tiles that are large enough and not at the border, and what became of them
    kinds: Counter[str] = field(default_factory=Counter)
    answers: list[tuple[float, bool]] = field(default_factory=list)

    def report(self) -> dict[str, Any]:
        """Counts and shares, ready for JSON."""
        shares = {
            name: round(getattr(self, name) / max(self.tiles, 1), 4)
            for name in ("found", "right", "asked", "wrong")
        }
        return shares | {
            "pictures": self.pictures,
            "pictures_right": self.pictures_right,
            "tiles": self.tiles,
            "extra": self.extra,
            "extra_asked": self.extra_asked,
            "extra_named": self.extra - self.extra_asked,
            "extra_counted_in_pictures": self.complete_pictures,
        }

    def reliability(self) -> list[dict[str, Any]]:
        """How often the best candidate was right, by its confidence."""
        rows = []
        for low, high in itertools.pairwise(RELIABILITY_BINS):
            inside = [right for confidence, right in self.answers if low <= confidence < high]
            if inside:
                share = round(sum(inside) / len(inside), 4)
                rows.append({"from": low, "tiles": len(inside), "right": share})
        return rows


def photo_examples(data: Path, split: str) -> Iterator[Example]:
    """The photos of a split, grouped by project and by what they show."""
    with (data / "photos" / "sources.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["split"] != split:
                continue
            crowded = int(row["unmatched_confident_detections"]) > 0
            kind = "table" if crowded else "hand" if int(row["n_labels"]) <= 18 else "tray"
            project = row["roboflow_project"]
            yield Example(
                data / "photos" / "images" / split / row["file"],
                ("all", project, kind),
                # Walls of backs are in view, unlabelled, throughout the other project.
                complete=not crowded and project.startswith("chinese"),
                by_middle=True,
            )


def held_examples(data: Path) -> Iterator[Example]:
    """What is held out of the second delivery, by its folder and by its series."""
    for path, complete in series_pictures(data, held=True):
        folder = path.parents[1].name
        yield Example(path, ("all", folder, f"{folder}: {series_of(path.name)}"), complete)


def folder_examples(folder: Path) -> Iterator[Example]:
    """Every picture of a folder, taken to be fully labelled."""
    for path in sorted((folder / "images").glob("*.jpg")):
        yield Example(path, ("all",), complete=True)


def evaluate(reader: Reader, examples: Iterator[Example]) -> dict[str, CropTally]:
    """Read every picture and count, by group."""
    tallies: dict[str, CropTally] = {}
    for example in examples:
        one = read_one(reader, example)
        for group in example.groups:
            add(tallies.setdefault(group, CropTally()), one)
    return tallies


def read_one(reader: Reader, example: Example) -> CropTally:
    """Read one picture and compare it with its labels."""
    image = load_image(example.path)
    labels, boxes = np.empty(0, np.int64), np.empty((0, 4))
    if not example.empty:
        labels, boxes = read_labels(example.path, image.shape[1], image.shape[0])
    readings = reader.read(image)
    tally = CropTally(pictures=1, tiles=len(labels))
    found = np.concatenate([readings.polygons.min(axis=1), readings.polygons.max(axis=1)], axis=1)
    pairs = match(boxes, found.astype(np.float64), by_middle=example.by_middle)
    told = dict.fromkeys(range(len(labels)), "missed")
    for truth, index in pairs:
        label, best = readings.labels[index], readings.candidates[index][0]
        expected = LABELS[labels[truth]]
        tally.found += 1
        told[truth] = {expected: "right", UNKNOWN: "asked"}.get(label, "wrong")
        tally.right += label == expected
        tally.asked += label == UNKNOWN
        if label == UNKNOWN:
            first = "right" if best.label == expected else "wrong"
            tally.asked_because[f"{readings.why[index]}, first {first}"] += 1
        tally.answers.append((best.confidence, best.label == expected))
        if label not in (expected, UNKNOWN):
            tally.wrong += 1
            tally.confusions[f"{expected} read as {label}"] += 1
    edges = np.array(image.shape[1::-1] * 2) - BORDER_PX
    is_whole = ((boxes > BORDER_PX) & (boxes < edges)).all(axis=1)
    is_large = (boxes[:, 2:] - boxes[:, :2]).min(axis=1, initial=np.inf) >= ENOUGH_PX
    tally.kinds.update(
        f"{kind_of(LABELS[labels[row]])} {told[row]}"
        for row in np.flatnonzero(is_whole & is_large).tolist()
    )
    matched = {index for _, index in pairs}
    more = [label for row, label in enumerate(readings.labels) if row not in matched]
    if example.complete:
        tally.kinds.update(f"{kind_of(label)} phantom" for label in more if label != UNKNOWN)
        tally.extra_asked = more.count(UNKNOWN)
        tally.complete_pictures, tally.extra = 1, len(more)
    tally.pictures_right = int(tally.right == tally.tiles and tally.extra == 0)
    return tally


def overlaps(labelled: Boxes, read: Boxes) -> Boxes:
    """(n, m) intersection over union of (n, 4) and (m, 4) boxes; 0 where a box is empty."""
    low = np.maximum(labelled[:, None, :2], read[None, :, :2])
    high = np.minimum(labelled[:, None, 2:], read[None, :, 2:])
    shared = np.clip(high - low, 0, None).prod(axis=2)
    one, other = (
        np.clip(each[:, 2:] - each[:, :2], 0, None).prod(axis=1) for each in (labelled, read)
    )
    union = one[:, None] + other[None] - shared
    return np.asarray(np.divide(shared, union, out=np.zeros_like(shared), where=union > 0))


def match(
    truth: NDArray[np.float64], found: NDArray[np.float64], *, by_middle: bool = False
) -> list[tuple[int, int]]:
    """Pairs of boxes, the best overlap first, none used twice, none below `MATCH_IOU`.

    Args:
        by_middle: where a box's middle lies in the label is enough: for labels that enclose a
            tile's print alone, where the box is the whole tile.
    """
    if not len(truth) or not len(found):
        return []
    iou = overlaps(truth, found)
    least = MATCH_IOU
    if by_middle:
        middles = (found[:, :2] + found[:, 2:]) / 2
        inside = (truth[:, None, :2] <= middles) & (middles <= truth[:, None, 2:])
        iou, least = np.where(inside.all(axis=-1), iou, 0.0), np.finfo(np.float64).tiny
    pairs: list[tuple[int, int]] = []
    while iou.max() >= least:
        row, column = np.unravel_index(int(iou.argmax()), iou.shape)
        pairs.append((int(row), int(column)))
        iou[row], iou[:, column] = 0, 0
    return pairs


def add(total: Any, one: Any) -> None:
    """Count a tally's with those of another of its kind."""
    for name in total.__slots__:
        value, more = getattr(total, name), getattr(one, name)
        if isinstance(value, Counter):
            value.update(more)
        else:
            setattr(total, name, value + more)


def beside(columns: Mapping[str, CropTally]) -> Iterator[str]:
    """A line for each kind of tile and group of pictures; a share is counted with one more tile."""
    for kind in LimitKind:
        first = 0.0
        for name, tally in columns.items():
            counts = [tally.kinds[f"{kind} {each}"] for each in OUTCOMES]
            share = (sum(counts[1:4]) + 1) / (sum(counts[:4]) + 1)
            first = first or share
            told = ", ".join(map("{} {}".format, counts, OUTCOMES))
            yield f"{kind} of {name}: {told}; times {share / first:.1f}"


def main(arguments: list[str] | None = None) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--data", type=Path)
    source.add_argument("--labelled", type=Path)
    source.add_argument("--empty", type=Path, help="pictures without a tile")
    parser.add_argument("--split", default="val", choices=["val", "held"])
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--beside", type=Path, nargs="+", default=[], help="drawn pictures")
    options = parser.parse_args(arguments)
    if options.labelled:
        examples = folder_examples(options.labelled)
    elif options.empty:
        paths = sorted(options.empty.glob("*.jpg"))
        examples = (Example(path, ("all",), complete=True, empty=True) for path in paths)
    elif options.split == "held":
        examples = held_examples(options.data)
    else:
        examples = photo_examples(options.data, options.split)
    reader = open_reader(options.weights, options.threads)
    tallies = evaluate(reader, examples)
    report: dict[str, Any] = {group: tally.report() for group, tally in tallies.items()}
    report["confusions"] = dict(tallies["all"].confusions.most_common(20))
    report["asked_because"] = dict(tallies["all"].asked_because.most_common())
    report["reliability"] = tallies["all"].reliability()
    sys.stdout.write(json.dumps(report) + "\n")
    columns = {"photographs": tallies["all"]}
    for folder in options.beside:
        columns[folder.name] = evaluate(reader, folder_examples(folder))["all"]
    if options.beside:
        sys.stdout.write("\n".join(beside(columns)) + "\n")


if __name__ == "__main__":
    main()
