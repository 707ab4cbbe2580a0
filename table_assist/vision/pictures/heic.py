"""Pictures as iPhones take them (HEIC), opened by libheif."""

from io import BytesIO
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pi_heif

# The brand of the file's first box (ISO/IEC 23008-12, 10.2): still pictures coded with HEVC.
_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})


def is_heic(data: bytes) -> bool:
    """Whether the bytes begin as such a file does."""
    return data[4:8] == b"ftyp" and data[8:12] in _BRANDS


def heic_size(data: bytes) -> tuple[int, int]:
    """Width and height by the header, before anything is decoded.

    Raises:
        ValueError: it is cut short or damaged.
    """
    return _opened(data).size  # type: ignore[no-any-return]


def decode_heic(data: bytes) -> NDArray[np.uint8]:
    """The picture, upright as the file says, (h, w, 3) BGR.

    Raises:
        ValueError: it is cut short or damaged.
    """
    found = _opened(data)
    try:
        pixels = np.asarray(found)
    except (OSError, RuntimeError, EOFError, MemoryError) as error:
        raise ValueError(str(error)) from error
    kind = cv2.COLOR_RGBA2BGR if found.mode == "RGBA" else cv2.COLOR_RGB2BGR
    return np.asarray(cv2.cvtColor(pixels, kind), np.uint8)


def _opened(data: bytes) -> "pi_heif.HeifFile":
    import pi_heif  # brings Pillow, which nothing else needs

    try:
        return pi_heif.open_heif(BytesIO(data), convert_hdr_to_8bit=True)
    except (OSError, RuntimeError, EOFError, SyntaxError) as error:
        raise ValueError(str(error)) from error
