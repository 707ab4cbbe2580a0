"""A recording followed again, by the very code that follows a table, on a clock of its own."""

import logging
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

from firmware_bridge.receiver import Reading, Receiver
from table_assist.capture.moments import (
    CaptureMoment,
    Commanded,
    LineLost,
    RecordedCheck,
    RecordedHiding,
    RecordedLook,
    RecordedPlace,
    RecordedWord,
    Vouched,
    Withdrawn,
)
from table_assist.capture.reading import Recording
from table_assist.capture.recorder import SERIAL
from table_assist.contract.health import SourceHealth
from table_assist.languages.words import Words
from table_assist.live.live_table import LiveTable
from table_assist.live.recorded_sight import RecordedSight
from table_assist.live.sight import Turn
from table_assist.record.export import read_log
from table_assist.record.log import Entry
from table_assist.record.store import Store
from table_assist.settings.config import BoardConfig, LogConfig
from table_assist.vision.pictures.camera import Camera, Picture
from table_assist.vision.pictures.picture import Image
from table_assist.vision.pictures.sources import PHONE, SourceKind
from table_assist.vision.reading.read import Reader

_RECORDING = Words("the recording", "录像")
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Replayed:
    """The result of a replay.

    Attributes:
        entries: the log's, those included that were there before.
        causes: the moment by which an entry came, by its number.
        pictures: looked at, and how many of them are kept as files.
        lasted_s: of the recorded evening.
    """

    entries: tuple[Entry, ...]
    causes: dict[int, str]
    remarks: tuple[str, ...]
    pictures: tuple[int, int]
    lasted_s: float


def replay(recording: Recording, reader: Reader | None) -> Replayed:
    """Follow a recording again, as fast as possible.

    Args:
        reader: None where the recorded table had no camera.

    Raises:
        RecordingError: a line or a picture of it is damaged.
        ConfigError: this program cannot follow such a table.
    """
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        log = Path(folder) / "log.sqlite"
        with Store(log) as store:
            store.append(recording.entries[: recording.earlier])
        table = _Table(recording, reader, log)
        withdrawn = {m.given_t for m in recording.moments() if isinstance(m, Withdrawn)}
        try:
            for moment in recording.moments():
                if moment.t not in withdrawn:
                    table.replay(moment)
        finally:
            table.stop()
        return table.replayed(read_log(log))


@dataclass(slots=True)
class _Clock:
    started_s: float
    t: float = 0.0

    def __call__(self) -> float:
        return self.started_s + self.t


@dataclass(slots=True)
class _Seen:
    """The picture of each camera that was kept last, and how many there were."""

    images: dict[str, Image] = field(default_factory=dict)
    name: str = ""
    looked: int = 0
    kept: int = 0


@dataclass(slots=True)
class _Notes:
    causes: dict[int, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


class _Table:
    """A live table whose threads are not started: every moment is taken in one after the other."""

    def __init__(self, recording: Recording, reader: Reader | None, log: Path) -> None:
        self._recording = recording
        self._clock = _Clock(recording.manifest.started_s)
        self._receiver = Receiver(baud=recording.config.board.baud)
        self._seen = _Seen()
        self._notes = _Notes()
        config = replace(recording.config, board=BoardConfig(), log=LogConfig(str(log)))
        camera = self._sight = None
        if config.camera.source.whole == PHONE and reader is not None:
            self._sight = RecordedSight(config, reader)
        elif config.camera.source:
            camera = Camera(SourceKind(_no_source, _RECORDING, is_live=False), now=self._clock)
        had_board = recording.config.board.is_there
        self._table = LiveTable(
            config,
            camera=camera,
            reader=reader,
            now=self._clock,
            board=_RecordedBoard() if had_board else None,
            sight=self._sight,
        )

    def replay(self, moment: CaptureMoment) -> None:
        """Let it happen again."""
        self._clock.t = moment.t
        match moment:
            case RecordedLook() | RecordedHiding() | RecordedPlace():
                self._see(moment)
            case RecordedWord(t, data, line):
                for item in self._receiver.feed(data, now_s=t, received_s=self._clock()):
                    if isinstance(item, Reading):
                        self._table.hear(item, self._receiver.stored)
                        self._follow(f"{SERIAL} line {line}")
            case LineLost():
                self._receiver.reopened()
            case Commanded(_, command, by, key):
                self._table.session.put_command(command, by, key)
                self._follow(f"the command {command}")
            case Vouched(_, said):
                self._table.session.put(said)
                self._follow(f"what the log vouches for: {said.kind}")
            case RecordedCheck():
                self._table.check_health()
                self._follow("the passing of time")

    def stop(self) -> None:
        """Close the log."""
        self._table.close()

    def replayed(self, entries: tuple[Entry, ...]) -> Replayed:
        """The result."""
        seen, notes = self._seen, self._notes
        counts = seen.looked, seen.kept
        return Replayed(
            entries, notes.causes, tuple(notes.remarks), counts, round(self._clock.t, 3)
        )

    def _see(self, moment: RecordedLook | RecordedHiding | RecordedPlace) -> None:
        if self._sight is not None and not isinstance(moment, RecordedPlace):
            self._sight.turn = Turn(moment.camera, moment.counting)
        match moment:
            case RecordedLook():
                self._look(moment)
            case RecordedHiding(_, taken_s, why):
                self._table.eyes.blind(why, taken_s)
                self._follow("a picture that shows nothing")
            case RecordedPlace(_, camera, calibration) if self._sight is not None:
                path = self._recording.folder / calibration
                self._sight.place(camera, path if calibration else None)

    def _look(self, moment: RecordedLook) -> None:
        seen = self._seen
        if moment.picture:
            seen.images[moment.camera], remark = self._recording.picture(moment)
            seen.name = moment.picture
            seen.kept += 1
            if remark:
                self._notes.remarks.append(remark)
        image = seen.images.get(moment.camera)
        if image is None:
            return
        seen.looked += 1
        self._table.eyes.look(Picture(image, moment.taken_s, seen.looked))
        self._follow(seen.name)

    def _follow(self, cause: str) -> None:
        """Let the session take in what has come, and note what followed from it."""
        session = self._table.session
        before = session.snapshot.seq
        try:
            session.drain()
        except Exception as error:  # a running table would go on too
            logger.exception("the session could not process %s", cause)
            self._notes.remarks.append(f"{cause}: the program met a fault: {error}")
        for seq in range(before + 1, session.snapshot.seq + 1):
            self._notes.causes[seq] = cause


def _no_source() -> "_Nothing":
    return _Nothing()


class _RecordedBoard:
    """The recorded board: the recording has its words; that it was there decides who reads dice."""

    def start(self) -> None:
        """Nothing starts here."""

    def stop(self) -> None:
        """Nor ends."""

    def acknowledge(self, reading: Reading) -> None:
        """Nobody waits for it."""

    def health(self, now_s: float) -> SourceHealth:
        """It was there."""
        return SourceHealth("board", "live")


class _Nothing:
    """A replay's pictures do not come through the camera's thread."""

    def read(self) -> Image | None:
        return None
