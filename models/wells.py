"""Dice in the well of an automatic table, drawn by the simulator's renderer, with YOLO labels.

`python -m models.wells --out models/runs/tables --count 500` adds pictures to those of `tables.py`:
train.py takes what lies in that folder. A third show the console alone, large; the others the
middle of a table with the tiles around it.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from models.materials import OWN_FACES, Random
from models.tables import SIZE, row_of, scene_of_tiles
from table_assist.twin.faces import FaceSet, load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import DieLook, WellLook
from table_assist.twin.render import Renderer
from table_assist.twin.scene import PlacedDie, Scene
from table_assist.twin.wells import well_of
from table_assist.twin.world import WorldLooks, look_from
from table_assist.vision.pictures.picture import Image

LEAST_VISIBLE = 0.6
# A die's side in the camera's picture, px; a small one is shown larger, as the reader does.
DIE_PX, SHOWN_PX = (13.0, 70.0), (24.0, 80.0)
CLOSE_SHARE = 0.35  # of the pictures show no tiles
MOST_TILT = 32.0


def compose_well(random: Random, faces: FaceSet) -> tuple[Image, list[str]]:
    """One picture (640, 640, 3) BGR around a well, and its YOLO rows."""
    seed = int(random.integers(1 << 30))
    well, die = well_of(seed)
    px = float(np.exp(random.uniform(*np.log(DIE_PX))))
    shown = max(px, float(np.exp(random.uniform(*np.log(SHOWN_PX)))))
    side = round(SIZE * px / shown)
    camera = Lens(
        size_wh=(side, side),
        px_per_mm=px / die.size_mm,
        height_mm=float(random.uniform(900, 2200)),
        tilt_deg=float(np.clip(abs(random.normal(0, 13)), 0, MOST_TILT)),
        turn_deg=float(random.uniform(0, 360)),
        aim_mm=(float(random.normal(0, 12)), float(random.normal(0, 12))),
    )
    look = look_from(WorldLooks.WORLD, seed)
    # The recogniser is to learn a whole die: a stream's single picture is none.
    optics = replace(look.optics, stream_mbit=0.0, breathing_px=0.0)
    look = replace(look, well=well, die=die, optics=optics, emblem=None)
    tiles = () if random.random() < CLOSE_SHARE else scene_of_tiles(random, sorted(faces.pictures))
    around = well.console_mm + 20
    tiles = tuple(t for t in tiles if max(abs(t.x_mm), abs(t.y_mm)) > around)
    scene = Scene(tiles, tuple(dice_in(random, well, die)))
    renderer = Renderer(faces, look, camera, seed)
    boxes = renderer.true_boxes(scene, least_visible=LEAST_VISIBLE)
    picture = cv2.resize(renderer.picture(scene), (SIZE, SIZE), interpolation=cv2.INTER_CUBIC)
    return np.asarray(picture, np.uint8), [row_of(box, camera.size_wh) for box in boxes]


def dice_in(random: Random, well: WellLook, die: DieLook) -> Iterator[PlacedDie]:
    """One to three dice as they come to lie in a well, apart from each other."""
    lying: list[tuple[float, float]] = []
    wanted = int(random.integers(1, 4))
    while len(lying) < wanted:
        away = (well.radius_mm - 0.75 * die.size_mm) * np.sqrt(random.uniform())
        turn = random.uniform(0, 2 * np.pi)
        x, y = float(away * np.cos(turn)), float(away * np.sin(turn))
        if all(np.hypot(x - a, y - b) > 1.3 * die.size_mm for a, b in lying):
            lying.append((x, y))
            turned = float(random.uniform(0, 360))
            yield PlacedDie(int(random.integers(1, 7)), x, y, turned, die.size_mm)


def write_wells(out: Path, count: int, seed: int) -> None:
    """Write pictures that depend on the seed alone; existing ones are kept."""
    faces = load_faces(OWN_FACES)
    for name in ("images", "labels"):
        (out / name).mkdir(parents=True, exist_ok=True)
    for index in range(seed, seed + count):
        picture = out / "images" / f"well{index:06}.jpg"
        if picture.exists():
            continue
        image, rows = compose_well(np.random.default_rng([index, 9]), faces)
        (out / "labels" / f"well{index:06}.txt").write_text("\n".join(rows), encoding="utf-8")
        cv2.imwrite(str(picture), image, [cv2.IMWRITE_JPEG_QUALITY, 95])


def main() -> None:
    """Write pictures from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    write_wells(options.out, options.count, options.seed)


if __name__ == "__main__":
    main()
