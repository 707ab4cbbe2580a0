"""Photographs of hands, read as any picture and as a hand's: what is right, and how long it takes.

``python -m tests.photos.close_up --photos DIR``, a folder with YOLO labels: each picture that no
network was trained on is brought to the size that phones send, and read both ways.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from statistics import median

import cv2
import numpy as np

from bench.counting import CountingDetector
from table_assist.photos.service import MOST_SIDE
from table_assist.vision.evaluate.labelled import read_folder
from table_assist.vision.evaluate.run import evaluate
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.readings import Readings

HELD_OUT = "val"  # the folder of pictures that no network was trained on


def as_sent(image: Image) -> tuple[Image, float]:
    """As large as phones send it, and how many times larger that is."""
    scale = MOST_SIDE / max(image.shape[:2])
    large = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    return np.asarray(large, np.uint8), scale


def main() -> None:
    """Read and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.photos.close_up", description=__doc__)
    parser.add_argument("--photos", type=Path, required=True, metavar="DIR")
    folder = read_folder(parser.parse_args().photos)
    kept = tuple(each for each in folder.pictures if each.path.parent.name == HELD_OUT)
    folder = replace(folder, pictures=kept)
    opened = open_reader()
    for close_up in (False, True):
        detector = CountingDetector(opened.detector)
        reader = Reader(detector, opened.recogniser, opened.limits)

        def read(image: Image, reader: Reader = reader, close_up: bool = close_up) -> Readings:
            large, scale = as_sent(image)
            found = reader.read(large, close_up=close_up)
            size = image.shape[1], image.shape[0]
            return replace(found, size_wh=size, polygons=found.polygons / np.float32(scale))

        total = evaluate(folder, read, partial=True).total
        told = ", ".join(f"{outcome.value} {n}" for outcome, n in sorted(total.outcomes.items()))
        print(
            f"{'a hand' if close_up else 'any picture'}: {total.pictures} pictures, "
            f"{total.tiles} tiles: {told}; {detector.passes} passes, "
            f"{median(total.milliseconds):.0f} ms in the median",
            flush=True,
        )


if __name__ == "__main__":
    main()
