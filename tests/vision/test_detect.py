"""The detector's runtime: letterbox, suppression, and the weights' manifest."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from table_assist.vision.reading.detect import (
    MOST_BOXES,
    OnnxDetector,
    suppress,
)
from table_assist.vision.reading.limits import Limits, Usual
from table_assist.vision.reading.weights import DetectorWeights, WeightsError, load_weights
from tests.stages.vision_networks import detector_model, recogniser_model, write_weights

ROWS = np.array(
    [
        [20, 20, 10, 12, 0.9],
        [21, 20, 10, 12, 0.8],  # the same thing again: 0.82 over union
        [45, 40, 10, 12, 0.5],
        [10, 50, 10, 12, 0.2],  # below the threshold
        [60, 60, 20, 20, 0.7],  # beyond the border
    ],
    np.float32,
)


def detector(rows: np.ndarray = ROWS) -> OnnxDetector:
    return OnnxDetector(DetectorWeights(detector_model(rows), 0.25, 0.7), threads=1)


def test_boxes_come_from_the_network_through_threshold_and_suppression() -> None:
    seen = detector().detect(np.full((64, 64, 3), 255, np.uint8))
    assert np.allclose(seen.score, [0.9, 0.7, 0.5])
    assert np.allclose(seen.xyxy, [[15, 14, 25, 26], [50, 50, 64, 64], [40, 34, 50, 46]])


def test_boxes_are_in_the_picture_s_own_pixels() -> None:
    # 128 x 64 is halved to 64 x 32 with 16 grey rows above and below.
    seen = detector().detect(np.full((64, 128, 3), 255, np.uint8))
    assert np.allclose(seen.xyxy[0], [30, 0, 50, 20])


def test_suppression_stops_at_the_most_boxes() -> None:
    corner = np.arange(400, dtype=np.float32)[:, None] * 20
    boxes = np.concatenate([corner, corner, corner + 10, corner + 10], axis=1)
    kept = suppress(boxes, np.linspace(0.3, 0.9, 400, dtype=np.float32), 0.7)
    assert len(kept) == MOST_BOXES
    assert kept[0] == 399


def test_weights_load(tmp_path: Path) -> None:
    weights = load_weights(write_weights(tmp_path, detector_model(ROWS), recogniser_model()))
    assert weights.detector.score_threshold == 0.25
    assert weights.recogniser.limits == replace(Limits.alike(0.6), usual=Usual(0.6, 0.6))
    assert weights.recogniser.turns_below == 0.0


def test_changed_weights_are_refused(tmp_path: Path) -> None:
    write_weights(tmp_path, detector_model(ROWS), recogniser_model())
    (tmp_path / "recogniser.onnx").write_bytes(b"other")
    with pytest.raises(WeightsError, match=r"recogniser\.onnx have sha256 \w{12}…, the manifest"):
        load_weights(tmp_path)


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"manifest .*manifest\.toml cannot be read"):
        load_weights(tmp_path)
    write_weights(tmp_path, detector_model(ROWS), recogniser_model())
    (tmp_path / "detector.onnx").unlink()
    with pytest.raises(WeightsError, match=r"detector\.onnx cannot be read"):
        load_weights(tmp_path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"nms_iou": "7"}, "nms_iou in .* is 7, expected 0.0 to 1.0"),
        ({"temperature": "0"}, "temperature in .* is 0, expected 0.01 to 100"),
        ({"suits": '"high"'}, "suits in .* is 'high'"),
        ({"score_threshold": "true"}, "score_threshold in .* is True"),
    ],
)
def test_a_broken_manifest_is_refused(
    tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    write_weights(tmp_path, detector_model(ROWS), recogniser_model(), **changes)
    with pytest.raises(WeightsError, match=message):
        load_weights(tmp_path)


@pytest.mark.parametrize(
    "text", ["", "[detector]\nfile = 'x'", "detector = 1", "[detector", "\xff\xfe"]
)
def test_any_manifest_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.toml").write_text(text, encoding="latin-1")
    with pytest.raises(WeightsError, match=r"manifest\.toml"):
        load_weights(tmp_path)


def test_bytes_that_are_no_network_are_refused() -> None:
    with pytest.raises(WeightsError, match="cannot be loaded"):
        OnnxDetector(DetectorWeights(b"not a network", 0.25, 0.7), threads=1)


def test_a_network_with_another_output_is_refused() -> None:
    wrong = OnnxDetector(DetectorWeights(recogniser_model(), 0.25, 0.7), threads=1)
    with pytest.raises(WeightsError, match=r"output is .*, expected \(1, 5, n\)"):
        wrong.detect(np.zeros((64, 64, 3), np.uint8))
