"""A recording read back: its moments in order, its pictures, the log that it led to."""

import heapq
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.recording import LineRecordingError as SerialError
from firmware_bridge.recording import read_chunks
from table_assist.capture.manifest import Manifest, RecordingError, config_of, read_manifest
from table_assist.capture.moments import (
    Began,
    CaptureMoment,
    RecordedLook,
    RecordedWord,
    RecordingEnd,
    moment_from_json,
)
from table_assist.capture.recorder import JOURNAL, LOG, SERIAL
from table_assist.record.log import Entry, entry_from_json
from table_assist.settings.config import Config
from table_assist.vision.pictures.picture import Image, PictureError, load_picture


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
    entries = _entries(folder / LOG)
    earlier: int | None = None
    is_whole = False
    for moment in _journal(folder):
        if isinstance(moment, Began):
            earlier = moment.earlier
        is_whole = isinstance(moment, RecordingEnd)
    if earlier is None or earlier > len(entries):
        raise RecordingError(f"the recording {folder} breaks off before it has begun")
    return Recording(folder, manifest, config_of(folder, manifest), entries, earlier, is_whole)


def _entries(path: Path) -> tuple[Entry, ...]:
    entries: list[Entry] = []
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
    return tuple(entries)


def _journal(folder: Path) -> Iterator[CaptureMoment]:
    path = folder / JOURNAL
    for number, line in _whole_lines(path):
        try:
            yield moment_from_json(line)
        except (ValueError, json.JSONDecodeError) as error:
            raise _damaged(path, number, error) from error


def _serial(folder: Path) -> Iterator[CaptureMoment]:
    path = folder / SERIAL
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
