"""Where the table lies in a picture: found or shown by a person, judged, kept."""

import datetime
import threading
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from pathlib import Path

from table_assist.languages.words import NOTHING, Words, phrase
from table_assist.settings.config import Config, Corners
from table_assist.settings.edit import layout_of
from table_assist.vision.pictures.picture import Image, jpeg
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
from table_assist.vision.table.observation import observe, seen_tile_mm
from table_assist.vision.table.tile_size import SIDE_MM, TILE_MM, is_same, no_table, size_doubt
from table_assist.vision.table.viewpoint import viewpoint
from table_assist.vision.table.zone_views import ZoneView, zone_views
from table_assist.vision.table.zones import Layout

INSET = 0.1  # of the picture, where the corners begin when none were found
CUT_OFF = 0.02  # of the picture's shorter side, by which a corner lies outside it
PAGE_END_S = 2.0  # so long the page may still ask, after all is done


class CornersFrom(StrEnum):
    """Where the corners come from."""

    FOUND = "found"  # for sure
    DOUBTED = "doubted"  # found, and a person should look
    NOWHERE = "nowhere"  # laid out to be dragged
    PERSON = "person"


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


def find_corners(image: Image, known: float | None = None) -> FoundCorners:
    """Find the table's corners; sure only where the tiles on it have the size that they imply.

    Args:
        known: how wide a tile of the set is, as `known_tile`.
    """
    readings = seen_things(image)
    found = find_table(image, NOTHING_SEEN if readings is None else readings.boxes, known)
    height, width = image.shape[:2]
    if found is None:
        reach = (0.5 - INSET) * min(width, height)
        x, y = width / 2, height / 2
        left, right, far, near = x - reach, x + reach, y - reach, y + reach
        laid = (left, near), (right, near), (right, far), (left, far)
        says = _NO_TABLE if readings is None or len(readings) < 3 else _NO_END
        return FoundCorners(laid, CornersFrom.NOWHERE, says, readings)
    if cut := _cut_off(found, (width, height)):
        return FoundCorners(found.corners_px, CornersFrom.DOUBTED, cut, readings)
    try:
        calibration = Calibration(found.corners_px)
    except CalibrationError as error:
        says = Words("{error}.", "{error}。", error=error.words)
        return FoundCorners(found.corners_px, CornersFrom.DOUBTED, says, readings)
    seen = measured_tile_mm(readings, calibration, Layout())
    says = (
        phrase("corners.table_is_seen_too")
        if calibration.foreshortening >= MOST_FORESHORTENED
        else size_doubt(seen, known and known * SIDE_MM)
    )
    says = says or (_UNCHECKED if seen is None else NOTHING if found.is_sure else _LOOK)
    origin = CornersFrom.DOUBTED if says else CornersFrom.FOUND
    return FoundCorners(found.corners_px, origin, says, readings)


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


def _cut_off(found: FoundTable, size_wh: tuple[int, int]) -> Words:
    """Where most of it is out of sight; nothing where all is in it."""
    x, y = zip(*found.corners_px, strict=True)
    beyond = -min(x), -min(y), max(x) - size_wh[0], max(y) - size_wh[1]
    if max(beyond) <= CUT_OFF * min(size_wh):
        return NOTHING
    return (_CUT_LEFT, _CUT_FAR, _CUT_RIGHT, _CUT_NEAR)[beyond.index(max(beyond))]


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
        kept.well_mm if well_mm is None and (kept := kept_before(path)) else well_mm,
        measured_tile_mm(found.readings, calibration, layout_of(config, well_mm)),
    )
    save_calibration(path, kept)
    return kept


def measured_tile_mm(
    readings: Readings | None, calibration: Calibration, layout: Layout
) -> float | None:
    """How wide a tile is in a picture: by neighbours, or by their boxes; None: too few are seen."""
    if readings is None:
        return None
    above = viewpoint(calibration, readings.size_wh)
    by_rows = observe(readings, calibration, layout, 0.0, above).measured_mm
    return by_rows or seen_tile_mm(readings, calibration)


def known_tile(config: Config, path: Path) -> float | None:
    """How wide a tile of the set is, as a share of the table's side; None: nobody knows.

    The settings say it, or what was kept: by the picture, or by an evening since.
    """
    kept = kept_before(path)
    if config.eyes.tile_mm or kept is None or kept.tile_mm is None:
        return config.eyes.tile_mm / config.camera.side_mm or None
    return kept.tile_mm / kept.calibration.side_mm


def keep_tile_mm(path: Path, calibration: Calibration | None, mm: float) -> None:
    """Write down what an evening measured, if the corners are still those that it was seen by."""
    kept = kept_before(path)
    if kept is None or kept.calibration != calibration or is_same(mm, kept.tile_mm or TILE_MM):
        return
    with suppress(CalibrationError):  # it is measured again
        save_calibration(path, replace(kept, tile_mm=mm))


def kept_before(path: Path) -> KeptCalibration | None:
    """What is kept there; None: nothing that can be read."""
    try:
        return load_calibration(path)
    except CalibrationError:
        return None


@dataclass(frozen=True, slots=True)
class CalibrateView:
    """What is shown of a picture, at the machine or on the phone that aims.

    Attributes:
        size_wh: of the picture.
        corners: of the table; empty where it was not looked for.
        refused: why these corners cannot be kept; None when they can.
        says: what speaks against taking them unseen.
        well_mm: the radius of the window over the dice, at most `most_well_mm`; 0: there is none.
    """

    size_wh: tuple[int, int]
    corners: Corners = ()
    origin: CornersFrom = CornersFrom.NOWHERE
    zones: tuple[ZoneView, ...] = ()
    refused: Words | None = None
    is_kept: bool = False
    says: Words = NOTHING
    well_mm: float = 0.0
    most_well_mm: float = 0.0


@dataclass(slots=True)
class CalibrationService:
    """One picture and the corners in it; what the page looks at, from several threads.

    Attributes:
        told: after saving, where the corners are and whether they count.
    """

    config: Config
    image: Image
    told: str = ""
    _well_mm: float | None = None
    _found: FoundCorners = field(init=False)
    _kept: threading.Event = field(default_factory=threading.Event)
    _seen: threading.Event = field(default_factory=threading.Event)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        kept = kept_before(Path(self.config.camera.calibration))
        self._well_mm = kept.well_mm if kept else None
        self.find()

    @property
    def picture(self) -> bytes:
        """The picture as JPEG."""
        return jpeg(self.image)

    @property
    def view(self) -> CalibrateView:
        """The page's view now."""
        with self._lock:
            found, layout = self._found, layout_of(self.config, self._well_mm)
            side_mm, path = self.config.camera.side_mm, Path(self.config.camera.calibration)
            size_wh = self.image.shape[1], self.image.shape[0]
            view = CalibrateView(
                size_wh,
                found.corners,
                found.origin,
                (),
                found.says or _NO_TABLE,
                self._kept.is_set(),
                found.says,
                layout.well,
                self.config.zones.centre,
            )
            if found.origin is CornersFrom.NOWHERE:
                return view
            try:
                calibration = Calibration(parse_corners(found.corners), side_mm)
                calibration.check_inside(size_wh)
            except CalibrationError as error:
                return replace(view, refused=Words("{error}.", "{error}。", error=error.words))
            zones = zone_views(self.image, calibration, layout)
            refused = next((zone.refused for zone in zones if zone.refused is not None), None)
            seen = measured_tile_mm(found.readings, calibration, layout)
            known = known_tile(self.config, path)
            says = found.says or size_doubt(seen, known and known * side_mm)
            return replace(view, zones=zones, refused=no_table(seen) or refused, says=says)

    def find(self) -> None:
        """Look for the table; where it is not found the corners are laid out to be dragged."""
        with self._lock:
            known = known_tile(self.config, Path(self.config.camera.calibration))
            self._found = find_corners(self.image, known)

    def place(self, corners: Corners) -> None:
        """The person's corners."""
        with self._lock:
            person = CornersFrom.PERSON
            self._found = replace(self._found, corners=corners, origin=person, says=NOTHING)

    def mark_well(self, radius_mm: float) -> None:
        """The window over the dice; 0: there is none."""
        with self._lock:
            self._well_mm = radius_mm

    def turn(self) -> None:
        """The next side is seat 0's."""
        with self._lock:
            corners = self._found.corners
            self._found = replace(self._found, corners=(*corners[1:], corners[0]))

    def save(self) -> Words | None:
        """Keep the corners; one sentence why not, or None."""
        with self._lock:
            refused = self.view.refused
            if refused is not None:
                return refused
            path = Path(self.config.camera.calibration)
            try:
                keep_corners(self.config, self.image, self._found, path, self._well_mm)
            except CalibrationError as error:
                return error.words
            self.told = f"The table's corners are kept in {path}."
            if self.config.camera.corners:
                self.told += " The settings name corners too, and those count: delete them."
            self._kept.set()
            return None

    def seen(self) -> None:
        """The page shows that all is done."""
        self._seen.set()

    def wait_kept(self) -> None:
        """Until the corners are kept and the page has shown it, or is gone."""
        while not self._kept.wait(0.5):
            pass
        self._seen.wait(PAGE_END_S)


_NO_TABLE = phrase("corners.table_was_not_found")
_NO_END = phrase("corners.tiles_are_seen_but")
_CUT_LEFT = phrase("corners.table_is_cut_off")
_CUT_RIGHT = phrase("corners.table_is_cut_off_at_the_right")
_CUT_FAR = phrase("corners.table_is_cut_off_at_the_far")
_CUT_NEAR = phrase("corners.table_is_cut_off_at_the_near")
_UNCHECKED = phrase("corners.too_few_tiles_lie")
_LOOK = Words("Look at the corners: are they where the table ends?", "请核对四角是否在桌边。")
