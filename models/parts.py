"""How many parts of tiles are named as if they were whole: `python -m models.parts --data DATA`.

Halves, thirds and corners are cut from labelled tiles of photos/val in two ways. As a *box* the
part is what the detector might have found, in the whole picture. *Cut*, the picture itself ends
there, and is read as any other. A part that is named, rightly or not, counts: nobody knows the
whole. `--sides` gives the boxes above the tiles of a folder made by `models.scenes --from-seat`,
and tells what lies there where its pictures, read whole, are said to show a white dragon.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from models.crops import CropSource, box_of_part, load_sources, read_labels, read_noted
from models.materials import Random
from models.pictures import load_image
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.recognise import LABELS, UNKNOWN, WHITE
from table_assist.vision.reading.weights import WEIGHTS

LEAST_PX = 10  # of a tile's shorter side


def named_boxes(
    reader: Reader, sources: list[CropSource], count: int, random: Random
) -> Counter[str]:
    """The names of so many parts, each given as a box: a name, ``?``, or nothing."""
    said: Counter[str] = Counter()
    for source in _drawn(sources, count, random):
        boxes = np.array([box_of_part(random, box) for box in source.boxes], np.float32)
        names = reader.name_boxes(source.image, boxes)
        for label, name in zip(source.labels, names, strict=True):
            _count(said, label, "nothing" if name is None else name.label)
    return said


def named_cut(
    reader: Reader, sources: list[CropSource], count: int, random: Random
) -> Counter[str]:
    """The same of parts at the border of a picture that ends there."""
    said: Counter[str] = Counter()
    for source in _drawn(sources, count, random):
        row = int(random.integers(len(source.boxes)))
        _, y1, _, y2 = source.boxes[row]
        share = random.uniform(0.25, 0.72)
        upper = random.random() < 0.5
        line = round(y1 + (y2 - y1) * (share if upper else 1 - share))
        image = source.image[:line] if upper else source.image[line:]
        readings = reader.read(np.ascontiguousarray(image))
        # Of the tiles that this line cuts as much as that one.
        top = 0 if upper else line
        for label, box in zip(source.labels, source.boxes, strict=True):
            kept = (line - box[1] if upper else box[3] - line) / (box[3] - box[1])
            if not 0.2 < kept < 0.75:
                continue
            edge = line if upper else 0
            middle = np.array(
                [
                    (box[0] + box[2]) / 2,
                    (max(box[1] - top, 0) + (edge if upper else box[3] - top)) / 2,
                ]
            )
            low, high = readings.polygons.min(axis=1), readings.polygons.max(axis=1)
            there = np.flatnonzero(((low <= middle) & (middle <= high)).all(axis=1))
            _count(said, label, "nothing" if not len(there) else readings.labels[int(there[0])])
    return said


def named_sides(reader: Reader, folder: Path) -> Counter[str]:
    """The names of a drawn picture's boxes without a face: sides and upper edges."""
    said: Counter[str] = Counter()
    for path in sorted((folder / "images").glob("*.jpg")):
        image = load_image(path)
        noted = list(read_noted(path, image.shape[1], image.shape[0]))
        boxes = np.array([box for _, box in noted], np.float32).reshape(-1, 4)
        for name in reader.name_boxes(image, boxes):
            said["nothing" if name is None else name.label] += 1
    return said


def white_dragons(reader: Reader, folder: Path) -> Counter[str]:
    """The true things where a drawn picture, read whole, is said to show a white dragon."""
    found: Counter[str] = Counter()
    for path in sorted((folder / "images").glob("*.jpg")):
        image = load_image(path)
        labels, boxes = read_labels(path, image.shape[1], image.shape[0])
        found["pictures"] += 1
        readings = reader.read(image)
        for middle, label in zip(readings.centres, readings.labels, strict=True):
            if label == LABELS[WHITE]:
                inside = (boxes[:, :2] <= middle) & (middle <= boxes[:, 2:])
                there = labels[inside.all(axis=1)]
                is_one = WHITE in there
                found["right" if is_one else LABELS[there[0]] if len(there) else "no tile"] += 1
    return found


def _count(said: Counter[str], truth: int, label: str) -> None:
    said["right" if label == LABELS[truth] else label] += 1


def _drawn(sources: list[CropSource], count: int, random: Random) -> list[CropSource]:
    large = [
        s for s in sources if len(s.boxes) and np.min(s.boxes[:, 2:] - s.boxes[:, :2]) > LEAST_PX
    ]
    found: list[CropSource] = []
    total = 0
    while total < count:
        source = large[int(random.integers(len(large)))]
        found.append(source)
        total += len(source.boxes)
    return found


def report(said: Counter[str]) -> dict[str, object]:
    """Counts and the share that is named, ready for JSON."""
    others = (UNKNOWN, "nothing", "back", "right")
    named = {label: n for label, n in said.items() if label not in others}
    total = sum(said.values())
    return {
        "parts": total,
        "nothing": said["nothing"],
        "asked": said[UNKNOWN],
        "back": said["back"],
        "named_right": said["right"],
        "named_wrong": sum(named.values()),
        "named_wrong_share": round(sum(named.values()) / max(total, 1), 5),
        "as": dict(sorted(named.items(), key=lambda item: -item[1])[:12]),
    }


def main(arguments: list[str] | None = None) -> None:
    """Print the counts as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--sides", type=Path)
    parser.add_argument("--split", default="val", choices=["train", "val"])
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    reader = open_reader(options.weights, options.threads)
    found: dict[str, object] = {}
    if options.data:
        folder = options.data / "photos/images" / options.split
        sources = load_sources(folder, turned=False, complete=False)
        random = np.random.default_rng(options.seed)
        found["box"] = report(named_boxes(reader, sources, options.count, random))
        found["cut"] = report(named_cut(reader, sources, options.count // 4, random))
    if options.sides:
        found["sides"] = report(named_sides(reader, options.sides))
        found["white dragons"] = white_dragons(reader, options.sides)
    sys.stdout.write(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
