"""``table-assist calibrate``: where the table lies in the camera's picture, found or shown."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from table_assist.languages.words import Words
from table_assist.phones.corners import (
    CornersFrom,
    FoundCorners,
    JudgedCorners,
    find_corners,
    judge_corners,
    keep_corners,
    kept_before,
    known_tile,
)
from table_assist.settings.config import Config, ConfigError, ConfigFault, Corners
from table_assist.settings.edit import layout_of, pictures_of
from table_assist.vision.pictures.camera import Camera
from table_assist.vision.pictures.picture import Image, jpeg, load_picture
from table_assist.vision.pictures.sources import CameraError
from table_assist.vision.table.calibration import CalibrationError
from web.serve import serve
from web.setup.calibrate import CalibrateView, create_calibrate_app

CAMERA_S = 10.0
END_S = 2.0  # so long the page may still ask, after all is done

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class WantedView:
    """The view to be calibrated, and how.

    Attributes:
        picture: a file instead of the camera's picture.
        accept: take the corners that are found for sure; nobody looks.
    """

    config: Config
    picture: Path | None = None
    accept: bool = False
    host: str = "127.0.0.1"
    port: int = 0


def calibrate(wanted: WantedView, say: Say) -> bool:
    """Find the table's corners, or let a person show them, and keep them; whether they are kept.

    Raises:
        ConfigError: the settings do not tell where to keep them, or the zones are wrong.
        CameraError: the camera gives no picture.
        PictureError: the file is no picture.
        CalibrationError: the corners cannot be written.
        PortUnavailableError: the page cannot be served.
        KeyboardInterrupt: the person gave up; nothing is kept.
    """
    if not wanted.config.camera.calibration:
        raise ConfigError(
            "camera.calibration is missing: where are the corners to be kept?",
            "camera.calibration",
            ConfigFault.MISSING,
        )
    desk = CalibrationService(wanted.config, _picture(wanted))
    if wanted.accept:
        return _accept(desk, say)
    serving = serve(create_calibrate_app(desk, wanted.host), wanted.host, wanted.port)
    try:
        say(f"Look at the table's corners: {serving.url}  (Ctrl-C gives up)")
        desk.wait_kept()
        say(desk.told)
        return True
    finally:
        serving.close()


def _accept(desk: "CalibrationService", say: Say) -> bool:
    view = desk.view
    if view.origin is not CornersFrom.FOUND or view.says:
        say(f"{view.says.en} Nothing is kept: calibrate without --yes, and show its corners.")
        return False
    refused = desk.save()
    say(desk.told if refused is None else refused.en)
    return refused is None


def _picture(wanted: WantedView) -> Image:
    if wanted.picture is not None:
        return load_picture(wanted.picture)
    source = wanted.config.camera.source
    if not source:
        raise ConfigError(
            "camera.source is missing: which camera is it? Or give --picture FILE",
            "camera.source",
            ConfigFault.MISSING,
        )
    with Camera(pictures_of(wanted.config)) as camera:
        picture = camera.next_picture(CAMERA_S)
        if picture is None:
            raise CameraError.of(
                camera.health().says
                or Words("{source} gave no picture", "{source} 没有画面", source=source)
            )
    return picture.image


@dataclass(slots=True)
class CalibrationService:
    """One picture and the corners in it; what the page looks at, from several threads.

    Attributes:
        told: after saving, where the corners are and whether they count.
    """

    config: Config
    image: Image
    told: str = ""
    picture: bytes = b""
    _well_mm: float | None = None
    _found: FoundCorners = field(init=False)
    _kept: threading.Event = field(default_factory=threading.Event)
    _seen: threading.Event = field(default_factory=threading.Event)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self.picture = jpeg(self.image)
        kept = kept_before(Path(self.config.camera.calibration))
        self._well_mm = kept.well_mm if kept else None
        self.find()

    @property
    def view(self) -> CalibrateView:
        """The page's view now."""
        with self._lock:
            judged = self._judged()
            return CalibrateView(
                size_wh=(self.image.shape[1], self.image.shape[0]),
                corners=self._found.corners,
                origin=self._found.origin,
                says=self._found.says or judged.doubt,
                zones=judged.zones,
                refused=judged.refused,
                is_kept=self._kept.is_set(),
                well_mm=layout_of(self.config, self._well_mm).well,
                most_well_mm=self.config.zones.centre,
            )

    def find(self) -> None:
        """Look for the table; where it is not found the corners are laid out to be dragged."""
        with self._lock:
            known = known_tile(self.config, Path(self.config.camera.calibration))
            self._found = find_corners(self.image, known)

    def place(self, corners: Corners) -> None:
        """The person's corners."""
        with self._lock:
            self._found = self._found.placed(corners)

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
            refused = self._judged().refused
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
        self._seen.wait(END_S)

    def _judged(self) -> JudgedCorners:
        path = Path(self.config.camera.calibration)
        return judge_corners(self.config, self.image, self._found, path, self._well_mm)
