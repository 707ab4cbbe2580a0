"""Whether a camera's pictures became poor: out of focus, or with the wrong colours."""

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from table_assist.languages.words import NOTHING, Words
from table_assist.vision.pictures.picture import Array, Image
from table_assist.vision.reading.readings import Readings, tile_of
from table_assist.vision.reading.recognise import UNKNOWN, UNSURE_LOOKS
from table_assist.vision.table.advice import GROUND_PERCENTILE, LEAST_SHARPNESS, sharpness

QUALITY_EVERY_S = 0.8  # twice in a row tells within two seconds
LEAST_JUDGED = 4
MOST_JUDGED = 16  # more say nothing new
# Natural logarithms between the strongest and the weakest channel of the tiles' ivory: 0.1 to 0.4
# under lamps from cold to warm. Beyond the first it is a cast, beyond the second only where the
# table's colours have changed by as much as the third since the program's start.
CAST_IVORY, PALE_IVORY, CAST_CHANGE = 0.6, 0.4, 0.45
SAME_LIGHT = 0.2  # by so much a tile's mean grey level may change while it lies there
UNSURE = 0.3  # of the tiles: more "?" in a poor picture, and nothing in it counts


class Poor(StrEnum):
    """The faults of the pictures."""

    CAST = "cast"
    BLURRED = "blurred"


@dataclass(frozen=True, slots=True)
class Quality:
    """How good the pictures are.

    Attributes:
        is_readable: the tiles are still read for sure, or nothing is wrong.
    """

    poor: Poor | None = None
    is_readable: bool = True

    @property
    def words(self) -> Words:
        """One sentence; empty when all is well."""
        if self.poor is None:
            return NOTHING
        what, end = _POOR[self.poor], _READ if self.is_readable else _NOT_READ
        return Words("{what}; {end}.", "{what}；{end}。", what=what, end=end)


class QualityWatch:
    """Looks at the pictures now and then. Used by one thread.

    Attributes:
        latest: what two looks in a row agreed in.
    """

    def __init__(self) -> None:
        self.latest = Quality()
        # Where tiles lay when all was well, and how light they were.
        self._boxes = np.empty((0, 4), np.float32)
        self._light = np.empty(0, np.float32)
        self._before: Poor | None = None
        self._next_t = -np.inf

    def update(self, image: Image, readings: Readings, cast: float, t: float) -> None:
        """Take a picture (h, w, 3) BGR into account.

        Args:
            cast: as `TableView.cast`.
        """
        if self._next_t - QUALITY_EVERY_S <= t < self._next_t:
            return
        self._next_t = t + QUALITY_EVERY_S
        # (n, 4) boxes of some tiles with a drawing on them
        drawn = [
            index
            for index, label in enumerate(readings.labels)
            if tile_of(label) is not None and label not in UNSURE_LOOKS
        ]
        faces = readings.boxes[drawn[:: max(1, len(drawn) // MOST_JUDGED)][:MOST_JUDGED]]
        poor = self._judge(image, faces, cast)
        if poor is self._before:
            self.latest = Quality(poor, poor is None or _is_sure(readings, len(self._boxes)))
        if poor is None:
            self._boxes, self._light = faces, _light(image, faces)
        self._before = poor

    def _judge(self, image: Image, faces: Array, cast: float) -> Poor | None:
        if _has_cast(image, faces, cast):
            return Poor.CAST
        boxes = faces
        if len(boxes) < LEAST_JUDGED:
            # In a blur too little is read: those that lie where they lay tell it.
            same = np.abs(_light(image, self._boxes) - self._light) < SAME_LIGHT * self._light
            boxes = self._boxes[same]
        if len(boxes) < LEAST_JUDGED:
            return None
        return Poor.BLURRED if sharpness(image, boxes) < LEAST_SHARPNESS else None


def _is_sure(readings: Readings, were: int) -> bool:
    """Whether most of the tiles are named, and as many as there were are there at all.

    Where the pictures have never been good, nothing is known against them.
    """
    if not were:
        return True
    tiles = [label for label in readings.labels if tile_of(label) is not None]
    unsure = tiles.count(UNKNOWN)
    named = sum(label != "back" for label in tiles) - unsure
    return unsure <= UNSURE * len(tiles) and named >= (1 - UNSURE) * were


def _light(image: Image, boxes: Array) -> Array:
    """(n,) the boxes' mean grey levels."""
    places = np.round(boxes).astype(int).clip(0).tolist()
    parts = (image[top:bottom:2, left:right:2] for left, top, right, bottom in places)
    return np.array([part.mean() if part.size else 0.0 for part in parts], np.float32)


def _has_cast(image: Image, faces: Array, change: float) -> bool:
    if len(faces) < LEAST_JUDGED:
        return change > CAST_CHANGE
    # The median tile's ground: how much stronger its strongest channel is than its weakest
    casts = []
    for left, top, right, bottom in np.round(faces).astype(int).clip(0).tolist():
        tile = image[top:bottom:2, left:right:2].reshape(-1, 3)
        if not len(tile):
            continue
        grey = cv2.cvtColor(tile[None], cv2.COLOR_BGR2GRAY)[0]
        ground = tile[grey >= np.percentile(grey, GROUND_PERCENTILE)].mean(axis=0)
        casts.append(float(np.ptp(np.log(ground + 1.0))))
    ivory = float(np.median(casts)) if casts else 0.0
    return ivory > CAST_IVORY or (ivory > PALE_IVORY and change > CAST_CHANGE)


_POOR = {
    Poor.CAST: Words(
        "The colours are wrong: set the camera's white balance for this lamp",
        "颜色失真：请按现在的灯光设置摄像头白平衡",
    ),
    Poor.BLURRED: Words(
        "The picture is blurred: focus the camera on the tiles", "画面模糊：请将摄像头对焦于牌面"
    ),
}
_READ = Words("the tiles are still read for sure", "牌仍能可靠识别")
_NOT_READ = Words("nothing is recorded from it meanwhile", "期间不据此记录")
