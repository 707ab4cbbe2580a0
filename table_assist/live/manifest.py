"""How a recording was made (``manifest.json``), and what happened (``journal.jsonl``)."""

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from table_assist.game.events import Attested
from table_assist.languages.words import UserError
from table_assist.parts import VERSION
from table_assist.record.commands import Command
from table_assist.record.json_rows import from_row, to_row
from table_assist.rules.profile import Profile
from table_assist.settings.config import Config, ConfigError, parse_config
from table_assist.vision.enrolment.files import SET_SUFFIX, sets_folder
from table_assist.vision.reading.weights import load_weights
from table_assist.vision.table.unseen import WhyUnseen

# Changes when a recording can no longer be read as before.
# What earlier recordings name of settings that there are no more: time stamps, other sensors.
GONE = {"stamps", "map", "dice"}
RECORDING_FORMAT = 1
RECORDING_MANIFEST = "manifest.json"
RECORDED_PROFILE, RECORDED_CALIBRATION = "profile.toml", "calibration.json"


class RecordingError(UserError):
    """A recording that cannot be made or replayed; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """How a recording was made.

    Attributes:
        program: the version of table-assist.
        system: the machine's operating system and Python.
        started_s: seconds since the epoch.
        settings: as in the table's file; other files that it names are copied beside it.
        profile: ``id``, ``rules`` and ``hash`` of the house's profile.
        weights: sha256 by name: ``detector``, ``recogniser``, and ``set`` for an own tile set.
    """

    program: str
    system: str
    started_s: float
    settings: Mapping[str, Any]
    profile: Mapping[str, str]
    weights: Mapping[str, str]


def program_version() -> str:
    """The version of table-assist."""
    return VERSION


def make_manifest(
    config: Config, profile: Profile, weights: Mapping[str, str], started_s: float
) -> Manifest:
    """The manifest of a recording that begins now."""
    rules = {"id": profile.id, "rules": profile.rules.id, "hash": profile.hash}
    return Manifest(
        program_version(),
        f"{platform.platform()}, Python {platform.python_version()}",
        started_s,
        plain_settings(config),
        rules,
        weights,
    )


def plain_settings(config: Config) -> dict[str, Any]:
    """The settings as JSON values, with the files beside them, and without passwords."""
    # An address prints itself without its secrets.
    settings: dict[str, Any] = json.loads(json.dumps(asdict(config), default=str))
    camera, rules = settings["camera"], settings["rules"]
    camera["calibration"] = RECORDED_CALIBRATION if camera["calibration"] else ""
    settings["rules"] = {"profile": RECORDED_PROFILE} if rules.pop("profile") else rules
    settings["log"]["path"] = "log.sqlite"
    del settings["backup"]
    return settings


def current_weights(own_set: str = "") -> dict[str, str]:
    """The sha256 of the networks that this program would read with, and of the tile set.

    Raises:
        WeightsError: the networks are missing or damaged.
    """
    loaded = load_weights()
    digests = {
        "detector": hashlib.sha256(loaded.detector.network).hexdigest(),
        "recogniser": hashlib.sha256(loaded.recogniser.network).hexdigest(),
    }
    path = sets_folder() / f"{own_set}{SET_SUFFIX}"
    if own_set and path.is_file():
        digests["set"] = hashlib.sha256(path.read_bytes()).hexdigest()
    return digests


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write it, whole or not at all.

    Raises:
        OSError: the folder cannot be written to.
    """
    content = {"format": RECORDING_FORMAT, **asdict(manifest)}
    beside = folder / f"{RECORDING_MANIFEST}.new"
    beside.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(folder / RECORDING_MANIFEST)


def read_manifest(folder: Path) -> Manifest:
    """Read what `write_manifest` wrote.

    Raises:
        RecordingError: there is none, it is of another format, or it is damaged.
    """
    path = folder / RECORDING_MANIFEST
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise RecordingError(f"{folder} is no recording: {path} cannot be read: {why}") from error
    except ValueError as error:
        raise RecordingError(f"the recording's {path} is damaged: {error}") from error
    found = content.get("format") if isinstance(content, dict) else None
    if found != RECORDING_FORMAT:
        raise RecordingError(
            f"the recording {folder} has format {found}; this program knows "
            f"format {RECORDING_FORMAT}"
        )
    try:
        return Manifest(
            str(content["program"]),
            str(content["system"]),
            float(content["started_s"]),
            dict(content["settings"]),
            dict(content["profile"]),
            dict(content["weights"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise RecordingError(f"the recording's {path} is damaged: {error!r}") from error


def config_of(folder: Path, manifest: Manifest) -> Config:
    """The settings that the table ran with; files are looked for in the recording's folder.

    Raises:
        RecordingError: this program does not know such settings.
    """
    settings = {name: said for name, said in manifest.settings.items() if name not in GONE}
    if isinstance(board := settings.get("board"), dict):
        settings["board"] = {name: said for name, said in board.items() if name not in GONE}
    try:
        return parse_config(settings, folder)
    except ConfigError as error:
        raise RecordingError(f"the settings of the recording {folder}: {error}") from error


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

_MOMENT_KINDS: dict[str, type] = {
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
_MOMENT_NAMES = {kind: name for name, kind in _MOMENT_KINDS.items()}


def moment_to_json(moment: CaptureMoment) -> str:
    """The line of a moment, without its line end.

    >>> moment_to_json(RecordedPlace(2.5, "ab12", "calibration.ab12.json"))
    '{"t":2.5,"kind":"placed","camera":"ab12","calibration":"calibration.ab12.json"}'
    """
    row = to_row(moment)
    kind = _MOMENT_NAMES[type(moment)]
    line = {"t": row.pop("t"), "kind": kind, **{key: row[key] for key in row if key != "type"}}
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def moment_from_json(text: str) -> CaptureMoment:
    """The moment of a line.

    Raises:
        ValueError: it is none; the message says what is wrong.
    """
    row = json.loads(text)
    if not isinstance(row, dict) or row.get("kind") not in _MOMENT_KINDS:
        raise ValueError(f"no moment: {text[:80]!r}")
    kind = _MOMENT_KINDS[row.pop("kind")]
    try:
        moment: CaptureMoment = from_row(kind, row)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"no moment: {error!r} in {text[:80]!r}") from error
    return moment
