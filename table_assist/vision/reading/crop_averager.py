"""Unsure boxes are seen in more pictures while they lie still: their mean has less noise.

Of small dark tiles before a cheap camera each picture's noise hides other strokes. The mean of
four pictures has half of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.motion import Watched, touched
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.recognise import CROP_MARGIN, CROP_SIZE, UNKNOWN, Name

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
