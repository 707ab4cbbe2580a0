"""Networks that can be trained on, from the exported files alone.

An export has its batch norms folded into the convolutions. One pass over real crops finds each
layer's statistics; with them the norms are set to pass through, so that in training the network
computes what the exported one computes. What is lost is the optimiser, and half of the digits.
"""

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

from models.recogniser import CLASSES, RecogniserNetwork

LATER = 2.0  # of a logit


def load_exported(model: RecogniserNetwork, exported: Path, crops: Tensor) -> None:
    """Fill a recogniser from `recogniser.onnx`.

    Args:
        crops: (n, 3, 64, 64) RGB 0-1, some hundreds, drawn as training draws them.

    Raises:
        KeyError: the file holds another network.
    """
    weights = with_classes(exported_weights(exported), CLASSES)
    hooks = []
    for name, module in model.named_modules():
        if isinstance(module, nn.Linear):
            _copy(module.weight, weights[f"{name}.weight"])
            _copy(module.bias, weights[f"{name}.bias"])
    for conv_name, conv, norm in _normed(model):
        _copy(conv.weight, weights[f"{conv_name}.weight"])
        bias = torch.from_numpy(weights[f"{conv_name}.bias"])
        hooks.append(conv.register_forward_hook(_passing_through(norm, bias)))
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


def _normed(model: RecogniserNetwork) -> list[tuple[str, nn.Conv2d, nn.BatchNorm2d]]:
    """Every convolution with its name and the batch norm that follows it."""
    found = []
    for name, module in model.named_modules():
        if isinstance(module, nn.Sequential):
            layers = list(module.named_children())
            for (number, layer), (_, after) in pairwise(layers):
                if isinstance(layer, nn.Conv2d) and isinstance(after, nn.BatchNorm2d):
                    found.append((f"{name}.{number}", layer, after))
    return found


def _copy(parameter: Tensor, values: NDArray[np.float32]) -> None:
    with torch.no_grad():
        parameter.copy_(torch.from_numpy(values))


def _passing_through(
    norm: nn.BatchNorm2d, bias: Tensor
) -> Callable[[nn.Module, Any, Tensor], None]:
    def set_norm(_module: nn.Module, _inputs: Any, output: Tensor) -> None:
        mean, variance = output.mean((0, 2, 3)), output.var((0, 2, 3), unbiased=False)
        norm.weight.data.copy_(torch.sqrt(variance + norm.eps))
        norm.bias.data.copy_(mean + bias)
        norm.running_mean = mean.clone()
        norm.running_var = variance.clone()

    return set_norm
