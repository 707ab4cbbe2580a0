"""The events of a recorded table, moment by moment: the lines of ``journal.jsonl``.

Each line is a JSON object with ``t``, seconds since the recording began, and ``kind``. No two
moments of a recording have the same time: their order is the order in which the table took them.
"""

import json
from dataclasses import dataclass

from table_assist.contract.commands import Command
from table_assist.game.events import Attested
from table_assist.record.json_rows import from_row, to_row
from table_assist.vision.table.unseen import WhyUnseen


@dataclass(frozen=True, slots=True)
class Began:
    """The recording began; the log already had so many entries."""

    t: float
    earlier: int


@dataclass(frozen=True, slots=True)
class RecordedLook:
    """The watcher looked at a picture.

    Attributes:
        taken_s: when it was taken, by the camera's clock.
        picture: its file; empty where nothing had changed since the last one that has a file.
        crc: of the file's bytes (CRC-32).
        camera: whose picture it is, where there are several.
        counting: the cameras of which the newest view counts beside it.
    """

    t: float
    taken_s: float
    picture: str = ""
    crc: int = 0
    camera: str = ""
    counting: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordedHiding:
    """A picture showed nothing; ``camera`` and ``counting`` as of `RecordedLook`."""

    t: float
    taken_s: float
    why: WhyUnseen
    camera: str = ""
    counting: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordedPlace:
    """Somebody has shown where the table lies in a camera's pictures.

    Attributes:
        calibration: the file that says it; empty where it could not be used.
    """

    t: float
    camera: str
    calibration: str = ""


@dataclass(frozen=True, slots=True)
class RecordedWord:
    """Bytes came from the board; kept in ``serial.txt``, ``line`` of it."""

    t: float
    data: bytes
    line: int


@dataclass(frozen=True, slots=True)
class LineLost:
    """The link to the board was lost: half a line before belongs to none after it."""

    t: float


@dataclass(frozen=True, slots=True)
class Commanded:
    """A person gave a command; ``by`` says who, with name and role; ``key`` knows it again."""

    t: float
    command: Command
    by: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The command of the moment ``given_t`` was taken back before anything was done."""

    t: float
    given_t: float


@dataclass(frozen=True, slots=True)
class Vouched:
    """The log was to vouch for something beside the game."""

    t: float
    said: Attested


@dataclass(frozen=True, slots=True)
class RecordedCheck:
    """The sources' health was told to the session, as it is every second."""

    t: float


@dataclass(frozen=True, slots=True)
class RecordingEnd:
    """The recording was ended by the program: nothing is missing."""

    t: float


CaptureMoment = (
    Began
    | RecordedLook
    | RecordedHiding
    | RecordedPlace
    | RecordedWord
    | LineLost
    | Commanded
    | Withdrawn
    | Vouched
    | RecordedCheck
    | RecordingEnd
)

_KINDS: dict[str, type] = {
    "began": Began,
    "looked": RecordedLook,
    "hidden": RecordedHiding,
    "placed": RecordedPlace,
    "line lost": LineLost,
    "commanded": Commanded,
    "withdrawn": Withdrawn,
    "vouched": Vouched,
    "checked": RecordedCheck,
    "ended": RecordingEnd,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def moment_to_json(moment: CaptureMoment) -> str:
    """The line of a moment, without its line end.

    >>> moment_to_json(RecordedPlace(2.5, "ab12", "calibration.ab12.json"))
    '{"t":2.5,"kind":"placed","camera":"ab12","calibration":"calibration.ab12.json"}'
    """
    row = to_row(moment)
    kind = _NAMES[type(moment)]
    line = {"t": row.pop("t"), "kind": kind, **{key: row[key] for key in row if key != "type"}}
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def moment_from_json(text: str) -> CaptureMoment:
    """The moment of a line.

    Raises:
        ValueError: it is none; the message says what is wrong.
    """
    row = json.loads(text)
    if not isinstance(row, dict) or row.get("kind") not in _KINDS:
        raise ValueError(f"no moment: {text[:80]!r}")
    kind = _KINDS[row.pop("kind")]
    try:
        moment: CaptureMoment = from_row(kind, row)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"no moment: {error!r} in {text[:80]!r}") from error
    return moment
