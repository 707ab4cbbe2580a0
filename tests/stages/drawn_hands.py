"""Pictures of tiles lying in a row on felt, drawn from the simulator's faces."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page

from models.pictures import OWN_FACES
from models.tables import dice_in
from models.wells import well_of
from models.world import WorldLooks, look_from, tapped_corners
from table_assist.tiles.tile import parse_tiles
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import TableLook
from table_assist.twin.render import Renderer
from table_assist.twin.scene import PlacedTile, Scene
from table_assist.twin.wells import DiceDome
from table_assist.vision.enrolment.learn import Sample, learn
from table_assist.vision.enrolment.patches import Patch
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.own_set import OwnSet
from table_assist.vision.reading.recognise import CLASSES, NOTHING_CLASS, OnnxRecogniser
from table_assist.vision.reading.weights import load_weights
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.dice import SeenDie
from tests.stages.visitor import violations

PITCH_MM = 26.6
CLOSE = Lens(size_wh=(1280, 720), px_per_mm=2.6)


def draw_row(text: str, apart: str = "") -> NDArray[np.uint8]:
    """A hand face up in one row, the tile set apart at its right-hand end."""
    tiles = parse_tiles(text)
    left = -PITCH_MM * (len(tiles) + 1) / 2
    placed = [PlacedTile(tile, left + PITCH_MM * i, 0.0) for i, tile in enumerate(tiles)]
    for tile in parse_tiles(apart):
        placed.append(PlacedTile(tile, left + PITCH_MM * len(tiles) + 20.0, 0.0))
    renderer = Renderer(load_faces(), TableLook(), CLOSE, seed=1)
    return renderer.picture(Scene(tuple(placed)))


PX_PER_MM = (1.28, 2.6)  # a table in 1080 to 2160 lines
MIDDLE_MM = 90.0  # what is drawn of it reaches so far
SAME_MM = 7.0  # from the middle of its upper side a die may be told
DAZZLED = 0.06  # of its upper side


@dataclass(frozen=True, slots=True)
class DrawnWell:
    """A picture and what lies in it: numbers, places in mm, and whether a light hides a part."""

    picture: Image
    calibration: Calibration
    radius_mm: float
    dice: tuple[tuple[int, float, float, bool], ...]


def drawn_well(seed: int) -> DrawnWell:
    """The same seed is the same picture."""
    random = np.random.default_rng([seed, 11])
    well, die = well_of(seed)
    px = float(np.exp(random.uniform(*np.log(PX_PER_MM))))
    side = 2 * round(MIDDLE_MM * px)
    camera = Lens(
        size_wh=(side, side),
        px_per_mm=px,
        height_mm=float(random.uniform(900, 1800)),
        tilt_deg=float(np.clip(abs(random.normal(0, 12)), 0, 25)),
        turn_deg=float(random.uniform(0, 360)),
    )
    look = look_from(WorldLooks.WORLD, seed)
    optics = replace(look.optics, stream_mbit=0.0, distortion=0.0)
    look = replace(look, well=well, die=die, optics=optics, emblem=None)
    scene = Scene((), tuple(dice_in(random, well, die)))
    renderer = Renderer(load_faces(OWN_FACES), look, camera, seed)
    renderer.picture(scene)
    picture, dome = renderer.picture(scene), DiceDome(well, camera)
    calibration = Calibration(tapped_corners(camera, look, seed))
    lying = []
    for box in renderer.true_boxes(scene, least_visible=0.0):
        polygon = np.array(box.polygon_px)
        x, y = calibration.to_table(polygon.mean(axis=0, keepdims=True).astype(np.float32))[0]
        hidden = dome.dazzled(polygon) > DAZZLED or box.visible < 0.95
        lying.append((int(box.label[1]), float(x), float(y), hidden))
    return DrawnWell(picture, calibration, well.radius_mm, tuple(lying))


def fates(drawn: DrawnWell, told: tuple[SeenDie, ...]) -> Iterator[str]:
    """The outcome of each die that lies there, and of each told one where none lies."""
    free = list(told)
    for value, x, y, hidden in drawn.dice:
        near = min(free, key=lambda die: np.hypot(die.x_mm - x, die.y_mm - y), default=None)
        of = "dazzled " if hidden else ""
        if near is None or np.hypot(near.x_mm - x, near.y_mm - y) > SAME_MM:
            yield of + "not seen"
            continue
        free.remove(near)
        yield of + ("?" if near.value is None else "right" if near.value == value else "WRONG")
    for die in free:
        yield "extra ?" if die.value is None else "extra NAMED"


COLOURS = {0: (200, 40, 40), 1: (40, 200, 40), 2: (40, 40, 200), 3: (200, 200, 40)}


class ColourSight:
    """A network that sees the mean colour of a crop, and cannot tell the coloured faces apart."""

    def look(self, crops: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        features = crops.reshape(len(crops), -1, 3).mean(axis=1).astype(np.float32) ** 2 / 4000
        known = [*range(len(COLOURS)), NOTHING_CLASS, NOTHING_CLASS + 1]
        logits = np.where(np.isin(np.arange(CLASSES), known), 0.0, -20.0).astype(np.float32)
        return features, np.tile(logits, (len(crops), 1))


def plain(label: int, picture: int, seed: int = 0) -> Sample:
    """A tile of one colour, with some noise."""
    noise = np.random.default_rng(seed).normal(0, 6, (96, 96, 3))
    image = np.clip(np.array(COLOURS[label]) + noise, 0, 255).astype(np.uint8)
    return Sample(Patch(image, (3, 4)), label, picture)


def learn_colours(samples: list[Sample]) -> OwnSet:
    return learn(samples, ColourSight(), name="c", recogniser="", limits=Limits.alike(0.9))[0]


@pytest.fixture(scope="module")
def sight() -> OnnxRecogniser:
    return OnnxRecogniser(load_weights().recogniser, threads=2)


def certain(*labels: int, share: float = 1.0, other: int = 9) -> NDArray[np.float32]:
    found = np.zeros((len(labels), CLASSES), np.float32)
    found[:, other] = 1 - share
    found[np.arange(len(labels)), labels] = share
    return found


BEGINS_MS = 100  # what a change of the page sets going begins with the next picture
_MOVING = """() => Promise.all(document.getAnimations()
  .filter(({ effect, playState }) =>
    playState === "running" && effect.getComputedTiming().endTime < Infinity)
  .map(({ finished }) => finished.catch(() => {})))"""


def faded_in(page: Page) -> None:
    """Wait until what fades in has its colours, however slow the machine is."""
    page.wait_for_timeout(BEGINS_MS)
    page.evaluate(_MOVING)


def serious(page: Page) -> list[str]:
    """What axe-core finds that keeps somebody out, once the page has come to rest."""
    faded_in(page)
    return [
        f"{each['id']}: {node['html'][:160]}: {node['failureSummary'][:200]}"
        for each in violations(page)
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"][:3]
    ]
