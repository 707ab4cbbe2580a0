"""Where it is kept how a phone sees the table."""

from collections.abc import Iterator
from pathlib import Path

from table_assist.settings.config import Config


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
