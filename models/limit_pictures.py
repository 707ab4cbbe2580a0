"""The reader's readings of pictures that training never drew, with the true things."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.crops import NOTHING, PART, box_of_part, read_labels, read_noted
from models.evaluate import Example, match, photo_examples
from models.materials import LABELS
from models.pictures import load_image
from models.sheets import seen_by_camera, sheets_to_fit
from table_assist.vision.pictures.picture import Image as Picture
from table_assist.vision.reading.detect import box_area, intersection
from table_assist.vision.reading.limits import Limits, kind_of
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import UNKNOWN, burnt_out, name
from table_assist.vision.reading.tiling import find_all
from table_assist.vision.reading.whole import checked

PARTS = 3  # cut from each tile of a photograph
# How much a thing counts: of an evening's tiles one in ten may be as hard as the drawn ones.
WEIGHT = {"photographs": 1.0, "sheets": 0.5, "drawn": 0.03}
SEED, UNCLEAR, MOST_SHARED = 33, -1, 0.3
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LimitThings:
    """Things that the reader found in pictures, or was asked about.

    Attributes:
        rows: (n, 51) probabilities.
        truth: (n,) classes; NOTHING and PART, too.
        burnt: (n,) are burnt out.
        doubted: (n,) are doubted by their size, whatever they show; of parts: named as what they
            are a part of, they do no harm.
        weight: (n,) how much each counts.
    """

    rows: NDArray[np.float32]
    truth: NDArray[np.int64]
    burnt: NDArray[np.bool_]
    doubted: NDArray[np.bool_]
    weight: Array

    @property
    def scales(self) -> tuple[Array, Array, Array]:
        """(n,) each: the face's share in all faces, whole against part, thing against nothing."""
        rows = self.rows.astype(np.float64)
        faces, thing = rows[:, :NOTHING].sum(axis=1), 1 - rows[:, NOTHING]
        face = rows[:, :NOTHING].max(axis=1) / np.maximum(faces, 1e-9)
        face = np.where(self.burnt, 1 - 2 * (1 - face), face)
        return face, 1 - rows[:, PART] / np.maximum(thing, 1e-9), thing

    @property
    def kinds(self) -> NDArray[np.object_]:
        """(n,) what each is taken for."""
        best = self.rows[:, :NOTHING].argmax(axis=1).tolist()
        return np.array([kind_of(LABELS[label]) for label in best], object)


def together(parts: Sequence[LimitThings]) -> LimitThings:
    """All of them."""
    return LimitThings(
        *(np.concatenate([getattr(p, f) for p in parts]) for f in LimitThings.__slots__)
    )


def look(
    reader: Reader, image: Picture, boxes: Array, labels: NDArray[np.int64], weight: float,
    *, complete: bool, by_middle: bool = False,
) -> LimitThings:  # fmt: skip
    """The things in a labelled picture; one that nobody labelled counts if it is complete.

    What overlaps a label and does not match it is left out: nobody knows what it should be.
    """
    found = find_all(reader.detector, image).xyxy
    things = ask(reader, image, found, np.full(len(found), UNCLEAR, np.int64), weight)
    truth = things.truth
    for row, index in match(boxes, found.astype(np.float64), by_middle=by_middle):
        truth[index] = labels[row]
    for at in np.flatnonzero(truth == UNCLEAR) if complete else ():
        shared = intersection(found[at], boxes.astype(np.float32)) if len(boxes) else np.zeros(1)
        if shared.max() <= MOST_SHARED * box_area(found[[at]])[0]:
            truth[at] = NOTHING
    names = [name(row, Limits.alike(0.0)) for row in things.rows]
    read = box_readings((image.shape[1], image.shape[0]), found, names)
    told = checked(read)
    named = {box.tobytes() for box, label in zip(_boxes(told), told.labels, strict=True)
             if label != UNKNOWN}  # fmt: skip
    doubted = np.array([box.tobytes() not in named for box in found], np.bool_)
    return rows_of(replace(things, doubted=doubted), truth != UNCLEAR)


def _boxes(readings: Readings) -> NDArray[np.float32]:
    return readings.polygons[:, [0, 2]].reshape(-1, 4)


def ask(
    reader: Reader, image: Picture, boxes: NDArray[np.float32], truth: NDArray[np.int64],
    weight: float,
) -> LimitThings:  # fmt: skip
    """The reader's answers for given boxes (n, 4)."""
    crops = reader.crops(image, boxes)
    rows = reader.recogniser.probabilities(crops).reshape(-1, PART + 1)
    doubted = np.zeros(len(boxes), np.bool_)
    return LimitThings(rows, truth, burnt_out(crops), doubted, np.full(len(boxes), weight))


def rows_of(things: LimitThings, chosen: NDArray[np.bool_]) -> LimitThings:
    """Only some of them."""
    return LimitThings(*(getattr(things, field)[chosen] for field in LimitThings.__slots__))


def pictured(
    reader: Reader, data: Path, drawn: Sequence[Example], *, fitted: bool, views: int
) -> list[LimitThings]:
    """All that is found in each picture to fit on, or to test on.

    Args:
        views: of each sheet, as a camera might see it, beside the sheet itself.
    """
    found = []
    for place, example in enumerate(photo_examples(data, "val")):
        if (place % 2 == 0) == fitted:
            image, labels, boxes = _labelled(example.path)
            found.append(look(reader, image, boxes, labels, WEIGHT["photographs"],
                              complete=example.complete, by_middle=True))  # fmt: skip
    for number, source in enumerate(sheets_to_fit(data, fitted=fitted)):
        found.append(look(reader, source.image, source.boxes, source.labels, WEIGHT["sheets"],
                          complete=False))  # fmt: skip
        for view in range(views):
            random = np.random.default_rng([SEED, int(fitted), number, view])
            image, outlines = seen_by_camera(random, source)
            boxes = np.array([[*o.min(axis=0), *o.max(axis=0)] for o in outlines])
            found.append(look(reader, image, boxes, source.labels, WEIGHT["sheets"],
                              complete=False))  # fmt: skip
    return [*found, *(drawn_picture(reader, example) for example in drawn)]


def drawn_picture(reader: Reader, example: Example) -> LimitThings:
    """The things found in a drawn picture."""
    image, labels, boxes = _labelled(example.path)
    return look(reader, image, boxes, labels, WEIGHT["drawn"], complete=True)


def parts_and_nothing(
    reader: Reader, data: Path, drawn: Sequence[Example], *, fitted: bool
) -> LimitThings:
    """Parts cut from the photographs' tiles, and the sides that drawn pictures have noted."""
    random, found = np.random.default_rng([SEED, int(fitted)]), []
    for place, example in enumerate(photo_examples(data, "val")):
        if (place % 2 == 0) == fitted:
            image, labels, boxes = _labelled(example.path)
            cut = [box_of_part(random, box) for box in boxes for _ in range(PARTS)]
            truth = np.full(len(cut), PART, np.int64)
            said = ask(reader, image, np.array(cut, np.float32).reshape(-1, 4), truth, 1.0)
            harmless = said.rows[:, :NOTHING].argmax(axis=1) == np.repeat(labels, PARTS)
            found.append(replace(said, doubted=harmless))
    for example in drawn:
        image = load_image(example.path)
        noted = [each for each in read_noted(example.path, image.shape[1], image.shape[0])
                 if each[0] == NOTHING]  # fmt: skip
        sides = np.array([box for _, box in noted], np.float32).reshape(-1, 4)
        found.append(ask(reader, image, sides, np.full(len(sides), NOTHING, np.int64), 1.0))
    return together(found)


def _labelled(path: Path) -> tuple[Picture, NDArray[np.int64], Array]:
    image = load_image(path)
    return (image, *read_labels(path, image.shape[1], image.shape[0]))
