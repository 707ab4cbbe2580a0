"""Everything but the board, examined: rules, networks, camera, light, record."""

import sys
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from table_assist.health.checks import Finding, Measured, State, found
from table_assist.health.measuring import free_bytes, size_of, temperature_c, write_error
from table_assist.languages.words import NONE, Words, same
from table_assist.live.corners import measured_tile_mm
from table_assist.record.store import InUseError, Store, StoreError
from table_assist.rules.profile import Profile
from table_assist.settings.config import Config
from table_assist.settings.edit import calibration_of, layout_of, set_tile_mm
from table_assist.trust.installation import InstallationKeyError, open_key
from table_assist.upkeep.backup.backup import Automatic, evidence_file
from table_assist.vision.enrolment.files import find_set
from table_assist.vision.pictures.camera import Camera, is_covered
from table_assist.vision.pictures.camera_names import camera_names
from table_assist.vision.pictures.sources import CameraError, VideoSource
from table_assist.vision.reading.own_set import OwnSetError
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.recognise import UNKNOWN
from table_assist.vision.reading.weights import WeightsError
from table_assist.vision.table.advice import advise
from table_assist.vision.table.calibration import (
    LEAST_PX_PER_TILE,
    Calibration,
    CalibrationError,
    load_calibration,
    parse_corners,
)
from table_assist.vision.table.tile_size import TILE_MM, size_doubt

CAMERA_S = 6.0


def size_findings(config: Config, readings: Readings) -> Iterator[Finding]:
    """How large the tiles are, where enough of them lie side by side."""
    calibration, kept = calibration_of(config)
    measured = measured_tile_mm(readings, calibration, layout_of(config))
    if measured is None:
        return
    words = size_doubt(measured, set_tile_mm(config, kept))
    if words:
        yield found("tiles.odd", trouble=words)
        return
    per_tile = calibration.px_per_mm * measured
    yield found(
        "tiles.few_px" if per_tile < LEAST_PX_PER_TILE else "tiles.fine",
        measured=f"{measured:.0f}",
        per_tile=f"{per_tile:.0f}",
        least=f"{LEAST_PX_PER_TILE:.0f}",
    )


def measure_machine(config: Config, automatic: Automatic | None, now_s: float) -> Measured:
    """What the table runs on, running or not."""
    log = Path(config.log.path)
    folder = next((each for each in log.absolute().parents if each.exists()), log.parent)
    return Measured(
        now_s,
        free_bytes=free_bytes(log),
        log_bytes=size_of(log),
        log_error=write_error(folder / log.name),
        evidence_bytes=size_of(evidence_file(config)) or 0,
        temperature_c=temperature_c(),
        backup_s=None if automatic is None else automatic.last_s,
        backups_on=automatic is not None and automatic.is_on,
        backup_trouble="" if automatic is None else automatic.trouble,
        has_entries=log.exists(),
    )


def rules_finding(profile: Profile) -> Finding:
    """Which rules are played."""
    named = Words("as the book has them", "按规则书")
    if profile.identity.options:
        changed = ", ".join(f"{name} = {value}" for name, value in profile.identity.options)
        named = Words("with {changed}", "改动：{changed}", changed=changed)
    return found("rules.played", what=f"{profile.name} ({profile.rules.id})", named=named)


def eyes_finding(config: Config) -> tuple[Reader | None, Finding]:
    """Whether the networks are there and whole, and the table's own tile set with them."""
    started = time.monotonic()
    own = config.eyes.set
    try:
        reader = open_reader(own_set=find_set(own))
    except WeightsError as error:
        return None, found("eyes.no_weights", trouble=error)
    except OwnSetError as error:
        return None, found("eyes.no_set", trouble=error)
    took_s = f"{time.monotonic() - started:.1f}"
    return reader, found("eyes.own_set" if own else "eyes.ready", own=own, took_s=took_s)


def key_finding() -> Finding:
    """By which fingerprint this installation's files are known."""
    try:
        return found("key.there", shown=open_key().fingerprint)
    except InstallationKeyError as error:
        return found("key.none", trouble=error)


def record_finding(config: Config) -> Finding | None:
    """Whether the log is what was written, every seal checked; None where there is none yet."""
    path = Path(config.log.path)
    if not path.exists():
        return None
    try:
        with Store(path, reads_only=True) as store:
            return found("record.whole", count=len(store.load()))
    except InUseError:
        return found("record.in_use")
    except StoreError as error:
        return found("record.damaged", trouble=error)


def find_cameras(without: Collection[int] = ()) -> dict[int, str]:
    """Number and name of the cameras that can be opened; names are empty where none is told.

    Where another system than Linux lists its cameras, they are believed: opening each to find out
    can take 12 s there.

    Args:
        without: numbers that are left alone.
    """
    names = camera_names()
    if names is not None and sys.platform != "linux":
        return {number: name for number, name in names.items() if number not in without}
    cameras = {}
    for number in sorted(names) if names is not None else range(4):
        if number in without:
            continue
        try:
            VideoSource(number).close()
        except CameraError:
            continue
        cameras[number] = (names or {}).get(number, "")
    return cameras


def no_camera_finding(cameras: Mapping[int, str]) -> Finding:
    """The settings name no camera."""
    listed = ", ".join(f"{n} ({name})" if name else str(n) for n, name in cameras.items())
    return found(
        "camera.named_none" if cameras else "camera.nowhere",
        listed=same(listed) if listed else NONE,
        number=next(iter(cameras), ""),
    )


def camera_findings(config: Config, camera: Camera, reader: Reader | None) -> Iterator[Finding]:
    """Whether pictures come, and whether tiles can be read in them."""
    with camera:
        picture = camera.next_picture(timeout_s=CAMERA_S)
        health = camera.health()
    if picture is None:
        silent = found("camera.silent", camera_s=f"{CAMERA_S:g}")
        yield replace(silent, says=health.says or silent.says)
        return
    height, width = picture.image.shape[:2]
    yield found("camera.gives", width=width, height=height)
    readings, corners = None, corners_finding(config, width, height)
    if is_covered(picture.image):
        yield found("picture.covered")
    elif reader is not None:
        readings = reader.read(picture.image)
        # A picture's readings, and advice to make it readable
        where = calibration_of(config)[0] if corners.state is State.GOOD else None
        troubles = advise(picture.image, readings, where)
        unsure = readings.labels.count(UNKNOWN)
        read = found("picture.read", count=len(readings.labels), unsure=unsure)
        yield replace(read, state=State.DOUBT) if troubles else read
        for trouble in troubles:
            yield found("picture.advised", trouble=trouble.words)
    yield corners
    if readings is not None and corners.state is State.GOOD:
        yield from size_findings(config, readings)


def corners_finding(config: Config, width: int, height: int) -> Finding:
    """Whether the table's corners are known, lie in the picture and are far enough apart."""
    corners = config.camera.corners
    path = Path(config.camera.calibration)
    size = {"width": width, "height": height}
    if not corners and config.camera.calibration and path.exists():
        try:
            kept = load_calibration(path)
        except CalibrationError as error:
            return found("corners.unread", trouble=error)
        if kept.size_wh != (width, height):
            kept_w, kept_h = kept.size_wh
            return found("corners.other_size", kept_width=kept_w, kept_height=kept_h, **size)
        per_tile = f"{kept.calibration.px_per_mm * TILE_MM:.0f}"
        return found("corners.kept", per_tile=per_tile, date=kept.date)
    if not corners:
        return found("corners.unknown")
    outside = [c for c in corners if not (0 <= c[0] < width and 0 <= c[1] < height)]
    if outside:
        x, y = outside[0]
        return found("corners.outside", x=f"{x:g}", y=f"{y:g}", **size)
    try:
        calibration = Calibration(parse_corners(corners), config.camera.side_mm)
    except CalibrationError as error:
        return found("corners.wrong", trouble=error)
    return found("corners.right", per_tile=f"{calibration.px_per_mm * TILE_MM:.0f}")
