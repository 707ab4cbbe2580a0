"""Tile sets that nobody has made, as folders of pictures, to play simulated evenings with.

`python -m models.invented_sets --fonts DIR --out DIR [--count N] [--first K]`, then `table-assist
bench live --faces DIR`. No training draws these: they have random numbers of their own.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np

from models.invented import chinese_fonts, invented_set
from models.sets import is_set_held_out
from models.various import restyled
from table_assist.twin.faces import FaceSet, load_faces

PLAYED = 0x9A3D


def write_set(number: int, fonts: list[Path], own: FaceSet, out: Path) -> Path | None:
    """Write one set; None where its name is that of a held-out one."""
    folder = out / f"invented-{number:04d}"
    if is_set_held_out(folder.name):
        return None
    random = np.random.default_rng([number, PLAYED])
    faces = restyled(random, invented_set(random, fonts, [own]))
    folder.mkdir(parents=True, exist_ok=True)
    for tile, picture in faces.pictures.items():
        cv2.imwrite(str(folder / f"{tile}.png"), picture)
    return folder


def main() -> None:
    """As the module says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fonts", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    fonts, own = chinese_fonts(options.fonts), load_faces()
    for number in range(options.first, options.first + options.count):
        write_set(number, fonts, own, options.out)


if __name__ == "__main__":
    main()
