"""What a running table saw, heard and was told: kept in a folder that only grows, and read.

``manifest.json``, ``journal.jsonl`` (``capture.manifest``), ``serial.txt`` (as the bridge records),
``log.jsonl`` (the log's entries) and ``pictures/``. Every line is with the operating system before
the session takes what it tells: after a kill the folder can be read up to the line before.
"""

import heapq
import json
import shutil
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from firmware_bridge.line_recording import Chunk, read_chunks, write_chunk
from firmware_bridge.line_recording import LineRecordingError as SerialError
from table_assist.game.events import Attested
from table_assist.languages.words import NOTHING, phrase
from table_assist.live.manifest import (
    RECORDED_CALIBRATION,
    RECORDED_PROFILE,
    Began,
    CaptureMoment,
    Commanded,
    LineLost,
    Manifest,
    RecordedCheck,
    RecordedHiding,
    RecordedLook,
    RecordedPlace,
    RecordedWord,
    RecordingEnd,
    RecordingError,
    Vouched,
    Withdrawn,
    config_of,
    moment_from_json,
    moment_to_json,
    read_manifest,
    write_manifest,
)
from table_assist.record.commands import Command
from table_assist.record.log import Entry, entry_from_json, entry_to_json
from table_assist.record.snapshot import SourceHealth
from table_assist.record.store import Store
from table_assist.settings.config import Config
from table_assist.vision.pictures.camera import Picture
from table_assist.vision.pictures.motion import Watched, changed_blocks, renew, watch
from table_assist.vision.pictures.picture import Image, PictureError, jpeg, load_picture
from table_assist.vision.table.unseen import WhyUnseen

JOURNAL, RECORDED_SERIAL, RECORDED_LOG, PICTURES = (
    "journal.jsonl",
    "serial.txt",
    "log.jsonl",
    "pictures",
)
RECORDED_QUALITY = 90  # of a kept picture's JPEG
# The log is on the same disk as a rule, and needs its place more than the recording.
RESERVE_BYTES = 200_000_000
LONGEST_LINE = 1000  # bytes without a line end are noise
MOMENTS_APART_S = 1e-6  # between two moments at least: their times are their order


class Recorder:
    """Writes one recording. From any thread.

    When it cannot write any more, it stops for good, and says so in its `health`: the table goes
    on.

    Raises:
        RecordingError: the folder is there already, or cannot be made.
    """

    def __init__(
        self,
        folder: Path,
        manifest: Manifest,
        config: Config,
        *,
        steady: Callable[[], float] = time.monotonic,
        free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    ) -> None:
        """Begin.

        Args:
            folder: is made; must not hold anything yet.
            config: whose profile and calibration are copied.
            steady: a clock that is never set.
            free_bytes: the room left on the folder's disk.
        """
        self.folder = folder
        self._steady = steady
        self._free_bytes = free_bytes
        self._lock = threading.Lock()
        self._started_s = steady()
        self._t = -MOMENTS_APART_S
        self._kept = 0
        self._half = b""  # of a line of the board's
        self._references: dict[str, Watched] = {}  # of each camera
        self._placed: list[str] = []
        self._trouble = NOTHING
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise RecordingError(f"the folder {folder} is not empty: name a new one")
            (folder / PICTURES).mkdir()
            if config.rules.profile:
                shutil.copyfile(config.rules.profile, folder / RECORDED_PROFILE)
            if (path := config.camera.calibration) and Path(path).is_file():
                shutil.copyfile(path, folder / RECORDED_CALIBRATION)
            self._journal = _open(folder / JOURNAL)
            self._serial = _open(folder / RECORDED_SERIAL)
            self._log = _open(folder / RECORDED_LOG)
            write_manifest(folder, manifest)
        except OSError as error:
            raise RecordingError(
                f"nothing can be recorded in {folder}: {(error.strerror or str(error)).lower()}"
            ) from error

    @property
    def health(self) -> SourceHealth:
        """For the people at the table."""
        return SourceHealth("recording", "lost" if self._trouble else "live", self._trouble)

    def begin(self, earlier: Iterable[Entry]) -> None:
        """Note what the log holds already."""
        entries = tuple(earlier)
        self.entries(entries)
        self._keep(lambda t: Began(t, len(entries)))

    def looked(self, picture: Picture, camera: str = "", counting: tuple[str, ...] = ()) -> None:
        """A watcher has looked at a picture; it is kept where it shows anything new.

        Args:
            camera: as `RecordedLook`, with `counting`.
        """
        if self._trouble:
            return
        if not self._is_new(picture, camera):
            self._keep(lambda t: RecordedLook(t, picture.t_s, camera=camera, counting=counting))
            return
        data = jpeg(picture.image, RECORDED_QUALITY)
        self._kept += 1
        name = f"{PICTURES}/{self._kept:06}.jpg"
        try:
            if self._free_bytes(self.folder) < RESERVE_BYTES + len(data):
                megabytes = RESERVE_BYTES // 1_000_000
                raise OSError(0, f"less than {megabytes} MB would be left on its disk")
            (self.folder / name).write_bytes(data)
        except OSError as error:
            with self._lock:
                self._give_up(error)
            return
        self._keep(lambda t: RecordedLook(t, picture.t_s, name, zlib.crc32(data), camera, counting))

    def hidden(
        self, taken_s: float, why: WhyUnseen, camera: str = "", counting: tuple[str, ...] = ()
    ) -> None:
        """The picture of that time showed nothing; arguments as of `RecordedHiding`."""
        self._keep(lambda t: RecordedHiding(t, taken_s, why, camera, counting))

    def placed(self, camera: str, calibration: Path | None) -> None:
        """It was shown where the table lies in a camera's pictures; None: it cannot be used."""
        name = ""
        if calibration is not None:
            times = self._placed.count(camera)
            self._placed.append(camera)
            stem = Path(RECORDED_CALIBRATION).stem
            name = f"{stem}.{camera}.json" if not times else f"{stem}.{camera}-{times + 1}.json"
            try:
                shutil.copyfile(calibration, self.folder / name)
            except OSError as error:
                with self._lock:
                    self._give_up(error)
        self._keep(lambda t: RecordedPlace(t, camera, name))

    def heard(self, data: bytes) -> None:
        """Bytes came from the board."""
        with self._lock:
            self._half += data
            *lines, self._half = self._half.split(b"\n")
            for line in lines:
                self._write_heard(line + b"\n")
            if len(self._half) > LONGEST_LINE:
                self._write_half()

    def line_lost(self) -> None:
        """The link to the board was lost."""
        with self._lock:
            self._write_half()
        self._keep(LineLost)

    def commanded(self, command: Command, by: str = "", key: str = "") -> float:
        """A person gave a command. Returns by which time it is known in the recording."""
        return self._keep(lambda t: Commanded(t, command, by, key))

    def withdrawn(self, given_t: float) -> None:
        """The command of that time was taken back before anything was done."""
        self._keep(lambda t: Withdrawn(t, given_t))

    def vouched(self, said: Attested) -> None:
        """The log is to vouch for something beside the game."""
        self._keep(lambda t: Vouched(t, said))

    def checked(self) -> None:
        """The sources' health is told to the session."""
        self._keep(RecordedCheck)

    def entries(self, entries: Iterable[Entry]) -> None:
        """The log has gained entries."""
        lines = [entry_to_json(entry) for entry in entries]
        if lines:
            with self._lock:
                self._write(self._log, "\n".join(lines))

    def close(self) -> None:
        """End the recording: nothing is missing in it."""
        with self._lock:
            self._write_half()
        self._keep(RecordingEnd)
        with self._lock:
            for file in (self._journal, self._serial, self._log):
                try:
                    file.close()
                except OSError:  # what could not be written was told before
                    file.close()

    def _is_new(self, picture: Picture, camera: str) -> bool:
        """By the measure by which the eyes tell what to read again."""
        now = watch(picture.image)
        reference = self._references.get(camera)
        if reference is None or reference.size_wh != now.size_wh:
            self._references[camera] = now
            return True
        changed = changed_blocks(reference, now)
        if not changed.any():
            return False
        self._references[camera] = renew(reference, now, changed)
        return True

    def _write_heard(self, data: bytes) -> None:
        """With the time at which a line is complete: only then anything follows from it."""
        self._write(self._serial, write_chunk(Chunk(self._now(), data)))

    def _write_half(self) -> None:
        if self._half:
            self._write_heard(self._half)
        self._half = b""

    def _keep(self, moment: Callable[[float], CaptureMoment]) -> float:
        with self._lock:
            kept = moment(self._now())
            self._write(self._journal, moment_to_json(kept))
            return kept.t

    def _now(self) -> float:
        self._t = round(max(self._t + MOMENTS_APART_S, self._steady() - self._started_s), 6)
        return self._t

    def _write(self, file: TextIO, line: str) -> None:
        if self._trouble:
            return
        try:
            file.write(f"{line}\n")
            file.flush()
        except (OSError, ValueError) as error:  # ValueError: closed already
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        reason = getattr(error, "strerror", None) or str(error)
        reason = f"{reason[:1].lower()}{reason[1:]}"
        self._trouble = phrase("recorder.recording_stopped_the_table", reason=reason)


class NotingStore(Store):
    """A log whose entries are told to a recorder once they are on disk.

    Raises:
        StoreError: as `Store`.
    """

    def __init__(self, path: Path, note: Callable[[Iterable[Entry]], None]) -> None:
        super().__init__(path)
        self._note = note

    def append(self, entries: Iterable[Entry]) -> None:
        """As `Store.append`."""
        entries = tuple(entries)
        super().append(entries)
        self._note(entries)


def _open(path: Path) -> TextIO:
    return path.open("x", encoding="utf-8", newline="\n")


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording on disk.

    Attributes:
        config: the table's settings.
        entries: the log's, oldest first; the first ``earlier`` were there when it began.
        is_whole: the program ended it; else it breaks off, as after a kill or a full disk.
    """

    folder: Path
    manifest: Manifest
    config: Config
    entries: tuple[Entry, ...]
    earlier: int
    is_whole: bool

    def moments(self) -> Iterator[CaptureMoment]:
        """The moments, in order.

        Raises:
            RecordingError: a line is damaged.
        """
        return heapq.merge(_journal(self.folder), _serial(self.folder), key=lambda moment: moment.t)

    def picture(self, looked: RecordedLook) -> tuple[Image, str]:
        """The picture of a moment that has one, and a remark if it is not the one recorded.

        Raises:
            RecordingError: it is missing or damaged.
        """
        path = self.folder / looked.picture
        try:
            remark = ""
            if zlib.crc32(path.read_bytes()) != looked.crc:
                remark = f"{looked.picture} is not the picture that was recorded."
            return load_picture(path), remark
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise RecordingError(f"the recording's {path} cannot be read: {reason}") from error
        except PictureError as error:
            raise RecordingError(f"the recording is damaged: {error}") from error


def load_recording(folder: Path) -> Recording:
    """Open a recording; its moments and pictures are read later.

    Raises:
        RecordingError: it is none, or of another format, or damaged.
    """
    manifest = read_manifest(folder)
    path, entries = folder / RECORDED_LOG, list[Entry]()
    for number, line in _whole_lines(path):
        try:
            entry = entry_from_json(line)
        except (ValueError, AttributeError) as error:
            raise _damaged(path, number, error) from error
        if entry.seq != len(entries) + 1:
            raise RecordingError(
                f"the recording's {path} lacks entry {len(entries) + 1}: {entry.seq} comes next"
            )
        entries.append(entry)
    earlier: int | None = None
    is_whole = False
    for moment in _journal(folder):
        if isinstance(moment, Began):
            earlier = moment.earlier
        is_whole = isinstance(moment, RecordingEnd)
    if earlier is None or earlier > len(entries):
        raise RecordingError(f"the recording {folder} breaks off before it has begun")
    return Recording(
        folder, manifest, config_of(folder, manifest), tuple(entries), earlier, is_whole
    )


def _journal(folder: Path) -> Iterator[CaptureMoment]:
    path = folder / JOURNAL
    for number, line in _whole_lines(path):
        try:
            yield moment_from_json(line)
        except (ValueError, json.JSONDecodeError) as error:
            raise _damaged(path, number, error) from error


def _serial(folder: Path) -> Iterator[CaptureMoment]:
    path = folder / RECORDED_SERIAL
    for number, line in _whole_lines(path):
        try:
            for chunk in read_chunks([line]):
                yield RecordedWord(chunk.t_s, chunk.data, number)
        except SerialError as error:
            reason = str(error).partition(" is ")[2].rstrip(".")
            raise RecordingError(f"line {number} of the recording's {path} is {reason}") from error


def _whole_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines and their numbers; a last one that breaks off was never acted upon."""
    lines = _read(path).split("\n")
    yield from enumerate(lines[:-1], start=1)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise RecordingError(f"the recording's {path} cannot be read: {reason}") from error
    except UnicodeDecodeError:
        # A kill may leave half a character, at the very end only.
        text = path.read_bytes().decode("utf-8", "replace")
        if "\ufffd" in text.rpartition("\n")[0]:
            raise RecordingError(f"the recording's {path} is damaged: it is no text") from None
        return text


def _damaged(path: Path, number: int, error: Exception) -> RecordingError:
    return RecordingError(f"line {number} of the recording's {path} is damaged: {error}")
