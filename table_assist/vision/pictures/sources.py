"""Sources of pictures: a camera, a stream, a video file, a folder."""

import ctypes
import os
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from table_assist.languages.words import SaidError, Words
from table_assist.trust.installation import CAMERA_SCHEMES, Address
from table_assist.vision.pictures.picture import PICTURE_SUFFIXES, Image, PictureError, load_picture

PHONE = "phone"  # as a source: phones that are let in as cameras send their pictures here
THE_PHONE = Words("the phone", "手机")
NETWORK_TIMEOUT_MS = 5000  # a stream that says nothing for longer is gone
# A camera leads nowhere else: no redirect is followed (an RTSP one leads to a protocol that is not
# listed), no playlist is a format, and no film, whose table of contents fills any memory. FFmpeg
# says nothing itself: it would print a camera's password.
_STREAMS = "rtsp,rtp,mpjpeg,mjpeg,jpeg_pipe,mpegts,flv,h264,hevc"
_FILMS = f"{_STREAMS},avi,mov,mp4,m4a,matroska,webm,ogg"
_PROTOCOLS = "file,http,https,tcp,tls,udp,rtp,srtp,httpproxy"
_OPTIONS = f"rtsp_transport;tcp|max_redirects;0|protocol_whitelist;{_PROTOCOLS}|format_whitelist;"
_OPENING = threading.Lock()  # OpenCV takes FFmpeg's options from the environment alone
os.environ["OPENCV_FFMPEG_LOGLEVEL"] = "-8"
MOST_STREAM_BYTES = 2**27  # packed or decoded: a picture of 8K takes 100 MB
for _library in Path(cv2.__file__).parent.parent.glob("opencv*.libs/libavutil*"):
    ctypes.CDLL(str(_library)).av_max_alloc(ctypes.c_size_t(MOST_STREAM_BYTES))


class CameraError(SaidError):
    """There is no such camera, stream, file or folder, or it gives no pictures."""


class PictureSource(Protocol):
    """Anything that gives pictures in turn. It may have ``close()`` and ``skip()`` too."""

    def read(self) -> Image | None:
        """The next picture, (h, w, 3) BGR; None: it gave none, for now or for good."""


@dataclass(frozen=True, slots=True)
class SourceKind:
    """How to open a source, as often as needed, and what it is.

    Attributes:
        name: for people, such as ``camera 0``.
        is_live: it goes on by itself, and pictures that nobody takes are lost.
        spacing_s: seconds from one picture to the next where pictures carry no other time.
        waits: that no picture comes for a while does not mean that it is gone.
    """

    open: Callable[[], PictureSource]
    name: Words
    is_live: bool
    spacing_s: float | None = None
    waits: bool = False


def find_source(source: int | str | Path | Address) -> SourceKind:
    """The meaning of a configured source: ``0``, ``rtsp://…``, ``game.mp4``, ``pictures/``.

    A camera or a stream need not be there yet: they are opened later, again and again.

    Raises:
        CameraError: there is no such file or folder, or it holds no pictures.
    """
    address = source if isinstance(source, Address) else Address(str(source))
    text = address.whole
    if text == PHONE:
        return SourceKind(_no_phone, THE_PHONE, is_live=True)
    if re.fullmatch(r"\d+", text):
        return SourceKind(lambda: VideoSource(int(text)), _camera(text), is_live=True)
    if "://" in text:
        if address.scheme not in CAMERA_SCHEMES:
            known = ", ".join(CAMERA_SCHEMES)
            raise CameraError(
                "{address} is no camera's address: these may be {known}",
                "{address} 不是摄像头地址：可以是 {known}",
                address=address,
                known=known,
            )
        return SourceKind(lambda: VideoSource(address), _stream(address), is_live=True)
    path = Path(text)
    if not text:
        raise CameraError("no camera, video or folder is named", "未写明摄像头、视频或文件夹")
    if path.is_dir():
        paths = pictures_in(path)
        folder = Words("folder {path}", "文件夹 {path}", path=path)
        return SourceKind(lambda: FolderSource(paths), folder, is_live=False)
    if not path.is_file():
        raise CameraError(
            "there is no camera, video or folder {address}",
            "没有 {address} 这样的摄像头、视频或文件夹",
            address=repr(str(address)),
        )
    video = VideoSource(str(path))
    spacing_s = video.spacing_s
    video.close()
    return SourceKind(
        lambda: VideoSource(str(path)), _video(path), is_live=False, spacing_s=spacing_s
    )


def _no_phone() -> PictureSource:
    raise CameraError(
        "a phone sends its pictures to a running table: open /camera on it",
        "手机把画面发给正在运行的牌桌：请在手机上打开 /camera",
    )


def _camera(number: object) -> Words:
    return Words("camera {number}", "摄像头 {number}", number=number)


def _stream(address: object) -> Words:
    return Words("stream {address}", "视频流 {address}", address=address)


def _video(path: object) -> Words:
    return Words("video {path}", "视频 {path}", path=path)


def pictures_in(folder: Path) -> tuple[Path, ...]:
    """The pictures of a folder in the order of their names, numbers in them by value.

    Raises:
        CameraError: there are none.
    """
    paths = [path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES]
    if not paths:
        raise CameraError(
            "there are no pictures in the folder {folder}",
            "文件夹 {folder} 里没有图片",
            folder=folder,
        )
    return tuple(sorted(paths, key=_natural))


def mirrored(kind: SourceKind) -> SourceKind:
    """The same source seen in a mirror: each picture is turned round again."""
    return replace(kind, open=lambda: _Mirrored(kind.open()))


class _Mirrored:
    """Another source's pictures, left and right exchanged."""

    def __init__(self, inner: PictureSource) -> None:
        self._inner = inner

    def read(self) -> Image | None:
        """The next picture."""
        image = self._inner.read()
        return None if image is None else np.asarray(cv2.flip(image, 1), np.uint8)

    def close(self) -> None:
        """Give the device free."""
        close: Callable[[], None] | None = getattr(self._inner, "close", None)
        if close is not None:
            close()


class VideoSource:
    """A camera by its number, a stream by its URL, or a video file."""

    def __init__(self, what: int | str | Address) -> None:
        """Open it.

        Raises:
            CameraError: it cannot be opened.
        """
        # OpenCV would write lines of its own to the terminal at every try.
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        self._capture = cv2.VideoCapture()
        opened = self._capture.open(what) if isinstance(what, int) else self._by_ffmpeg(what)
        if not opened:
            kind = {int: _camera, str: _video, Address: _stream}[type(what)]
            raise CameraError("{name} cannot be opened", "{name} 无法打开", name=kind(what))
        # A driver's queue would hand out pictures of some time ago.
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def _by_ffmpeg(self, what: str | Address) -> bool:
        wait = cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, cv2.CAP_PROP_READ_TIMEOUT_MSEC
        limits = [each for prop in wait for each in (prop, NETWORK_TIMEOUT_MS)]
        formats = _STREAMS if isinstance(what, Address) else _FILMS
        with _OPENING:
            os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = _OPTIONS + formats
            if isinstance(what, Address):
                return self._capture.open(what.whole, cv2.CAP_FFMPEG, limits)
            return self._capture.open(what)

    @property
    def spacing_s(self) -> float | None:
        """Seconds from one picture to the next, as declared; None where it is not."""
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        return 1 / rate if rate > 0 else None

    def read(self) -> Image | None:
        """The next picture; None: none came, or the end."""
        there, image = self._capture.read()
        return np.asarray(image, np.uint8) if there else None

    def skip(self) -> bool:
        """Pass over the next picture without decoding it; False: none came."""
        return bool(self._capture.grab())

    def close(self) -> None:
        """Give the device free."""
        self._capture.release()


class FolderSource:
    """The pictures of a folder, one after the other."""

    def __init__(self, paths: tuple[Path, ...]) -> None:
        self._paths = iter(paths)
        self.unreadable: list[str] = []  # a sentence each

    def read(self) -> Image | None:
        """The next picture that can be read; None: the end."""
        for path in self._paths:
            try:
                return load_picture(path)
            except PictureError as error:
                self.unreadable.append(str(error))
        return None


def _natural(path: Path) -> list[tuple[int, str]]:
    """Sorts ``p2`` before ``p10``."""
    parts = re.findall(r"\d+|\D+", path.name)
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]
