"""Three pictures of one tile set laid out in rows, with labels, as somebody would take to enrol it.

`python -m models.set_pictures --faces DIR --out DIR [--seed N]`, then `table-assist enrol NAME
--labelled DIR`. Each picture has another table of the whole space of looks, another camera and
every face twice in another order; so a set that is held out can be learnt as its owner would.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from random import Random

import cv2

from models.tables import row_of
from table_assist.twin.faces import FaceSet, load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.render import Renderer
from table_assist.twin.scene import PlacedTile, Scene
from table_assist.twin.world import WorldLooks, look_from
from table_assist.vision.pictures.picture import Image

PICTURES, COPIES, ROW = 3, 2, 14
PITCH_MM, ROWS_MM = 26.6, 37.0
SIZE_WH, PX_PER_MM = (1920, 1080), 3.4


def picture_of(faces: FaceSet, seed: int) -> tuple[Image, list[str]]:
    """The whole set in rows (1080, 1920, 3) BGR, and its YOLO rows."""
    random = Random(f"enrol-{seed}")
    tiles = sorted(tile for tile in faces.pictures if tile.is_face) * COPIES
    random.shuffle(tiles)
    rows = -(-len(tiles) // ROW)
    placed = tuple(
        PlacedTile(
            tile,
            (index % ROW - (ROW - 1) / 2) * PITCH_MM,
            ((rows - 1) / 2 - index // ROW) * ROWS_MM,
            random.uniform(-1.5, 1.5),
        )
        for index, tile in enumerate(tiles)
    )
    camera = Lens(
        SIZE_WH, PX_PER_MM, tilt_deg=random.uniform(0, 15), turn_deg=random.uniform(-6, 6)
    )
    look = look_from(WorldLooks.WORLD, seed)
    # Labels know of no distortion, and a photograph is no stream.
    look = replace(look, optics=replace(look.optics, distortion=0.0, stream_mbit=0.0))
    renderer = Renderer(faces, look, camera, seed)
    scene = Scene(placed)
    return renderer.picture(scene), [row_of(box, SIZE_WH) for box in renderer.true_boxes(scene)]


def write_pictures(faces: Path, out: Path, seed: int) -> None:
    """Write the pictures and their labels."""
    known = load_faces(faces, needed=())
    for name in ("images", "labels"):
        (out / name).mkdir(parents=True, exist_ok=True)
    for number in range(PICTURES):
        picture, rows = picture_of(known, seed + number)
        cv2.imwrite(str(out / "images" / f"{number}.jpg"), picture)
        (out / "labels" / f"{number}.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")


def main() -> None:
    """As the module says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faces", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    write_pictures(options.faces, options.out, options.seed)


if __name__ == "__main__":
    main()
