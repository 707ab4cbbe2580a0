"""Trains the recogniser on real photos, dice and drawn tables; resumes where it stopped."""

import copy
import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from models.crops import CropSource, CropStream, load_sources
from models.detector_data import load_series, whole_pictures
from models.nothing import load_nothing
from models.recogniser import RecogniserNetwork, load_exported
from models.sheets import load_sheets
from table_assist.vision.reading.recognise import crop_tile

EMA_DECAY = 0.998
LABEL_SMOOTHING = 0.03
RISE = 0.12  # share of the time in which the rate rises
MOST_PICTURES_OF_NOTHING = 1100
CHECKPOINT = "recogniser_checkpoint.pt"
CROPS_FOR_NORMS = 768


@dataclass(frozen=True, slots=True)
class RecogniserPlan:
    """How long and on what to train."""

    data: Path
    tables: Path
    nothing: Path  # pictures without tiles
    run: Path
    hours: float
    most_steps: int = 1_000_000
    batch: int = 192
    peak_rate: float = 4e-3
    workers: int = 1
    threads: int = 1
    save_every: int = 200
    start_from: Path | None = None  # an earlier recogniser.pt, without its optimiser; or an .onnx


class _Stream(IterableDataset[tuple[NDArray[np.float32], int]]):
    def __init__(self, groups: list[list[CropSource]], shares: list[float], seed: int) -> None:
        self._groups, self._shares, self._seed = groups, shares, seed

    def __iter__(self) -> Iterator[tuple[NDArray[np.float32], int]]:
        cv2.setNumThreads(0)
        worker = get_worker_info()
        number = worker.id if worker else 0
        return iter(CropStream(self._groups, self._shares, self._seed * 100 + number))


def load_groups(plan: RecogniserPlan) -> tuple[list[list[CropSource]], list[float]]:
    """Photos, tables, sheets, dice and nothing, with how often each is drawn from."""
    complete = whole_pictures(plan.data)
    photos = load_sources(plan.data / "photos/images/train", turned=False, complete=complete)
    tables = load_sources(plan.tables / "images", turned=True, complete=True)
    dice = load_sources(plan.data / "dice/images/train", turned=False, complete=True)
    sheets = load_sheets(plan.data, held=False)
    nothing = load_nothing(plan.nothing, most=MOST_PICTURES_OF_NOTHING)
    groups = [
        (photos, 0.24), (load_series(plan.data), 0.20),
        (tables, 0.18), (sheets, 0.11), (dice, 0.03), (nothing, 0.07),
    ]  # fmt: skip
    present = [(group, share) for group, share in groups if group]
    return [group for group, _ in present], [share for _, share in present]


def train_recogniser(plan: RecogniserPlan) -> Path:
    """Train to `run/recogniser.pt` (averaged weights) and return that path."""
    torch.set_num_threads(plan.threads)
    plan.run.mkdir(parents=True, exist_ok=True)
    groups, shares = load_groups(plan)
    state = _begin(plan, CropStream(groups, shares, seed=0))
    stream = DataLoader(
        _Stream(groups, shares, seed=state.step + 1),
        batch_size=plan.batch,
        num_workers=plan.workers,
    )
    loss_of = nn.CrossEntropyLoss(label_smoothing=LABEL_SMOOTHING)
    started, seconds_before, seen, losses = time.monotonic(), state.seconds, 0, []
    for crops, labels in stream:
        progress = min(1.0, state.seconds / (plan.hours * 3600))
        for group in state.optimiser.param_groups:
            group["lr"] = plan.peak_rate * _share_of_peak(progress)
        losses.append(_step(state.model, state.optimiser, loss_of, crops, labels))
        state.step += 1
        seen += len(labels)
        _follow(state.average, state.model, min(EMA_DECAY, (1 + state.step) / (10 + state.step)))
        state.seconds = seconds_before + time.monotonic() - started
        done = progress >= 1 or state.step >= plan.most_steps
        if state.step % plan.save_every == 0 or done:
            state.save(plan.run)
            line = {
                "step": state.step,
                "minutes": round(state.seconds / 60, 1),
                "loss": round(float(np.mean(losses)), 4),
                "crops_per_s": round(seen / (time.monotonic() - started), 1),
                "val_right": round(validate(state.average, plan.data), 4),
            }
            losses = []
            with (plan.run / "recogniser.jsonl").open("a", encoding="utf-8") as log:
                log.write(json.dumps(line) + "\n")
        if done:
            break
    return plan.run / "recogniser.pt"


@dataclass(slots=True)
class _State:
    """The state from which a run continues."""

    model: nn.Module
    average: nn.Module
    optimiser: torch.optim.Optimizer
    step: int = 0
    seconds: float = 0.0

    def save(self, run: Path) -> None:
        torch.save(self.average.state_dict(), run / "recogniser.pt")
        content = {
            "model": self.model.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
        }
        torch.save(content, run / CHECKPOINT)


def _begin(plan: RecogniserPlan, crops: CropStream) -> _State:
    model = RecogniserNetwork().to(memory_format=torch.channels_last)
    if plan.start_from and plan.start_from.suffix == ".onnx":
        some = np.stack([crops.draw()[0] for _ in range(CROPS_FOR_NORMS)])
        load_exported(model, plan.start_from, torch.from_numpy(some))
    elif plan.start_from:
        model.load_state_dict(torch.load(plan.start_from, weights_only=True))
    optimiser = torch.optim.AdamW(model.parameters(), lr=plan.peak_rate, weight_decay=0.02)
    state = _State(model, copy.deepcopy(model).eval(), optimiser)
    if (plan.run / CHECKPOINT).exists():
        saved = torch.load(plan.run / CHECKPOINT, weights_only=True)
        state.model.load_state_dict(saved["model"])
        state.average.load_state_dict(saved["average"])
        state.optimiser.load_state_dict(saved["optimiser"])
        state.step, state.seconds = saved["step"], saved["seconds"]
    return state


def _share_of_peak(progress: float) -> float:
    """One cycle: up in a straight line, down along a cosine."""
    if progress < RISE:
        return 0.04 + 0.96 * progress / RISE
    return 0.5 * (1 + math.cos(math.pi * (progress - RISE) / (1 - RISE))) + 1e-3


def _step(
    model: nn.Module,
    optimiser: torch.optim.Optimizer,
    loss_of: nn.Module,
    crops: torch.Tensor,
    labels: torch.Tensor,
) -> float:
    model.train()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(crops.contiguous(memory_format=torch.channels_last))
    loss = loss_of(logits.float(), labels)
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 2.0)
    optimiser.step()
    return float(loss.detach())


@torch.no_grad()
def _follow(average: nn.Module, model: nn.Module, decay: float) -> None:
    for old, new in zip(average.state_dict().values(), model.state_dict().values(), strict=True):
        if old.dtype.is_floating_point:
            old.lerp_(new, 1 - decay)
        else:
            old.copy_(new)


@torch.no_grad()
def validate(model: nn.Module, data: Path) -> float:
    """Share of the labelled boxes of photos/val (every third picture) named right."""
    right = total = 0
    for source in load_sources(data / "photos/images/val", turned=False, complete=False)[::3]:
        crops = np.stack([crop_tile(source.image, box) for box in source.boxes])
        tensor = torch.from_numpy(crops.transpose(0, 3, 1, 2).astype(np.float32) / 255)
        right += int((model(tensor).argmax(1).numpy() == source.labels).sum())
        total += len(source.labels)
    return right / total if total else 0.0
