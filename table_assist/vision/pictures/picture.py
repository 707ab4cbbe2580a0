"""Pictures from files: decoded, upright, and refused in one sentence when they are none."""

import threading
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageFile, JpegImagePlugin, UnidentifiedImageError

from table_assist.languages.words import SaidError
from table_assist.vision.pictures.heic import decode_heic, heic_size, is_heic

Found = TypeVar("Found")
Image = NDArray[np.uint8]  # (h, w, 3) BGR, or (h, w) grey
# What is reckoned of them
Array = NDArray[np.float32]
Mask = NDArray[np.bool_]
Floats = NDArray[np.floating]  # of any width
COARSE_PX = 4  # px each way that tell no more than one where a picture is only measured
MOST_MEGAPIXELS = 110  # 330 MB decoded; the largest pictures of most phones have 108
MOST_JPEG_MEGAPIXELS = 220  # a JPEG of many is decoded at half its size
MOST_SCANNED_MEGAPIXELS = 2200  # each scan of a JPEG is drawn over the whole picture: ten of many
MANY_MEGAPIXELS = 60
# A file of more is no photograph, and would fill the memory of a small board
MOST_PICTURE_BYTES = 200_000_000
PICTURE_SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".heic", ".heif", ".png", ".webp", ".bmp", ".tif", ".tiff"}
)

_JPEG = b"\xff\xd8\xff"
_BEGINNINGS = (b"\x89PNG", b"RIFF", b"BM", b"II*\0", b"MM\0*")
_FORMATS = ("PNG", "WEBP", "BMP", "TIFF")
_REDUCED = {
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
_END_OF_IMAGE = b"\xff\xd9"
_SCAN = b"\xff\xda"  # begins one; what is coded in it never reads like that
# What no grey is coded with; the restart markers for a decoder that waits for the next of them.
_PADDING = b"".join(b"\xff%c" % marker + bytes(range(0x20, 0xE0)) for marker in range(0xD0, 0xD8))
Pillow.MAX_IMAGE_PIXELS = None  # the size is looked at here, before anything is decoded
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
    found = None if is_heic(data) else _opened(data, path)
    width, height = _of_heic(heic_size, data, path) if found is None else found.size
    is_jpeg = found is not None and found.format == "JPEG"
    scans = max(1, data.count(_SCAN))
    many = min(MOST_JPEG_MEGAPIXELS, MOST_SCANNED_MEGAPIXELS // scans)
    most = many if is_jpeg else MOST_MEGAPIXELS
    if width * height > most * 1_000_000:
        raise PictureError(
            "{path} is {width} × {height} pixels, more than {most_megapixels} megapixels",
            "{path} 为 {width} × {height} 像素，超过 {most_megapixels} 百万像素",
            path=path,
            width=width,
            height=height,
            most_megapixels=most,
        )
    with _DECODING:
        if found is None:
            return shrunk(_of_heic(decode_heic, data, path), most_side, path)
        _check_whole(found, data, path)
        fits = [by for by in _REDUCED if most_side and max(width, height) >= by * most_side]
        if not fits and width * height > MANY_MEGAPIXELS * 1_000_000:
            fits = [2]
        flag = _REDUCED[max(fits)] if fits and is_jpeg else cv2.IMREAD_COLOR
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


def resized(image: Image, scale: float, way: int = cv2.INTER_AREA) -> Image:
    """At another scale; a pixel at least each way."""
    size = max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale))
    return np.asarray(cv2.resize(image, size, interpolation=way), np.uint8)


def shrunk(image: Image, most_side: int, path: Path) -> Image:
    """The picture with at most so many pixels a side; 0: as it is.

    Raises:
        PictureError: nothing is left of its shorter side.
    """
    height, width = image.shape[:2]
    scale = most_side / max(height, width)
    if not 0 < scale < 1:
        return image
    if round(min(width, height) * scale) < 1:
        raise PictureError(
            "{path} is {width} × {height} pixels: a line, not a picture",
            "{path} 为 {width} × {height} 像素：是一条线，不是图片",
            path=path,
            width=width,
            height=height,
        )
    return resized(image, scale)


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
        found = _opened(data, path)
    except PictureError as error:
        raise _incomplete(name) from error
    width, height = found.size
    if "progressive" in found.info:  # it may hold any number of scans to decode
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


def _of_heic(read: Callable[[bytes], Found], data: bytes, path: Path) -> Found:
    try:
        return read(data)
    except ValueError as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> PictureError:
    return PictureError(
        "{path} is damaged or cut short: it cannot be decoded",
        "{path} 已损坏或不完整，无法解码",
        path=path,
    )


def _read(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise PictureError(
                "{path} is a folder, not a picture", "{path} 是文件夹，不是图片", path=path
            )
        if size > MOST_PICTURE_BYTES:
            raise PictureError(
                "{path} has {size} bytes, more than {most_bytes}",
                "{path} 有 {size} 字节，超过 {most_bytes}",
                path=path,
                size=size,
                most_bytes=MOST_PICTURE_BYTES,
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


def _opened(data: bytes, path: Path) -> ImageFile.ImageFile:
    """The picture's header as its decoder reads it; nothing is decoded yet."""
    try:
        if data.startswith(_JPEG):
            return JpegImagePlugin.JpegImageFile(BytesIO(data))
        return Pillow.open(BytesIO(data), formats=_FORMATS)
    except UnidentifiedImageError as error:
        if data.startswith(_BEGINNINGS):
            raise _damaged(path) from error
        raise PictureError(
            "{path} is not a picture (JPEG, HEIC, PNG, WebP, BMP or TIFF)",
            "{path} 不是图片（JPEG、HEIC、PNG、WebP、BMP 或 TIFF）",
            path=path,
        ) from error
    except Exception as error:  # a decoder may stumble over anything
        raise _damaged(path) from error


def _check_whole(found: ImageFile.ImageFile, data: bytes, path: Path) -> None:
    """Refuse a file that ends before its picture: what is missing would be filled in."""
    assert found.fp is not None
    # The header has been read up to the scan; a thumbnail with an end of its own came before.
    end = data.find(_END_OF_IMAGE, found.fp.tell())
    try:
        if found.format != "JPEG":
            found.load()
            found.close()  # its pixels: they are decoded once more, as OpenCV has them
            return
        # A decoder reads no further than the last pixels: of a short scan it takes what follows.
        is_whole = end > 0 and _drawn(data[:end]) == _drawn(data[:end] + _PADDING[2:] + _PADDING)
    except Exception as error:
        raise _damaged(path) from error
    if not is_whole:
        raise PictureError(
            "{path} is cut short: the end of the JPEG is missing",
            "{path} 不完整：JPEG 缺少结尾",
            path=path,
        )


def _drawn(data: bytes) -> bytes:
    """The pixels of a JPEG without its end; small ones, where no later scan makes them sharp."""
    found = JpegImagePlugin.JpegImageFile(BytesIO(data + _END_OF_IMAGE))
    if "progressive" not in found.info:
        found.draft(None, (1, 1))
    return found.tobytes()


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
