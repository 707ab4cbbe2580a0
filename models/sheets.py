"""Photos of whole real sets laid out in rows: their tiles' labels, and which sets are held out.

The pictures are not in this repository, the labels are (sheets.csv): boxes found by the detector,
names from the known order of each layout. Tiles that no class fits (jokers) are left out.
"""

import csv
import tomllib
from pathlib import Path

import cv2
import numpy as np

from models.crops import Source
from models.materials import LABELS

LONGEST_SIDE = 1600  # px; larger sheets are shrunk when loaded
HERE = Path(__file__).parent


def held_sheets() -> frozenset[str]:
    """Starts of the names of the pictures that training must not see."""
    split = tomllib.loads((HERE / "split.toml").read_text(encoding="utf-8"))
    return frozenset(split["sheets"]["held"])


def load_sheets(data: Path, *, held: bool) -> list[Source]:
    """The sheets that are held out, or those that are not; the ones below the data folder."""
    rows: dict[str, list[list[float]]] = {}
    with (HERE / "sheets.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            box = [float(row[side]) for side in ("x0", "y0", "x1", "y1")]
            rows.setdefault(row["picture"], []).append([LABELS.index(row["label"]), *box])
    starts = tuple(held_sheets())
    sources = []
    for path in sorted((data / "sheets").glob("*/*")):
        if path.name not in rows or path.name.startswith(starts) != held:
            continue
        image = cv2.imread(str(path))
        if image is None:
            continue
        scale = min(1.0, LONGEST_SIDE / max(image.shape[:2]))
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        table = np.array(rows[path.name], np.float64)
        labels, boxes = table[:, 0].astype(np.int64), table[:, 1:] * scale
        sources.append(Source(image, labels, boxes, turned=False, complete=False))
    return sources
