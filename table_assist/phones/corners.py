"""Where the table lies in a picture: found or shown by a person, judged, kept."""

import datetime
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from table_assist.languages.words import Words
from table_assist.settings.build import layout_of
from table_assist.settings.config import Config, Corners
from table_assist.vision.pictures.picture import Image
from table_assist.vision.table.calibration import (
    Calibration,
    CalibrationError,
    KeptCalibration,
    load_calibration,
    parse_corners,
    save_calibration,
)
from table_assist.vision.table.camera_moved import reduced
from table_assist.vision.table.find_table import find_table
from table_assist.vision.table.zone_views import ZoneView, zone_views

INSET = 0.1  # of the picture, where the corners begin when none were found


class CornersFrom(StrEnum):
    """Where the corners come from."""

    FOUND = "found"  # for sure
    DOUBTED = "doubted"  # found, and a person should look
    NOWHERE = "nowhere"  # laid out to be dragged
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class JudgedCorners:
    """Corners in a picture.

    Attributes:
        zones: as they would be read.
        refused: why these corners cannot be kept; None when they can.
    """

    zones: tuple[ZoneView, ...]
    refused: Words | None


def find_corners(image: Image) -> tuple[Corners, CornersFrom]:
    """The table's corners; where it is not found they are laid out to be dragged."""
    found = find_table(image)
    if found is not None:
        return found.corners_px, CornersFrom.FOUND if found.is_sure else CornersFrom.DOUBTED
    height, width = image.shape[:2]
    reach = (0.5 - INSET) * min(width, height)
    x, y = width / 2, height / 2
    corners = ((x - reach, y + reach), (x + reach, y + reach))
    return (*corners, (x + reach, y - reach), (x - reach, y - reach)), CornersFrom.NOWHERE


def judge_corners(
    config: Config,
    image: Image,
    corners: Corners,
    origin: CornersFrom = CornersFrom.PERSON,
    well_mm: float | None = None,
) -> JudgedCorners:
    """The zones that follow from corners, and why they cannot be kept; `well_mm` as it is kept."""
    if origin is CornersFrom.NOWHERE:
        return JudgedCorners((), _NOT_SHOWN)
    try:
        calibration = Calibration(parse_corners(corners), config.camera.side_mm)
        calibration.check_inside((image.shape[1], image.shape[0]))
    except CalibrationError as error:
        return JudgedCorners((), Words("{error}.", "{error}.", error=error))
    zones = zone_views(image, calibration, layout_of(config, well_mm))
    return JudgedCorners(
        zones, next((zone.refused for zone in zones if zone.refused is not None), None)
    )


def keep_corners(
    config: Config, image: Image, corners: Corners, path: Path, well_mm: float | None = None
) -> KeptCalibration:
    """Write them down, with the picture by which a moved camera is noticed.

    Args:
        well_mm: the window over the dice; None: as it was kept before.

    Raises:
        CalibrationError: they describe no table, or cannot be written.
    """
    kept = KeptCalibration(
        Calibration(parse_corners(corners), config.camera.side_mm),
        (image.shape[1], image.shape[0]),
        reduced(image),
        datetime.datetime.now(datetime.UTC).date().isoformat(),
        kept_well(path) if well_mm is None else well_mm,
    )
    save_calibration(path, kept)
    return kept


def kept_well(path: Path) -> float | None:
    """The window over the dice that is kept there; None: none was marked."""
    try:
        return load_calibration(path).well_mm
    except CalibrationError:
        return None


_NOT_SHOWN = Words(
    "The table was not found: drag the four corners to where it ends.",
    "未能找到牌桌：请将四个角拖到桌面边角处。",
)
