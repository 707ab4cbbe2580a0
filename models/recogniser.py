"""The recogniser: a small residual network that names a 64-pixel crop."""

from torch import Tensor, nn

CLASSES = 51  # the 49 labels of tiles.toml, then "nothing", then "a part of a tile"


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
            nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Dropout(0.1), nn.Linear(640, CLASSES)
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
