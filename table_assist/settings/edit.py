"""Changing single keys of a settings file, from elsewhere, too; and what is built of them.

What a person wrote beside the changed keys (comments, order, keys of a later version) is theirs.
The file before the change is kept beside the new one.
"""

import difflib
import os
import tomllib
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import ParseError, TOMLKitError
from tomlkit.toml_document import TOMLDocument

from table_assist.languages.words import UserError
from table_assist.rules.options import OptionError
from table_assist.rules.profile import Profile, ProfileError, load_profile, plain_profile
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.settings.config import (
    Config,
    ConfigError,
    ConfigFault,
    decoded,
    no_toml,
    parse_config,
)
from table_assist.trust.installation import without_secrets
from table_assist.vision.enrolment.files import load_samples, sets_folder
from table_assist.vision.pictures.sources import SourceKind, find_source, mirrored
from table_assist.vision.reading.incremental import LiveReader
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.recognise import OnnxRecogniser
from table_assist.vision.table.calibration import (
    SEEN_FLAT,
    Calibration,
    CalibrationError,
    KeptCalibration,
    load_calibration,
    parse_corners,
)
from table_assist.vision.table.lessons import TableLessons
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.watcher import Watcher
from table_assist.vision.table.well import Well
from table_assist.vision.table.zones import Layout

PREVIOUS = ".previous"  # behind the file's own name
VERSIONS_KEPT = 5  # earlier versions beside the file


@dataclass(frozen=True, slots=True)
class Removed:
    """The key goes, and its default counts."""


REMOVED = Removed()
# By section and key, as ("camera", "source").
Changes = Mapping[tuple[str, str], object]


class EditError(UserError, ValueError):
    """The change cannot be made; the message is one sentence."""


def edit(text: str, changes: Changes) -> str:
    r"""The text with these keys changed.

    >>> edit("# mine\n[board]\nbaud = 9600 # slow\n", {("board", "baud"): 115200})
    '# mine\n[board]\nbaud = 115200 # slow\n'

    Raises:
        EditError: the text is no TOML, or a section in it is no table.
    """
    try:
        document = tomlkit.parse(text)
        for (section, key), value in changes.items():
            _change(document, section, key, value)
        edited = tomlkit.dumps(document)
        if not text:
            edited = edited.lstrip("\n")
    except (ParseError, TOMLKitError) as error:
        raise EditError(f"the settings are no TOML: {error}") from error
    # Nothing but the changes may have changed: the writer's own mistakes are found here
    try:
        expected, found = tomllib.loads(text), tomllib.loads(edited)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise EditError(f"the settings would be no TOML any more: {error}") from error
    for (section, key), value in changes.items():
        if isinstance(value, Removed):
            expected.get(section, {}).pop(key, None)
        else:
            expected.setdefault(section, {})[key] = value
    if found != expected:
        raise EditError("the settings are written in a way that cannot be changed by form")
    return edited


def differing(before: str, after: str, name: str = "") -> tuple[str, ...]:
    """The lines that differ, as a unified diff without the lines' ends; addresses hide secrets."""
    lines = before.splitlines(), after.splitlines()
    found = difflib.unified_diff(*lines, name, name, lineterm="", n=2)
    return tuple(without_secrets(line) for line in found)


def check(text: str, folder: Path) -> Config:
    """The settings that the text stands for.

    Raises:
        ConfigError: it is no TOML, or a key is unknown or wrong.
    """
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise no_toml(f"the settings are no TOML: {error}", error) from error
    return parse_config(table, folder)


def write(path: Path, text: str) -> None:
    """Replace the file, whole or not at all; what was there is kept as its previous version.

    Raises:
        EditError: it cannot be written; the file is as it was.
    """
    beside = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            if path.read_bytes() == beside.read_bytes():
                beside.unlink()
                return
            beside.chmod(path.stat().st_mode & 0o777)
            first = path.with_name(path.name + PREVIOUS)
            names = [
                first,
                *(
                    path.with_name(f"{path.name}{PREVIOUS}.{n}")
                    for n in range(2, VERSIONS_KEPT + 1)
                ),
            ]
            for older, newer in zip(reversed(names), reversed(names[:-1]), strict=False):
                if newer.exists():
                    newer.replace(older)
            copy = names[0].with_name(f".{names[0].name}.new")
            copy.write_bytes(path.read_bytes())
            copy.replace(names[0])
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise EditError(
            f"the settings {path} cannot be written: {(error.strerror or str(error)).lower()}"
        ) from error


def read_text(path: Path) -> str:
    """The file's text with its line ends as they are; empty where no file can be read.

    What is no UTF-8 is shown by the replacement character, so that a person can repair it.
    """
    try:
        return decoded(path.read_bytes(), errors="replace")
    except OSError:
        return ""


def _change(document: TOMLDocument, section: str, key: str, value: object) -> None:
    table: Any = document.get(section)
    if table is None:
        if isinstance(value, Removed):
            return
        table = tomlkit.table()
        if document.as_string().strip():
            document.add(tomlkit.nl())
        document.add(section, table)
        table = document[section]
    if not isinstance(table, MutableMapping):
        raise EditError(f"{section} must be a table, got {table!r}")
    if isinstance(value, Removed):
        if key in table:
            del table[key]
        return
    old = table.get(key)
    if isinstance(value, Mapping) and isinstance(old, MutableMapping):
        for name in [name for name in old if name not in value]:
            del old[name]
        for name, each in value.items():
            _set(old, name, each)
        return
    _set(table, key, value)


def _set(table: Any, key: str, value: object) -> None:
    """A value that stays the same keeps its own way of being written."""
    if key in table:
        old = table[key].unwrap()
        if old == value and type(old) is type(value):
            return
    if isinstance(value, Mapping):
        inline = tomlkit.inline_table()
        inline.update(value)
        table[key] = inline
    else:
        table[key] = tomlkit.item(value)


# Paths and addresses: only who sits at the machine sets them.
SET_HERE = (
    ("camera", "source"),
    ("camera", "calibration"),
    ("board", "port"),
    ("log", "path"),
    ("rules", "profile"),
    ("backup", "folder"),
    ("mqtt", "broker"),
    ("mqtt", "ca"),
    ("mqtt", "commands"),
    ("webhook", "address"),
    ("webhook", "key"),
    ("club", "pictures"),
)


# The folder beside the log in which cameras keep what they learn of the set
LEARNT_FOLDER = ".sets"


def profile_of(config: Config) -> Profile:
    """The house's profile, or the rule set with the options of the settings.

    Raises:
        ConfigError: there is no such rule set or option, or the profile cannot be used.
    """
    rules = config.rules
    try:
        if rules.profile:
            return load_profile(Path(rules.profile))
        chosen = find_rules(rules.id).with_options(rules.options)
        return plain_profile(chosen, rules.name, rules.house)
    except OptionError as error:
        raise ConfigError(f"rules: {error}", "rules.options", option=error.name) from error
    except ProfileError as error:
        raise ConfigError(f"rules: {error}", "rules.profile") from error
    except ValueError as error:
        raise ConfigError(f"rules: {error}", "rules.id") from error


def rules_of(config: Config) -> RuleSet:
    """The rule set with the house's options.

    Raises:
        ConfigError: as `profile_of`.
    """
    return profile_of(config).rules


def is_placed(config: Config) -> bool:
    """Whether somebody has shown where the table lies in the camera's pictures."""
    kept = config.camera.calibration
    return bool(config.camera.corners) or (bool(kept) and Path(kept).exists())


def calibration_of(config: Config) -> tuple[Calibration, KeptCalibration | None]:
    """The configured corners, or the kept ones where the settings name none.

    Raises:
        ConfigError: there are neither, or they do not fit a table.
    """
    camera = config.camera
    try:
        if camera.corners:
            return Calibration(parse_corners(camera.corners), camera.side_mm), None
        if camera.calibration and Path(camera.calibration).exists():
            kept = load_calibration(Path(camera.calibration))
            return kept.calibration, kept
    except CalibrationError as error:
        raise ConfigError(f"camera.corners: {error}", "camera.corners") from error
    raise ConfigError(
        "camera.corners is missing: run table-assist calibrate, or give the table's four corners "
        "in the picture as [x, y], near left, near right, far right, far left",
        "camera.corners",
        ConfigFault.MISSING,
    )


def pictures_of(config: Config) -> SourceKind:
    """Where the camera's pictures come from.

    Raises:
        CameraError: there is no such file or folder, or it holds no pictures.
    """
    kind = find_source(config.camera.source)
    return mirrored(kind) if config.camera.mirrored else kind


def layout_of(config: Config, well_mm: float | None = None) -> Layout:
    """The zones' borders.

    Args:
        well_mm: as the calibration's page marked it; None: as the settings say.

    Raises:
        ConfigError: they do not grow outwards.
    """
    zones = config.zones
    try:
        borders = zones.centre, zones.river, zones.wall, zones.melds, zones.edge
        return Layout(*borders, well=zones.well if well_mm is None else well_mm)
    except ValueError as error:
        raise ConfigError(f"zones: {error}", "zones") from error


def watcher_of(config: Config, reader: Reader) -> Watcher:
    """The watcher of the configured camera's pictures, with a memory of the set before it.

    Raises:
        ConfigError: the corners or the zones do not fit a table.
    """
    calibration, kept = calibration_of(config)
    return _watcher(config, reader, calibration, kept)


def kept_watcher(
    config: Config, reader: Reader, kept: KeptCalibration, camera: str = ""
) -> Watcher:
    """The watcher of a camera whose corners were kept beside the settings'.

    Args:
        camera: its name, under which it keeps what it learns.

    Raises:
        ConfigError: the zones do not fit a table.
    """
    return _watcher(config, reader, kept.calibration, kept, camera)


def set_tile_mm(config: Config, kept: KeptCalibration | None) -> float | None:
    """How wide a tile of the set is known to be: by the settings, or as it was kept; or None."""
    return config.eyes.tile_mm or (kept.tile_mm if kept else None)


def _watcher(
    config: Config,
    reader: Reader,
    calibration: Calibration,
    kept: KeptCalibration | None,
    camera: str = "camera",
) -> Watcher:
    flat = calibration.foreshortening
    stretch = flat if flat < SEEN_FLAT else 1.0  # one that is seen flatter is shown straight
    lessons = None
    if config.eyes.learns and isinstance(reader.recogniser, OnnxRecogniser):
        pupil = reader.recogniser.apart()
        reader = replace(reader, recogniser=pupil)
        log, own = Path(config.log.path), config.eyes.set
        folder = log.with_name(log.name + LEARNT_FOLDER) / camera if camera and log.name else None
        shown = load_samples(own, sets_folder()) if own else ()
        lessons = TableLessons(pupil, reader.limits, folder, own or "set", shown, stretch)
    eyes = LiveReader(replace(reader, stretch=stretch), calibration.px_per_mm * TILE_MM)
    layout = layout_of(config, kept.well_mm if kept else None)
    return Watcher(
        eyes,
        calibration,
        layout,
        limits=reader.limits,
        kept=kept,
        known_mm=set_tile_mm(config, kept),
        well=Well(reader.recogniser, layout.well) if layout.well else None,
        lessons=lessons,
    )
