"""What pictures are laid out from: the labels, our own faces, pieces of table and floor."""

import tomllib
from pathlib import Path

import cv2
import numpy as np

from models.pictures import load_image
from table_assist.vision.pictures.picture import Image

Random = np.random.Generator

LABELS: list[str] = tomllib.loads(
    (Path(__file__).parent / "tiles.toml").read_text(encoding="utf-8")
)["labels"]
BACK = LABELS.index("back")
# The faces that this repository draws itself, as the simulator and the dashboard show them.
OWN_FACES = Path(__file__).parents[1] / "table_assist" / "twin" / "rasters"


def load_grounds(data: Path) -> list[Image]:
    """The photographed grounds below the data folder; none where there are none."""
    return [load_image(path) for path in sorted((data / "backgrounds").glob("*.jpg"))]


def random_ground(random: Random, grounds: list[Image], size: int) -> Image:
    """A square piece of felt, wood or plain colour, with its grain."""
    if grounds and random.random() < 0.3:
        ground = grounds[random.integers(len(grounds))]
        height, width = ground.shape[:2]
        side = int(min(height, width) * random.uniform(0.5, 1.0))
        x, y = random.integers(width - side + 1), random.integers(height - side + 1)
        cut = cv2.resize(ground[y : y + side, x : x + side], (size, size))
        if random.random() < 0.5:
            hsv = cv2.cvtColor(cut, cv2.COLOR_BGR2HSV)
            hsv[..., 0] = (hsv[..., 0].astype(int) + random.integers(180)) % 180
            cut = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
        turned = np.rot90(np.asarray(cut, np.uint8), int(random.integers(4)))
        return np.ascontiguousarray(turned)
    colours = [(60, 110, 40), (90, 70, 30), (110, 60, 40), (70, 100, 140), (40, 40, 45),
               (150, 150, 150), (190, 200, 205), (50, 40, 110)]  # fmt: skip
    mean = np.array(colours[random.integers(len(colours))])
    colour = np.clip(mean + random.normal(0, 25, 3), 5, 250)
    coarse = random.normal(
        0, random.uniform(2, 14), (random.integers(3, 40), random.integers(3, 40), 1)
    )
    grain = cv2.resize(coarse.astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
    fine = random.normal(0, random.uniform(0, 9), (size, size)).astype(np.float32)
    cloth = colour.astype(np.float32) + (grain + fine)[..., None]
    return np.clip(cloth, 0, 255).astype(np.uint8)
