"""Pictures on disk (8 bits a channel, or refused), what they are laid of, lens and weather."""

import tomllib
from pathlib import Path

import cv2
import numpy as np
from cv2.typing import MatLike

from table_assist.vision.pictures.picture import Image


def load_image(path: Path) -> Image:
    """(h, w, 3) BGR.

    Raises:
        ValueError: the file is no picture of 8 bits.
    """
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None or image.dtype != np.uint8:
        raise ValueError(f"{path} is no picture of 8 bits")
    return np.asarray(image, np.uint8)


def sized(image: MatLike, size_wh: tuple[int, int]) -> Image:
    """Another size, made by area: a linear resize alone would alias what is shrunk."""
    return np.asarray(cv2.resize(image, size_wh, interpolation=cv2.INTER_AREA), np.uint8)


def scaled(image: MatLike, scale: float) -> Image:
    """So many times as large, made by area."""
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def shrunk(image: MatLike, longest: int) -> tuple[Image, float]:
    """With no side longer than that; and by what its pixels were scaled, 1 at most."""
    scale = min(1.0, longest / max(image.shape[:2]))
    return scaled(image, scale), scale


Random = np.random.Generator

DETECTOR_LABELS: list[str] = tomllib.loads(
    (Path(__file__).parent / "tiles.toml").read_text(encoding="utf-8")
)["labels"]
BACK_LABEL = DETECTOR_LABELS.index("back")
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


def relight(random: Random, image: Image) -> Image:
    """Change gamma, contrast and colour cast, then lay a soft shadow or glare over it."""
    height, width = image.shape[:2]
    levels = np.arange(256, dtype=np.float32) / 255
    channels = []
    gamma, gain = np.exp(random.normal(0, 0.3)), np.exp(random.normal(0, 0.18))
    for _ in range(3):
        level = levels ** (gamma * np.exp(random.normal(0, 0.05)))
        level = level * gain * np.exp(random.normal(0, 0.06)) + random.normal(0, 0.03)
        channels.append(np.clip(level * 255, 0, 255))
    table = np.stack(channels, axis=-1).astype(np.uint8)[None]
    image = np.asarray(cv2.LUT(image, table), np.uint8)
    if random.random() < 0.4:
        # One side of a straight, soft edge is darker
        angle = random.uniform(0, 2 * np.pi)
        x = np.linspace(-1, 1, width, dtype=np.float32)[None]
        y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
        side = x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle))
        edge = np.clip((side - random.uniform(-0.8, 0.8)) * random.uniform(0.7, 12) + 0.5, 0, 1)
        shade = 1 - np.float32(random.uniform(0.1, 0.6)) * edge
        image = (image * shade[..., None]).astype(np.uint8)
    if random.random() < 0.25:
        glare = np.zeros((height, width), np.float32)
        centre = (int(random.uniform(0, width)), int(random.uniform(0, height)))
        axes = (int(width * random.uniform(0.03, 0.3)), int(width * random.uniform(0.03, 0.15)))
        cv2.ellipse(glare, centre, axes, random.uniform(0, 180), 0, 360, 1, -1)
        glare = cv2.blur(glare, (width // 12 * 2 + 1,) * 2) * random.uniform(20, 150)
        image = np.clip(image + glare[..., None], 0, 255).astype(np.uint8)
    return image


def photograph(random: Random, image: Image) -> Image:
    """Blur, sensor noise and JPEG, each some of the time."""
    kind = random.random()
    if kind < 0.25:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), random.uniform(0.4, 1.3)), np.uint8)
    elif kind < 0.35:
        length = int(random.integers(2, 7))
        kernel = np.zeros((length, length), np.float32)
        start, end = (0, length // 2), (length - 1, length // 2)
        if random.random() >= 0.5:
            start, end = start[::-1], end[::-1]
        cv2.line(kernel, start, end, 1)
        image = np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)
    elif kind < 0.45:
        soft = cv2.GaussianBlur(image, (0, 0), 1.5)
        image = np.asarray(cv2.addWeighted(image, 1.8, soft, -0.8, 0), np.uint8)
    if random.random() < 0.5:
        noise = np.empty(image.shape, np.int16)
        cv2.setRNGSeed(int(random.integers(1 << 31)))  # the picture depends on its own chance alone
        # A plain number would make noise in the first channel alone.
        cv2.randn(noise, np.zeros(3), np.full(3, random.uniform(1, 12)))
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    if random.random() < 0.4:
        quality = int(random.integers(25, 90))
        _, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        image = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    if random.random() < 0.04:
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        image = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
    return image
