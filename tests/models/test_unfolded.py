"""An exported recogniser can be trained on: what is loaded from it computes what it computes."""

import numpy as np
import onnxruntime
import torch

from models.recogniser import Recogniser
from models.unfolded import load_exported
from table_assist.vision.reading.recognise import LOGITS
from table_assist.vision.reading.weights import WEIGHTS


def test_a_recogniser_from_the_export_computes_what_the_export_computes() -> None:
    exported = WEIGHTS / "recogniser.onnx"
    random = np.random.default_rng(3)
    crops = random.random((48, 3, 64, 64), np.float32)
    model = Recogniser()
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
