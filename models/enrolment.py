"""Measures enrolment: what three pictures of a set teach, on all its other pictures.

`python -m models.enrolment --data ../shared/data`. With `--sheets`, whole sets held out
stand for a stranger's: enrolled as laid out and in two views of a camera, measured at any angle,
tilted, in other light, and cut by the picture's edge.

Groups of photos of one table (`cluster` in sources.csv) stand for one set each. Most of them were
trained on; each is therefore measured mirrored too: then the characters are foreign, and the photos
still real.
"""

import argparse
import csv
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.crops import read_labels
from models.evaluate import add, match
from models.pictures import load_image
from models.sheets import load_sheets, seen_by_camera
from table_assist.vision.enrolment.learn import Sample, learn
from table_assist.vision.enrolment.patches import cut_patch
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.detect import OnnxDetector
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.own_set import OwnSet, digest
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.recognise import LABELS, UNKNOWN, OnnxRecogniser
from table_assist.vision.reading.tiling import find_all
from table_assist.vision.reading.weights import WEIGHTS, load_weights

ENROLLED = 3  # pictures
ENOUGH_TILES = 20  # tiles in a picture with which one would enrol, and in one that is measured
SHEETS = 35  # a seed
LEAST_PICTURES = 10  # of a cluster, for it to be measured

Strange = Callable[[Image], Image]


def as_it_is(image: Image) -> Image:
    """The photo."""
    return image


def mirrored(image: Image) -> Image:
    """Left and right exchanged: characters that nobody has seen."""
    return np.ascontiguousarray(image[:, ::-1])


WAYS: dict[str, Strange] = {"as it is": as_it_is, "mirrored": mirrored}


@dataclass(frozen=True, slots=True)
class EnrolPicture:
    """A labelled picture."""

    image: Image
    labels: NDArray[np.int64]
    boxes: NDArray[np.float64]

    def seen(self, strange: Strange) -> "EnrolPicture":
        """The same picture made strange."""
        boxes = self.boxes
        if strange is not as_it_is:
            width = self.image.shape[1]
            boxes = np.column_stack(
                [width - boxes[:, 2], boxes[:, 1], width - boxes[:, 0], boxes[:, 3]]
            )
        return EnrolPicture(strange(self.image), self.labels, boxes)


@dataclass(slots=True)
class EnrolTally:
    """Counts over the measured pictures, of the faces that were enrolled and of the others."""

    pictures: int = 0
    wholly_right: int = 0
    tiles: int = 0
    right: int = 0
    asked: int = 0
    wrong: int = 0
    missed: int = 0
    other_tiles: int = 0
    other_wrong: int = 0
    confusions: list[str] = field(default_factory=list)


def measure(reader: Reader, pictures: list[EnrolPicture], enrolled: frozenset[int]) -> EnrolTally:
    """Read pictures whole and compare."""
    tally = EnrolTally()
    for picture in pictures:
        boxes = find_all(reader.detector, picture.image).xyxy
        names = reader.name_boxes(picture.image, boxes)
        named = [(box, name) for box, name in zip(boxes, names, strict=True) if name]
        pairs = dict(
            match(picture.boxes, np.array([box for box, _ in named], np.float64).reshape(-1, 4))
        )
        wholly = True
        for index, label in enumerate(picture.labels.tolist()):
            read = named[pairs[index]][1].label if index in pairs else None
            right = read == LABELS[label]
            wholly = wholly and right
            wrong = read not in (LABELS[label], UNKNOWN, None)
            if label not in enrolled:
                tally.other_tiles += 1
                tally.other_wrong += wrong
                continue
            tally.tiles += 1
            tally.right += right
            tally.asked += read == UNKNOWN
            tally.missed += read is None
            tally.wrong += wrong
            if wrong:
                tally.confusions.append(f"{LABELS[label]} read as {read}")
        tally.pictures += 1
        tally.wholly_right += wholly
    return tally


def clusters(data: Path) -> Iterator[tuple[str, list[EnrolPicture]]]:
    """Photos of one table each, those of val first."""
    groups: dict[tuple[bool, int], list[Path]] = {}
    with (data / "photos" / "sources.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if int(row["n_labels"]) >= ENOUGH_TILES:
                key = (row["split"] == "train", int(row["cluster"]))
                groups.setdefault(key, []).append(
                    data / "photos" / "images" / row["split"] / row["file"]
                )
    for (trained, number), paths in sorted(groups.items()):
        if len(paths) >= LEAST_PICTURES or (not trained and len(paths) > ENROLLED):
            split = "train" if trained else "val"
            yield f"cluster {number} of {split}", [load(path) for path in paths]


def laid_out(data: Path, views: int) -> Iterator[tuple[str, list[EnrolPicture]]]:
    """Each sheet held out, then views of it; a part is shown, so that the edge cuts tiles.

    With two of the views it is what a person takes: three pictures, moved a little in between.
    """
    for number, source in enumerate(load_sheets(data, held=True)):
        pictures = [EnrolPicture(source.image, source.labels, source.boxes)]
        for view in range(ENROLLED - 1 + views):
            random = np.random.default_rng([SHEETS, number, view])
            image, outlines = seen_by_camera(random, source)
            boxes = np.array([[*o.min(axis=0), *o.max(axis=0)] for o in outlines])
            # Six to nine tenths of a picture each way; of a tile that is cut nothing is asked
            size = np.array([image.shape[1], image.shape[0]])
            low = (random.uniform(0.0, 0.2, 2) * size).astype(int)
            high = (random.uniform(0.8, 1.0, 2) * size).astype(int)
            whole = (boxes[:, :2] >= low).all(axis=1) & (boxes[:, 2:] <= high).all(axis=1)
            shown = np.ascontiguousarray(image[low[1] : high[1], low[0] : high[0]])
            pictures.append(
                EnrolPicture(shown, source.labels[whole], boxes[whole] - np.tile(low, 2))
            )
        yield f"sheet {number}", pictures


def load(path: Path) -> EnrolPicture:
    """A picture with its labels."""
    image = load_image(path)
    labels, boxes = read_labels(path, image.shape[1], image.shape[0])
    return EnrolPicture(image, labels, boxes)


def most_telling(pictures: list[EnrolPicture]) -> list[int]:
    """The pictures nearest to a set laid out: together they show most, a face thrice at most."""
    counts = np.zeros(len(LABELS), np.int64)
    chosen: list[int] = []
    for _ in range(ENROLLED):
        shown = [np.bincount(picture.labels, minlength=len(LABELS)) for picture in pictures]
        gains = [
            -1 if index in chosen else int(np.minimum(counts + shown[index], 3).sum())
            for index in range(len(pictures))
        ]
        chosen.append(int(np.argmax(gains)))
        counts += shown[chosen[-1]]
    return chosen


def enrol(
    pictures: list[EnrolPicture], sight: OnnxRecogniser, recogniser: str, limits: Limits
) -> OwnSet:
    """Learn from labels."""
    samples = [
        Sample(cut_patch(picture.image, box.tolist()), label, number)
        for number, picture in enumerate(pictures)
        for box, label in zip(picture.boxes, picture.labels.tolist(), strict=True)
    ]
    return learn(samples, sight, name="measured", recogniser=recogniser, limits=limits)[0]


def trial(
    pictures: list[EnrolPicture],
    strange: Strange,
    weights: Path,
    *,
    most: int,
    first: int = 0,
) -> dict[str, EnrolTally]:
    """Enrol from three pictures, or from the `first` ones; read the others before and after."""
    loaded = load_weights(weights)
    chosen = list(range(first)) or most_telling(pictures)
    order = [*chosen, *(index for index in range(len(pictures)) if index not in chosen)]
    seen = [pictures[index].seen(strange) for index in order[: len(chosen) + most]]
    before = OnnxRecogniser(loaded.recogniser, 1)
    limits = loaded.recogniser.limits
    own = enrol(seen[: len(chosen)], before, digest(loaded.recogniser.network), limits)
    detector = OnnxDetector(loaded.detector, 1)
    enrolled = frozenset(
        label for picture in seen[: len(chosen)] for label in picture.labels.tolist()
    )
    sights = {"before": before, "after": OnnxRecogniser(loaded.recogniser, 1, own)}
    return {
        name: measure(Reader(detector, sight, limits), seen[len(chosen) :], enrolled)
        for name, sight in sights.items()
    }


def main(arguments: list[str] | None = None) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--data", type=Path)
    source.add_argument("--sheets", type=Path, metavar="DATA")
    parser.add_argument("--ways", nargs="+", choices=list(WAYS), default=list(WAYS))
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--most", type=int, default=20, help="pictures of a set that are measured")
    options = parser.parse_args(arguments)
    sets = clusters(options.data) if options.data else laid_out(options.sheets, options.most)
    totals = {(way, when): EnrolTally() for way in options.ways for when in ("before", "after")}
    for name, pictures in sets:
        for way in options.ways:
            result = trial(
                pictures,
                WAYS[way],
                options.weights,
                most=options.most,
                first=ENROLLED if options.sheets else 0,
            )
            for when, tally in result.items():
                add(totals[way, when], tally)
                _tell(f"{name}, {way}", when, tally)
    for (way, when), tally in totals.items():
        _tell(f"all, {way}", when, tally)


def _tell(name: str, when: str, tally: EnrolTally) -> None:
    sys.stdout.write(json.dumps({"set": name, "when": when} | asdict(tally)) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
