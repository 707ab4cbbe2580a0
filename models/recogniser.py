"""The recogniser, a small residual network; and networks made trainable of exported files."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

RECOGNISER_CLASSES = 51  # the 49 labels of tiles.toml, then "nothing", then "a part of a tile"


class Residual(nn.Module):
    """Two 3x3 convolutions beside a shortcut."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(inplace=True),
            nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False),
            nn.BatchNorm2d(outputs),
        )
        self.shortcut: nn.Module = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(
                nn.AvgPool2d(stride) if stride > 1 else nn.Identity(),
                nn.Conv2d(inputs, outputs, 1, bias=False),
                nn.BatchNorm2d(outputs),
            )

    def forward(self, x: Tensor) -> Tensor:
        """Add the body to the shortcut."""
        return nn.functional.relu(self.body(x) + self.shortcut(x))


class RecogniserNetwork(nn.Module):
    """(n, 3, 64, 64) RGB 0-1 to (n, 51) logits; 1.06 million parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 24, 3, 2, 1, bias=False),
            nn.BatchNorm2d(24),
            nn.ReLU(inplace=True),
            Residual(24, 24),
            Residual(24, 64, 2),
            Residual(64, 64),
            Residual(64, 128, 2),
            Residual(128, 128),
            Residual(128, 160, 2),
        )
        # Where a stroke lies matters (6 and 9 dots), so 2x2 cells are kept apart until the end.
        self.head = nn.Sequential(
            nn.AdaptiveAvgPool2d(2),
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.Linear(640, RECOGNISER_CLASSES),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Logits, not probabilities."""
        logits: Tensor = self.head(self.features((x - 0.5) * 4))
        return logits


class WithFeatures(nn.Module):
    """A recogniser as it is exported: logits (n, 51) and the features (n, d) they come from."""

    def __init__(self, recogniser: RecogniserNetwork) -> None:
        super().__init__()
        self.recogniser = recogniser

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and features in one pass."""
        *before, last = self.recogniser.head
        features = nn.Sequential(*before)(self.recogniser.features((x - 0.5) * 4))
        return last(features), features


LATER = 2.0  # of a logit


def load_exported(model: RecogniserNetwork, exported: Path, crops: Tensor) -> None:
    """Fill a recogniser from `recogniser.onnx`.

    Args:
        crops: (n, 3, 64, 64) RGB 0-1, some hundreds, drawn as training draws them.

    Raises:
        KeyError: the file holds another network.
    """
    weights = with_classes(exported_weights(exported), RECOGNISER_CLASSES)
    hooks = []
    for name, module in model.named_modules():
        if isinstance(module, nn.Linear):
            copy_weights(module.weight, weights[f"{name}.weight"])
            copy_weights(module.bias, weights[f"{name}.bias"])
        if not isinstance(module, nn.Sequential):
            continue
        for (number, conv), (_, norm) in pairwise(module.named_children()):
            if isinstance(conv, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
                copy_weights(conv.weight, weights[f"{name}.{number}.weight"])
                bias = torch.from_numpy(weights[f"{name}.{number}.bias"])
                hooks.append(conv.register_forward_hook(passing_through(norm, bias)))
    model.train()
    with torch.no_grad():
        model(crops)
    for hook in hooks:
        hook.remove()


def exported_weights(exported: Path) -> dict[str, NDArray[np.float32]]:
    """Of either network, by the name that the trained module has: `features.0.weight`."""
    return {
        tensor.name.removeprefix("recogniser.").removesuffix("_half"): numpy_helper.to_array(
            tensor
        ).astype(np.float32)
        for tensor in onnx.load(str(exported)).graph.initializer
    }


def with_classes(
    weights: dict[str, NDArray[np.float32]], classes: int
) -> dict[str, NDArray[np.float32]]:
    """A recogniser's weights for more classes: each new one begins as the last, but less likely."""
    more = classes - len(weights["head.3.bias"])
    bias, rows = weights["head.3.bias"], weights["head.3.weight"]
    return weights | {
        "head.3.bias": np.concatenate([bias, np.repeat(bias[-1:] - LATER, more)]),
        "head.3.weight": np.concatenate([rows, np.repeat(rows[-1:], more, axis=0)]),
    }


def copy_weights(parameter: Tensor, values: NDArray[np.float32]) -> None:
    """Put an array in the place of a parameter's values."""
    with torch.no_grad():
        parameter.copy_(torch.from_numpy(np.ascontiguousarray(values, np.float32)))


def passing_through(norm: nn.BatchNorm2d, bias: Tensor) -> Callable[[nn.Module, Any, Tensor], None]:
    """A hook of a convolution: its batch norm adds the bias and changes nothing else."""

    def set_norm(_module: nn.Module, _inputs: Any, output: Tensor) -> None:
        mean, variance = output.mean((0, 2, 3)), output.var((0, 2, 3), unbiased=False)
        norm.weight.data.copy_(torch.sqrt(variance + norm.eps))
        norm.bias.data.copy_(mean + bias)
        norm.running_mean = mean.clone()
        norm.running_var = variance.clone()

    return set_norm
