"""The pictures of a trial: one of each camera at the end of each step."""

from dataclasses import replace
from pathlib import Path

from table_assist.phones.place import calibration_file
from table_assist.settings.config import Config

FOLDER = "steps"  # in the trial's


def picture_name(step: int, camera: str = "") -> str:
    """The file's name; the camera's is empty where there is one alone.

    >>> picture_name(3), picture_name(3, "ab12")
    ('0003.jpg', '0003.ab12.jpg')
    """
    return f"{step:04}.{camera}.jpg" if camera else f"{step:04}.jpg"


def taken(path: Path) -> tuple[int, str]:
    """At which step, and by which camera, a file was taken: `picture_name` again."""
    step, _, camera = path.stem.partition(".")
    return int(step), camera


def pictures_of(folder: Path, step: int) -> dict[str, Path]:
    """A step's files in the folder of pictures, by camera."""
    paths = (*folder.glob(f"{step:04}.jpg"), *sorted(folder.glob(f"{step:04}.*.jpg")))
    return {taken(path)[1]: path for path in paths}


def settings_for(config: Config, camera: str) -> Config:
    """The table's settings with the corners of that camera: each phone was shown its own."""
    if not camera:
        return config
    own = str(calibration_file(config, camera))
    return replace(config, camera=replace(config.camera, calibration=own))
