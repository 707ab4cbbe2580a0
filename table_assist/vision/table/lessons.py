"""A table in play keeps what it learns of its set: faces that the record knows and no look tells.

What somebody said, or what a settlement has weighed, is the truth about a tile that lies there; and
the tiles that are read as they are recorded show what the others look like. Between two hands they
teach the recogniser what this set has of its own. Nothing that is only read teaches a face that is
not read: at seven drawn tables faces that were guessed by their looks taught eleven wrong names.
"""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread
from typing import Protocol

import numpy as np

from table_assist.vision.enrolment.files import load_samples, load_set, save_set
from table_assist.vision.enrolment.learn import CropReader, Sample, learn
from table_assist.vision.enrolment.patches import cut_patch, plain_crop
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.own_set import OwnSet, OwnSetError
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.recognise import UNKNOWN
from table_assist.vision.reading.why import WhyDoubtful
from table_assist.vision.table.attention import RecordedTile
from table_assist.vision.table.calibration import Calibration

logger = logging.getLogger(__name__)

MOST_OF_A_FACE = 6  # the newest: all faces are learnt in five seconds of one core
SAME_TILE = 0.3  # of a tile's width, between where it is recorded and where it is seen
# A face that the network thinks less likely was no slip of the eye, but of the mind
LIKELY_SLIP = 0.02


class Pupil(CropReader, Protocol):
    """The recogniser as a table teaches it."""

    digest: str  # the sha256 of its network

    def know(self, own_set: OwnSet | None) -> None:
        """Read by what was learnt of this set from now on."""


class TableLessons:
    """Takes in pictures in turn; one thread does.

    Args:
        limits: by which the reader names or asks.
        folder: where it is kept under its name; None: for this evening only.
        shown: the samples that the owner has shown in `enrol`.
        stretch: as `Reader.stretch`.

    Attributes:
        run: does the learning; nobody waits for it.
        learnt: how many faces this table has taught.
    """

    def __init__(
        self,
        pupil: Pupil,
        limits: Limits,
        folder: Path | None = None,
        name: str = "set",
        shown: Sequence[Sample] = (),
        stretch: float = 1.0,
    ) -> None:
        self.run: Callable[[Callable[[], None]], None] = lambda work: Thread(
            target=work, daemon=True
        ).start()
        self.learnt = 0
        self._pupil, self._limits, self._folder, self._name = pupil, limits, folder, name
        self._shown, self._stretch = shown, stretch
        self._kept: list[Sample] = []
        self._fresh: list[Sample] = []
        self._own: OwnSet | None = None
        self._met: set[RecordedTile] = set()
        self._has_news = self._is_learning = False
        self._recall()

    def take(
        self,
        image: Image,
        readings: Readings,
        calibration: Calibration,
        recorded: Sequence[RecordedTile],
        tile_mm: float,
    ) -> None:
        """Look at what lies there by the record; when nothing does any more, learn.

        Args:
            image: (h, w, 3) BGR, that was read at rest.
            tile_mm: how wide a tile is.
        """
        if not recorded:
            self._met.clear()
            if self._has_news and not self._is_learning:
                self._has_news, self._is_learning = False, True
                self.run(self._learn)
            return
        new = [each for each in recorded if each not in self._met]
        if not new or not len(readings) or self._is_learning:
            return
        places = calibration.to_table(readings.centres)
        hand = 1 + max((each.picture for each in self._kept), default=0)  # left out in turn
        for tile in new:
            away = np.hypot(places[:, 0] - tile.x_mm, places[:, 1] - tile.y_mm)
            row = int(away.argmin())
            if away[row] <= SAME_TILE * tile_mm and self._tells(readings, row, tile):
                self._met.add(tile)
                patch = cut_patch(image, readings.boxes[row], self._stretch)
                self._fresh.append(Sample(patch, int(tile.tile), hand))
                self._has_news |= readings.labels[row] != str(tile.tile)

    def _tells(self, readings: Readings, row: int, tile: RecordedTile) -> bool:
        """Whether what is seen there is that tile, whole and clear."""
        label, why = readings.labels[row], readings.why[row]
        if why not in (None, WhyDoubtful.FACE):
            return False
        likely = [each.label for each in readings.candidates[row] if each.confidence >= LIKELY_SLIP]
        may_be = likely if label == UNKNOWN else [label]
        return tile.is_said or str(tile.tile) in may_be

    def _learn(self) -> None:
        try:
            fresh, self._fresh = self._fresh, []
            kept = self._newest([*([] if self._is_another(fresh) else self._kept), *fresh])
            own, report = learn(
                [*self._shown, *kept],
                self._pupil,
                name=self._name,
                recogniser=self._pupil.digest,
                limits=self._limits,
            )
            if report.wrong:
                return logger.warning("this hand's lessons are left: %s", report.wrong)
            self._kept, self._own = kept, own
            self.learnt = len({each.label for each in kept})
            self._pupil.know(own)
            if self._folder is not None:
                save_set(own, kept, report, folder=self._folder, date="")
        except OwnSetError as error:
            logger.warning("what the table taught is not kept: %s", error)
        finally:
            self._is_learning = False

    def _is_another(self, fresh: Sequence[Sample]) -> bool:
        """Whether most of the tiles on the table look rather like none that was learnt."""
        if self._own is None or not fresh:
            return False
        features, _ = self._pupil.look(np.stack([plain_crop(each.patch) for each in fresh]))
        return bool((self._own.alikeness(features) < 0.5).mean() > 0.5)

    def _newest(self, samples: Sequence[Sample]) -> list[Sample]:
        faces = {each.label for each in samples}
        same = ([each for each in samples if each.label == face] for face in faces)
        return [each for found in same for each in found[-MOST_OF_A_FACE:]]

    def _recall(self) -> None:
        """Go on from the evening before; by another network's features it is learnt anew."""
        if self._folder is None:
            return
        try:
            self._own = load_set(self._name, self._folder)
            self._kept = load_samples(self._name, self._folder)
        except OwnSetError:
            return  # the first evening, or a damaged file: it learns again
        self.learnt = len({each.label for each in self._kept})
        if self._own.recogniser == self._pupil.digest:
            self._pupil.know(self._own)
        else:
            self._own, self._is_learning = None, True
            self.run(self._learn)
