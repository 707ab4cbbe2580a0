"""Where it is kept how a phone sees the table."""

from pathlib import Path

from table_assist.settings.config import Config


def calibration_file(config: Config, device: str) -> Path:
    """The file of one phone's corners, beside that of a camera's.

    Args:
        device: the id of its session: hexadecimal digits.
    """
    path = Path(config.camera.calibration)
    return path.with_name(f"{path.stem}.{device}.json")
