"""The eyes' findings in each look of one hand, and all else that the program was told meanwhile.

A picture of the table is megabytes, and what was found in it some kilobytes. With these a way of
following a table is tried on a hand that was seen once, without drawing or reading it again.
A hand is one file: a line of JSON each, packed; whole or not there at all.
"""

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import BenchError
from firmware_bridge.events import EventContent
from firmware_bridge.messages import Hello
from firmware_bridge.receiver import EventsLost
from table_assist.contract.commands import Command
from table_assist.game.events import Event
from table_assist.record.json_rows import from_row, to_row
from table_assist.record.log import Entry, entry_from_json, entry_to_json
from table_assist.tiles.tile import Tile
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import Observation


@dataclass(frozen=True, slots=True)
class Looked:
    """A picture was looked at.

    Attributes:
        observation: what the session was told.
        attention: what of the table was wanted then.
        calibration: where the table was in the picture; None while that was not certain.
        moved_mm: the truth: how far the table lies from where the camera saw it first.
    """

    t: float
    observation: Observation
    attention: Attention
    calibration: Calibration | None = None
    moved_mm: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Heard:
    """The board said something."""

    t: float
    content: EventContent | EventsLost | Hello
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """A person gave a command."""

    t: float
    command: Command
    by: str = ""


@dataclass(frozen=True, slots=True)
class Lying:
    """The truth: one tile that lies or stands on the table, as `twin.scene.PlacedTile`."""

    tile: Tile
    x_mm: float
    y_mm: float
    turn_deg: float
    pose: str
    scale: float


@dataclass(frozen=True, slots=True)
class Lay:
    """The truth, which the program is never told: what is on the table from the next look on."""

    t: float
    tiles: tuple[Lying, ...]


@dataclass(frozen=True, slots=True)
class Happened:
    """The truth, which the program is never told: what people do now.

    Attributes:
        text: in the simulator's words.
    """

    t: float
    events: tuple[Event, ...] = ()
    text: str = ""


Moment = Looked | Heard | Said | Lay | Happened


@dataclass(frozen=True, slots=True)
class About:
    """Which hand it is, and how it was recorded.

    Attributes:
        corpus: for what it was recorded; a corpus that is kept for the end is not looked at before.
        kind: of table, as `bench.live.corpus` has them.
        rules: the rule set's id.
        hand: its number in the evening, from 1.
        heap: discards are thrown into the middle.
        faces: the tile set's name.
        own_set: the set that was made known to the reader; empty for none.
        program: the version of table-assist; the networks' SHA-256 stand in ``weights``.
        seconds: of one core that it took to record.
    """

    corpus: str
    kind: str
    rules: str
    seed: int
    hand: int
    heap: bool
    faces: str
    own_set: str
    size_wh: tuple[int, int]
    tilt_deg: float
    program: str
    weights: tuple[str, ...]
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class RecordedHand:
    """One hand.

    Attributes:
        moments: in the order in which they came.
        log: what the program that saw it live wrote down.
    """

    about: About
    moments: tuple[Moment, ...]
    log: tuple[Entry, ...]

    @property
    def truth(self) -> tuple[Event, ...]:
        """The true events, in their order."""
        happened = (each for each in self.moments if isinstance(each, Happened))
        return tuple(event for each in happened for event in each.events)


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
