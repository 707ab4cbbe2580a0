"""Keeps the picture of each moment that matters; encoding and disk are another thread's work."""

import logging
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from table_assist.contract.evidence import Evidence, digest_of
from table_assist.contract.health import SourceHealth
from table_assist.evidence.crop import Box, box_of, crop_of, readings_json
from table_assist.evidence.store import (
    MOST_DAYS,
    SUFFIX,
    EvidenceError,
    EvidenceMoment,
    EvidenceStore,
)
from table_assist.languages.words import Words
from table_assist.vision.pictures.picture import Image, jpeg
from table_assist.vision.table.calibration import Calibration, Point
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.zones import Zone

logger = logging.getLogger(__name__)

# Pictures that wait to be kept; at 4K each is 25 MB.
CROWDED = 0.5  # of the room for pictures, held for disputes: people should know
MOST_WAITING = 6
# Crops whose places in their pictures are remembered: far more than a hand has.
MOST_PLACES = 5_000
QUALITY = 85


@dataclass(frozen=True, slots=True)
class Shot:
    """The picture that the table is judged by now, and what was read in it.

    Attributes:
        t: seconds since the epoch.
        calibration: as it was for this picture; None where the table is not found in it.
        readings: what was read, as JSON, where it was no picture of the table.
    """

    t: float
    image: Image
    observation: Observation | None = None
    calibration: Calibration | None = None
    readings: str = "{}"


@dataclass(frozen=True, slots=True)
class Occasion:
    """A moment, and where on the table is what it is about.

    Attributes:
        zone: None for nowhere in particular.
        whole: all that lies there is meant, and the seat's melds with it.
        at: where the very pieces lie, in mm, where they are known.
    """

    moment: EvidenceMoment
    zone: Zone | None = None
    whole: bool = False
    at: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class _Job:
    """The moments to be kept, and where in the picture each one's subject is."""

    shot: Shot
    boxes: tuple[tuple[EvidenceMoment, Box | None], ...]


def open_photographer(
    log: Path,
    most_bytes: int,
    picture_now: Callable[[], Shot | None],
    kept: Callable[[EvidenceMoment, str], None] = lambda moment, digest: None,
    *,
    entries: int,
    most_days: int = MOST_DAYS,
) -> "Photographer":
    """The photographer of a table whose log lies there; one that keeps nothing if it cannot.

    Args:
        entries: so many the log has: pictures of others are of what never was on record.
    """
    try:
        store = EvidenceStore(log.with_name(log.name + SUFFIX), most_bytes, most_days)
        store.forget_after(entries)
    except EvidenceError as error:
        return Photographer(None, picture_now, trouble=str(error))
    return Photographer(store, picture_now, kept=kept)


class Photographer:
    """Takes a picture of what is told to it, if there is one.

    Args:
        store: None keeps nothing.
        picture_now: the picture that the table is judged by; None when there is none.
        trouble: why nothing is kept; empty where nothing is wrong.
        kept: is told each moment whose picture is on disk, and its `Evidence.digest`.
    """

    def __init__(
        self,
        store: EvidenceStore | None,
        picture_now: Callable[[], Shot | None],
        *,
        trouble: str = "",
        kept: Callable[[EvidenceMoment, str], None] = lambda moment, digest: None,
    ) -> None:
        self._kept = kept
        self._store = store
        self._picture_now = picture_now
        self._waiting: dict[str, _Job] = {}
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._places: dict[str, Box] = {}  # where in their pictures the crops are, by id
        self._lost = 0
        self._held_share = 0.0
        self._trouble = trouble
        self._thread = threading.Thread(target=self._work, name="photographer", daemon=True)
        self._thread.start()

    def take(self, occasions: Sequence[Occasion], shot: Shot | None = None) -> bool:
        """Keep the present picture for these moments; whether there is one and it will be kept.

        Args:
            shot: another picture to keep instead, which somebody took of what they told.
        """
        shot = shot or self._picture_now()
        if shot is None or self._store is None or not occasions:
            return False
        job = _Job(shot, tuple((each.moment, _box(shot, each)) for each in occasions))
        boxes = {moment.id: box for moment, box in job.boxes if box is not None}
        with self._lock:
            if len({id(each) for each in self._waiting.values()}) >= MOST_WAITING:
                self._lost += 1
                return False
            self._waiting |= {each.moment.id: job for each in occasions}
            if len(self._places) >= MOST_PLACES:
                self._places.clear()
            self._places |= boxes
        self._jobs.put(job)
        return True

    def known(self, hand: int) -> tuple[EvidenceMoment, ...]:
        """The moments of a hand with evidence; nothing where it cannot be read."""
        try:
            return self._store.moments(hand) if self._store is not None else ()
        except EvidenceError as error:
            self._trouble = str(error)
            return ()

    def evidence(self, id: str) -> Evidence | None:
        """The evidence under an id, kept or about to be; None when there is none."""
        with self._lock:
            job = self._waiting.get(id)
            box = self._places.get(id)
        if job is not None:
            shot = job.shot
            picture = jpeg(shot.image, QUALITY)
            return Evidence(id, shot.t, picture, _readings(shot), _crop(shot, box), box)
        try:
            found = self._store.get(id) if self._store is not None else None
        except EvidenceError as error:
            self._trouble = str(error)
            return None
        return None if found is None else replace(found, crop_px=box)

    def hold(self, hand: int) -> None:
        """Keep a hand's evidence for good: something in it is disputed."""
        try:
            if self._store is not None:
                self._store.hold(hand)
        except EvidenceError as error:
            self._trouble = str(error)

    @property
    def health(self) -> SourceHealth:
        """For the people at the table: play goes on without evidence."""
        counters = (("pictures lost", self._lost),) if self._lost else ()
        if not self._trouble and self._held_share >= CROWDED:
            percent = round(100 * self._held_share)
            return SourceHealth(
                "evidence",
                "live",
                Words(
                    "Disputed hands fill {percent} % of the room for pictures: delete what is "
                    "settled.",
                    "有争议的牌局已占用存图空间的 {percent}%：请删除已解决的。",
                    percent=percent,
                ),
                counters=counters,
            )
        if not self._trouble:
            return SourceHealth("evidence", "live", counters=counters)
        return SourceHealth(
            "evidence",
            "lost",
            Words(
                "No pictures are kept as evidence ({trouble}); the table goes on.",
                "没有保存画面证据（{trouble}），牌局照常进行。",
                trouble=self._trouble,
            ),
            counters=counters,
        )

    def close(self) -> None:
        """Keep what waits, and close the file."""
        self._jobs.put(None)
        self._thread.join()
        if self._store is not None:
            self._store.close()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                self._keep(job)
                self._trouble = ""
                self._held_share = self._store.held_share if self._store is not None else 0.0
            except EvidenceError as error:
                self._lost += 1
                self._trouble = str(error)
            except Exception as error:
                logger.exception("evidence of %s could not be kept", job.boxes)
                self._lost += 1
                self._trouble = str(error)
            finally:
                with self._lock:
                    for moment, _ in job.boxes:
                        self._waiting.pop(moment.id, None)

    def _keep(self, job: _Job) -> None:
        assert self._store is not None
        shot = job.shot
        crops = [(moment, _crop(shot, box)) for moment, box in job.boxes]
        picture, readings = jpeg(shot.image, QUALITY), _readings(shot)
        self._store.keep(crops, t=shot.t, jpeg=picture, readings=readings)
        for moment, crop in crops:
            self._kept(moment, digest_of(picture, readings, crop))


def _readings(shot: Shot) -> str:
    if shot.observation is None:
        return shot.readings
    return readings_json(shot.observation, shot.calibration)


def _box(shot: Shot, of: Occasion) -> Box | None:
    if of.zone is None or shot.observation is None or shot.calibration is None:
        return None
    size_wh = shot.image.shape[1], shot.image.shape[0]
    return box_of(size_wh, shot.observation, shot.calibration, of.zone, whole=of.whole, at=of.at)


def _crop(shot: Shot, box: Box | None) -> bytes:
    return b"" if box is None else jpeg(crop_of(shot.image, box), QUALITY)
