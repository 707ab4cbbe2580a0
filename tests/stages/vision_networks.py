"""Tiny networks as files, with the inputs and outputs of the trained ones, and their manifest."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from table_assist.vision.pictures.motion import Box
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.detect import Detections
from table_assist.vision.reading.limits import LimitKind
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.recognise import CLASSES, LABELS, NOTHING_CLASS, Seen

OPSET = [helper.make_opsetid("", 13)]


def detector_model(rows: NDArray[np.float32], size: int = 64) -> bytes:
    """Gives the (n, 5) rows cx, cy, w, h, score; the scores times the brightest value seen."""
    boxes = np.ascontiguousarray(rows[:, :4].T[None], np.float32)
    scores = np.ascontiguousarray(rows[:, 4:].T[None], np.float32)
    graph = helper.make_graph(
        [
            helper.make_node("ReduceMax", ["images"], ["light"], axes=[1, 2, 3], keepdims=0),
            helper.make_node("Mul", ["scores", "light"], ["seen"]),
            helper.make_node("Concat", ["boxes", "seen"], ["output"], axis=1),
        ],
        "detector",
        [helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, size, size])],
        [helper.make_tensor_value_info("output", TensorProto.FLOAT, [1, 5, len(rows)])],
        [numpy_helper.from_array(boxes, "boxes"), numpy_helper.from_array(scores, "scores")],
    )
    return _bytes(graph)


def recogniser_model(classes: int = 51) -> bytes:
    """Logit of class 0: ten times the mean of the crop's upper half; of all others 1.

    Its features are that one logit.
    """
    graph = helper.make_graph(
        [
            helper.make_node("Slice", ["crops", "from", "to", "axis"], ["upper"]),
            helper.make_node("ReduceMean", ["upper"], ["mean"], axes=[1, 2, 3], keepdims=0),
            helper.make_node("Mul", ["mean", "ten"], ["first"]),
            helper.make_node("Unsqueeze", ["first", "one"], ["column"]),
            helper.make_node("Pad", ["column", "pads", "fill"], ["logits"]),
            helper.make_node("Identity", ["column"], ["features"]),
        ],
        "recogniser",
        [helper.make_tensor_value_info("crops", TensorProto.FLOAT, ["n", 3, 64, 64])],
        [
            helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", classes]),
            helper.make_tensor_value_info("features", TensorProto.FLOAT, ["n", 1]),
        ],
        [
            numpy_helper.from_array(np.array([0], np.int64), "from"),
            numpy_helper.from_array(np.array([32], np.int64), "to"),
            numpy_helper.from_array(np.array([2], np.int64), "axis"),
            numpy_helper.from_array(np.array([1], np.int64), "one"),
            numpy_helper.from_array(np.array(10, np.float32), "ten"),
            numpy_helper.from_array(np.array(1, np.float32), "fill"),
            numpy_helper.from_array(np.array([0, 0, 0, classes - 1], np.int64), "pads"),
        ],
    )
    return _bytes(graph)


def write_weights(folder: Path, detector: bytes, recogniser: bytes, **changes: object) -> Path:
    """Put both networks and a manifest into a folder; ``changes`` replace the manifest's values."""
    (folder / "detector.onnx").write_bytes(detector)
    (folder / "recogniser.onnx").write_bytes(recogniser)
    values: dict[str, object] = {
        "detector_sha256": hashlib.sha256(detector).hexdigest(),
        "recogniser_sha256": hashlib.sha256(recogniser).hexdigest(),
        "score_threshold": 0.25,
        "nms_iou": 0.7,
        "temperature": 1.0,
        "suits": 0.6,
        **changes,
    }
    limits = "\n".join(
        f"{name} = 0.6"
        for name in (*list(LimitKind)[1:], "whole", "thing", "thing_back", "usual", "most_unusual")
    )
    (folder / "manifest.toml").write_text(
        f"""
        [detector]
        file = "detector.onnx"
        sha256 = "{values["detector_sha256"]}"
        score_threshold = {values["score_threshold"]}
        nms_iou = {values["nms_iou"]}
        [recogniser]
        file = "recogniser.onnx"
        sha256 = "{values["recogniser_sha256"]}"
        temperature = {values["temperature"]}
        [limits]
        suits = {values["suits"]}
        {limits}
        """,
        encoding="utf-8",
    )
    return folder


def _bytes(graph: onnx.GraphProto) -> bytes:
    model = helper.make_model(graph, opset_imports=OPSET, ir_version=8)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


BLUE = 200


class RectangleDetector:
    """Finds rectangles that are not black, down to a few pixels; counts its calls.

    Attributes:
        calls: all of them; `parts` were for parts of a picture.
    """

    def __init__(self, input_size: int = 640, smallest: int = 12, largest: int = 320) -> None:
        self.input_size = self.largest_part = input_size
        self.calls = self.parts = 0
        self._smallest = smallest
        self._largest = largest

    def detect(self, image: Image) -> Detections:
        self.calls += 1
        assert max(image.shape[:2]) <= self.input_size
        mask = (image.max(axis=2) > 100).astype(np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
        boxes = [
            (left, top, left + width, top + height)
            for left, top, width, height, _ in stats[1:count]
            if self._smallest <= max(width, height) <= self._largest
        ]
        xyxy = np.array(boxes, np.float32).reshape(-1, 4)
        # Larger boxes are surer, as a whole tile is surer than its half.
        area = (xyxy[:, 2] - xyxy[:, 0]) * (xyxy[:, 3] - xyxy[:, 1])
        return Detections(xyxy, (0.5 + 0.4 * area / (1 + area.max(initial=0))).astype(np.float32))

    def detect_part(self, image: Image) -> Detections:
        self.parts += 1
        return self.detect(image)


class ColourRecogniser:
    """Names a crop by the blue in its middle, unsure of grey; counts the crops."""

    def __init__(self) -> None:
        self.crops = 0

    def see(self, crops: Image) -> Seen:
        self.crops += len(crops)
        answer = np.full((len(crops), CLASSES), 0.02 / NOTHING_CLASS, np.float32)
        for row, crop in zip(answer, crops, strict=True):
            red, _, blue = (int(value) for value in crop[32, 32])
            if red == blue:
                row[:3] = (0.5, 0.3, 0.18)
            else:
                row[min(max(blue - BLUE, 0), NOTHING_CLASS)] = 0.98
        return Seen(answer)


def colour_of(label: str) -> tuple[int, int, int]:
    """BGR of a thing with that label; ``nothing`` and ``unsure`` are labels too."""
    if label == "unsure":
        return 180, 180, 180
    index = NOTHING_CLASS if label == "nothing" else LABELS.index(label)
    return BLUE + index, 50 + 40 * (index % 5), 120


def draw(image: Image, label: str, left: int, top: int, width: int = 40, height: int = 54) -> None:
    """Put a thing into a picture."""
    image[top : top + height, left : left + width] = colour_of(label)


class PlainEyes:
    """As `table_assist.vision.table.watcher.Eyes`."""

    def __init__(self, read: Callable[[Image], Readings]) -> None:
        self._read = read

    @property
    def unread(self) -> NDArray[np.bool_]:
        """Nothing."""
        return np.zeros((1, 1), np.bool_)

    @property
    def healed(self) -> int:
        """Nothing is remembered."""
        return 0

    def read(self, image: Image, t: float) -> Readings:
        """As `Eyes.read`."""
        return self._read(image)

    def read_afresh(self, area: Box) -> None:
        """Everything is."""

    def expect(self, tile_px: float) -> None:
        """Its size does not matter."""
