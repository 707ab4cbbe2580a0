"""A phone's video stream: H.264 at the bit rates that such apps send.

The codec is PyAV's, in the extra ``bench``; nothing but looks with a stream needs it.
"""

from fractions import Fraction
from importlib import import_module
from typing import Any

import cv2
import numpy as np

from table_assist.languages.words import SaidError
from table_assist.vision.pictures.picture import Image

# A look comes each few hundred milliseconds, a stream has thirty pictures a second. With the bits
# of two, one picture a look is about as sharp as it would be in the stream.
STREAM_FPS, FRAMES_EACH = 30, 2
# Of 1080 lines; a larger picture gets more bits, but not in proportion.
USUAL_PX, GROWTH = 1920 * 1080, 0.75
# A whole picture comes again after so many, with no more bits than the line has in a second.
_KEY_PICTURES = 8
_NEEDED = "libx264"


class NoCodecError(SaidError):
    """This look's pictures come through a codec that is not there."""

    def __init__(self) -> None:
        super().__init__(
            "Some of these tables are seen through a phone's H.264 stream, and there is no encoder"
            " for it: pip install 'table-assist[bench]'.",
            "这些牌桌中有的由手机的 H.264 视频流拍摄，而这里没有编码器："
            "请运行 pip install 'table-assist[bench]'。",
        )


def codec() -> Any:
    """PyAV, with an encoder for H.264.

    Raises:
        NoCodecError: it is not installed, or was built without.
    """
    try:
        av = import_module("av")
    except ImportError as error:
        raise NoCodecError from error
    if _NEEDED not in av.codecs_available:
        raise NoCodecError
    return av


class PhoneStream:
    """Pictures of one size through encoder and decoder, in order: each rests on those before.

    Args:
        mbit: a second, of a stream with 1080 lines.

    Raises:
        NoCodecError: there is no encoder.
    """

    def __init__(self, size_wh: tuple[int, int], mbit: float) -> None:
        self._av = codec()
        width, height = size_wh
        rate = mbit * (width * height / USUAL_PX) ** GROWTH * FRAMES_EACH
        self._encoder = self._opened(size_wh, round(rate * 1000))
        self._decoder = self._av.CodecContext.create("h264", "r")
        self._decoder.thread_count = 1
        self._sent = 0

    def sent(self, picture: Image) -> Image:
        """The picture (h, w, 3) BGR as it arrives."""
        planes = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)
        frame = self._av.VideoFrame.from_ndarray(planes, format="yuv420p")
        frame.pts, self._sent = self._sent, self._sent + 1
        arrived = [
            seen for packet in self._encoder.encode(frame) for seen in self._decoder.decode(packet)
        ]
        if len(arrived) != 1:
            raise RuntimeError(f"one picture went into the stream, and {len(arrived)} came out")
        return np.asarray(
            cv2.cvtColor(arrived[0].to_ndarray(format="yuv420p"), cv2.COLOR_YUV2BGR_I420), np.uint8
        )

    def _opened(self, size_wh: tuple[int, int], kbit: int) -> Any:
        """An encoder as in a phone: no picture waits for a later one, and the rate is kept."""
        encoder = self._av.CodecContext.create(_NEEDED, "w")
        encoder.width, encoder.height = size_wh
        encoder.pix_fmt = "yuv420p"
        encoder.framerate, encoder.time_base = Fraction(STREAM_FPS), Fraction(1, STREAM_FPS)
        encoder.bit_rate = 1000 * kbit
        encoder.gop_size, encoder.max_b_frames, encoder.thread_count = _KEY_PICTURES, 0, 1
        # As phones have it: no arithmetic coding, but deblocked, and dark parts get their bits.
        # It takes half of the time of `superfast`, and for its bits a picture is a little worse.
        encoder.options = {
            "preset": "ultrafast",
            "tune": "zerolatency",
            "profile": "baseline",
            "x264-params": f"vbv-maxrate={kbit}:vbv-bufsize={kbit}:scenecut=0:threads=1"
            ":no-deblock=0:deblock=0,0:aq-mode=1:no-fast-pskip=1",
        }
        encoder.open()
        return encoder
