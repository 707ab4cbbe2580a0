"""A table made of its settings: its rules, where it lies in the picture, who reads it."""

from dataclasses import replace
from pathlib import Path

from table_assist.rules.options import OptionError
from table_assist.rules.profile import Profile, ProfileError, load_profile, plain_profile
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.settings.config import Config, ConfigError, ConfigFault
from table_assist.vision.enrolment.files import load_samples, sets_folder
from table_assist.vision.pictures.sources import SourceKind, find_source, mirrored
from table_assist.vision.reading.incremental import LiveReader
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.recognise import OnnxRecogniser
from table_assist.vision.table.calibration import (
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

LEARNT = ".sets"  # the folder beside the log in which cameras keep what they learn of the set


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
            kept = _with_size(config, load_calibration(Path(camera.calibration)))
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
    return _watcher(config, reader, kept.calibration, _with_size(config, kept), camera)


def _with_size(config: Config, kept: KeptCalibration) -> KeptCalibration:
    """With the tiles' size that the settings name, if they name one."""
    return replace(kept, tile_mm=config.eyes.tile_mm or kept.tile_mm)


def _watcher(
    config: Config,
    reader: Reader,
    calibration: Calibration,
    kept: KeptCalibration | None,
    camera: str = "camera",
) -> Watcher:
    stretch = calibration.foreshortening
    lessons = None
    if config.eyes.learns and isinstance(reader.recogniser, OnnxRecogniser):
        pupil = reader.recogniser.apart()
        reader = replace(reader, recogniser=pupil)
        log, own = Path(config.log.path), config.eyes.set
        folder = log.with_name(log.name + LEARNT) / camera if camera and log.name else None
        shown = load_samples(own, sets_folder()) if own else ()
        lessons = TableLessons(pupil, reader.limits, folder, own or "set", shown, stretch)
    eyes = LiveReader(replace(reader, stretch=stretch), calibration.px_per_mm * TILE_MM)
    layout = layout_of(config, kept.well_mm if kept else None)
    well = Well(reader.recogniser, layout.well) if layout.well else None
    limits = reader.limits
    return Watcher(eyes, calibration, layout, limits=limits, kept=kept, well=well, lessons=lessons)
