"""Exports a run's networks to ONNX with a manifest: `python models/export.py --run models/runs/v1`.

With `--data` the recogniser's temperature is fitted on the labelled boxes of photos/val and on the
held-out sheets under a camera's conditions. The limits of what is named are those of other weights
then, and are left out: `python -m models.limits` fits them anew.
"""

import argparse
import datetime
import hashlib
import shutil
import tempfile
import tomllib
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch.nn.utils.fusion import fuse_conv_bn_eval

from models import recogniser
from models.any_size import any_size
from models.crops import draw_crop, load_sources
from models.sheets import load_sheets
from table_assist.vision.reading.recognise import CROP_SIZE, FEATURES, LOGITS, crop_tile

EXPORTED = Path(__file__).parent / "weights"
OPSET = 17  # ONNX Runtime 1.18, the oldest that the program accepts, reads it
DETECTOR_SIZE = 640
# Chosen on photos/val with evaluate.py; the model card has the figures.
SCORE_THRESHOLD = 0.2
NMS_IOU = 0.6
TURNS_BELOW = 0.99


def export(run: Path, weights: Path, data: Path | None, share: float = 1.0) -> None:
    """Write detector.onnx, recogniser.onnx and manifest.toml; a part not in the run is kept.

    Args:
        run: of models/train.py.
        weights: where they are written, and where what the run began with lies.
        data: what the temperature is fitted on; None: it stays.
        share: of the run's recogniser; the rest is of the one that lies in `weights`.
    """
    weights.mkdir(parents=True, exist_ok=True)
    trained = run / "detector" / "weights" / "last.pt"
    if trained.exists():
        _export_detector(trained, weights / "detector.onnx")
    manifest, temperature = weights / "manifest.toml", 1.0
    if manifest.exists():
        before = tomllib.loads(manifest.read_text(encoding="utf-8"))
        temperature = float(before["recogniser"]["temperature"])
    if (run / "recogniser.pt").exists():
        model = load_recogniser(run / "recogniser.pt")
        if share < 1:
            blend_in(model, weights / "recogniser.onnx", 1 - share)
        path = weights / "recogniser.onnx"
        program = torch.onnx.export(
            recogniser.WithFeatures(model).eval(),
            (torch.zeros(2, 3, CROP_SIZE, CROP_SIZE),),
            dynamo=True,
            opset_version=18,
            input_names=["crops"],
            output_names=[LOGITS, FEATURES],
            dynamic_shapes=[{0: torch.export.Dim("n", min=1, max=4096)}],
            verbose=False,
        )
        assert program is not None
        stored = store_half(program.model_proto)
        onnx.checker.check_model(stored)
        onnx.save(stored, str(path))
        if data is not None:
            temperature = fit_temperature(*_held_logits(model, data))
    _write_manifest(weights, temperature)


def load_recogniser(path: Path) -> recogniser.RecogniserNetwork:
    """The trained recogniser with its batch norms folded, ready to be read with."""
    model = recogniser.RecogniserNetwork()
    model.load_state_dict(torch.load(path, weights_only=True))
    model.eval()
    for module in model.modules():
        if isinstance(module, recogniser.Residual):
            _fold(module.body)
            if isinstance(module.shortcut, torch.nn.Sequential):
                _fold(module.shortcut)
    _fold(model.features)
    return model


def blend_in(model: recogniser.RecogniserNetwork, exported: Path, share: float) -> None:
    """Make a folded recogniser the mean of itself and, by that share, of an exported one.

    Such a mean often keeps what each of the two is better at, if one began where the other ended.

    Raises:
        KeyError: the file holds another network.
    """
    before = recogniser.with_classes(
        recogniser.exported_weights(exported), recogniser.RECOGNISER_CLASSES
    )
    model.load_state_dict(
        {
            name: torch.lerp(value, torch.from_numpy(before[name]), share)
            for name, value in model.state_dict().items()
        }
    )


def _fold(layers: torch.nn.Sequential) -> None:
    for index in range(len(layers) - 1):
        conv, norm = layers[index], layers[index + 1]
        if isinstance(norm, torch.nn.BatchNorm2d):
            assert isinstance(conv, torch.nn.Conv2d)
            layers[index] = fuse_conv_bn_eval(conv, norm)
            layers[index + 1] = torch.nn.Identity()


def _export_detector(trained: Path, path: Path) -> None:
    from ultralytics.models import YOLO

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "detector.pt"
        shutil.copy(trained, copy)
        made = YOLO(str(copy)).export(
            format="onnx", imgsz=DETECTOR_SIZE, opset=OPSET, simplify=False, nms=False
        )
        model = onnx.load(str(made))
    for entry in list(model.metadata_props):
        if entry.key in ("description", "date", "docs"):
            model.metadata_props.remove(entry)
    onnx.save(any_size(model), str(path))


def store_half(model: onnx.ModelProto) -> onnx.ModelProto:
    """Keep large weights as float16 with a Cast before their use: half the size, same speed."""
    graph, casts = model.graph, []
    for tensor in graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or np.prod(tensor.dims) < 256:
            continue
        half = numpy_helper.from_array(
            numpy_helper.to_array(tensor).astype(np.float16), tensor.name + "_half"
        )
        casts.append(helper.make_node("Cast", [half.name], [tensor.name], to=TensorProto.FLOAT))
        tensor.CopyFrom(half)
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    del graph.value_info[:]
    # The exporter's notes name source files by their place on this machine.
    for part in (*graph.node, *graph.initializer, *graph.input, *graph.output, graph, model):
        del part.metadata_props[:]
        part.doc_string = ""
    return model


@torch.no_grad()
def _held_logits(
    model: recogniser.RecogniserNetwork, data: Path
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    random = np.random.default_rng(0)
    photos = load_sources(data / "photos/images/val", turned=False, complete=False)
    sheets = load_sheets(data, held=True)
    crops = [[crop_tile(source.image, box) for box in source.boxes] for source in photos]
    crops += [[draw_crop(random, source, box) for box in source.boxes] for source in sheets]
    logits, labels = [], []
    for source, own in zip([*photos, *sheets], crops, strict=True):
        planes = torch.from_numpy(np.stack(own).transpose(0, 3, 1, 2).astype(np.float32) / 255)
        logits.append(model(planes).numpy())
        labels.append(source.labels)
    return np.concatenate(logits).astype(np.float64), np.concatenate(labels)


def fit_temperature(logits: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """The divisor of the logits under which the labels are likeliest."""

    def loss(temperature: float) -> float:
        scaled = logits / temperature
        top = scaled.max(axis=1, keepdims=True)
        normal = np.log(np.exp(scaled - top).sum(axis=1)) + top[:, 0]
        return float((normal - scaled[np.arange(len(labels)), labels]).mean())

    return float(min(np.arange(0.3, 3.0, 0.02), key=loss))


def _write_manifest(weights: Path, temperature: float) -> None:
    lines = ["# Written by export.py; the program refuses networks whose sha256 differs."]
    own = {
        "detector": [
            f"input = [{DETECTOR_SIZE}, {DETECTOR_SIZE}]",
            f"score_threshold = {SCORE_THRESHOLD}",
            f"nms_iou = {NMS_IOU}",
        ],
        "recogniser": [
            f"input = [{CROP_SIZE}, {CROP_SIZE}]",
            f"temperature = {temperature:.2f}",
            f"turns_below = {TURNS_BELOW}",
        ],
    }
    for part, values in own.items():
        content = (weights / f"{part}.onnx").read_bytes()
        lines += [
            "",
            f"[{part}]",
            f'file = "{part}.onnx"',
            f'sha256 = "{hashlib.sha256(content).hexdigest()}"',
            f"size = {len(content)}",
            f"date = {datetime.datetime.now(datetime.UTC).date()}",
            *values,
        ]
    (weights / "manifest.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> None:
    """Export from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--weights", type=Path, default=EXPORTED)
    parser.add_argument("--data", type=Path)
    parser.add_argument(
        "--share", type=float, default=1.0, help="of the run, in a mean with EXPORTED"
    )
    options = parser.parse_args(arguments)
    export(options.run, options.weights, options.data, options.share)


if __name__ == "__main__":
    main()
