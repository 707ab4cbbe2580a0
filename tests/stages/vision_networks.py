"""Tiny networks as files, with the inputs and outputs of the trained ones, and their manifest."""

import hashlib
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from table_assist.vision.reading.limits import LimitKind

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
