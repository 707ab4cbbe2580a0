"""`table-assist run --record` and `table-assist replay`."""

import json
import logging
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from firmware_bridge.receiver import Reading, Receiver
from table_assist.languages.words import Words
from table_assist.live.live_table import LiveTable, ToldBoard
from table_assist.live.manifest import (
    CaptureMoment,
    Commanded,
    LineLost,
    RecordedCheck,
    RecordedHiding,
    RecordedLook,
    RecordedPlace,
    RecordedWord,
    RecordingError,
    Vouched,
    Withdrawn,
    current_weights,
    make_manifest,
    program_version,
)
from table_assist.live.recorder import RECORDED_SERIAL, Recorder, Recording, load_recording
from table_assist.live.sight import Eye, Sight, Turn
from table_assist.record.course import differences
from table_assist.record.export import read_log
from table_assist.record.json_rows import to_row
from table_assist.record.log import Entry
from table_assist.record.store import Store
from table_assist.settings.config import BoardConfig, Config, LogConfig
from table_assist.settings.edit import kept_watcher, profile_of
from table_assist.vision.pictures.camera import Camera, Picture
from table_assist.vision.pictures.picture import Image
from table_assist.vision.pictures.sources import PHONE, SourceKind
from table_assist.vision.reading.read import Reader
from table_assist.vision.table.calibration import load_calibration

# Two logs of one evening beside each other.


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two logs differ.

    Attributes:
        recorded: the entry that was recorded; None: the replay has one more.
        replayed: the replay's entry; None: it has none here.
        cause: what the replayed entry came by; empty where there is none.
    """

    recorded: Entry | None
    replayed: Entry | None
    cause: str = ""

    @property
    def kind(self) -> str:
        """``differs``, ``missing`` or ``added``."""
        if self.recorded is None:
            return "added"
        return "missing" if self.replayed is None else "differs"


def compare(
    recorded: Sequence[Entry], replayed: Sequence[Entry], causes: dict[int, str]
) -> tuple[Difference, ...]:
    """Where they differ in what happened, or in who said so; times and confidences may differ.

    A picture that was kept as JPEG is read a little less or more surely than it was before. The
    sentences of a settlement are no facts either: another version may word them otherwise.
    """
    ours, theirs = [_key(entry) for entry in recorded], [_key(entry) for entry in replayed]
    found: list[Difference] = []
    for kind, a, b, c, d in differences(ours, theirs):
        if kind != "equal":
            for one, other in zip_longest(recorded[a:b], replayed[c:d]):
                cause = causes.get(other.seq, "") if other is not None else ""
                found.append(Difference(one, other, cause))
    return tuple(found)


def _key(entry: Entry) -> str:
    return f"{entry.source} {entry.origin} {_facts(to_row(entry.event))}"


def _facts(event: dict[str, Any]) -> dict[str, Any]:
    """All but the sentences; a correction holds an event in it."""
    return {
        name: _facts(value) if isinstance(value, dict) else value
        for name, value in event.items()
        if name != "steps"
    }


def _row(entry: Entry | None) -> dict[str, object] | None:
    if entry is None:
        return None
    return {"seq": entry.seq, "source": entry.source, "event": to_row(entry.event)}


def _told(entry: Entry, started_s: float) -> str:
    minutes, seconds = divmod(max(0.0, entry.t - started_s), 60)
    event = to_row(entry.event)
    values = ((name, str(value)) for name, value in event.items() if name != "type")
    fields = ", ".join(
        f"{name} {text if len(text) <= 80 else text[:79] + '…'}" for name, text in values
    )
    return (
        f"{int(minutes)}:{seconds:04.1f} entry {entry.seq} {entry.source} {event['type']} {fields}"
    )


# A recording followed again, by the very code that follows a table, on a clock of its own.

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


class _Table:
    """A live table whose threads are not started: every moment is taken in one after the other."""

    def __init__(self, recording: Recording, reader: Reader | None, log: Path) -> None:
        self._recording = recording
        self._clock = _Clock(recording.manifest.started_s)
        self._receiver = Receiver(baud=recording.config.board.baud)
        self._causes: dict[int, str] = {}
        self._remarks: list[str] = []
        # The picture of each camera that was kept last, and how many there were
        self._images: dict[str, Image] = {}
        self._name, self._looked, self._kept = "", 0, 0
        eyes = replace(recording.config.eyes, learns=False)  # it is read as it would be at first
        config = replace(recording.config, board=BoardConfig(), log=LogConfig(str(log)), eyes=eyes)
        self._config, self._reader = config, reader
        self._camera = Camera(SourceKind(_Nothing, _RECORDING, is_live=False), now=self._clock)
        by_phones = config.camera.source.whole == PHONE and reader is not None
        self._sight = Sight({}) if by_phones else None
        had_board = recording.config.board.is_there
        self._table = LiveTable(
            config,
            camera=self._camera if config.camera.source and not by_phones else None,
            reader=reader,
            now=self._clock,
            board=ToldBoard() if had_board else None,
            sight=self._sight,
        )

    def replay(self, moment: CaptureMoment) -> None:
        """Let it happen again."""
        self._clock.t = moment.t
        if self._sight is not None and isinstance(moment, RecordedLook | RecordedHiding):
            self._sight.turn = Turn(moment.camera, moment.counting)
        match moment:
            case RecordedLook():
                self._look(moment)
            case RecordedHiding(_, taken_s, why):
                self._table.eyes.blind(why, taken_s)
                self._follow("a picture that shows nothing")
            case RecordedPlace(_, camera, calibration) if self._sight is not None:
                watcher = None
                if calibration and self._reader is not None:
                    kept = load_calibration(self._recording.folder / calibration)
                    watcher = kept_watcher(self._config, self._reader, kept)
                self._sight.eyes = {**self._sight.eyes, camera: Eye(self._camera, watcher)}
            case RecordedWord(t, data, line):
                for item in self._receiver.feed(data, now_s=t, received_s=self._clock()):
                    if isinstance(item, Reading):
                        self._table.hear(item, self._receiver.stored)
                        self._follow(f"{RECORDED_SERIAL} line {line}")
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
        counts = self._looked, self._kept
        return Replayed(
            entries, self._causes, tuple(self._remarks), counts, round(self._clock.t, 3)
        )

    def _look(self, moment: RecordedLook) -> None:
        if moment.picture:
            self._images[moment.camera], remark = self._recording.picture(moment)
            self._name = moment.picture
            self._kept += 1
            if remark:
                self._remarks.append(remark)
        image = self._images.get(moment.camera)
        if image is None:
            return
        self._looked += 1
        self._table.eyes.look(Picture(image, moment.taken_s, self._looked))
        self._follow(self._name)

    def _follow(self, cause: str) -> None:
        """Let the session take in what has come, and note what followed from it."""
        session = self._table.session
        before = session.snapshot.seq
        try:
            session.drain()
        except Exception as error:  # a running table would go on too
            logger.exception("the session could not process %s", cause)
            self._remarks.append(f"{cause}: the program met a fault: {error}")
        for seq in range(before + 1, session.snapshot.seq + 1):
            self._causes[seq] = cause


class _Nothing:
    """A replay's pictures do not come through the camera's thread."""

    def read(self) -> Image | None:
        return None


def start_recording(config: Config, folder: Path) -> Recorder:
    """Begin to record a table that is about to run.

    Raises:
        ConfigError: the profile cannot be used.
        RecordingError: the folder holds something already, or cannot be made.
    """
    weights = current_weights(config.eyes.set) if config.camera.source else {}
    manifest = make_manifest(config, profile_of(config), weights, time.time())
    return Recorder(folder, manifest, config)


@dataclass(frozen=True, slots=True)
class ComparedReplay:
    """A recording and what it led to this time.

    Attributes:
        beyond: entries of the replay after the last one of a recording that breaks off: they may
            not have been written any more, and are no differences.
    """

    recording: Recording
    replayed: Replayed
    differences: tuple[Difference, ...]
    beyond: int
    remarks: tuple[str, ...]

    @property
    def is_same(self) -> bool:
        """The replay has led to the very log that was recorded."""
        return not self.differences

    def lines(self) -> Iterator[str]:
        """For people: the differences, and the sum of it."""
        yield from self.remarks
        for difference in self.differences:
            # A difference for people: ``-`` was recorded, ``+`` is the replay's
            if difference.recorded is not None:
                yield f"- {_told(difference.recorded, self.recording.manifest.started_s)}"
            if difference.replayed is not None:
                cause = f"   (from {difference.cause})" if difference.cause else ""
                yield f"+ {_told(difference.replayed, self.recording.manifest.started_s)}{cause}"
        recorded = len(self.recording.entries) - self.recording.earlier
        looked, kept = self.replayed.pictures
        yield (
            f"{self._verdict()}: {recorded} recorded entries, {looked} pictures looked at "
            f"({kept} kept), {self.replayed.lasted_s:.1f} s"
        )

    def to_json(self) -> str:
        """For programs, on one line."""
        looked, kept = self.replayed.pictures
        row = {
            "same": self.is_same,
            "recorded": len(self.recording.entries) - self.recording.earlier,
            "replayed": len(self.replayed.entries) - self.recording.earlier,
            "beyond": self.beyond,
            "pictures": looked,
            "pictures_kept": kept,
            "seconds": self.replayed.lasted_s,
            "remarks": list(self.remarks),
            "differences": [
                {
                    "kind": each.kind,
                    "recorded": _row(each.recorded),
                    "replayed": _row(each.replayed),
                    "cause": each.cause,
                }
                for each in self.differences
            ],
        }
        return json.dumps(row, ensure_ascii=False)

    def _verdict(self) -> str:
        if self.is_same:
            return "The same log"
        kinds = [difference.kind for difference in self.differences]
        told = [f"{kinds.count(kind)} {kind}" for kind in ("differs", "missing", "added")]
        return f"ANOTHER log ({', '.join(told)})"


def replay_folder(
    folder: Path, open_eyes: Callable[[Config], Reader], *, anyway: bool = False
) -> ComparedReplay:
    """Follow a recording again and compare the logs.

    Args:
        open_eyes: opens the reader for a table with a camera.
        anyway: also with other weights than it was recorded with.

    Raises:
        RecordingError: it is no recording, is damaged, or was made with other weights or rules.
    """
    recording = load_recording(folder)
    remarks = [] if anyway else list(_check_alike(recording))
    has_camera = bool(recording.config.camera.source)
    replayed = replay(recording, open_eyes(recording.config) if has_camera else None)
    ours, theirs = recording.entries, replayed.entries
    differences = compare(ours, theirs, replayed.causes)
    beyond = 0
    if not recording.is_whole:
        remarks.append("The recording breaks off: the program was killed, or its disk was full.")
        while differences and differences[-1].recorded is None:
            if differences[-1].replayed is not theirs[len(theirs) - 1 - beyond]:
                break
            differences, beyond = differences[:-1], beyond + 1
    return ComparedReplay(recording, replayed, differences, beyond, (*remarks, *replayed.remarks))


def _check_alike(recording: Recording) -> Iterator[str]:
    """Refuses what makes a comparison worthless; tells what may explain a difference."""
    manifest = recording.manifest
    if manifest.weights:
        now = current_weights(recording.config.eyes.set)
        for name, digest in manifest.weights.items():
            if now.get(name) != digest:
                raise RecordingError(
                    f"the recording {recording.folder} was made with other eyes: {name} "
                    f"{digest[:12]}…, now {now.get(name, 'none')[:12]}…; --anyway replays it still"
                )
    profile = profile_of(recording.config)
    if profile.hash != manifest.profile.get("hash"):
        raise RecordingError(
            f"the recording {recording.folder} was made under other rules than "
            f"{profile.id} has now; --anyway replays it still"
        )
    if manifest.program != program_version():
        yield f"Recorded by version {manifest.program}; this is version {program_version()}."
