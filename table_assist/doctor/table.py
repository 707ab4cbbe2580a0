"""Everything but the board, examined: settings, rules, networks, camera, light, record."""

import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from table_assist.config import Config
from table_assist.doctor.findings import Finding, Verdict
from table_assist.rules.profile import Profile
from table_assist.vision.advice import advise
from table_assist.vision.calibration import (
    Calibration,
    CalibrationError,
    load_calibration,
    parse_corners,
)
from table_assist.vision.camera import Camera, is_covered
from table_assist.vision.enrol import OwnSetError
from table_assist.vision.enrol_files import find_set
from table_assist.vision.read import Reader, open_reader
from table_assist.vision.recognise import UNKNOWN
from table_assist.vision.sources import CameraError, Image, VideoSource
from table_assist.vision.weights import WeightsError

CAMERA_S = 6.0
TILE_MM = 26.0  # the width of a usual tile
NEED_BYTES = 200 * 1024 * 1024


def rules_finding(profile: Profile) -> Finding:
    """Which rules are played."""
    named = "as the book has them"
    if profile.identity.options:
        changed = ", ".join(f"{name} = {value}" for name, value in profile.identity.options)
        named = f"with {changed}"
    return Finding("rules", Verdict.GOOD, f"{profile.name} ({profile.rules.id}), {named}.")


def eyes_finding(config: Config) -> tuple[Reader | None, Finding]:
    """Whether the networks are there and whole, and the table's own tile set with them."""
    started = time.monotonic()
    try:
        reader = open_reader(own_set=find_set(config.eyes.set))
    except WeightsError as error:
        return None, Finding("eyes", Verdict.BAD, f"{error}.", "Install the program anew.")
    except OwnSetError as error:
        return None, Finding("eyes", Verdict.BAD, f"{error}.", "Enrol the set anew: docs/ENROL.md.")
    took_s = time.monotonic() - started
    own = f" with the set {config.eyes.set}" if config.eyes.set else ""
    return reader, Finding("eyes", Verdict.GOOD, f"The reader is ready{own} after {took_s:.1f} s.")


def record_finding(config: Config) -> Finding:
    """Whether the evening can be written down."""
    path = Path(config.log.path)
    folder = next((p for p in (path.parent, *path.parent.parents) if p.exists()), Path())
    free = shutil.disk_usage(folder).free
    says = f"{path}: {free / 1e9:.1f} GB are free."
    if free < NEED_BYTES:
        return Finding("record", Verdict.BAD, says, "Make room: the record cannot be kept.")
    try:
        probe = folder / f".{path.name}.probe"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        return Finding(
            "record",
            Verdict.BAD,
            f"Nothing can be written to {folder}: {error.strerror}.",
            "Choose another folder: path under [log].",
        )
    return Finding("record", Verdict.GOOD, says)


def find_cameras(numbers: Iterable[int] = range(4)) -> tuple[int, ...]:
    """The numbers of the cameras that can be opened; on Linux only those that are there."""
    found = []
    for number in numbers:
        if sys.platform == "linux" and not Path(f"/dev/video{number}").exists():
            continue
        try:
            VideoSource(number).close()
        except CameraError:
            continue
        found.append(number)
    return tuple(found)


def no_camera_finding(found: Iterable[int]) -> Finding:
    """The settings name no camera."""
    numbers = ", ".join(str(number) for number in found)
    says = f"The settings name none; these can be opened: {numbers or 'none'}."
    advice = (
        f"Write source = {numbers[0]} under [camera]."
        if numbers
        else ("Plug a camera in, or name a stream or file under [camera], or keep score by hand.")
    )
    return Finding("camera", Verdict.DOUBT, says, advice)


def camera_findings(config: Config, camera: Camera, reader: Reader | None) -> Iterator[Finding]:
    """Whether pictures come, and whether tiles can be read in them."""
    with camera:
        picture = camera.take(timeout_s=CAMERA_S)
        health = camera.health()
    if picture is None:
        message = health.message or f"The camera gave no picture in {CAMERA_S:g} s."
        yield Finding(
            "camera",
            Verdict.BAD,
            message,
            "Check the cable, that no other program uses it, and the number under [camera].",
        )
        return
    height, width = picture.image.shape[:2]
    yield Finding("camera", Verdict.GOOD, f"Pictures of {width} × {height} come.")
    if is_covered(picture.image):
        yield Finding("picture", Verdict.BAD, "Nothing can be seen.", "Uncover the lens.")
    elif reader is not None:
        yield from picture_findings(picture.image, reader)
    yield corners_finding(config, width, height)


def picture_findings(image: Image, reader: Reader) -> Iterator[Finding]:
    """What is read in a picture, and what would make it readable."""
    readings = reader.read(image)
    unsure = readings.labels.count(UNKNOWN)
    says = f"{len(readings.labels)} tiles and dice are seen, {unsure} of them unsure."
    troubles = advise(image, readings)
    yield Finding("picture", Verdict.DOUBT if troubles else Verdict.GOOD, says)
    for trouble in troubles:
        yield Finding("picture", Verdict.DOUBT, trouble.words.en)


def corners_finding(config: Config, width: int, height: int) -> Finding:
    """Whether the table's corners are known, lie in the picture and are far enough apart."""
    corners = config.camera.corners
    kept = Path(config.camera.calibration)
    if not corners and config.camera.calibration and kept.exists():
        return kept_corners_finding(kept, width, height)
    if not corners:
        return Finding(
            "corners",
            Verdict.BAD,
            "The table's corners are not known.",
            "Run table-assist calibrate, or write corners = [[x, y], ...] under [camera]: near "
            "left, near right, far right, far left.",
        )
    outside = [c for c in corners if not (0 <= c[0] < width and 0 <= c[1] < height)]
    if outside:
        x, y = outside[0]
        return Finding(
            "corners",
            Verdict.BAD,
            f"The corner {x:g}, {y:g} lies outside of the picture of {width} × {height}.",
            "Take the corners from a picture of this very camera at this resolution.",
        )
    try:
        calibration = Calibration(parse_corners(corners), config.camera.side_mm)
    except CalibrationError as error:
        return Finding("corners", Verdict.BAD, f"{error}.", "Correct corners under [camera].")
    per_tile = calibration.px_per_mm * TILE_MM
    return Finding("corners", Verdict.GOOD, f"A tile is about {per_tile:.0f} px wide.")


def kept_corners_finding(path: Path, width: int, height: int) -> Finding:
    """Whether the corners that `calibrate` kept are for pictures of this size."""
    try:
        kept = load_calibration(path)
    except CalibrationError as error:
        return Finding("corners", Verdict.BAD, f"{error}.", "Run table-assist calibrate again.")
    if kept.size_wh != (width, height):
        return Finding(
            "corners",
            Verdict.BAD,
            f"They were kept for pictures of {kept.size_wh[0]} × {kept.size_wh[1]}, and the "
            f"camera gives {width} × {height}.",
            "Run table-assist calibrate again.",
        )
    per_tile = kept.calibration.px_per_mm * TILE_MM
    says = f"A tile is about {per_tile:.0f} px wide; calibrated on {kept.date}."
    return Finding("corners", Verdict.GOOD, says)
