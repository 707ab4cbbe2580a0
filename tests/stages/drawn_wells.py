"""Dice in drawn wells as a camera of 1080 to 2160 lines sees them, and what was told of them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from models.pictures import OWN_FACES
from models.tables import dice_in
from models.world import WorldLooks, look_from, tapped_corners
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.render import Renderer
from table_assist.twin.scene import Scene
from table_assist.twin.wells import DiceDome, well_of
from table_assist.vision.pictures.picture import Image
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.dice import SeenDie

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
