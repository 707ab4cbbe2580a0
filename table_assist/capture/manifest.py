"""How a recording was made: ``manifest.json``, written once when it begins."""

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from table_assist.languages.words import UserError
from table_assist.parts import VERSION
from table_assist.rules.profile import Profile
from table_assist.settings.config import Config, ConfigError, parse_config
from table_assist.vision.enrolment.files import ENDING, sets_folder
from table_assist.vision.reading.weights import load_weights

# Changes when a recording can no longer be read as before.
# What earlier recordings name of settings that there are no more: time stamps, other sensors.
GONE = {"stamps", "map", "dice"}
FORMAT = 1
MANIFEST = "manifest.json"
PROFILE, CALIBRATION = "profile.toml", "calibration.json"


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


def system_name() -> str:
    """Operating system and Python."""
    return f"{platform.platform()}, Python {platform.python_version()}"


def make_manifest(
    config: Config, profile: Profile, weights: Mapping[str, str], started_s: float
) -> Manifest:
    """The manifest of a recording that begins now."""
    rules = {"id": profile.id, "rules": profile.rules.id, "hash": profile.hash}
    return Manifest(
        program_version(), system_name(), started_s, plain_settings(config), rules, weights
    )


def plain_settings(config: Config) -> dict[str, Any]:
    """The settings as JSON values, with the files beside them, and without passwords."""
    # An address prints itself without its secrets.
    settings: dict[str, Any] = json.loads(json.dumps(asdict(config), default=str))
    camera, rules = settings["camera"], settings["rules"]
    camera["calibration"] = CALIBRATION if camera["calibration"] else ""
    settings["rules"] = {"profile": PROFILE} if rules.pop("profile") else rules
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
    path = sets_folder() / f"{own_set}{ENDING}"
    if own_set and path.is_file():
        digests["set"] = hashlib.sha256(path.read_bytes()).hexdigest()
    return digests


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write it, whole or not at all.

    Raises:
        OSError: the folder cannot be written to.
    """
    content = {"format": FORMAT, **asdict(manifest)}
    beside = folder / f"{MANIFEST}.new"
    beside.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(folder / MANIFEST)


def read_manifest(folder: Path) -> Manifest:
    """Read what `write_manifest` wrote.

    Raises:
        RecordingError: there is none, it is of another format, or it is damaged.
    """
    path = folder / MANIFEST
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise RecordingError(f"{folder} is no recording: {path} cannot be read: {why}") from error
    except ValueError as error:
        raise RecordingError(f"the recording's {path} is damaged: {error}") from error
    found = content.get("format") if isinstance(content, dict) else None
    if found != FORMAT:
        raise RecordingError(
            f"the recording {folder} has format {found}; this program knows format {FORMAT}"
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
