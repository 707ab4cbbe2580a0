"""Keeps the picture of each moment that matters, in another thread; and which have one."""

import logging
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from table_assist.game.events import (
    Asked,
    BirdTurned,
    Claimed,
    DeclaredHand,
    Discarded,
    HandLaidDown,
    HandShown,
    KongDeclared,
    OpenHand,
    PlayedOut,
    WinDeclared,
    WinRefused,
)
from table_assist.game.question import QuestionId
from table_assist.languages.words import phrase
from table_assist.record.commands import Command, Correct, Insert, Rule, Undo
from table_assist.record.crop import Box, box_of, crop_of, readings_json
from table_assist.record.evidence import (
    EVIDENCE_SUFFIX,
    MOST_DAYS,
    Evidence,
    EvidenceError,
    EvidenceMoment,
    EvidenceStore,
    digest_of,
)
from table_assist.record.log import Entry
from table_assist.record.record import Record
from table_assist.record.snapshot import SourceHealth
from table_assist.tiles.tile import Tile
from table_assist.vision.pictures.picture import Image, jpeg
from table_assist.vision.table.calibration import Calibration, Point
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.zones import Zone, ZoneKind

logger = logging.getLogger(__name__)

# Pictures that wait to be kept; at 4K each is 25 MB.
CROWDED = 0.5  # of the room for pictures, held for disputes: people should know
MOST_WAITING = 6
# Crops whose places in their pictures are remembered: far more than a hand has.
MOST_PLACES = 5_000
PHOTO_QUALITY = 85


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
        store = EvidenceStore(log.with_name(log.name + EVIDENCE_SUFFIX), most_bytes, most_days)
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
            picture = jpeg(shot.image, PHOTO_QUALITY)
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
            return SourceHealth(
                "evidence",
                "live",
                phrase("photographer.disputed_hands_fill", percent=round(100 * self._held_share)),
                counters=counters,
            )
        if not self._trouble:
            return SourceHealth("evidence", "live", counters=counters)
        return SourceHealth(
            "evidence",
            "lost",
            phrase("photographer.no_pictures_are_kept", trouble=self._trouble),
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
            shot = job.shot
            try:
                assert self._store is not None
                crops = [(moment, _crop(shot, box)) for moment, box in job.boxes]
                picture, readings = jpeg(shot.image, PHOTO_QUALITY), _readings(shot)
                self._store.keep(crops, t=shot.t, jpeg=picture, readings=readings)
                for moment, crop in crops:
                    self._kept(moment, digest_of(picture, readings, crop))
                self._trouble, self._held_share = "", self._store.held_share
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
    return b"" if box is None else jpeg(crop_of(shot.image, box), PHOTO_QUALITY)


# Which entries are worth a picture, and where on the table is what they are about.

# A discard that its source was less sure of than this may be quarrelled about.
DOUBTFUL_BELOW = 0.8
_DECISIVE = Asked | WinDeclared | OpenHand | DeclaredHand | WinRefused | PlayedOut
# The middle is there for all to see.
_COMMON = (ZoneKind.BIRDS, ZoneKind.DICE)


def occasions(
    record: Record,
    entries: Iterable[Entry],
    places: Callable[[int], tuple[Point, ...]] = lambda seq: (),
) -> tuple[Occasion, ...]:
    """Those of the entries of which the present picture is to be kept.

    Args:
        places: where on the table, in mm, an entry's tiles lie by what was seen.
    """
    hand = record.state.hand
    found = []
    for entry in entries:
        event = entry.event
        unsure = isinstance(event, Discarded) and (
            event.tile is Tile.UNKNOWN or entry.confidence < DOUBTFUL_BELOW
        )
        if isinstance(event, Asked):
            moment = EvidenceMoment(entry.seq, hand, str(event.question))
            about, kind, seat = record.event(event.about), event.question.kind, event.question.seat
            zone = zone_of(about)
            # Tiles that make others wild or name the treasure are never cut out: not everybody may
            # see them.
            is_common = kind.zone in _COMMON
            if about is None and kind.zone is not None and (seat is not None or is_common):
                zone = Zone(kind.zone, seat)
            found.append(Occasion(moment, zone, at=places(event.about)))
        elif isinstance(event, _DECISIVE) or unsure:
            whole = isinstance(event, HandShown)
            moment = EvidenceMoment(entry.seq, hand)
            found.append(Occasion(moment, zone_of(event), whole, places(entry.seq)))
    return tuple(found)


def zone_of(event: object) -> Zone | None:
    """Where what the event is about lies; None for nowhere in particular."""
    match event:
        case Discarded(seat):
            return Zone(ZoneKind.RIVER, seat)
        case WinDeclared(seat) | HandShown(seat) | HandLaidDown(seat) | WinRefused(seat):
            return Zone(ZoneKind.HAND, seat)
        case Claimed(seat) | KongDeclared(seat):
            return Zone(ZoneKind.MELDS, seat)
        case BirdTurned():
            return Zone(ZoneKind.BIRDS)
        case _:
            return None


class Album:
    """The evidence that there is for one record.

    Args:
        photographer: None keeps nothing.
        places: where on the table, in mm, an entry's tiles lie by what was seen.
    """

    def __init__(
        self,
        record: Record,
        photographer: Photographer | None,
        places: Callable[[int], tuple[Point, ...]] = lambda seq: (),
    ) -> None:
        self._record = record
        self._photographer = photographer
        self._places = places
        known = () if photographer is None else photographer.known(record.state.hand)
        self._moments: dict[int, EvidenceMoment] = {moment.seq: moment for moment in known}

    def add(self, since: int, shot: Shot | None = None) -> None:
        """Have a picture kept of what was decided or doubted after this entry.

        Args:
            shot: the photograph that people told it by; None: the present picture.
        """
        if self._photographer is None or self._record.seq == since:
            return
        found = occasions(self._record, self._record.entries[since:], self._places)
        if self._photographer.take(found, shot):
            self._moments |= {each.moment.seq: each.moment for each in found}

    def hold(self, command: Command) -> None:
        """A hand that a person changes afterwards is disputed: its pictures stay for good."""
        match command:
            case Undo(seq) | Correct(seq) | Insert(seq) | Rule(before=seq) if seq > 0:
                place = self._record.place(seq)
            case _:
                return
        if self._photographer is not None and place is not None:
            self._photographer.hold(self._record.state_before(place + 1).hand)

    def questions(self) -> tuple[tuple[QuestionId, str], ...]:
        """(question, evidence id) of the open questions that have some."""
        kept = ((m.question, m.id) for m in self._moments.values() if m.question)
        latest = {QuestionId.parse(text): id for text, id in kept}
        open_ones = (asked.question for asked in self._record.state.questions)
        return tuple((each, latest[each]) for each in open_ones if each in latest)

    def entries(self) -> tuple[tuple[int, str], ...]:
        """(entry's number, evidence id) of this hand's entries that have some."""
        hand = self._record.state.hand
        return tuple((m.seq, m.id) for m in self._moments.values() if m.hand == hand)
