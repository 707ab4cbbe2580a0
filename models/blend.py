"""Averages the weights of two runs of which one began where the other ended.

`python -m models.blend models/runs/first models/runs/second --share 0.75 --out models/runs/blend`:
three quarters of the second. Such a mean often keeps what each of the two is better at.
"""

import argparse
from pathlib import Path

import torch
from torch import Tensor

DETECTOR = Path("detector/weights/last.pt")
RECOGNISER = Path("recogniser.pt")


def blend(first: Path, second: Path, share: float, out: Path) -> None:
    """Write the mean of the networks that both runs have."""
    if (first / RECOGNISER).exists() and (second / RECOGNISER).exists():
        out.mkdir(parents=True, exist_ok=True)
        one, other = (torch.load(run / RECOGNISER, weights_only=True) for run in (first, second))
        torch.save(mean(one, other, share), out / RECOGNISER)
    if (first / DETECTOR).exists() and (second / DETECTOR).exists():
        (out / DETECTOR).parent.mkdir(parents=True, exist_ok=True)
        saved = [torch.load(run / DETECTOR, weights_only=False) for run in (first, second)]
        models = [(content["ema"] or content["model"]).float() for content in saved]
        one, other = (model.state_dict() for model in models)
        models[1].load_state_dict(mean(one, other, share))
        torch.save({**saved[1], "ema": None, "model": models[1]}, out / DETECTOR)


def mean(first: dict[str, Tensor], second: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    """`share` of the second's values and the rest of the first's; counters are the second's."""
    return {
        name: torch.lerp(first[name], value, share) if value.is_floating_point() else value
        for name, value in second.items()
    }


def main() -> None:
    """Blend from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("--share", type=float, default=0.5)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    blend(options.first, options.second, options.share, options.out)


if __name__ == "__main__":
    main()
