"""How the program reads dice in drawn wells: `python -m models.read_wells --count 220 --seed N`.

Each picture is the middle of a table that a camera of 1080 to 2160 lines sees, askew by up to 25
degrees, with the corners tapped up to a centimetre beside where they are. Seeds of 500,000 and more
are drawn for no training. Dice on which a light is mirrored are counted apart: nobody can read
what it hides. With `--photos` photographs of dice with YOLO labels are read instead, as if they
lay in a well, each at the scale at which its dice are as large as the program takes them to be.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from models.crops import read_labels
from models.materials import LABELS, OWN_FACES
from models.wells import dice_in
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.render import Renderer
from table_assist.twin.scene import Scene
from table_assist.twin.wells import DiceDome, well_of
from table_assist.twin.world import WorldLooks, look_from, tapped_corners
from table_assist.vision.pictures.picture import Image, load_picture
from table_assist.vision.reading.dice_in_view import read_dice
from table_assist.vision.reading.pips import PX_PER_MM as PIXELS
from table_assist.vision.reading.read import open_reader
from table_assist.vision.reading.recognise import Recogniser
from table_assist.vision.reading.weights import WEIGHTS
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.dice import SeenDie
from table_assist.vision.table.well import Well

FIRST_SEED = 600_000
PX_PER_MM = (1.28, 2.6)  # a table in 1080 to 2160 lines
MIDDLE_MM = 90.0  # what is drawn of it reaches so far
SAME_MM = 7.0  # from the middle of its upper side a die may be told
DAZZLED = 0.06  # of its upper side
SIDE_MM = 16.0  # a photographed die is taken to have


@dataclass(frozen=True, slots=True)
class DrawnWell:
    """A picture and what lies in it: numbers, places in mm, and whether a light hides a part.

    Without a calibration the picture is the view itself.
    """

    picture: Image
    calibration: Calibration | None
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


def photographed(path: Path) -> DrawnWell:
    """A photograph of dice from above, at the program's scale."""
    image = load_picture(path)
    labels, boxes = read_labels(path, image.shape[1], image.shape[0])
    side = float(np.median(boxes[:, 2:] - boxes[:, :2]))
    gain = SIDE_MM * PIXELS / side
    view = cv2.resize(image, None, fx=gain, fy=gain, interpolation=cv2.INTER_AREA)
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2 * gain / PIXELS
    lying = tuple(
        (int(LABELS[label][1]), float(x), float(y), False)
        for label, (x, y) in zip(labels, middles, strict=True)
    )
    return DrawnWell(np.asarray(view, np.uint8), None, max(view.shape) / PIXELS, lying)


def told_of(drawn: DrawnWell, recogniser: Recogniser) -> tuple[SeenDie, ...]:
    """The program's reading of a picture."""
    if drawn.calibration is not None:
        well = Well(recogniser, drawn.radius_mm)
        return well.read(well.view(drawn.picture, drawn.calibration))
    found = read_dice(drawn.picture, drawn.radius_mm * PIXELS, recogniser)
    return tuple(SeenDie(die.value, die.x / PIXELS, die.y / PIXELS) for die in found)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=220)
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--photos", type=Path, help="a folder below images/, labels beside it")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    recogniser = open_reader(options.weights, options.threads).recogniser
    counted: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    seconds = 0.0
    seeds = range(options.seed, options.seed + options.count)
    pictures = {str(seed): partial(drawn_well, seed) for seed in seeds}
    if options.photos:
        paths = sorted(options.photos.glob("*.jpg"))
        pictures = {path.name: partial(photographed, path) for path in paths}
    for name, draw in pictures.items():
        drawn = draw()
        began = time.process_time()
        told = told_of(drawn, recogniser)
        seconds += time.process_time() - began
        found = list(fates(drawn, told))
        counted.update(found)
        is_right = all(each.endswith("right") for each in found)
        is_wrong = any(each.endswith(("WRONG", "NAMED")) for each in found)
        whole["right" if is_right else "wrong" if is_wrong else "asked"] += 1
        if is_wrong:
            print(name, found, flush=True)
    dice = sum(n for fate, n in counted.items() if not fate.startswith("extra"))
    print(f"{len(pictures)} pictures, {dice} dice: {dict(sorted(counted.items()))}")
    print(f"whole ones: {dict(whole)}; {seconds / len(pictures):.2f} s of processor a look")


if __name__ == "__main__":
    main()
