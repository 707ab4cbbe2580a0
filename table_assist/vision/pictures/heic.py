"""Pictures as iPhones take them (HEIC), opened by libheif."""

from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pi_heif

# The brand of the file's first box (ISO/IEC 23008-12, 10.2): still pictures coded with HEVC.
_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})

_NEEDED = frozenset({b"meta", b"mdat"})  # what describes the picture, and its data


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
    # Refuse a file whose boxes reach beyond its end: a grid's missing cells are filled with green
    position, kinds = 0, set[bytes]()
    while position + 8 <= len(data):
        # [size, 4 bytes, itself included][kind, 4 bytes][size, 8 bytes, where the first is 1]
        size, kind = (
            int.from_bytes(data[position : position + 4]),
            data[position + 4 : position + 8],
        )
        if size == 1:
            size = int.from_bytes(data[position + 8 : position + 16])
        if kind in _NEEDED and position + size > len(data):
            raise ValueError("it is cut short")
        kinds.add(kind)
        if size < 8:  # the last box reaches to the end; anything else is no box
            break
        position += size
    if not kinds >= _NEEDED:
        raise ValueError("it is cut short")
    found = _opened(data)
    try:
        pixels = np.asarray(found)
    except (OSError, RuntimeError, EOFError, MemoryError) as error:
        raise ValueError(str(error)) from error
    if pixels.dtype != np.uint8:  # grey of 10 and 12 bits comes in the upper bits of 16
        pixels = (pixels >> 8).astype(np.uint8)
    pixels = pixels.reshape(*pixels.shape[:2], -1)
    if pixels.shape[2] < 3:  # grey, or grey with transparency
        return np.repeat(pixels[:, :, :1], 3, axis=2)
    return np.ascontiguousarray(pixels[:, :, 2::-1])


def _opened(data: bytes) -> "pi_heif.HeifFile":
    import pi_heif  # brings Pillow, which nothing else needs

    try:
        return pi_heif.open_heif(BytesIO(data), convert_hdr_to_8bit=True)
    except (OSError, RuntimeError, EOFError, SyntaxError) as error:
        raise ValueError(str(error)) from error
