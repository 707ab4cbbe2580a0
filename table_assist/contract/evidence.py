"""A kept picture of what was decided or doubted, as the pages know it."""

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Evidence:
    """The camera's picture when something was decided or doubted.

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

    @property
    def digest(self) -> str:
        """The sha256 of picture, readings and crop, as the log vouches for them."""
        return digest_of(self.jpeg, self.readings, self.crop)


def digest_of(jpeg: bytes, readings: str, crop: bytes) -> str:
    """The sha256 of the three's own."""
    parts = (jpeg, readings.encode(), crop)
    return digest_of_hashes(*(hashlib.sha256(each).hexdigest() for each in parts))


def digest_of_hashes(jpeg: str, readings: str, crop: str) -> str:
    """As `digest_of`, from their sha256."""
    return hashlib.sha256(bytes.fromhex(jpeg + readings + crop)).hexdigest()
