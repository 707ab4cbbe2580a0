"""From a picture to named tiles."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Image, load_picture
from table_assist.vision.reading.detect import Detector, OnnxDetector
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.own_set import OwnSet
from table_assist.vision.reading.plain import Colour, plain_colour
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import (
    BACK,
    CROP_MARGIN,
    CROP_SIZE,
    NOTHING,
    WHITE,
    Name,
    OnnxRecogniser,
    Recogniser,
    burnt_out,
    crop_tile,
    name,
    without_parts,
)
from table_assist.vision.reading.rejoined import rejoined
from table_assist.vision.reading.sides import without_sides
from table_assist.vision.reading.tiling import find_all, find_close
from table_assist.vision.reading.weights import WEIGHTS, load_weights
from table_assist.vision.reading.whole import checked


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads pictures with one detector and one recogniser; keeps nothing between pictures.

    Attributes:
        stretch: times as high as in the picture a thing is shown to the recogniser, 1 or more:
            what a camera sees obliquely looks then as it does from above.
    """

    detector: Detector
    recogniser: Recogniser
    limits: Limits
    stretch: float = 1.0

    def read(self, image: Image, *, close_up: bool = False, of_a_table: bool = False) -> Readings:
        """Read a picture (h, w, 3) BGR of any size, whole; a part in a photograph is ``?``.

        Args:
            close_up: one hand fills it: a quarter of the time; small things beside may be missed.
            of_a_table: parts of tiles are left out, as where a table is followed; what else is
                no whole tile its place there tells (`vision/table/observation.py`).
        """
        boxes = (find_close if close_up else find_all)(self.detector, image).xyxy
        names = self.name_boxes(image, boxes)
        if of_a_table:
            names = without_parts(names)
        else:
            boxes, names = rejoined(boxes, names, lambda more: self.name_boxes(image, more))
        size_wh = (image.shape[1], image.shape[0])
        readings = box_readings(size_wh, boxes, names, self.limits.usual)
        return readings if of_a_table else checked(without_sides(readings))

    def name_boxes(self, image: Image, xyxy: NDArray[np.float32]) -> list[Name | None]:
        """Name the content of (n, 4) boxes; None where there is no tile."""
        return self.name_crops(self.crops(image, xyxy), xyxy)

    def crops(self, image: Image, xyxy: NDArray[np.float32]) -> Image:
        """(n, 64, 64, 3) RGB: what the recogniser sees of (n, 4) boxes."""
        crops = np.empty((len(xyxy), CROP_SIZE, CROP_SIZE, 3), np.uint8)
        for index, box in enumerate(xyxy):
            crops[index] = crop_tile(image, box, self.stretch)
        return crops

    def name_crops(self, crops: Image, xyxy: NDArray[np.float32]) -> list[Name | None]:
        """Name (n, 64, 64, 3) RGB crops of (n, 4) boxes; None where there is no tile."""
        return self.decide(self.recogniser.probabilities(crops), crops, xyxy)

    def decide(
        self, rows: NDArray[np.float32], crops: Image, xyxy: NDArray[np.float32]
    ) -> list[Name | None]:
        """Names by (n, 51) probabilities of such crops and boxes; None where there is no tile."""
        burnt, colours = burnt_out(crops), self._plain_colours(rows, crops, xyxy)
        return [
            name(row, self.limits, burnt_out=bool(burnt[i]), colour=colours[i])
            for i, row in enumerate(rows)
        ]

    def _plain_colours(
        self, rows: NDArray[np.float32], crops: Image, xyxy: NDArray[np.float32]
    ) -> list[Colour | None]:
        """Of what is taken for a white dragon or a back, and shows no drawing."""
        sizes = (xyxy[:, 2:] - xyxy[:, :2]) * np.array([1, self.stretch], np.float32)
        sizes *= CROP_SIZE / (CROP_MARGIN * np.maximum(sizes.max(axis=1, keepdims=True), 1e-6))
        found: list[Colour | None] = [None] * len(rows)
        best = rows[:, :NOTHING].argmax(axis=1) if len(rows) else np.zeros(0)
        for index in np.flatnonzero((best == WHITE) | (best == BACK)).tolist():
            found[index] = plain_colour(crops[index], sizes[index])
        return found


def open_reader(
    weights: Path = WEIGHTS, threads: int | None = None, own_set: OwnSet | None = None
) -> Reader:
    """A reader with the trained networks.

    Args:
        weights: the folder with ``manifest.toml``.
        threads: threads that compute; None: one per core, four at most.
        own_set: the user's own tile set.

    Raises:
        WeightsError: the networks are missing, changed or broken.
        OwnSetError: the set was learnt with another recogniser.
    """
    loaded = load_weights(weights)
    if own_set is not None:
        own_set.check(loaded.recogniser.network)
    return Reader(
        OnnxDetector(loaded.detector, threads),
        OnnxRecogniser(loaded.recogniser, threads, own_set),
        loaded.recogniser.limits,
    )


def read_picture(path: Path, reader: Reader) -> tuple[Image, Readings]:
    """Load a picture and read it.

    Raises:
        PictureError: the file is no picture that can be read.
    """
    image = load_picture(path)
    return image, reader.read(image)
