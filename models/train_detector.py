"""Trains the one-class detector (YOLO11n) with ultralytics; resumes from `last.pt`."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from ultralytics import settings
from ultralytics.models.yolo.detect import DetectionTrainer
from ultralytics.nn.modules import Conv
from ultralytics.nn.tasks import DetectionModel

from models.pictures import load_image
from models.recogniser import copy_weights, exported_weights, passing_through

ARCHITECTURE = "yolo11n.yaml"
WARM_SHARE = 0.03  # of the time, in which the rate rises
LAST_RATE = 0.02  # share of the rate that is left at the end


@dataclass(frozen=True, slots=True)
class DetectorPlan:
    """How long and on what to train."""

    description: Path  # data.yaml of the prepared pictures
    run: Path
    hours: float
    start_from: Path | None = None  # an export, or an earlier run's .pt
    batch: int = 12
    workers: int = 1
    threads: int = 1
    rate: float = 1e-3
    epochs: int = 100
    size: int = 640


class HalfPrecisionDetector(DetectionModel):
    """Runs training's forward pass in bfloat16, which this processor does twice as fast."""

    def loss(self, batch: dict[str, Any], preds: Any = None) -> Any:
        """Return ultralytics' loss, computed in full precision from bfloat16 predictions."""
        if preds is None:
            images = batch["img"].contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.training):
                preds = self(images)
            preds = _full_precision(preds)
        inherited: Callable[..., Any] = super().loss
        return inherited(batch, preds)


def _full_precision(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.float()
    if isinstance(value, dict):
        return {key: _full_precision(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_full_precision(item) for item in value)
    return value


def load_folded(
    model: DetectionModel, folded: dict[str, NDArray[np.float32]], images: Tensor
) -> None:
    """Start a model from weights whose batch norms are folded, as exports have them.

    One pass over real pictures finds each layer's statistics; with them the batch norms are set
    to pass through, so that in training the network computes what the folded one computes. The
    many-class output becomes one class: the mean of the classes' weights.
    """
    hooks = []
    for name, module in model.named_modules():
        if isinstance(module, Conv):
            copy_weights(module.conv.weight, folded[f"{name}.conv.weight"])
            bias = torch.from_numpy(folded[f"{name}.conv.bias"].astype(np.float32))
            hooks.append(module.conv.register_forward_hook(passing_through(module.bn, bias)))
        elif (
            isinstance(module, nn.Conv2d) and f"{name}.weight" in folded and module.bias is not None
        ):
            weight, bias_array = folded[f"{name}.weight"], folded[f"{name}.bias"]
            if weight.shape == tuple(module.weight.shape):
                copy_weights(module.weight, weight)
                copy_weights(module.bias, bias_array)
            else:
                copy_weights(module.weight, weight.mean(axis=0, keepdims=True))
    model.train()
    with torch.no_grad():
        model.forward(images)
    for hook in hooks:
        hook.remove()


def _trainer_for(plan: DetectorPlan) -> type[DetectionTrainer]:
    class Trainer(DetectionTrainer):
        def get_model(
            self, cfg: Any = None, weights: Any = None, verbose: bool = True
        ) -> DetectionModel:
            kind: type[DetectionModel] = HalfPrecisionDetector
            model = kind(ARCHITECTURE, nc=1, verbose=False)
            if weights is not None:  # a resumed run
                model.load(weights, verbose=False)
            elif plan.start_from and plan.start_from.suffix == ".onnx":
                load_folded(model, exported_weights(plan.start_from), self._some_pictures())
            elif plan.start_from:
                saved = torch.load(plan.start_from, weights_only=False)
                model.load_state_dict((saved["ema"] or saved["model"]).float().state_dict())
            return model.to(memory_format=torch.channels_last)

        def _some_pictures(self) -> Tensor:
            """Real pictures for the batch norms, spread over the training folder."""
            import cv2

            paths = sorted(Path(self.data["train"]).glob("*.jpg"))
            pictures = [
                cv2.resize(load_image(path), (plan.size, plan.size))
                for path in paths[:: max(1, len(paths) // 24)][:24]
            ]
            stacked = np.stack(pictures)[..., ::-1].transpose(0, 3, 1, 2) / np.float32(255)
            return torch.from_numpy(np.ascontiguousarray(stacked, np.float32))

        def final_eval(self) -> None:
            """Leave judging to evaluate.py, which reads through the runtime."""

    return Trainer


def _anneal_by_time(plan: DetectorPlan) -> Callable[[DetectionTrainer], None]:
    """Lower the rate along a cosine of the time spent: epochs are too few here to step by."""

    def set_rate(trainer: DetectionTrainer) -> None:
        spent = (time.time() - trainer.train_time_start) / (plan.hours * 3600)
        warm = min(1.0, spent / WARM_SHARE)
        share = LAST_RATE + (1 - LAST_RATE) * (1 + math.cos(math.pi * min(spent, 1.0))) / 2
        for group in cast(torch.optim.Optimizer, trainer.optimizer).param_groups:
            group["lr"] = plan.rate * warm * share

    return set_rate


def train_detector(plan: DetectorPlan) -> Path:
    """Train to `run/detector/weights/last.pt` and return that path."""
    settings.update({"sync": False})
    torch.set_num_threads(plan.threads)
    last = plan.run / "detector" / "weights" / "last.pt"
    overrides: dict[str, Any] = {
        "task": "detect", "model": ARCHITECTURE, "data": str(plan.description),
        "project": str(plan.run.resolve()), "name": "detector", "exist_ok": True,
        "epochs": plan.epochs, "time": plan.hours, "imgsz": plan.size, "batch": plan.batch,
        "nbs": plan.batch, "workers": plan.workers, "device": "cpu", "amp": False,
        "optimizer": "AdamW", "lr0": plan.rate,
        "weight_decay": 0.0005, "warmup_epochs": 0,
        "degrees": 3.0, "scale": 0.45, "translate": 0.1, "shear": 2.0, "fliplr": 0.5,
        "flipud": 0.5, "hsv_h": 0.03, "hsv_s": 0.5, "hsv_v": 0.35, "mosaic": 0.6,
        "close_mosaic": 0, "erasing": 0.0, "plots": False, "val": False, "verbose": False,
        "patience": 0, "cache": False, "pretrained": False, "max_det": 1000,
    }  # fmt: skip
    if last.exists():
        overrides["resume"] = str(last)
    trainer = _trainer_for(plan)(overrides=overrides)
    trainer.add_callback("on_train_batch_start", _anneal_by_time(plan))
    trainer.train()
    return last
