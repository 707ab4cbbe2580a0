"""Pictures from files: decoded, upright, and refused in one sentence when they are none."""

import struct
import threading
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.languages.words import SaidError
from table_assist.vision.pictures.heic import decode_heic, heic_size, is_heic

Image = NDArray[np.uint8]  # (h, w, 3) BGR, or (h, w) grey
MOST_MEGAPIXELS = 100  # 300 MB decoded; the largest phone pictures in use are 50 to 108
MOST_BYTES = (
    200_000_000  # a file of more is no photograph, and would fill the memory of a small board
)
SUFFIXES = frozenset({".jpg", ".jpeg", ".heic", ".heif", ".png", ".webp", ".bmp", ".tif", ".tiff"})

_JPEG, _PNG, _WEBP = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"WEBP"
_REDUCED = {
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
_END_OF_IMAGE = b"\xff\xd9"
# Frame headers carry the size; these three of their range of markers are something else.
_FRAME_HEADERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_START_OF_SCAN = 0xDA
_SEQUENTIAL = frozenset({0xC0, 0xC1})  # a progressive JPEG may hold any number of scans to decode
MOST_FRAME_MEGAPIXELS = 9  # 4K has 8.3
LEAST_FRAME_SIDE = 240


class PictureError(SaidError):
    """A file is no picture that can be read; the message is one sentence with the reason."""


def load_picture(path: Path) -> Image:
    """Read a picture file: JPEG, HEIC, PNG, WebP, BMP or TIFF.

    EXIF orientation is applied, 16 bits are reduced to 8, grey becomes three equal channels, and
    transparency is dropped.

    Returns:
        (h, w, 3) BGR.

    Raises:
        PictureError: the file is missing, empty, cut short, too large or no picture.
    """
    return decode_picture(_read(path), path)


# One picture is decoded at a time: each may take 300 MB.
_DECODING = threading.Lock()


def decode_picture(data: bytes, path: Path, most_side: int = 0) -> Image:
    """The picture in a file's bytes, as `load_picture`; one at a time in a program.

    Args:
        path: what the picture is called in errors.
        most_side: the picture is shrunk to this many pixels a side, a JPEG while it is decoded.

    Raises:
        PictureError: as `load_picture`.
    """
    width, height = _declared_size(data, path)
    if width * height > MOST_MEGAPIXELS * 1_000_000:
        raise PictureError(
            "{path} is {width} × {height} pixels, more than {most_megapixels} megapixels",
            "{path} 为 {width} × {height} 像素，超过 {most_megapixels} 百万像素",
            path=path,
            width=width,
            height=height,
            most_megapixels=MOST_MEGAPIXELS,
        )
    with _DECODING:
        if is_heic(data):
            return shrunk(_from_heic(data, path), most_side, path)
        fits = [by for by in _REDUCED if most_side and max(width, height) >= by * most_side]
        flag = _REDUCED[max(fits)] if fits and data.startswith(_JPEG) else cv2.IMREAD_COLOR
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
        except cv2.error as error:
            raise PictureError(
                "{path} cannot be decoded: {err}",
                "{path} 无法解码：{err}",
                path=path,
                err=error.err,
            ) from error
        if image is None:
            raise _damaged(path)
        return shrunk(np.asarray(image, np.uint8), most_side, path)


def shrunk(image: Image, most_side: int, path: Path) -> Image:
    """The picture with at most so many pixels a side; 0: as it is.

    Raises:
        PictureError: nothing is left of its shorter side.
    """
    height, width = image.shape[:2]
    scale = most_side / max(height, width)
    if not 0 < scale < 1:
        return image
    size = round(width * scale), round(height * scale)
    if min(size) < 1:
        raise PictureError(
            "{path} is {width} × {height} pixels: a line, not a picture",
            "{path} 为 {width} × {height} 像素：是一条线，不是图片",
            path=path,
            width=width,
            height=height,
        )
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def decode_frame(data: bytes, name: str, least_side: int = LEAST_FRAME_SIDE) -> Image:
    """One of many pictures that a device sends, as `load_picture`; strict before it is decoded.

    Args:
        name: of the device, for errors.
        least_side: in pixels.

    Raises:
        PictureError: it is no plain JPEG of a usual size.
    """
    path = Path(name)
    if not data.startswith(_JPEG):
        raise PictureError("{name} sent what is no JPEG", "{name} 发来的不是 JPEG", name=name)
    try:
        kind, width, height = _jpeg_frame(data, path)
    except (struct.error, IndexError) as error:
        raise _incomplete(name) from error
    if kind not in _SEQUENTIAL:
        raise PictureError(
            "{name} sent a progressive JPEG; a plain one is wanted",
            "{name} 发来的是渐进式 JPEG，须用普通 JPEG",
            name=name,
        )
    if width * height > MOST_FRAME_MEGAPIXELS * 1_000_000 or min(width, height) < least_side:
        raise PictureError(
            "{name} sent {width} × {height} pixels; from {least_side} a side to "
            "{most_frame_megapixels} megapixels are taken",
            "{name} 发来 {width} × {height} 像素；每边至少 {least_side}，至多 "
            "{most_frame_megapixels} 百万像素",
            name=name,
            width=width,
            height=height,
            least_side=least_side,
            most_frame_megapixels=MOST_FRAME_MEGAPIXELS,
        )
    try:
        return decode_picture(data, path)
    except PictureError as error:
        raise _incomplete(name) from error


def _incomplete(name: str) -> PictureError:
    return PictureError(
        "{name} sent a picture that is damaged or cut short",
        "{name} 发来的图片已损坏或不完整",
        name=name,
    )


def _from_heic(data: bytes, path: Path) -> Image:
    try:
        return decode_heic(data)
    except ValueError as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> PictureError:
    return PictureError(
        "{path} is damaged: it cannot be decoded", "{path} 已损坏，无法解码", path=path
    )


def _read(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise PictureError(
                "{path} is a folder, not a picture", "{path} 是文件夹，不是图片", path=path
            )
        if size > MOST_BYTES:
            raise PictureError(
                "{path} has {size} bytes, more than {most_bytes}",
                "{path} 有 {size} 字节，超过 {most_bytes}",
                path=path,
                size=size,
                most_bytes=MOST_BYTES,
            )
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise PictureError("there is no picture {path}", "没有图片 {path}", path=path) from error
    except (OSError, ValueError) as error:
        raise PictureError(
            "{path} cannot be read: {error}", "{path} 无法读取：{error}", path=path, error=error
        ) from error
    if not data:
        raise PictureError("{path} is empty", "{path} 是空文件", path=path)
    return data


def _declared_size(data: bytes, path: Path) -> tuple[int, int]:
    """Width and height by the header, before anything is decoded; checks that the end is there."""
    try:
        if data.startswith(_JPEG):
            return _jpeg_size(data, path)
        if data.startswith(_PNG):
            return _png_size(data, path)
        if data.startswith(b"RIFF") and data[8:12] == _WEBP:
            return _webp_size(data, path)
        if data.startswith(b"BM"):
            width, height = struct.unpack_from("<ii", data, 18)
            return abs(width), abs(height)
        if data.startswith((b"II*\0", b"MM\0*")):
            return _tiff_size(data)
        if is_heic(data):
            return heic_size(data)
    except (struct.error, IndexError) as error:
        raise PictureError(
            "{path} is cut short: its header is incomplete", "{path} 不完整：文件头缺失", path=path
        ) from error
    except ValueError as error:
        raise _damaged(path) from error
    raise PictureError(
        "{path} is not a picture (JPEG, HEIC, PNG, WebP, BMP or TIFF)",
        "{path} 不是图片（JPEG、HEIC、PNG、WebP、BMP 或 TIFF）",
        path=path,
    )


def _jpeg_size(data: bytes, path: Path) -> tuple[int, int]:
    return _jpeg_frame(data, path)[1:]


def _jpeg_frame(data: bytes, path: Path) -> tuple[int, int, int]:
    """The frame header's marker, width and height."""
    found: tuple[int, int, int] | None = None
    position = 2
    while True:
        # [0xFF][marker][length, 2 bytes, itself included][content]
        if data[position] != 0xFF:
            raise PictureError(
                "{path} is damaged: no JPEG marker at byte {position}",
                "{path} 已损坏：第 {position} 字节处没有 JPEG 标记",
                path=path,
                position=position,
            )
        marker = data[position + 1]
        if marker == 0xFF:  # a fill byte
            position += 1
            continue
        if marker in _FRAME_HEADERS:
            height, width = struct.unpack_from(">HH", data, position + 5)
            found = marker, width, height
        if marker == _START_OF_SCAN:
            break
        position += 2 + int(struct.unpack_from(">H", data, position + 2)[0])
    # A decoder would fill the missing part with grey and say nothing.
    if data.find(_END_OF_IMAGE, position) < 0:
        raise PictureError(
            "{path} is cut short: the end of the JPEG is missing",
            "{path} 不完整：JPEG 缺少结尾",
            path=path,
        )
    if found is None:
        raise PictureError(
            "{path} is damaged: a JPEG without a frame", "{path} 已损坏，没有画面", path=path
        )
    return found


def _png_size(data: bytes, path: Path) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", data, 16)
    position = len(_PNG)
    while position + 12 <= len(data):
        # [length, 4 bytes][kind, 4 bytes][content][check, 4 bytes]
        length, kind = struct.unpack_from(">I4s", data, position)
        position += 12 + int(length)
        if kind == b"IEND":
            return int(width), int(height)
    raise PictureError(
        "{path} is cut short: the end of the PNG is missing",
        "{path} 不完整：PNG 缺少结尾",
        path=path,
    )


def _webp_size(data: bytes, path: Path) -> tuple[int, int]:
    declared = struct.unpack_from("<I", data, 4)[0] + 8
    if declared > len(data):
        raise PictureError(
            "{path} is cut short: {count} of {declared} bytes are there",
            "{path} 不完整：{declared} 字节中只有 {count}",
            path=path,
            count=len(data),
            declared=declared,
        )
    kind = data[12:16]
    if kind == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        return width, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = struct.unpack_from("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


def _tiff_size(data: bytes) -> tuple[int, int]:
    order = "<" if data.startswith(b"II") else ">"
    position = struct.unpack_from(order + "I", data, 4)[0]
    sizes = {256: 0, 257: 0}  # ImageWidth, ImageLength
    for index in range(struct.unpack_from(order + "H", data, position)[0]):
        # [tag, 2 bytes][type, 2 bytes][count, 4 bytes][value, 4 bytes]
        entry = position + 2 + 12 * index
        tag, kind = struct.unpack_from(order + "HH", data, entry)
        if tag in sizes:
            sizes[tag] = struct.unpack_from(order + ("H" if kind == 3 else "I"), data, entry + 8)[0]
    return sizes[256], sizes[257]


def save_picture(path: Path, image: Image) -> None:
    """Write a picture; the file's ending says how.

    Raises:
        PictureError: the ending is unknown, or the place cannot be written to.
    """
    try:
        done, data = cv2.imencode(path.suffix or ".png", image)
        if not done:
            raise PictureError(
                "{path} cannot be encoded as {suffix}",
                "{path} 无法存为 {suffix}",
                path=path,
                suffix=path.suffix,
            )
        path.write_bytes(data.tobytes())
    except cv2.error as error:
        raise PictureError(
            "{path} has an ending that no picture has: {suffix}",
            "{path} 的后缀 {suffix} 不是图片",
            path=path,
            suffix=path.suffix,
        ) from error
    except OSError as error:
        raise PictureError(
            "{path} cannot be written: {strerror}",
            "{path} 无法写入：{strerror}",
            path=path,
            strerror=error.strerror,
        ) from error


def jpeg(image: Image, quality: int = 80) -> bytes:
    """The picture as a JPEG file, for a browser."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError(f"a picture of shape {image.shape} cannot be encoded")
    return data.tobytes()
