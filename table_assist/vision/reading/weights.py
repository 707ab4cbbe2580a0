"""The trained networks on disk: a folder with a manifest, checked before anything is loaded.

``manifest.toml`` beside the networks::

    [detector]
    file = "detector.onnx"
    sha256 = "…"
    score_threshold = 0.25   # boxes below are not looked at
    nms_iou = 0.7            # of two boxes that overlap more, the better stays

    [recogniser]
    file = "recogniser.onnx"
    sha256 = "…"
    temperature = 1.0        # divides the logits; fitted on held-out tile sets
    turns_below = 0.9        # named less surely: read in four quarter turns (optional; 0: never)

    [limits]                 # see `limits`; written by models/limits.py (none: cautious ones)
    suits = 0.8              # and honours, white, flowers, seasons, back, dice, whole, thing
    usual = 0.98             # see `Usual`, as most_unusual
"""

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from table_assist.languages.words import SaidError
from table_assist.parts import part
from table_assist.vision.reading.limits import CAUTIOUS, LimitKind, Limits, Usual

WEIGHTS = part("models", "weights")
WEIGHTS_MANIFEST = "manifest.toml"


class WeightsError(SaidError):
    """The networks are missing, or are not the ones that the manifest describes."""


@dataclass(frozen=True, slots=True)
class DetectorWeights:
    """The detector's network and how its output is to be taken."""

    network: bytes
    score_threshold: float
    nms_iou: float


@dataclass(frozen=True, slots=True)
class RecogniserWeights:
    """The recogniser's network and how its output is to be taken."""

    network: bytes
    temperature: float
    limits: Limits
    turns_below: float


@dataclass(frozen=True, slots=True)
class Weights:
    """Both networks as bytes whose sha256 was checked: what was checked is what is loaded."""

    detector: DetectorWeights
    recogniser: RecogniserWeights


def load_weights(folder: Path = WEIGHTS) -> Weights:
    """Read the manifest and both networks.

    Raises:
        WeightsError: a file is missing, unreadable, or differs from its sha256; a manifest's key is
            missing or out of range.
    """
    path = folder / WEIGHTS_MANIFEST
    try:
        manifest = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise WeightsError(
            "the weights' manifest {path} cannot be read: {error}",
            "权重清单 {path} 无法读取：{error}",
            path=path,
            error=error,
        ) from error
    detector = _section(manifest, "detector", path)
    recogniser = _section(manifest, "recogniser", path)
    return Weights(
        DetectorWeights(
            _network(folder, detector, path),
            score_threshold=_number(detector, "score_threshold", path),
            nms_iou=_number(detector, "nms_iou", path),
        ),
        RecogniserWeights(
            _network(folder, recogniser, path),
            temperature=_number(recogniser, "temperature", path, low=0.01, high=100),
            limits=_limits(manifest, path),
            turns_below=_number(recogniser, "turns_below", path, default=0.0),
        ),
    )


def _limits(manifest: dict[str, Any], path: Path) -> Limits:
    if "limits" not in manifest:
        return CAUTIOUS
    section = _section(manifest, "limits", path)
    faces = {kind: _number(section, str(kind), path) for kind in LimitKind}
    usual = Usual(_number(section, "usual", path), _number(section, "most_unusual", path))
    whole, thing, thing_back = (
        _number(section, key, path) for key in ("whole", "thing", "thing_back")
    )
    return Limits(faces, whole, thing, thing_back, usual)


def _section(manifest: dict[str, Any], name: str, path: Path) -> dict[str, Any]:
    section = manifest.get(name)
    if not isinstance(section, dict):
        raise WeightsError(
            "the weights' manifest {path} has no section [{name}]",
            "权重清单 {path} 没有 [{name}] 一节",
            path=path,
            name=name,
        )
    return {"section": name, **section}


def _network(folder: Path, section: dict[str, Any], path: Path) -> bytes:
    name, digest = section.get("file"), section.get("sha256")
    if not isinstance(name, str) or not isinstance(digest, str):
        raise WeightsError(
            "[{section}] in {path} needs 'file' and 'sha256'",
            "{path} 的 [{section}] 须有 'file' 和 'sha256'",
            section=section["section"],
            path=path,
        )
    try:
        network = (folder / name).read_bytes()
    except OSError as error:
        raise WeightsError(
            "the weights {folder} cannot be read: {error}",
            "权重 {folder} 无法读取：{error}",
            folder=folder / name,
            error=error,
        ) from error
    actual = hashlib.sha256(network).hexdigest()
    if actual != digest.lower():
        raise WeightsError(
            "the weights {folder} have sha256 {actual}…, the manifest says {digest}…",
            "权重 {folder} 的 sha256 为 {actual}…，清单中为 {digest}…",
            folder=folder / name,
            actual=actual[:12],
            digest=digest[:12],
        )
    return network


def _number(
    section: dict[str, Any],
    key: str,
    path: Path,
    *,
    low: float = 0.0,
    high: float = 1.0,
    default: float | None = None,
) -> float:
    value = section.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise WeightsError(
            "[{section}] {key} in {path} is {value}, expected {low} to {high}",
            "{path} 的 [{section}] {key} 为 {value}，应在 {low} 到 {high} 之间",
            section=section["section"],
            key=key,
            path=path,
            value=f"{value!r}",
            low=low,
            high=high,
        )
    return float(value)
