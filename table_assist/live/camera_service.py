"""A phone's page beside sending: it aims, keeps where the table lies, takes tiles.

Nothing of a picture is sent back: the phone has it, and gets places in it.
"""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from table_assist.languages.words import NOTHING, Words, phrase, words_of
from table_assist.live.corners import CalibrateView, CalibrationService
from table_assist.live.phones import PhoneError, Phones
from table_assist.settings.config import Config, Corners
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.recognise import UNKNOWN
from table_assist.vision.table.advice import advise
from table_assist.vision.table.aim import aim_of


def calibration_file(config: Config, device: str) -> Path:
    """The file of one phone's corners, beside that of a camera's.

    Args:
        device: the id of its session: hexadecimal digits.
    """
    path = Path(config.camera.calibration)
    return path.with_name(f"{path.stem}.{device}.json")


def placed_at(config: Config, device: str) -> Config:
    """The settings as they hold of one phone's pictures."""
    path = str(calibration_file(config, device))
    return replace(config, camera=replace(config.camera, calibration=path))


def kept_calibrations(config: Config) -> Iterator[Path]:
    """The files of all phones."""
    path = Path(config.camera.calibration)
    yield from path.parent.glob(f"{path.stem}.{12 * '[0-9a-f]'}.json")


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
        self.takes_tiles = add is not None  # whether they can be enrolled now
        self._add = add
        self._before: dict[str, Image] = {}
        self._shown: dict[str, CalibrationService] = {}
        self._lock = threading.RLock()

    def is_placed(self, device: str) -> bool:
        """Whether somebody has shown this phone where the table is."""
        return calibration_file(self._config(), device).exists()

    def aim(self, device: str) -> CalibrateView:
        """Look for the table in the phone's newest picture.

        Raises:
            PhoneError: none has come.
        """
        with self._lock:
            image, says = self._judged(device)
            size_wh = image.shape[1], image.shape[0]
            if says:
                self._shown.pop(device, None)
                return CalibrateView(size_wh, refused=says)
            self._shown[device] = CalibrationService(placed_at(self._config(), device), image)
            return self._shown[device].view

    def place(self, device: str, corners: Corners) -> CalibrateView:
        """A person's corners, in the picture that was aimed with last.

        Raises:
            PhoneError: there is none.
        """
        with self._lock:
            self._aimed_with(device).place(corners)
            return self._shown[device].view

    def turn(self, device: str) -> CalibrateView:
        """The next side is seat 0's.

        Raises:
            PhoneError: nothing was aimed at.
        """
        with self._lock:
            self._aimed_with(device).turn()
            return self._shown[device].view

    def keep(self, device: str) -> None:
        """Keep where the table is in this phone's pictures: they are read from now on.

        Raises:
            PhoneError: nothing was aimed at, or it cannot be kept.
        """
        with self._lock:
            shown = self._aimed_with(device)
            try:  # of a table that is new
                Path(shown.config.camera.calibration).parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise PhoneError.of(words_of(error)) from error
            if (refused := shown.save()) is not None:
                raise PhoneError.of(refused)
            self.phones.find(device).placed += 1

    def aim_at_tiles(self, device: str) -> CalibrateView:
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
                return CalibrateView(size_wh, refused=says)
            readings = self._reader().read(image)
            advice = advise(image, readings)
            if advice:
                return CalibrateView(size_wh, refused=advice[0].words)
            count, unsure = len(readings.labels), readings.labels.count(UNKNOWN)
            return CalibrateView(
                size_wh,
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
            return image, Words("Waiting for the next picture.", "正在等下一张画面。")
        self._before[device] = image
        return image, NOTHING if (aim := aim_of(image, before)).amiss is None else aim.words

    def _aimed_with(self, device: str) -> CalibrationService:
        shown = self._shown.get(device)
        if shown is None:
            raise PhoneError("Aim at the table first.", "请先对准牌桌。")
        return shown


_NO_TILES_NOW = phrase("service.tiles_are_made_known")
