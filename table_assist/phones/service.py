"""A phone's page beside sending: it aims, keeps where the table lies, takes tiles.

Nothing of a picture is sent back: the phone has it, and gets places in it.
"""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from table_assist.languages.words import NOTHING, Words, phrase, words_of
from table_assist.phones.corners import (
    CornersFrom,
    FoundCorners,
    find_corners,
    judge_corners,
    keep_corners,
    known_tile,
)
from table_assist.phones.phones import PhoneError, Phones
from table_assist.settings.config import Config, Corners
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.recognise import UNKNOWN
from table_assist.vision.table.advice import advise
from table_assist.vision.table.aim import aim_of
from table_assist.vision.table.calibration import CalibrationError
from table_assist.vision.table.zone_views import ZoneView


def calibration_file(config: Config, device: str) -> Path:
    """The file of one phone's corners, beside that of a camera's.

    Args:
        device: the id of its session: hexadecimal digits.
    """
    path = Path(config.camera.calibration)
    return path.with_name(f"{path.stem}.{device}.json")


def kept_calibrations(config: Config) -> Iterator[Path]:
    """The files of all phones."""
    path = Path(config.camera.calibration)
    yield from path.parent.glob(f"{path.stem}.{12 * '[0-9a-f]'}.json")


@dataclass(frozen=True, slots=True)
class Aimed:
    """How a phone's picture is, for its page.

    Attributes:
        size_wh: of the picture; places are in its pixels.
        is_good: it may be kept, or taken, now.
        says: what to do, or what was found.
        corners: of the table; empty where it was not looked for.
        origin: where they come from.
        zones: that follow from them.
    """

    size_wh: tuple[int, int]
    is_good: bool
    says: Words
    corners: Corners = ()
    origin: CornersFrom = CornersFrom.NOWHERE
    zones: tuple[ZoneView, ...] = ()


@dataclass(frozen=True, slots=True)
class _Shown:
    """A picture, and where the table lies in it."""

    image: Image
    found: FoundCorners


class CameraService:
    """The phones of one table as their pages see them; any thread.

    Args:
        config: the settings as they are now.
        reader: reads tiles that are to be enrolled; None where that is not done now.
        add: keeps a picture of them; how many there are.
    """

    def __init__(
        self,
        phones: Phones,
        config: Callable[[], Config],
        *,
        reader: Callable[[], Reader] | None = None,
        add: Callable[[Image], int] | None = None,
    ) -> None:
        self.phones = phones
        self._config = config
        self._reader = reader
        self._add = add
        self._before: dict[str, Image] = {}
        self._shown: dict[str, _Shown] = {}
        self._lock = threading.RLock()

    @property
    def takes_tiles(self) -> bool:
        """Whether tiles can be enrolled now."""
        return self._add is not None

    def is_placed(self, device: str) -> bool:
        """Whether somebody has shown this phone where the table is."""
        return calibration_file(self._config(), device).exists()

    def aim(self, device: str) -> Aimed:
        """Look for the table in the phone's newest picture.

        Raises:
            PhoneError: none has come.
        """
        with self._lock:
            image, says = self._judged(device)
            size_wh = image.shape[1], image.shape[0]
            if says:
                self._shown.pop(device, None)
                return Aimed(size_wh, is_good=False, says=says)
            config = self._config()
            known = known_tile(config, calibration_file(config, device))
            self._shown[device] = _Shown(image, find_corners(image, known))
            return self._placed(device)

    def place(self, device: str, corners: Corners) -> Aimed:
        """A person's corners, in the picture that was aimed with last.

        Raises:
            PhoneError: there is none.
        """
        with self._lock:
            shown = self._aimed_with(device)
            self._shown[device] = _Shown(shown.image, shown.found.placed(corners))
            return self._placed(device)

    def turn(self, device: str) -> Aimed:
        """The next side is seat 0's.

        Raises:
            PhoneError: nothing was aimed at.
        """
        with self._lock:
            shown = self._aimed_with(device)
            found = shown.found
            turned = (*found.corners[1:], found.corners[0])
            self._shown[device] = _Shown(shown.image, replace(found, corners=turned))
            return self._placed(device)

    def keep(self, device: str) -> None:
        """Keep where the table is in this phone's pictures: they are read from now on.

        Raises:
            PhoneError: nothing was aimed at, or it cannot be kept.
        """
        with self._lock:
            shown, config = self._aimed_with(device), self._config()
            path = calibration_file(config, device)
            refused = judge_corners(config, shown.image, shown.found, path).refused
            if refused is not None:
                raise PhoneError.of(refused)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)  # of a table that is new
                keep_corners(config, shown.image, shown.found, path)
            except (CalibrationError, OSError) as error:
                said = words_of(error)
                raise PhoneError.of(said) from error
            self.phones.find(device).placed += 1

    def aim_at_tiles(self, device: str) -> Aimed:
        """Read the tiles in the phone's newest picture.

        Raises:
            PhoneError: none has come, or none are to be enrolled now.
        """
        with self._lock:
            if self._reader is None:
                raise PhoneError.of(_NO_TILES_NOW)
            image, says = self._judged(device)
            size_wh = image.shape[1], image.shape[0]
            if says:
                return Aimed(size_wh, is_good=False, says=says)
            readings = self._reader().read(image)
            advice = advise(image, readings)
            if advice:
                return Aimed(size_wh, is_good=False, says=advice[0].words)
            count, unsure = len(readings.labels), readings.labels.count(UNKNOWN)
            return Aimed(
                size_wh,
                is_good=True,
                says=phrase("service.tiles_are_seen", count=count, unsure=unsure),
            )

    def take_tiles(self, device: str) -> int:
        """Keep the newest picture for the enrolment; how many there are.

        Raises:
            PhoneError: none has come, or none are to be enrolled now.
        """
        with self._lock:
            if self._add is None:
                raise PhoneError.of(_NO_TILES_NOW)
            return self._add(self._newest(device))

    def _newest(self, device: str) -> Image:
        newest = self.phones.find(device).newest
        if newest is None:
            raise PhoneError("No picture of this phone has come yet.", "还没有收到这部手机的画面。")
        return newest

    def _judged(self, device: str) -> tuple[Image, Words]:
        """The newest picture, and what is wrong with it."""
        image = self._newest(device)
        before = self._before.get(device)
        if before is image:
            return image, _WAIT
        self._before[device] = image
        return image, NOTHING if (aim := aim_of(image, before)).amiss is None else aim.words

    def _placed(self, device: str) -> Aimed:
        shown = self._shown[device]
        found, config = shown.found, self._config()
        judged = judge_corners(config, shown.image, found, calibration_file(config, device))
        says = found.says or judged.refused or judged.doubt
        size_wh = shown.image.shape[1], shown.image.shape[0]
        return Aimed(
            size_wh, judged.refused is None, says, found.corners, found.origin, judged.zones
        )

    def _aimed_with(self, device: str) -> _Shown:
        shown = self._shown.get(device)
        if shown is None:
            raise PhoneError("Aim at the table first.", "请先对准牌桌。")
        return shown


_WAIT = Words("Waiting for the next picture.", "正在等下一张画面。")
_NO_TILES_NOW = phrase("service.tiles_are_made_known")
