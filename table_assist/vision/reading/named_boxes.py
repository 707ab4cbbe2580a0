"""The boxes of a picture with their names: only what is new, or doubted, is named again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.motion import Box, Watched, touched
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.detect import box_area, shared_areas
from table_assist.vision.reading.periodic_recheck import UNSURE_LOOKS, differing, settled
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.recognise import CROP_MARGIN, CROP_SIZE, UNKNOWN, Name

# Unsure boxes are seen in more pictures while they lie still: their mean has less noise.
#
# Of small dark tiles before a cheap camera each picture's noise hides other strokes. The mean of
# four pictures has half of it.

# More than so many views told no more of 77 tiles of dark glass; two tell the half of it.
NAMED_WITH = (2, 4)
# Of what one picture shows less surely than this, one name in twenty is wrong.
HARDLY_SURE = 0.97
EVERY_S = 0.15  # a stream's pictures that follow each other faster have the same noise
BACK = "back"  # walls and standing hands are full of these, and nothing follows from one

Blocks = NDArray[np.bool_]


@dataclass(slots=True)
class _Views:
    """The sum (h, w, 3) of so many crops of one thing, and when the newest was cut."""

    total: NDArray[np.float32]
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
        xyxy: NDArray[np.float32],
        names: Sequence[Name | None],
        changed: Blocks,
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
        return views.count < max(NAMED_WITH) and t - views.seen_t >= EVERY_S


def _is_worth_it(name: Name | None) -> bool:
    """Whether it is a thing that may show a face, and is not surely read."""
    if name is None or not name.candidates or name.candidates[0].label == BACK:
        return False
    return name.label == UNKNOWN or name.confidence < HARDLY_SURE


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
        # By box: what was read before something came to lie there, and what is back since then
        # and was not read again.
        self._under: dict[bytes, Name | None] = {}
        self._restored: set[bytes] = set()
        self._more_views = CropAverager(reader)

    def begin(self, image: Image, xyxy: NDArray[np.float32]) -> int:
        """Name all boxes of a picture that was read whole; how many there are."""
        self.xyxy, self.names = xyxy, self._reader.name_boxes(image, xyxy)
        self.found = xyxy
        self._restored = set()
        return len(xyxy)

    def remember(self, *, anew: bool) -> None:
        """Something comes to lie over the picture: keep the names of what it may hide.

        Args:
            anew: nothing is remembered from before.
        """
        if anew:
            self._under = {}
        for box, name in zip(self.xyxy, self.names, strict=True):
            self._under.setdefault(box.tobytes(), name)

    def update(
        self,
        image: Image,
        now: Watched,
        xyxy: NDArray[np.float32],
        *,
        changed: Blocks,
        bare: Blocks,
        back: set[bytes],
    ) -> Named:
        """Take over the boxes that are found now; those that stayed keep place and name.

        Args:
            changed: blocks in which something new lies.
            bare: blocks from which something was taken away.
            back: boxes that were under it.
        """
        is_new = touched(xyxy, now, changed, CROP_MARGIN)
        is_again = is_new | touched(xyxy, now, bare, CROP_MARGIN)
        olds = [
            None if again else old
            for again, old in zip(is_again, same_boxes(xyxy, self.xyxy), strict=True)
        ]
        kept = [box if old is None else self.xyxy[old] for box, old in zip(xyxy, olds, strict=True)]
        before, boxes, names = (
            self.names,
            np.array(kept, np.float32).reshape(-1, 4),
            self._kept_names(olds),
        )
        unnamed = []
        for index in [index for index, old in enumerate(olds) if old is None]:
            key = boxes[index].tobytes()
            if key in back and key in self._under and not is_new[index]:
                names[index] = self._under[key]
                self._restored.add(key)
            else:
                unnamed.append(index)
        self._restored -= {boxes[index].tobytes() for index in unnamed}
        named = self._reader.name_boxes(image, boxes[unnamed])
        for index, name in zip(unnamed, named, strict=True):
            names[index] = name
        self.xyxy, self.names, self.found = boxes, names, xyxy
        return Named(None in olds or len(olds) != len(before), len(unnamed), 0)

    def doubt(self, image: Image, areas: Iterable[Box], *, restored_only: bool) -> Named:
        """Name what lies in these areas again; what was unsure, as it was found last.

        The first box of a thing may have held a part of its side.

        Args:
            restored_only: only what came to light again and was not named since.
        """
        keys = [box.tobytes() for box in self.xyxy]
        again = [
            index
            for index, key in enumerate(keys)
            if (key in self._restored or not restored_only) and _is_in(self.xyxy[index], areas)
        ]
        self._restored -= {keys[index] for index in again}
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
                self.xyxy[index] = box
        return Named(before != after, len(again), differing(before, looks))

    def view_more(self, image: Image, now: Watched, changed: Blocks, t: float) -> Named:
        """Look at what is unsure in one more picture, if nothing changed there."""
        looks = self._more_views.add_views(image, now, self.xyxy, self.names, changed, t)
        before, self.names = self.names, list(self.names)
        for index, look in looks:
            self.names[index] = settled(before[index], look)
        return Named(before != self.names, len(looks), 0)

    def are_plain(self, image: Image, xyxy: NDArray[np.float32]) -> Blocks:
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

    def _kept_names(self, olds: Sequence[int | None]) -> list[Name | None]:
        return [None if old is None else self.names[old] for old in olds]


def unmatched(
    xyxy: NDArray[np.float32], names: Sequence[Name | None], others: NDArray[np.float32]
) -> int:
    """How many surely named things are not among the boxes of another list."""
    same = same_boxes(xyxy, others)
    alone = [name for name, other in zip(names, same, strict=True) if other is None]
    return differing(alone, [None] * len(alone))


def same_boxes(xyxy: NDArray[np.float32], boxes: NDArray[np.float32]) -> list[int | None]:
    """For each box of the first list the one of the second that is the same again."""
    if not len(boxes):
        return [None] * len(xyxy)
    shared = shared_areas(xyxy[:, None], boxes)
    share = shared / (box_area(xyxy)[:, None] + box_area(boxes) - shared)
    best = share.argmax(axis=1).tolist()
    return [old if share[i, old] >= SAME_BOX else None for i, old in enumerate(best)]


def _is_in(box: NDArray[np.float32], areas: Iterable[Box]) -> bool:
    """Whether a box's middle lies in one of the areas."""
    x, y = ((box[:2] + box[2:]) / 2).tolist()
    return any(left <= x < right and top <= y < bottom for left, top, right, bottom in areas)
