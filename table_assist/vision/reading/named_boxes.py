"""The boxes of a picture with their names: only what is new, or doubted, is named again."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from table_assist.vision.pictures.motion import BLOCK, Box, Watched, changed_blocks, touched
from table_assist.vision.pictures.picture import Array, Image, Mask
from table_assist.vision.reading.areas import in_any
from table_assist.vision.reading.detect import box_area, shared_areas
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.recognise import (
    BACK,
    CROP_MARGIN,
    CROP_SIZE,
    UNKNOWN,
    UNSURE_LOOKS,
    Name,
)

# Unsure boxes are seen in more pictures while they lie still: their mean has less noise.
#
# Of small dark tiles before a cheap camera each picture's noise hides other strokes. The mean of
# four pictures has half of it.

# More than so many views told no more of 77 tiles of dark glass; two tell the half of it.
NAMED_WITH = (2, 4)
# Of what one picture shows less surely than this, one name in twenty is wrong.
HARDLY_SURE = 0.97
NOISE_EVERY_S = 0.15  # a stream's pictures that follow each other faster have the same noise


@dataclass(slots=True)
class _Views:
    """The sum (h, w, 3) of so many crops of one thing, and when the newest was cut."""

    total: Array
    count: int = 0
    seen_t: float = -np.inf


class CropAverager:
    """Keeps the views of what is unsure, by its box. Not for several threads."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._views: dict[bytes, _Views] = {}

    def add_views(
        self,
        image: Image,
        now: Watched,
        xyxy: Array,
        names: Sequence[Name | None],
        changed: Mask,
        t: float,
    ) -> list[tuple[int, Name | None]]:
        """Take in a picture; which of the boxes have enough views now, and what these show.

        Args:
            xyxy: (n, 4) all boxes, and their names.
            changed: blocks of the picture that are not as they were when they were read.
            t: when it was taken.
        """
        unsure = [index for index, name in enumerate(names) if _is_worth_it(name)]
        keys = {index: xyxy[index].tobytes() for index in unsure}
        known = set(keys.values())
        self._views = {key: views for key, views in self._views.items() if key in known}
        if not unsure:
            return []
        still = ~touched(xyxy[unsure], now, changed, CROP_MARGIN)
        due = [i for i, is_still in zip(unsure, still, strict=True) if is_still]
        due = [index for index in due if self._is_due(keys[index], t)]
        for index, crop in zip(due, self._reader.crops(image, xyxy[due]), strict=True):
            views = self._views[keys[index]]
            views.total += crop
            views.count, views.seen_t = views.count + 1, t
        enough = [index for index in due if self._views[keys[index]].count in NAMED_WITH]
        means = [self._views[keys[index]] for index in enough]
        crops = np.array([np.rint(views.total / views.count) for views in means], np.uint8)
        shape = (len(enough), CROP_SIZE, CROP_SIZE, 3)
        named = self._reader.name_crops(crops.reshape(shape), xyxy[enough])
        return list(zip(enough, named, strict=True))

    def _is_due(self, key: bytes, t: float) -> bool:
        views = self._views.get(key)
        if views is None or t < views.seen_t:  # clocks are set back
            self._views[key] = views = _Views(np.zeros((CROP_SIZE, CROP_SIZE, 3), np.float32))
        return views.count < max(NAMED_WITH) and t - views.seen_t >= NOISE_EVERY_S


def _is_worth_it(name: Name | None) -> bool:
    """Whether it is a thing that may show a face, and is not surely read.

    Walls and standing hands are full of backs, and nothing follows from one.
    """
    if name is None or not name.candidates or name.candidates[0].label == BACK:
        return False
    return name.label == UNKNOWN or name.confidence < HARDLY_SURE


GONE_KEPT = 400  # of what went: three times what lies on a table
SAME_BOX = 0.8  # overlap over union from which a box found again is the same box


@dataclass(frozen=True, slots=True)
class Named:
    """The result of naming again.

    Attributes:
        is_new: something is not as it was.
        crops: how many were named.
        differing: things that a second look saw otherwise than they were remembered.
    """

    is_new: bool
    crops: int
    differing: int


@dataclass(frozen=True, slots=True)
class _Gone:
    """A box that is seen no more, what it was named, and the picture there when it was."""

    box: Array
    name: Name | None
    looked: Watched


class NamedBoxes:
    """Remembers what each box of one camera's pictures holds.

    Attributes:
        xyxy: (n, 4) in the picture's pixels.
        names: of each box; None: it holds no tile.
        found: the same boxes, as they were found last.
    """

    def __init__(self, reader: Reader) -> None:
        self.xyxy = np.empty((0, 4), np.float32)
        self.names: list[Name | None] = []
        self._reader = reader
        self.found = self.xyxy
        self._looked: list[Watched] = []  # each box when it was named
        # What an arm hid is the same again when it has gone.
        self._gone: deque[_Gone] = deque(maxlen=GONE_KEPT)
        self._more_views = CropAverager(reader)

    def begin(self, image: Image, now: Watched, xyxy: Array) -> int:
        """Name all boxes of a picture that was read whole; how many there are."""
        self.xyxy, self.names = xyxy, self._reader.name_boxes(image, xyxy)
        self.found, self._looked = xyxy, [_around(now, box) for box in xyxy]
        self._gone.clear()
        return len(xyxy)

    def update(self, image: Image, now: Watched, xyxy: Array, changed: Mask) -> Named:
        """Take over the boxes that are found now; those that stayed keep place and name.

        Args:
            changed: blocks in which something new lies.
        """
        is_new = touched(xyxy, now, changed, CROP_MARGIN)
        olds = [
            None if new else old
            for new, old in zip(is_new, same_boxes(xyxy, self.xyxy), strict=True)
        ]
        known = list(map(_Gone, self.xyxy, self.names, self._looked))
        self._gone.extend(each for at, each in enumerate(known) if at not in olds)
        told: list[_Gone | None] = [None if old is None else known[old] for old in olds]
        boxes = np.array([each.box for each in self._gone], np.float32).reshape(-1, 4)
        for index, box in enumerate(xyxy):
            told[index] = told[index] or self._back_again(now, box, boxes)
        unnamed = [index for index, each in enumerate(told) if each is None]
        named = self._reader.name_boxes(image, xyxy[unnamed])
        for index, name in zip(unnamed, named, strict=True):
            told[index] = _Gone(xyxy[index], name, _around(now, xyxy[index]))
        things = [each for each in told if each is not None]
        self.xyxy = np.array([each.box for each in things], np.float32).reshape(-1, 4)
        self.names, self._looked = [each.name for each in things], [each.looked for each in things]
        self.found = xyxy
        return Named(None in olds or len(olds) != len(known), len(unnamed), 0)

    def _back_again(self, now: Watched, box: Array, boxes: Array) -> _Gone | None:
        """What was seen at the same place before, if the picture there is as it was then."""
        for at in np.flatnonzero(_shares(box[None], boxes)[0] >= SAME_BOX)[::-1].tolist():
            gone = self._gone[at]
            there = _around(now, gone.box)
            if not changed_blocks(gone.looked, there).any():
                return gone
        return None

    def doubt(self, image: Image, now: Watched, areas: Sequence[Box]) -> Named:
        """Name what lies in these areas again; what was unsure, as it was found last.

        The first box of a thing may have held a part of its side.
        """
        again = np.flatnonzero(in_any(self.xyxy, areas)).tolist()
        before = [self.names[index] for index in again]
        boxes = self.xyxy[again]
        unsure = np.array([name is not None and name.label == UNKNOWN for name in before], np.bool_)
        boxes[unsure] = self.found[again][unsure]
        looks = self._reader.name_boxes(image, boxes)
        after = [settled(old, new) for old, new in zip(before, looks, strict=True)]
        self.names, self.xyxy = list(self.names), self.xyxy.copy()
        for index, box, look, name in zip(again, boxes, looks, after, strict=True):
            self.names[index] = name
            if name is look:
                self.xyxy[index], self._looked[index] = box, _around(now, box)
        return Named(before != after, len(again), differing(before, looks))

    def view_more(self, image: Image, now: Watched, changed: Mask, t: float) -> Named:
        """Look at what is unsure in one more picture, if nothing changed there."""
        looks = self._more_views.add_views(image, now, self.xyxy, self.names, changed, t)
        before, self.names = self.names, list(self.names)
        for index, look in looks:
            self.names[index] = settled(before[index], look)
        return Named(before != self.names, len(looks), 0)

    def are_plain(self, image: Image, xyxy: Array) -> Mask:
        """(n,) of boxes whether they show surely now, too, the face that they were named as.

        Backs and white dragons do not: a printed cloth and a tile's side show them as surely.
        """
        olds = same_boxes(xyxy, self.xyxy)
        before = [None if old is None else self.names[old] for old in olds]
        labels = [UNKNOWN if name is None else name.label for name in before]
        known = [i for i, label in enumerate(labels) if label not in UNSURE_LOOKS]
        plain = np.zeros(len(xyxy), np.bool_)
        for index, look in zip(known, self._reader.name_boxes(image, xyxy[known]), strict=True):
            plain[index] = look is not None and look.label == labels[index]
        return plain


def unmatched(xyxy: Array, names: Sequence[Name | None], others: Array) -> int:
    """How many surely named things are not among the boxes of another list."""
    same = same_boxes(xyxy, others)
    alone = [name for name, other in zip(names, same, strict=True) if other is None]
    return differing(alone, [None] * len(alone))


def same_boxes(xyxy: Array, boxes: Array) -> list[int | None]:
    """For each box of the first list the one of the second that is the same again."""
    if not len(boxes):
        return [None] * len(xyxy)
    share = _shares(xyxy, boxes)
    best = share.argmax(axis=1).tolist()
    return [old if share[i, old] >= SAME_BOX else None for i, old in enumerate(best)]


def _shares(xyxy: Array, boxes: Array) -> Array:
    """(n, m) overlap over union of each box with each of others."""
    shared = shared_areas(xyxy[:, None], boxes)
    return np.asarray(shared / (box_area(xyxy)[:, None] + box_area(boxes) - shared), np.float32)


def _around(now: Watched, box: Array) -> Watched:
    """The blocks of the picture in which a box lies."""
    left, top, right, bottom = (BLOCK * edge for edge in now.block_edges(box[None])[0].tolist())
    return Watched(now.grey[top:bottom, left:right].copy(), (right - left, bottom - top))


def settled(old: Name | None, new: Name | None) -> Name | None:
    """The common answer of two looks at the same unchanged thing.

    Where both mean the same face the surer look stays: the other was noise. A sure other face, or
    that there is no tile at all, is what lies there.
    """
    if old is None or new is None:
        return new
    if new.label == UNKNOWN or old.label == UNKNOWN:
        if _likeliest(old) == _likeliest(new):
            return max(old, new, key=lambda name: (name.label != UNKNOWN, name.confidence))
        return new
    return old if old.label == new.label else new


def differing(old: Sequence[Name | None], new: Sequence[Name | None]) -> int:
    """In how many places one look sees another face than the other, or a face where none is.

    Backs without seams, and white dragons, are found in one look and not in the next.
    """
    return sum(_contradict(one, other) for one, other in zip(old, new, strict=True))


def _contradict(one: Name | None, other: Name | None) -> bool:
    if one is None or other is None:
        seen = one or other
        return seen is not None and seen.label not in UNSURE_LOOKS
    return UNKNOWN not in (one.label, other.label) and one.label != other.label


def _likeliest(name: Name) -> str:
    return name.candidates[0].label if name.candidates else name.label
