"""The networks in the repository: what the manifest says, and equal to ultralytics' reading."""

import re
import tomllib
import warnings

import cv2
import numpy as np
import pytest

from models.evaluate import match
from models.pictures import DETECTOR_LABELS
from models.tables import compose_table, one_of
from table_assist.twin.faces import load_faces
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.detect import OnnxDetector
from table_assist.vision.reading.read import open_reader
from table_assist.vision.reading.recognise import LABELS as RUNTIME_LABELS
from table_assist.vision.reading.weights import WEIGHTS, load_weights


def composed(seed: int) -> tuple[Image, np.ndarray]:
    """A table of our own faces only: the training data need not be there."""
    sets = one_of([load_faces()])
    image, rows = compose_table(np.random.default_rng(seed), sets, from_seat=False)
    return image, np.array([row.split() for row in rows], np.float64)


def test_the_weights_are_the_manifests_and_stay_under_15_megabytes() -> None:
    load_weights()  # raises when a sha256 differs
    manifest = tomllib.loads((WEIGHTS / "manifest.toml").read_text(encoding="utf-8"))
    parts = [manifest["detector"], manifest["recogniser"]]
    sizes = [(WEIGHTS / part["file"]).stat().st_size for part in parts]
    assert sizes == [part["size"] for part in parts]
    assert sum(sizes) < 15_000_000


def test_training_and_runtime_number_the_labels_alike() -> None:
    assert tuple(DETECTOR_LABELS) == RUNTIME_LABELS


def test_no_path_of_the_exporting_machine_is_in_the_weights() -> None:
    for part in ("detector", "recogniser"):
        content = (WEIGHTS / f"{part}.onnx").read_bytes()
        for trace in (b"site-packages", b"/home/", b"/root/", b"/tmp/"):
            assert trace not in content, f"{part} holds {trace!r}"
        # Three bytes alone are found by chance among ten million.
        assert not re.search(rb"\w{2}\.py\b", content), f"{part} names a source file"


@pytest.fixture(scope="module")
def ultralytics_model() -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from ultralytics import YOLO

        return YOLO(str(WEIGHTS / "detector.onnx"), task="detect")


@pytest.mark.parametrize(("seed", "size_wh"), [(14, (640, 640)), (15, (560, 400)), (8, (700, 900))])
def test_detections_equal_ultralytics_predict(
    ultralytics_model: object, seed: int, size_wh: tuple[int, int]
) -> None:
    image = np.asarray(cv2.resize(composed(seed)[0], size_wh), np.uint8)
    weights = load_weights().detector
    own = OnnxDetector(weights, threads=1).detect(image)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (theirs,) = ultralytics_model.predict(  # type: ignore[attr-defined]
            image,
            imgsz=640,
            conf=weights.score_threshold,
            iou=weights.nms_iou,
            max_det=300,
            device="cpu",
            verbose=False,
            save=False,
        )
    boxes = theirs.boxes.xyxy.numpy()
    assert len(own) == len(boxes) > 0
    order = theirs.boxes.conf.numpy()
    pairs = match(boxes.astype(float), own.xyxy.astype(float))
    assert len(pairs) == len(boxes)
    for row, column in pairs:
        low = np.maximum(boxes[row, :2], own.xyxy[column, :2])
        high = np.minimum(boxes[row, 2:], own.xyxy[column, 2:])
        shared = np.prod(high - low)
        areas = [np.prod(box[2:] - box[:2]) for box in (boxes[row], own.xyxy[column])]
        assert shared / (sum(areas) - shared) > 0.98
        assert abs(order[row] - own.score[column]) < 0.01


def test_the_networks_read_most_of_a_drawn_table_and_guess_little() -> None:
    """Not the model card's figure: a floor under which the weights are broken."""
    reader = open_reader(threads=1)
    found = right = wrong = total = 0
    for seed in (4, 14, 16):
        image, labels = composed(seed)
        centre, half = labels[:, 1:3] * 640, labels[:, 3:5] * 320
        truth = np.concatenate([centre - half, centre + half], axis=1)
        readings = reader.read(image)
        boxes = readings.polygons[:, [0, 2]].reshape(-1, 4)
        total += len(truth)
        for row, column in match(truth, boxes.astype(float)):
            found += 1
            expected, read = DETECTOR_LABELS[int(labels[row, 0])], readings.labels[column]
            right += read == expected
            wrong += read not in (expected, "?")
    assert found > 0.8 * total
    assert right > 0.6 * total
    assert wrong < 0.06 * total
