"""The materials of training scenes: real and drawn tile faces, dice, grounds."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from cv2.typing import MatLike

from models.pictures import load_image, sized
from models.various import LIGHT_ARTWORK, VariousSets
from table_assist.twin.faces import pictures_of
from table_assist.twin.sets import is_set_held_out
from table_assist.vision.pictures.picture import Image

Random = np.random.Generator

LABELS: list[str] = tomllib.loads(
    (Path(__file__).parent / "tiles.toml").read_text(encoding="utf-8")
)["labels"]
BACK = LABELS.index("back")
FACE_SIZE_WH = (108, 144)
# Of the sets so many have backs of the faces' colour: only their place tells them from a white
# dragon without a frame, so both are to be a "?".
ONE_COLOUR = 0.2
# The faces that this repository draws itself, as the simulator and the dashboard show them.
OWN_FACES = Path(__file__).parents[1] / "table_assist" / "twin" / "rasters"


@dataclass(frozen=True, slots=True)
class Materials:
    """Faces by set: drawn (BGRA, to be laid on a body) and photographed (BGR, whole face)."""

    drawn: dict[str, dict[int, Image]]
    photographed: dict[int, list[Image]]
    grounds: list[Image]
    various: "VariousSets | None" = None  # with them, no two scenes have the same set


@dataclass(frozen=True, slots=True)
class TileSet:
    """One set of tiles as it lies in one scene: BGRA tops by class id, and the body's colours."""

    tops: dict[int, list[Image]]
    ivory: tuple[float, float, float]
    back: tuple[float, float, float]
    aspect: float  # height / width
    thickness: float  # in tile widths
    faces: tuple[int, ...]  # class ids of the faces that this set has


def load_materials(data: Path, fonts: Path | None = None) -> Materials:
    """Read artwork, faces and grounds below the data folder; what is not there is left out.

    Args:
        data: see its README for the layout.
        fonts: a folder with Chinese fonts; with it sets are invented and restyled, too.
    """
    drawn: dict[str, dict[int, Image]] = {}
    for folder in [*sorted((data / "artwork").glob("*")), OWN_FACES]:
        if is_set_held_out(folder.name):
            continue
        faces = {
            LABELS.index(path.stem): _bgra(path)
            for path in sorted(folder.glob("*.png"))
            if path.stem in LABELS and path.stem != "back"
        }
        if faces:
            drawn["own" if folder == OWN_FACES else folder.name] = faces
    photographed: dict[int, list[Image]] = {}
    for folder in sorted((data / "faces").glob("*")):
        if is_set_held_out(folder.name):
            continue
        for label, name in enumerate(LABELS):
            for path in pictures_of(folder, name):
                image = sized(load_image(path), FACE_SIZE_WH)
                photographed.setdefault(label, []).append(image)
    grounds = [load_image(path) for path in sorted((data / "backgrounds").glob("*.jpg"))]
    if not drawn and not photographed:
        raise FileNotFoundError(f"no tile faces in {data}/artwork or {data}/faces")
    various = VariousSets(data, fonts) if fonts else None
    return Materials(drawn, photographed, grounds, various)


def _bgra(path: Path) -> Image:
    image: MatLike = load_image(path, cv2.IMREAD_UNCHANGED)
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    if image.shape[2] == 3:
        image = cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)
    return sized(image, FACE_SIZE_WH)


def random_tile_set(random: Random, materials: Materials) -> TileSet:
    """Draw a set: mostly photographed faces, else one artwork on a body of a random ivory."""
    back_colour = _back_colour(random)
    name = ""
    if random.random() < 0.5 or not materials.photographed:
        own = "own" in materials.drawn and random.random() < 0.3
        name = "own" if own else str(random.choice(list(materials.drawn)))
    ivory = _jittered(random, (225, 235, 240), 18)
    if name in LIGHT_ARTWORK:
        ivory = _jittered(random, (60, 60, 30) if random.random() < 0.5 else (70, 110, 50), 25)
    corner = random.uniform(0.06, 0.16)
    if materials.various:
        ivory = _jittered(random, (225, 235, 240), 18)
        chosen, ground = materials.various.draw(random), np.array(ivory, int).tolist()
        tops = {
            LABELS.index(str(tile)): [
                _finished(sized(chosen.on_ground(tile, ground), FACE_SIZE_WH), corner)
            ]
            for tile in chosen.pictures
        }
    elif name:
        inset = random.uniform(0.0, 0.12)
        tops = {
            label: [_finished(_laid_on(face, ivory, inset), corner)]
            for label, face in materials.drawn[name].items()
        }
    else:
        tops = {
            label: [_finished(tops[random.integers(len(tops))], corner) for _ in range(3)]
            for label, tops in materials.photographed.items()
        }
    faces = tuple(label for label in tops if label < BACK)
    if random.random() < ONE_COLOUR:
        back_colour = _jittered(random, ivory, 5)
    tops[BACK] = [_finished(_back_top(random, back_colour), corner)]
    return TileSet(
        tops=tops,
        ivory=ivory,
        back=back_colour,
        aspect=random.uniform(1.24, 1.48),
        thickness=random.uniform(0.55, 0.85),
        faces=faces,
    )


def _laid_on(face: Image, ivory: tuple[float, float, float], inset: float) -> Image:
    width, height = FACE_SIZE_WH
    body = np.empty((height, width, 3), np.uint8)
    body[:] = np.clip(ivory, 0, 255)
    dx, dy = int(width * inset), int(height * inset)
    small = sized(face, (width - 2 * dx, height - 2 * dy))
    alpha = small[..., 3:] / np.float32(255)
    part = body[dy : height - dy, dx : width - dx]
    part[:] = (small[..., :3] * alpha + part * (1 - alpha)).astype(np.uint8)
    return body


def _finished(top: Image, corner: float) -> Image:
    """Round the corners and light the bevel."""
    height, width = top.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    radius = int(corner * width)
    cv2.rectangle(mask, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, -1)
    inner = cv2.erode(mask, np.ones((7, 7), np.uint8))
    edge = (mask > inner)[..., None]
    lit = np.where(edge, np.clip(top * 0.85 + 20, 0, 255), top).astype(np.uint8)
    return np.dstack([lit, mask])


def _back_colour(random: Random) -> tuple[float, float, float]:
    colours = [
        (70, 130, 40), (90, 160, 70), (190, 120, 40), (210, 160, 90), (40, 150, 220),
        (40, 40, 170), (150, 60, 200), (40, 40, 40), (70, 110, 150), (200, 205, 210),
        (60, 190, 200), (120, 60, 40),
    ]  # fmt: skip
    return _jittered(random, colours[random.integers(len(colours))], 28)


def _back_top(random: Random, colour: tuple[float, float, float]) -> Image:
    width, height = FACE_SIZE_WH
    top = np.empty((height, width, 3), np.float32)
    top[:] = colour
    ramp = np.linspace(-1, 1, height, dtype=np.float32)[:, None, None]
    top += ramp * random.uniform(-25, 25)
    kind = random.random()
    if kind < 0.12:  # stripes or a lattice, as on bamboo and printed backs
        step = int(random.integers(5, 14))
        top[:, ::step] *= 0.8
        if kind < 0.06:
            top[::step] *= 0.8
    elif kind < 0.2:
        edge = int(random.integers(4, 12))
        border = np.full_like(top, 235)
        border[edge:-edge, edge:-edge] = top[edge:-edge, edge:-edge]
        top = border
    elif kind < 0.35:  # a window mirrored in the gloss
        x, y = random.integers(10, 70), random.integers(10, 100)
        cv2.ellipse(top, (int(x), int(y)), (26, 14), random.uniform(0, 180), 0, 360,
                    (250, 250, 250), -1)  # fmt: skip
        top = np.asarray(cv2.GaussianBlur(top, (0, 0), 6), np.float32)
    return np.clip(top, 0, 255).astype(np.uint8)


def _jittered(
    random: Random, colour: tuple[float, float, float], spread: float
) -> tuple[float, float, float]:
    blue, green, red = np.clip(np.array(colour) + random.normal(0, spread, 3), 5, 250)
    return float(blue), float(green), float(red)


def die_top(random: Random, spots: int) -> Image:
    """A die's upper face, 72x72 BGRA, western or Chinese (one and four red)."""
    size = 72
    dark = random.random() < 0.4
    body = _jittered(random, (60, 60, 130) if dark else (235, 238, 240), 40 if dark else 10)
    spot = (240.0, 240.0, 240.0) if dark else (30.0, 30.0, 30.0)
    if not dark and spots in (1, 4) and random.random() < 0.7:
        spot = (40.0, 30.0, 200.0)
    top = np.empty((size, size, 3), np.uint8)
    top[:] = np.clip(body, 0, 255)
    radius = random.uniform(0.08, 0.11) * size
    if spots == 1 and not dark:
        radius *= random.uniform(1.0, 2.0)
    low, middle, high = (int(size * part) for part in (0.25, 0.5, 0.75))
    corners = [(low, low), (high, high), (low, high), (high, low)]
    positions = {2: corners[:2], 3: corners[:2], 4: corners, 5: corners}.get(spots, [])
    if spots == 6:
        positions = [*corners, (low, middle), (high, middle)]
    if spots % 2:
        positions = [*positions, (middle, middle)]
    for x, y in positions:
        cv2.circle(top, (x, y), int(radius), spot, -1, cv2.LINE_AA)
    return _finished(top, random.uniform(0.08, 0.3))


def random_ground(random: Random, materials: Materials, size: int) -> Image:
    """A square piece of felt, wood or plain colour, with its grain."""
    if materials.grounds and random.random() < 0.3:
        ground = materials.grounds[random.integers(len(materials.grounds))]
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
    colour = _jittered(random, colours[random.integers(len(colours))], 25)
    coarse = random.normal(
        0, random.uniform(2, 14), (random.integers(3, 40), random.integers(3, 40), 1)
    )
    grain = cv2.resize(coarse.astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
    fine = random.normal(0, random.uniform(0, 9), (size, size)).astype(np.float32)
    cloth = np.array(colour, np.float32) + (grain + fine)[..., None]
    return np.clip(cloth, 0, 255).astype(np.uint8)
