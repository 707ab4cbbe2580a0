"""Photos of whole real sets laid out in rows: their tiles' labels, and which sets are held out.

The pictures are not in this repository, the labels are (sheets.csv): boxes found by the detector,
names from the known order of each layout. Tiles that no class fits (jokers) are left out.

`python -m models.sheets --data ../shared/data --out models/runs/held-sheets` writes those held out
as a labelled folder for evaluate.py: each as it is, and as a camera might see it.
"""

import argparse
import csv
import tomllib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from cv2.typing import MatLike

from models.crops import CropSource
from models.detector_data import outline_of, write_labelled
from models.pictures import DETECTOR_LABELS, Random, photograph, relight, shrunk
from table_assist.vision.pictures.picture import Image

SHEET_SIDE = 1600  # px; larger sheets are shrunk when loaded
HERE = Path(__file__).parent


def held_sheets() -> frozenset[str]:
    """Starts of the names of the pictures that training must not see."""
    split = tomllib.loads((HERE / "split.toml").read_text(encoding="utf-8"))
    return frozenset(split["sheets"]["held"])


def load_sheets(data: Path, *, held: bool) -> list[CropSource]:
    """The sheets that are held out, or those that are not; the ones below the data folder."""
    starts = tuple(held_sheets())
    return _load(data, lambda name: name.startswith(starts) == held)


def sheets_to_fit(data: Path) -> list[CropSource]:
    """Of those held out the sets on which limits are fitted."""
    split = tomllib.loads((HERE / "split.toml").read_text(encoding="utf-8"))
    starts, held = tuple(split["sheets"]["fitted"]), tuple(held_sheets())
    return _load(data, lambda name: name.startswith(held) and name.startswith(starts))


def _load(data: Path, is_wanted: Callable[[str], bool]) -> list[CropSource]:
    rows: dict[str, list[list[float]]] = {}
    with (HERE / "sheets.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            box = [float(row[side]) for side in ("x0", "y0", "x1", "y1")]
            rows.setdefault(row["picture"], []).append([DETECTOR_LABELS.index(row["label"]), *box])
    sources = []
    for path in sorted((data / "sheets").glob("*/*")):
        if path.name not in rows or not is_wanted(path.name):
            continue
        image = cv2.imread(str(path))
        if image is None:
            continue
        picture, scale = shrunk(image, SHEET_SIDE)
        table = np.array(rows[path.name], np.float64)
        labels, boxes = table[:, 0].astype(np.int64), table[:, 1:] * scale
        sources.append(CropSource(picture, labels, boxes, turned=False, complete=False))
    return sources


def seen_by_camera(random: Random, source: CropSource) -> tuple[Image, list[np.ndarray]]:
    """A sheet at any angle, tilted, 26 to 70 px a tile, in some light; outlines of its tiles."""
    height, width = source.image.shape[:2]
    zoom = random.uniform(26, 70) / np.median((source.boxes[:, 2:] - source.boxes[:, :2]).min(1))
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    angle = random.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    pulled = 1 + random.uniform(-0.08, 0.08, (4, 2))
    moved = ((corners - corners.mean(axis=0)) * pulled @ turn * zoom).astype(np.float32)
    moved -= moved.min(axis=0) - 30
    size = tuple((moved.max(axis=0) + 30).astype(int).tolist())
    view = cv2.getPerspectiveTransform(corners, moved)
    sheet: MatLike = source.image
    if zoom < 1:  # shrunk by area first: a linear warp alone would alias small tiles
        sheet = cv2.GaussianBlur(sheet, (0, 0), 0.4 / zoom)
    ground = tuple(random.uniform(20, 160, 3).tolist())
    image = cv2.warpPerspective(
        sheet,
        view,
        size,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=ground,
    )
    outlines = [
        cv2.perspectiveTransform(outline_of(box, 0.07).astype(np.float32)[None], view)[0]
        for box in source.boxes
    ]
    return photograph(random, relight(random, np.asarray(image, np.uint8))), outlines


def main() -> None:
    """Write the held sheets from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--views", type=int, default=2)
    options = parser.parse_args()
    # Write each held sheet as it is and in `views` views; existing pictures are replaced
    out = options.out
    for name in ("images", "labels"):
        (out / name).mkdir(parents=True, exist_ok=True)
    for number, source in enumerate(load_sheets(options.data, held=True)):
        outlines = [outline_of(box, 0.0) for box in source.boxes]
        write_labelled(out, f"plain{number:02}", source.image, source.labels, outlines)
        for view in range(options.views):
            random = np.random.default_rng([0, number, view])
            image, outlines = seen_by_camera(random, source)
            write_labelled(out, f"view{number:02}_{view}", image, source.labels, outlines)


if __name__ == "__main__":
    main()
