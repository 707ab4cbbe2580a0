"""One hand's sightings as one file: a line of JSON each, packed; whole or not there at all."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench import BenchError
from bench.live.moments import (
    About,
    Happened,
    Heard,
    Lay,
    Looked,
    Moment,
    RecordedHand,
    Said,
)
from table_assist.record.json_rows import from_row, to_row
from table_assist.record.log import entry_from_json, entry_to_json

VERSION = 3  # 2 kept every box with its probabilities, in NumPy's arrays
ENDING = ".hand.gz"
MOST_BYTES = 512_000_000  # unpacked
_DAMAGES = (EOFError, KeyError, ValueError, TypeError, AttributeError, OSError, zlib.error)
_MOMENTS: dict[str, type] = {kind.__name__: kind for kind in (Looked, Heard, Said, Lay, Happened)}


def save_hand(hand: RecordedHand, path: Path) -> None:
    """Write a hand; the file is there when all of it is.

    Raises:
        BenchError: the place cannot be written to.
    """
    log = [entry_to_json(entry) for entry in hand.log]
    rows = ({"version": VERSION, "about": to_row(hand.about)}, log, *map(to_row, hand.moments))
    unfinished = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(unfinished, "wt", encoding="utf-8", compresslevel=6) as file:
            file.writelines(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
        unfinished.replace(path)
    except OSError as error:
        raise BenchError(f"{path} cannot be written: {error.strerror}") from error


def load_hand(path: Path) -> RecordedHand:
    """Read a hand.

    Raises:
        BenchError: there is none, it is damaged, or of another version.
    """
    rows = _rows(path)
    about = next(rows)
    try:
        log = tuple(map(entry_from_json, next(rows)))
        return RecordedHand(about, tuple(map(_moment, rows)), log)
    except _DAMAGES as error:
        raise BenchError(f"the recorded hand {path} is damaged: {error}") from error


def load_about(path: Path) -> About:
    """Read only which hand it is.

    Raises:
        BenchError: as `load_hand`, as far as it is read.
    """
    about: About = next(_rows(path))
    return about


def _moment(row: dict[str, Any]) -> Moment:
    moment: Moment = from_row(_MOMENTS[row["type"]], row)
    return moment


def _rows(path: Path) -> Iterator[Any]:
    """Which hand it is, its log, and then its moments."""
    left, version = MOST_BYTES, None
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            head = json.loads(file.readline(left))
            version = head["version"]
            if version == VERSION:
                yield from_row(About, head["about"])
                while line := file.readline(left):
                    left -= len(line)
                    yield json.loads(line)
                return
    except FileNotFoundError as error:
        raise BenchError(f"{path} cannot be read: {error.strerror}") from error
    except _DAMAGES as error:
        raise BenchError(f"the recorded hand {path} is damaged: {error}") from error
    raise BenchError(f"the recorded hand {path} has version {version!r}, expected {VERSION}")
