"""``table-assist calibrate``: where the table lies in the camera's picture, found or shown."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from table_assist.languages.words import Words
from table_assist.live.corners import CalibrationService, CornersFrom
from table_assist.settings.config import Config, ConfigError, ConfigFault
from table_assist.settings.edit import pictures_of
from table_assist.vision.pictures.camera import Camera
from table_assist.vision.pictures.picture import Image, load_picture
from table_assist.vision.pictures.sources import CameraError
from web.serve import serve
from web.setup.calibrate import create_calibrate_app

CALIBRATE_CAMERA_S = 10.0

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
        view = desk.view
        if view.origin is not CornersFrom.FOUND or view.says:
            say(f"{view.says.en} Nothing is kept: calibrate without --yes, and show its corners.")
            return False
        refused = desk.save()
        say(desk.told if refused is None else refused.en)
        return refused is None
    serving = serve(create_calibrate_app(desk, wanted.host), wanted.host, wanted.port)
    try:
        say(f"Look at the table's corners: {serving.url}  (Ctrl-C gives up)")
        desk.wait_kept()
        say(desk.told)
        return True
    finally:
        serving.close()


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
        picture = camera.next_picture(CALIBRATE_CAMERA_S)
        if picture is None:
            raise CameraError.of(
                camera.health().says
                or Words("{source} gave no picture", "{source} 没有画面", source=source)
            )
    return picture.image
