"""The effects of lamp, lens, sensor and compression on a picture."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.languages.words import SaidError
from table_assist.twin.lens import Lens, RegionChange, grown, part
from table_assist.twin.looks import TableLook
from table_assist.twin.scene import Point
from table_assist.twin.tabletop import PLATE_MM
from table_assist.vision.pictures.motion import Box
from table_assist.vision.pictures.picture import Image

# A phone's video stream: H.264 at the bit rates that such apps send.
#
# The codec is PyAV's, in the extra ``bench``; nothing but looks with a stream needs it.

# A look comes each few hundred milliseconds, a stream has thirty pictures a second. With the bits
# of two, one picture a look is about as sharp as it would be in the stream.
STREAM_FPS, FRAMES_EACH = 30, 2
# Of 1080 lines; a larger picture gets more bits, but not in proportion.
USUAL_PX, GROWTH = 1920 * 1080, 0.75
# A whole picture comes again after so many, with no more bits than the line has in a second.
_KEY_PICTURES = 8
_CODEC = "libx264"


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
    if _CODEC not in av.codecs_available:
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
        # An encoder as in a phone: no picture waits for a later one, and the rate is kept
        kbit = round(rate * 1000)
        encoder = self._av.CodecContext.create(_CODEC, "w")
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
        self._encoder = encoder
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


# How bright each point of a picture is: lamps, a window, a mirrored screen, a moving shadow.

# Grey levels that stand for a gain of one, so that gains up to 1.7 fit in a byte.
UNIT_GAIN = 150
# In how many pictures clouds pass before the sun once, and somebody walks once around the table.
_CLOUD_PICTURES, _WALK_PICTURES = 260, 190
# The window's light changes in steps that are too small to be seen.
_CLOUD_STEPS = 24
_WALK_MM, _BODY_MM = 380.0, 110.0
_SCREEN_MM = (140.0, 80.0)
_GLOW_SOFT_MM = 40.0
_COARSE = 4


class Light:
    """All that shines on one table, for one camera."""

    def __init__(self, look: TableLook, camera: Lens) -> None:
        self._look, self._camera = look, camera
        # Lamps' colour and places, lens' dark corners, a mirrored screen, a console that glows. All
        # of it is soft: coarse, it is worked out much sooner.
        optics = look.optics
        width, height = camera.size_wh
        x, y = (_middles(side) for side in (width, height))
        x, y = x[None, :], y[:, None]
        fall = _fall(look.lamp_mm, optics.uneven, camera, x, y)
        if optics.second_lamp > 0:
            beside = (-look.lamp_mm[1], look.lamp_mm[0])
            other = _fall(beside, optics.uneven, camera, x, y)
            share = np.float32(optics.second_lamp)
            fall = (1 - share) * fall + share * other
        corner = ((x - width / 2) ** 2 + (y - height / 2) ** 2) / (width**2 + height**2) * 4
        fall *= (1 - optics.vignette * corner**1.5).astype(np.float32)
        if optics.mirror > 0:
            away = (-0.6 * look.lamp_mm[0], -0.6 * look.lamp_mm[1])  # from the lamp
            screen = _soft_rectangle(camera, away, _SCREEN_MM, soft_mm=10.0)
            fall *= 1 + np.float32(optics.mirror) * screen
        light = fall[..., None] * np.array(optics.lamp, np.float32)
        if optics.glow > 0:
            colour = np.array(look.plate, np.float32) / max(look.plate)
            console = (PLATE_MM, PLATE_MM)
            glow = _soft_rectangle(camera, (0.0, 0.0), console, soft_mm=_GLOW_SOFT_MM)
            light += np.float32(optics.glow) * glow[..., None] * colour
        self._lamps = np.asarray(light * UNIT_GAIN, np.float32)
        self._step = -1
        self._gain = np.zeros((0, 0, 3), np.uint8)

    def gain(self, taken: int) -> Image:
        """How bright each point is in the picture of that number, `UNIT_GAIN` for as it is.

        The very same array where nothing changed.
        """
        daylight = self._look.optics.daylight
        turn = 0.5 - 0.5 * np.cos(2 * np.pi * taken / _CLOUD_PICTURES) if daylight > 0 else 0.0
        step = round(_CLOUD_STEPS * turn)
        if step != self._step:
            self._step = step
            across = np.linspace(1, 0, self._lamps.shape[1], dtype=np.float32)[None, :, None]
            gain = np.round(self._lamps * (1 + daylight * step / _CLOUD_STEPS * across))
            coarse = np.clip(gain, 0, 255).astype(np.uint8)
            fine = cv2.resize(coarse, self._camera.size_wh, interpolation=cv2.INTER_LINEAR)
            self._gain = np.asarray(fine, np.uint8)
        return self._gain

    def shaded(self, picture: Image, taken: int) -> Image:
        """With the shadow of somebody who walks around the table."""
        camera, depth = self._camera, self._look.optics.shadow
        angle = 2 * np.pi * taken / _WALK_PICTURES
        x, y = camera.project(_WALK_MM * np.cos(angle), _WALK_MM * np.sin(angle))
        height, width = picture.shape[:2]
        reach = 2 * (_BODY_MM * camera.px_per_mm) ** 2
        across = np.exp(-((np.arange(0, width, _COARSE, dtype=np.float32) - x) ** 2) / reach)
        down = np.exp(-((np.arange(0, height, _COARSE, dtype=np.float32) - y) ** 2) / reach)
        level = np.round(255 * (1 - depth * down[:, None] * across[None])).astype(np.uint8)
        fine = cv2.resize(level, (width, height), interpolation=cv2.INTER_LINEAR)
        shade = cv2.merge([fine, fine, fine])
        return np.asarray(cv2.multiply(picture, shade, scale=1 / 255), np.uint8)


def _fall(
    lamp_mm: tuple[float, float],
    uneven: float,
    camera: Lens,
    x: NDArray[np.float32],
    y: NDArray[np.float32],
) -> NDArray[np.float32]:
    lamp_x, lamp_y = camera.project(*lamp_mm)
    reach = 900 * camera.px_per_mm
    away = ((x - lamp_x) ** 2 + (y - lamp_y) ** 2) / reach**2
    return np.asarray(1 - uneven * (1 - np.exp(-1.4 * away)), np.float32)


def _soft_rectangle(
    camera: Lens, middle_mm: tuple[float, float], size_mm: tuple[float, float], *, soft_mm: float
) -> NDArray[np.float32]:
    (x, y), (across, along) = middle_mm, (size_mm[0] / 2, size_mm[1] / 2)
    corners = np.array(
        [(x - across, y - along), (x + across, y - along), (x + across, y + along),
         (x - across, y + along)]
    )  # fmt: skip
    width, height = camera.size_wh
    mask = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(mask, np.round(camera.project_points(corners)).astype(np.int32), 255)
    size = len(_middles(width)), len(_middles(height))
    coarse = cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    soft = cv2.GaussianBlur(coarse, (0, 0), soft_mm * camera.px_per_mm * size[0] / width)
    return np.asarray(soft, np.float32) / np.float32(255)


def _middles(side: int) -> NDArray[np.float32]:
    """Where the coarse points of a row or column lie in the picture."""
    count = -(-side // _COARSE)
    return (np.arange(count, dtype=np.float32) + np.float32(0.5)) * (side / count) - np.float32(0.5)


# Noise is drawn once on a larger sheet; every picture sees another part of it.
_NOISE_MARGIN = 64
# In how many pictures white balance (blue, red) and exposure wander once there and back.
_DRIFT_PICTURES = (310, 170, 430)
_BAND_ROWS = 260
_BREATH_PICTURES = 45
_LEAST_BLUR_PX = 0.3


@dataclass(frozen=True, slots=True)
class _Lit:
    """The newest drawing, and what became of it.

    Attributes:
        gain: the light on it.
        soft: in that light, blurred.
        lit: as the lens bends it.
    """

    drawing: Image
    gain: Image
    soft: Image
    lit: Image


class CameraFaults:
    """Turns an evenly lit drawing into a camera's picture; seeded, in order of the pictures.

    Raises:
        NoCodecError: the look has a phone's stream, and there is no encoder for it.
    """

    def __init__(self, look: TableLook, camera: Lens, seed: int) -> None:
        self._optics = look.optics
        self._rng = np.random.default_rng((seed, 2))
        self._taken = 0
        self._light = Light(look, camera)
        self._bent = distortion_maps(camera.size_wh, look.optics.distortion)
        # The noise's positive and negative half: bytes add fastest
        size_wh = camera.size_wh
        shape = (size_wh[1] + _NOISE_MARGIN, size_wh[0] + _NOISE_MARGIN, 3)
        # Cameras smooth a little: neighbouring pixels share some of their noise.
        noise = cv2.GaussianBlur(self._rng.standard_normal(shape, np.float32), (0, 0), 0.55)
        gain = 1.5 * self._optics.noise
        brighter, darker = (
            cv2.addWeighted(noise, each, noise, 0.0, 0.0, dtype=cv2.CV_8U) for each in (gain, -gain)
        )
        self._brighter, self._darker = np.asarray(brighter, np.uint8), np.asarray(darker, np.uint8)
        mbit = look.optics.stream_mbit
        self._stream = PhoneStream(camera.size_wh, mbit) if mbit > 0 else None
        self._size = camera.size_wh
        self._lit: _Lit | None = None

    def apply(
        self, drawing: Image, glare: Image | None = None, change: RegionChange | None = None
    ) -> Image:
        """A new picture of the same shape; the drawing may come again, but never changed.

        Args:
            glare: (h, w) how much of a lamp's mirror image each point shows, 0-255: whatever the
                exposure and the white balance are, that is too much for the sensor.
            change: how the drawing came from the one before; None: all of it may be new.
        """
        optics = self._optics
        self._taken += 1
        lit = self._in_this_light(drawing, change)
        if optics.drift > 0:
            # Exposure and white balance, each on its own slow way
            turns = 2 * np.pi * self._taken / np.array(_DRIFT_PICTURES)
            blue, level, red = self._optics.drift * np.sin(turns)
            gains = np.array([(1 + blue) * (1 + level), 1 + level, (1 + red) * (1 + level)])
            # A sixth of the time of a look-up table for each channel, and equal.
            lit = np.asarray(cv2.transform(lit, np.diag(gains).astype(np.float32)), np.uint8)
        if optics.banding > 0:
            # A lamp on the mains, read row by row: the bands lie elsewhere in each picture
            first = int(self._rng.uniform() * _BAND_ROWS)
            levels = self._bands[first : first + lit.shape[0]]
            lit = np.asarray(cv2.multiply(lit, levels, scale=1 / 255), np.uint8)
        if glare is not None:
            if self._bent is not None:
                glare = np.asarray(cv2.remap(glare, *self._bent, cv2.INTER_LINEAR), np.uint8)
            added = cv2.multiply(255 - lit, cv2.merge([glare] * 3), scale=1 / 255)
            lit = np.asarray(cv2.add(lit, added), np.uint8)
        if optics.shadow > 0:
            lit = self._light.shaded(lit, self._taken)
        if optics.breathing_px > 0:
            # A focus that is looked for again and again
            sigma = self._optics.breathing_px * np.sin(np.pi * self._taken / _BREATH_PICTURES) ** 2
            if sigma >= _LEAST_BLUR_PX:
                lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), float(sigma)), np.uint8)
        if optics.jitter_px > 0:
            x, y = self._rng.uniform(-1, 1, 2) * self._optics.jitter_px / np.sqrt(2)
            lit = shifted(shifted(lit, float(x), axis=1), float(y), axis=0)
        if optics.noise > 0:
            x, y = self._rng.integers(0, _NOISE_MARGIN, 2)
            part = np.s_[y : y + lit.shape[0], x : x + lit.shape[1]]
            noisy = cv2.add(lit, self._brighter[part])
            lit = np.asarray(cv2.subtract(noisy, self._darker[part], dst=noisy), np.uint8)
        if optics.grey > 0:
            pale = cv2.merge([cv2.cvtColor(lit, cv2.COLOR_BGR2GRAY)] * 3)
            lit = np.asarray(cv2.addWeighted(lit, 1 - optics.grey, pale, optics.grey, 0), np.uint8)
        if self._stream is not None:
            return self._stream.sent(lit)
        if optics.jpeg_quality > 0:
            quality = [cv2.IMWRITE_JPEG_QUALITY, optics.jpeg_quality]
            _, packed = cv2.imencode(".jpg", lit, quality)
            lit = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
        return lit

    def _in_this_light(self, drawing: Image, change: RegionChange | None) -> Image:
        """Lamp and lens; worked out only where something on the table moved."""
        gain, known = self._light.gain(self._taken), self._lit
        if known is None or known.gain is not gain:
            change = None
        elif known.drawing is drawing:
            return known.lit
        if known is None or change is None or change.before is not known.drawing:
            soft = lit = np.empty_like(drawing)
            if self._bent is not None:
                lit = np.empty_like(drawing)
            boxes: tuple[Box, ...] = ((0, 0, *self._size),)
        else:
            # A caller that has the picture of before keeps it.
            soft = lit = known.soft.copy()
            if self._bent is not None:
                lit = known.lit.copy()
            boxes = change.boxes
        for box in boxes:
            wide = grown(box, self._blur_reach, self._size)
            # In the light, before the lens bends it
            around = grown(wide, self._blur_reach, self._size)
            seen = cv2.multiply(drawing[part(around)], gain[part(around)], scale=1 / UNIT_GAIN)
            if self._optics.blur_px:
                seen = cv2.GaussianBlur(seen, (0, 0), self._optics.blur_px)
            left, top = wide[0] - around[0], wide[1] - around[1]
            soft[part(wide)] = seen[top : top + wide[3] - wide[1], left : left + wide[2] - wide[0]]
            if self._bent is not None:
                shown = self._shown(wide)
                whole, parts = (each[part(shown)] for each in self._bent)
                lit[part(shown)] = cv2.remap(
                    soft, whole, parts, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
                )
        self._lit = _Lit(drawing, gain, soft, lit)
        return lit

    @property
    def _blur_reach(self) -> int:
        """Pixels each way from which the lens' blur takes anything."""
        return round(3 * self._optics.blur_px) + 2 if self._optics.blur_px > 0 else 0

    def _shown(self, box: Box) -> Box:
        """Where the lens shows what one without distortion shows in a box."""
        (left, right), (top, bottom) = (
            (low - (most if low == 0 else 1), high + (most if high == side else 0))
            for low, high, side in zip(box[:2], box[2:], self._size, strict=True)
            for most in [abs(self._optics.distortion) * side / 2 + 1]  # beyond is the border
        )
        middle_x, middle_y = self._size[0] / 2, self._size[1] / 2
        # It bends each side of the box most, or least, where that is nearest to the middle.
        beside_x = min(max(middle_x, left), right)
        beside_y = min(max(middle_y, top), bottom)
        points = [
            distorted((x, y), self._size, self._optics.distortion)
            for x in (left, beside_x, right)
            for y in (top, beside_y, bottom)
        ]
        corners = np.array(points)
        low, high = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
        return grown((int(low[0]), int(low[1]), int(high[0]), int(high[1])), 2, self._size)

    @cached_property
    def _bands(self) -> Image:
        """How much light each row has, 255 for all of it, one band more than a picture has."""
        width, height = self._size
        rows = np.arange(height + _BAND_ROWS) / _BAND_ROWS
        gain = 1 - self._optics.banding * (0.5 + 0.5 * np.sin(2 * np.pi * rows))
        column = np.round(255 * gain).astype(np.uint8)[:, None]
        return column.repeat(3 * width, axis=1).reshape(-1, width, 3)


def shifted(picture: Image, by_px: float, *, axis: int) -> Image:
    """Shifted to the right (axis 1) or down (axis 0) by part of a pixel, in between linearly.

    Raises:
        ValueError: by more than a pixel.
    """
    share = abs(by_px)
    if share > 1:
        raise ValueError(f"a picture shakes by up to a pixel, not by {by_px:g}")
    moved = np.empty_like(picture)
    after, before = (np.s_[:, 1:], np.s_[:, :-1]) if axis else (np.s_[1:], np.s_[:-1])
    here, there = (after, before) if by_px > 0 else (before, after)
    edge = (np.s_[:, :1], np.s_[:, -1:]) if axis else (np.s_[:1], np.s_[-1:])
    stays = edge[0] if by_px > 0 else edge[1]
    moved[stays] = picture[stays]
    cv2.addWeighted(picture[here], 1 - share, picture[there], share, 0, dst=moved[here])
    return moved


def distortion_maps(
    size_wh: tuple[int, int], distortion: float
) -> tuple[NDArray[np.int16], NDArray[np.uint16]] | None:
    """For each picture point, where a lens without distortion sees it; None for such a lens.

    Returns:
        Whole pixels (h, w, 2), and 32nds of one as `cv2.remap` has them: that is twice as fast.
    """
    if distortion == 0:
        return None
    width, height = size_wh
    x = np.arange(width, dtype=np.float32)[None, :] - width / 2
    y = np.arange(height, dtype=np.float32)[:, None] - height / 2
    pull = 1 + distortion * (x**2 + y**2) / (width**2 + height**2) * 4
    seen_x = np.asarray(x * pull + width / 2, np.float32)
    seen_y = np.asarray(y * pull + height / 2, np.float32)
    whole, parts = cv2.convertMaps(seen_x, seen_y, cv2.CV_16SC2)
    return np.asarray(whole, np.int16), np.asarray(parts, np.uint16)


def distorted(point: tuple[float, float], size_wh: tuple[int, int], distortion: float) -> Point:
    """Where a lens with that distortion shows what one without it shows at a point."""
    middle = np.array(size_wh) / 2
    wanted = np.array(point) - middle
    seen = wanted.copy()
    for _ in range(20):  # the inverse of `distortion_maps`, nearer with each round
        seen = wanted / (1 + distortion * (seen @ seen) / (middle @ middle))
    return float(seen[0] + middle[0]), float(seen[1] + middle[1])
