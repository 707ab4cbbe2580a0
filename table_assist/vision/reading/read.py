"""From a picture to named tiles."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

import numpy as np

from table_assist.vision.pictures.picture import Array, Image, load_picture
from table_assist.vision.reading.detect import Detector, OnnxDetector, box_area, shared_areas
from table_assist.vision.reading.larger import INSIDE_WHOLE, find_larger, outermost
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.one_set import weighed
from table_assist.vision.reading.own_set import OwnSet
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import (
    BACK_CLASS,
    CROP_SIZE,
    NOTHING_CLASS,
    Name,
    OnnxRecogniser,
    Recogniser,
    Seen,
    burnt_out,
    by_both,
    crop_tile,
    light_on_dark,
    middle_colour,
    name,
    negative,
    without_parts,
)
from table_assist.vision.reading.support import supported
from table_assist.vision.reading.tiling import find_all, find_close
from table_assist.vision.reading.weights import WEIGHTS, load_weights
from table_assist.vision.reading.whole import checked
from table_assist.vision.reading.why import WhyDoubtful

# A box that holds only a part of a tile is grown to the whole tile, where there is one.
#
# A detector that never met tiles so high finds each half of one. The part tells in which picture
# something was found; where a whole tile lies around it, the recogniser names that one.

PARTS_NEAREST = 4  # other things whose size a part may have
LONGEST_TILE = 3.5  # times its other side: no tile in any picture is longer
# Of a part's side: so far another part of the same tile may lie away or reach in
PART_BESIDE = 0.25


def rejoined(
    xyxy: Array,
    names: Sequence[Name | None],
    name_boxes: Callable[[Array], Sequence[Name | None]],
) -> tuple[Array, list[Name | None]]:
    """Boxes (n, 4) and names, in which parts of tiles have given way to whole tiles.

    Args:
        name_boxes: names further boxes of the same picture.
    """
    parts = [i for i, name in enumerate(names) if name is not None and name.why is WhyDoubtful.PART]
    if not parts:
        return xyxy, list(names)
    proposed = [box for part in parts for box in _wholes(xyxy, names, part, parts)]
    boxes = np.array(proposed, np.float32).reshape(-1, 4)
    # (m, n) what lies in each box: one that holds no part, or something else, is not even named
    shared = shared_areas(boxes[:, None], xyxy)
    inside = shared / np.maximum(box_area(xyxy), 1e-6) > INSIDE_WHOLE
    others = np.setdiff1d(np.arange(len(xyxy)), parts)
    may = inside[:, parts].any(axis=1) & ~inside[:, others].any(axis=1)
    boxes, inside = boxes[may], inside[may]
    found = list(name_boxes(boxes))
    whole = [(-name.confidence, i) for i, name in enumerate(found) if name and name.why is None]
    left = np.ones(len(xyxy), np.bool_)
    taken: list[int] = []
    for _, index in sorted(whole):
        box = boxes[index]
        covers_new = shared_areas(box, boxes[taken]) > PART_BESIDE * box_area(boxes[[index]])
        if (inside[index] & left).any() and not covers_new.any():
            taken.append(index)
            left &= ~inside[index]
    return (
        np.concatenate([xyxy[left], boxes[taken]]),
        [*(names[i] for i in np.flatnonzero(left).tolist()), *(found[i] for i in taken)],
    )


def _wholes(
    xyxy: Array, names: Sequence[Name | None], part: int, parts: Sequence[int]
) -> list[Array]:
    """Boxes that may be the whole: as large as its neighbours, or with another part beside it."""
    box = xyxy[part]
    found = [
        np.concatenate([np.minimum(box[:2], there[:2]), np.maximum(box[2:], there[2:])])
        for there in xyxy[[other for other in parts if other != part]]
        if _are_beside(box, there)
    ]
    sizes = _sizes_beside(xyxy, names, part)
    for size in sizes:
        for right in (False, True):
            for low in (False, True):
                left, top = (
                    box[2] - size[0] if right else box[0],
                    box[3] - size[1] if low else box[1],
                )
                found.append(np.array([left, top, left + size[0], top + size[1]], np.float32))
    sides = [(each[2:] - each[:2]).tolist() for each in found]
    return [
        each
        for each, side in zip(found, sides, strict=True)
        if 0 < max(side) < LONGEST_TILE * min(side)
    ]


def _sizes_beside(xyxy: Array, names: Sequence[Name | None], part: int) -> list[Array]:
    """The usual width and height of the whole things nearest to it, if there are any."""
    whole = [i for i, name in enumerate(names) if name is not None and name.why is None]
    if not whole:
        return []
    middle = (xyxy[:, :2] + xyxy[:, 2:]) / 2
    away = np.abs(middle[whole] - middle[part]).max(axis=1)
    nearest = np.array(whole)[np.argsort(away, kind="stable")[:PARTS_NEAREST]]
    return [np.median(xyxy[nearest, 2:] - xyxy[nearest, :2], axis=0)]


def _are_beside(one: Array, other: Array) -> bool:
    """Whether two boxes share a side, nearly: one above the other, or one left of it."""
    size = np.minimum(one[2:] - one[:2], other[2:] - other[:2])
    shared = np.minimum(one[2:], other[2:]) - np.maximum(one[:2], other[:2])
    along = shared > (1 - PART_BESIDE) * size
    touch = np.abs(shared) < PART_BESIDE * size
    return bool(along[0] and touch[1]) or bool(along[1] and touch[0])


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
            names = without_parts(self.named_together(names))
        else:
            boxes, names = rejoined(boxes, names, lambda more: self.name_boxes(image, more))
            larger = find_larger(self.detector, image)
            boxes, names = outermost(
                boxes, names, larger, lambda more: self.name_boxes(image, more)
            )
            names = self.named_together(names)
        size_wh = (image.shape[1], image.shape[0])
        readings = box_readings(size_wh, boxes, names, self.limits.usual)
        return readings if of_a_table else supported(checked(readings))

    def name_boxes(self, image: Image, xyxy: Array) -> list[Name | None]:
        """Name the content of (n, 4) boxes; None where there is no tile."""
        return self.name_crops(self.crops(image, xyxy), xyxy)

    def named_together(self, names: Sequence[Name | None]) -> list[Name | None]:
        """The names of a picture, in which unsure faces that others of the set tell are named."""
        told = {index: name(row, self.limits) for index, row in weighed(names).items()}
        named = {index: each for index, each in told.items() if each and not each.why}
        return [named.get(index, each) for index, each in enumerate(names)]

    def crops(self, image: Image, xyxy: Array) -> Image:
        """(n, 64, 64, 3) RGB: what the recogniser sees of (n, 4) boxes."""
        crops = np.empty((len(xyxy), CROP_SIZE, CROP_SIZE, 3), np.uint8)
        for index, box in enumerate(xyxy):
            crops[index] = crop_tile(image, box, self.stretch)
        return crops

    def name_crops(self, crops: Image, xyxy: Array) -> list[Name | None]:
        """Name (n, 64, 64, 3) RGB crops of (n, 4) boxes; None where there is no tile.

        What is dark with light on it is looked at in the negative, too: sets are black as well.
        """
        if not len(crops):
            return []  # the rest takes a fiftieth of a small change's time even so
        names = self._decide(crops, self.recogniser.see(crops))
        dark = light_on_dark(crops)
        if len(dark):
            shown = negative(crops[dark])
            seen = self._decide(shown, self.recogniser.see(shown))
            for i, each in zip(dark, without_parts(seen), strict=True):
                names[i] = by_both(names[i], each)
        return names

    def _decide(self, crops: Image, seen: Seen) -> list[Name | None]:
        burnt = burnt_out(crops)
        names = [
            name(
                row,
                self.limits,
                burnt_out=bool(burnt[i]),
                colour=middle_colour(crops[i])
                if row[:NOTHING_CLASS].argmax() == BACK_CLASS
                else None,
            )
            for i, row in enumerate(seen.rows)
        ]
        return [each and replace(each, looks=look) for each, look in zip_longest(names, seen.looks)]


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
