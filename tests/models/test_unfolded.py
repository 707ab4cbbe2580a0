"""Exported networks can be trained on: what is loaded from them computes what they compute."""

import warnings
from pathlib import Path

import numpy as np
import onnxruntime
import torch

from models.export import blend_in, load_recogniser
from models.recogniser import RecogniserNetwork, exported_weights, load_exported
from table_assist.vision.reading.read import open_reader
from table_assist.vision.reading.recognise import LOGITS
from table_assist.vision.reading.weights import WEIGHTS


def test_a_recogniser_from_the_export_computes_what_the_export_computes() -> None:
    exported = WEIGHTS / "recogniser.onnx"
    random = np.random.default_rng(3)
    crops = random.random((48, 3, 64, 64), np.float32)
    model = RecogniserNetwork()
    load_exported(model, exported, torch.from_numpy(crops[:32]))
    session = onnxruntime.InferenceSession(str(exported), providers=["CPUExecutionProvider"])
    (logits,) = session.run([LOGITS], {session.get_inputs()[0].name: crops})
    with torch.no_grad():
        same = model.eval()(torch.from_numpy(crops)).numpy()
    assert np.abs(same - logits).max() < 1e-3 * np.abs(logits).max()
    # In training its batch norms see a batch as they saw the crops: the step begins where it was.
    model.train()
    model.head[2].p = 0.0  # no dropout
    with torch.no_grad():
        trained = model(torch.from_numpy(crops[:32])).numpy()
    assert (trained.argmax(1) == logits[:32].argmax(1)).mean() > 0.9


def test_a_mean_with_an_export_lies_between_both(tmp_path: Path) -> None:
    exported = WEIGHTS / "recogniser.onnx"
    planes = torch.from_numpy(np.random.default_rng(5).random((4, 3, 64, 64), np.float32))
    session = onnxruntime.InferenceSession(str(exported), providers=["CPUExecutionProvider"])
    (logits,) = session.run([LOGITS], {session.get_inputs()[0].name: planes.numpy()})
    torch.save(RecogniserNetwork().state_dict(), tmp_path / "recogniser.pt")
    model = load_recogniser(tmp_path / "recogniser.pt")
    own = {name: values.clone() for name, values in model.named_parameters()}
    blend_in(model, exported, 0.25)
    earlier = exported_weights(exported)
    for name, values in model.named_parameters():
        between = 0.75 * own[name] + 0.25 * torch.from_numpy(earlier[name])
        assert torch.allclose(values, between, atol=1e-5), name
    blend_in(model, exported, 1.0)
    with torch.no_grad():
        same = model(planes).numpy()
    assert np.abs(same - logits).max() < 1e-3 * np.abs(logits).max()


def test_training_of_the_detector_starts_with_what_its_export_computes() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from ultralytics.nn.tasks import DetectionModel

        from models.train_detector import ARCHITECTURE, load_folded

        image = np.random.default_rng(3).random((1, 3, 160, 160), np.float32)
        started = DetectionModel(ARCHITECTURE, nc=1, verbose=False)
        load_folded(started, exported_weights(WEIGHTS / "detector.onnx"), torch.from_numpy(image))
        with torch.no_grad():
            scores = started.train()(torch.from_numpy(image))["scores"].sigmoid().numpy()
    exported = open_reader().detector._network(image)  # type: ignore[attr-defined]
    np.testing.assert_allclose(scores[0, 0], exported[0, 4], atol=0.01)
    assert exported[0, 4].max() > 0.001
