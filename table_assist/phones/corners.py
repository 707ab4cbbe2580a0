"""Where the table lies in a picture: found or shown by a person, judged, kept."""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from table_assist.languages.words import NOTHING, Words
from table_assist.settings.build import layout_of
from table_assist.settings.config import Config, Corners
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.weights import WeightsError
from table_assist.vision.table.calibration import (
    MOST_FORESHORTENED,
    Calibration,
    CalibrationError,
    KeptCalibration,
    load_calibration,
    parse_corners,
    save_calibration,
)
from table_assist.vision.table.camera_moved import reduced
from table_assist.vision.table.find_table import NOTHING_SEEN, FoundTable, find_table
from table_assist.vision.table.observation import seen_tile_mm
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.zone_views import ZoneView, zone_views

INSET = 0.1  # of the picture, where the corners begin when none were found
CUT_OFF = 0.02  # of the picture's shorter side, by which a corner lies outside it
# A tile's width in mm on a table taken for 800 wide. Mats are 600 wide and have large tiles;
# on a console, a tray or a poster that is taken for a table they would be giants.
SMALLEST_MM, LARGEST_MM = 20.0, 42.0


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


@dataclass(frozen=True, slots=True)
class FoundCorners:
    """Where the table was looked for.

    Attributes:
        corners: its own, or laid out to be dragged.
        says: what speaks against taking them unseen; nothing where they are sure.
        readings: what lies in the picture; None: nobody knows.
    """

    corners: Corners
    origin: CornersFrom
    says: Words = NOTHING
    readings: Readings | None = None

    def placed(self, corners: Corners) -> "FoundCorners":
        """A person's corners in the same picture."""
        return FoundCorners(corners, CornersFrom.PERSON, NOTHING, self.readings)


def find_corners(image: Image) -> FoundCorners:
    """Find the table's corners; sure only where the tiles on it have the size that they imply."""
    readings = seen_things(image)
    things = NOTHING_SEEN if readings is None else readings.boxes
    found = find_table(image, things)
    height, width = image.shape[:2]
    if found is None:
        reach = (0.5 - INSET) * min(width, height)
        x, y = width / 2, height / 2
        corners = ((x - reach, y + reach), (x + reach, y + reach))
        laid = (*corners, (x + reach, y - reach), (x - reach, y - reach))
        says = _NO_TABLE if readings is None or len(readings) < 3 else _NO_END
        return FoundCorners(laid, CornersFrom.NOWHERE, says, readings)
    cut = [word for word, is_cut in _cut_off(found, (width, height)) if is_cut]
    if cut:
        return FoundCorners(found.corners_px, CornersFrom.DOUBTED, cut[0], readings)
    try:
        calibration = Calibration(found.corners_px)
    except CalibrationError as error:
        says = Words("{error}.", "{error}。", error=error)
        return FoundCorners(found.corners_px, CornersFrom.DOUBTED, says, readings)
    seen = seen_tile_mm(readings, calibration)
    says = _LOOK if not found.is_sure else NOTHING
    if calibration.foreshortening >= MOST_FORESHORTENED:
        says = _FLAT
    else:
        says = _odd(seen) or (_UNCHECKED if seen is None else says)
    origin = CornersFrom.DOUBTED if says else CornersFrom.FOUND
    return FoundCorners(found.corners_px, origin, says, readings)


def _odd(seen_mm: float | None) -> Words:
    """What is wrong where tiles have no tile's size on a table of 800; nothing where they have."""
    if seen_mm is None or SMALLEST_MM <= seen_mm <= LARGEST_MM:
        return NOTHING
    return _OTHER_SIZE.filled(n=round(800 * TILE_MM / seen_mm))


def seen_things(image: Image) -> Readings | None:
    """What lies in a picture; None where there are no networks."""
    reader = _reader()
    return None if reader is None else reader.read(image)


@cache
def _reader() -> Reader | None:
    try:
        return open_reader()
    except WeightsError:  # told elsewhere
        return None


def _cut_off(found: FoundTable, size_wh: tuple[int, int]) -> Iterator[tuple[Words, bool]]:
    across, down = zip(*found.corners_px, strict=True)
    room = CUT_OFF * min(size_wh)
    yield _CUT_LEFT, min(across) < -room
    yield _CUT_RIGHT, max(across) > size_wh[0] + room
    yield _CUT_FAR, min(down) < -room
    yield _CUT_NEAR, max(down) > size_wh[1] + room


def judge_corners(
    config: Config,
    image: Image,
    found: FoundCorners,
    well_mm: float | None = None,
) -> JudgedCorners:
    """The zones that follow from corners, and why they cannot be kept; `well_mm` as it is kept."""
    if found.origin is CornersFrom.NOWHERE:
        return JudgedCorners((), found.says or _NO_TABLE)
    try:
        calibration = Calibration(parse_corners(found.corners), config.camera.side_mm)
        calibration.check_inside((image.shape[1], image.shape[0]))
    except CalibrationError as error:
        return JudgedCorners((), Words("{error}.", "{error}.", error=error))
    zones = zone_views(image, calibration, layout_of(config, well_mm))
    refused = next((zone.refused for zone in zones if zone.refused is not None), None)
    return JudgedCorners(zones, _odd(seen_tile_mm(found.readings, calibration)) or refused)


def keep_corners(
    config: Config, image: Image, found: FoundCorners, path: Path, well_mm: float | None = None
) -> KeptCalibration:
    """Write them down, with the picture by which a moved camera is noticed.

    Args:
        well_mm: the window over the dice; None: as it was kept before.

    Raises:
        CalibrationError: they describe no table, or cannot be written.
    """
    calibration = Calibration(parse_corners(found.corners), config.camera.side_mm)
    kept = KeptCalibration(
        calibration,
        (image.shape[1], image.shape[0]),
        reduced(image),
        datetime.datetime.now(datetime.UTC).date().isoformat(),
        kept_well(path) if well_mm is None else well_mm,
        seen_tile_mm(found.readings, calibration),
    )
    save_calibration(path, kept)
    return kept


def kept_well(path: Path) -> float | None:
    """The window over the dice that is kept there; None: none was marked."""
    try:
        return load_calibration(path).well_mm
    except CalibrationError:
        return None


_NO_TABLE = Words(
    "The table was not found: drag the four corners to where it ends.",
    "未能找到牌桌：请将四个角拖到桌面边角处。",
)
_NO_END = Words(
    "Tiles are seen, but not where the table ends: drag the four corners there.",
    "看到了牌，但看不出桌面到哪里为止：请将四个角拖到桌面边角处。",
)
_CUT_LEFT = Words(
    "The table is cut off at the left: turn the camera to the left, or move it back.",
    "牌桌左边被截断：请将摄像头向左转，或移远。",
)
_CUT_RIGHT = Words(
    "The table is cut off at the right: turn the camera to the right, or move it back.",
    "牌桌右边被截断：请将摄像头向右转，或移远。",
)
_CUT_FAR = Words(
    "The table is cut off at the far side: tilt the camera up, or move it back.",
    "牌桌远端被截断：请将摄像头上仰，或移远。",
)
_CUT_NEAR = Words(
    "The table is cut off at the near side: tilt the camera down, or move it back.",
    "牌桌近端被截断：请将摄像头下俯，或移远。",
)
_FLAT = Words(
    "The table is seen too flat: put the camera higher.", "看桌面的角度太平：请将摄像头放高。"
)
_UNCHECKED = Words(
    "Too few tiles lie on it to check its size: lay some, and find it again.",
    "桌上的牌太少，无法核对大小：请摆几张，再重新查找。",
)
_OTHER_SIZE = Words(
    "By the tiles, what was found is {n} mm wide: no table, or only a part of one.",
    "按牌的大小推算，找到的东西宽 {n} 毫米：不是牌桌，或只是其一部分。",
)
_LOOK = Words("Look at the corners: are they where the table ends?", "请核对四角是否在桌边。")
