"""A kept picture of what was decided or doubted, as the pages know it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the camera saw when something was decided or doubted.

    Attributes:
        id: as the snapshot names it.
        t: when the picture was taken, seconds since the epoch.
        jpeg: the whole picture, nothing drawn on it.
        readings: what was read from it, as JSON text.
        crop: the part that is in question, as JPEG; empty for none.
        crop_px: where in the picture that is, x0, y0, x1, y1; None where it is not known any more.
    """

    id: str
    t: float
    jpeg: bytes
    readings: str = "{}"
    crop: bytes = b""
    crop_px: tuple[int, int, int, int] | None = None
