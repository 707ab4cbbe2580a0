"""Where the things on a table are: the detector and what it finds."""

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Array, Image
from table_assist.vision.reading.network import Network
from table_assist.vision.reading.weights import DetectorWeights, WeightsError

INPUT_SIZE = 640  # px, for a network that takes pictures of any size
COARSEST_STEP = 32  # px: sides are whole multiples of the network's coarsest step
LARGEST_PART = 1088  # px: half of a picture of 2160 lines; larger ones take longer for a pixel
PADDING_GREY = 114  # what the detector was trained with around its pictures
MOST_BOXES = 300  # a pass; as ultralytics' predict, a whole set has at most 152 tiles


@dataclass(frozen=True, slots=True)
class Detections:
    """Boxes of things: tiles face up or down, and dice.

    Attributes:
        xyxy: (n, 4), pixels of the picture, left, top, right, bottom.
        score: (n,), 0-1, that there is a thing; says nothing about which.
    """

    xyxy: Array
    score: Array

    def __post_init__(self) -> None:
        if self.xyxy.ndim != 2 or self.xyxy.shape[1] != 4:
            raise ValueError(f"boxes have shape {self.xyxy.shape}, expected (n, 4)")
        if self.score.shape != (len(self.xyxy),):
            raise ValueError(f"scores have shape {self.score.shape}, expected ({len(self.xyxy)},)")

    def __len__(self) -> int:
        return len(self.score)


class Detector(Protocol):
    """Finds things in one picture that fits its input."""

    @property
    def input_size(self) -> int:
        """Side of the square, in pixels, to which a picture is fitted."""

    @property
    def largest_part(self) -> int:
        """Side of the largest square, in pixels, that is looked at at its own scale."""

    def detect(self, image: Image) -> Detections:
        """Find things in a picture (h, w, 3) BGR of any size; larger ones lose detail."""

    def detect_part(self, image: Image) -> Detections:
        """Find things in a part, at its own scale: small ones are fast."""


class OnnxDetector:
    """A YOLO with one class, on ONNX Runtime; equal to ultralytics' predict on the same file."""

    def __init__(self, weights: DetectorWeights, threads: int | None = None) -> None:
        """Load the network.

        Raises:
            WeightsError: the network does not load or is not a square picture's.
        """
        self._network = Network(weights.network, threads)
        self._score_threshold = weights.score_threshold
        self._nms_iou = weights.nms_iou
        shape = self._network.input_shape
        if len(shape) != 4 or shape[1] not in (3, None) or shape[2] != shape[3]:
            raise WeightsError(
                "the detector's input is {shape}, expected (1, 3, size, size)",
                "检测网络的输入为 {shape}，应为 (1, 3, 边长, 边长)",
                shape=shape,
            )
        self._input_size = shape[2] or INPUT_SIZE
        self._is_free = shape[2] is None

    @property
    def input_size(self) -> int:
        """Side of the network's square input, in pixels."""
        return self._input_size

    @property
    def largest_part(self) -> int:
        """Side of the largest square, in pixels, that is looked at at its own scale."""
        return LARGEST_PART if self._is_free else self._input_size

    def detect(self, image: Image) -> Detections:
        """Find things in a picture (h, w, 3) BGR."""
        # The largest scaling that fits the square; small pictures grow.
        height, width = image.shape[:2]
        gain, side = self._input_size / max(height, width), self._input_size
        inner = max(round(width * gain), 1), max(round(height * gain), 1)
        return self._detect(image, Letterbox((width, height), inner, (side, side)))

    def detect_part(self, image: Image) -> Detections:
        """Find things in a part (h, w, 3) BGR of a picture, in no larger an input than it needs.

        Its sides are no longer than `largest_part`.
        """
        size_wh = image.shape[1], image.shape[0]
        # A network of one size sees the part amid grey.
        width, height = (
            -(-side // COARSEST_STEP) * COARSEST_STEP if self._is_free else self._input_size
            for side in size_wh
        )
        return self._detect(image, Letterbox(size_wh, size_wh, (width, height)))

    def _detect(self, image: Image, fit: "Letterbox") -> Detections:
        raw = self._network(to_input(letterbox(image, fit)))
        if raw.ndim != 3 or raw.shape[:2] != (1, 5):
            raise WeightsError(
                "the detector's output is {shape}, expected (1, 5, n)",
                "检测网络的输出为 {shape}，应为 (1, 5, n)",
                shape=raw.shape,
            )
        # cx, cy, w, h, score in input pixels, (5, n), become boxes in the picture's
        found = raw[0][:, raw[0, 4] > self._score_threshold]
        centre, half = found[:2].T, found[2:4].T / 2
        xyxy = np.concatenate([centre - half, centre + half], axis=1)
        kept = suppress(xyxy, found[4], self._nms_iou)
        return Detections(fit.to_picture(xyxy[kept]), np.ascontiguousarray(found[4][kept]))


@dataclass(frozen=True, slots=True)
class Letterbox:
    """How a picture is laid into the input: scaled, centred, the rest filled with grey."""

    size_wh: tuple[int, int]  # the picture's
    inner_wh: tuple[int, int]  # the picture's after scaling
    input_wh: tuple[int, int]

    @property
    def left_top(self) -> tuple[int, int]:
        """Grey before the picture. An odd pixel goes after it, as ultralytics does."""
        (width, height), (inner_width, inner_height) = self.input_wh, self.inner_wh
        return round((width - inner_width) / 2 - 0.1), round((height - inner_height) / 2 - 0.1)

    def to_picture(self, xyxy: Array) -> Array:
        """Boxes from input pixels to the picture's pixels, clipped to the picture."""
        size = np.array(self.size_wh * 2, np.float32)
        gain = np.array(self.inner_wh * 2, np.float32) / size
        before = np.array(self.left_top * 2, np.float32)
        return np.asarray(np.clip((xyxy - before) / gain, 0, size), np.float32)


def letterbox(image: Image, fit: Letterbox) -> Image:
    """Scale and pad a picture to the input, still BGR."""
    if fit.size_wh != fit.inner_wh:
        # Linear also when shrinking: what the detector met in training and in ultralytics.
        image = np.asarray(
            cv2.resize(image, fit.inner_wh, interpolation=cv2.INTER_LINEAR), np.uint8
        )
    (width, height), (left, top) = fit.inner_wh, fit.left_top
    if fit.inner_wh == fit.input_wh:
        return image
    padded = np.full((fit.input_wh[1], fit.input_wh[0], 3), PADDING_GREY, np.uint8)
    padded[top : top + height, left : left + width] = image
    return padded


def to_input(image: Image) -> Array:
    """(h, w, 3) BGR 0-255 to (1, 3, h, w) RGB 0-1."""
    planes = np.empty((1, 3, *image.shape[:2]), np.float32)
    for channel in range(3):
        np.divide(image[:, :, 2 - channel], np.float32(255), out=planes[0, channel])
    return planes


def suppress(xyxy: Array, score: Array, most_iou: float) -> NDArray[np.intp]:
    """Greedy non-maximum suppression: the best first, each removes what overlaps it too much.

    Returns:
        Indices of the boxes kept, best first, ``MOST_BOXES`` at most.
    """
    order = np.argsort(-score, kind="stable")
    xyxy = xyxy[order]
    area = box_area(xyxy)
    alive = np.ones(len(order), np.bool_)
    kept: list[int] = []
    for index in range(len(order)):
        if not alive[index]:
            continue
        kept.append(index)
        if len(kept) == MOST_BOXES:
            break
        shared = shared_areas(xyxy[index], xyxy[index + 1 :])
        union = area[index] + area[index + 1 :] - shared
        alive[index + 1 :] &= shared <= most_iou * union
    return order[kept]


def box_area(xyxy: Array) -> Array:
    """Areas of (n, 4) boxes."""
    return np.asarray((xyxy[:, 2] - xyxy[:, 0]) * (xyxy[:, 3] - xyxy[:, 1]), np.float32)


def shared_areas(some: Array, boxes: Array) -> Array:
    """Areas that (..., 4) boxes share with those that they are broadcast with, (...)."""
    # Side by side: along a last axis of two, the very same takes twice as long.
    wide = np.minimum(some[..., 2], boxes[..., 2]) - np.maximum(some[..., 0], boxes[..., 0])
    high = np.minimum(some[..., 3], boxes[..., 3]) - np.maximum(some[..., 1], boxes[..., 1])
    return np.asarray(np.maximum(wide, 0) * np.maximum(high, 0), np.float32)
