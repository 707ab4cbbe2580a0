"""``python -m bench tables --pictures DIR``: the table in photographs of real tables.

`real_tables.csv` lists them: where each comes from, its licence, its bytes' SHA-256, what it shows
(a whole table, a part, or none) and where the cloth ends, marked by people. The pictures are in
their own repositories; those that lie under DIR are read, whatever their names. Of a table of which
a part is in sight plane and scale are asked: where it begins, its tiles need not tell.

A crop is left, top, right and bottom, and the size that this part then gets: data sets squeeze
pictures into squares. Corners are those of the picture that comes of it.
"""

import argparse
import csv
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from table_assist.live.corners import CornersFrom, find_corners
from table_assist.settings.config import Corners
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.pictures.picture import Image, load_picture
from table_assist.vision.table.square import UNIT

REAL_TABLES = Path(__file__).with_name("real_tables.csv")
FOUND_WITHIN = {"whole": 0.02, "part": 0.05, "none": 0.0}  # of the side
Rows = tuple[tuple[Tile, ...], ...]  # tiles that lie open: of four rivers, four seats' melds
GRID = np.stack(np.meshgrid(*[np.linspace(0, 1, 21)] * 2), -1).reshape(-1, 1, 2)


@dataclass(frozen=True, slots=True)
class Photograph:
    """One of the list."""

    name: str
    shows: str  # "whole", "part" or "none"
    corners: Corners  # of the cloth, in pixels; empty where nobody can tell
    lies: Rows  # what can be read by eye, each river from the left; empty where nobody did
    image: Image


def run(options: argparse.Namespace) -> int:
    """Look for the table in each; 1 where one is sure of a wrong place."""
    told: Counter[str] = Counter()
    for photo in photographs(options.pictures, options.half):
        found, shows, off, place = find_corners(photo.image), photo.shows, np.inf, np.inf
        if photo.corners and found.origin is not CornersFrom.NOWHERE:
            both = found.corners, photo.corners, photo.image.shape
            off, place = off_share(*both, is_placed=shows != "part"), off_share(*both)
        told[shows] += 1
        told[f"{shows} marked"] += bool(photo.corners)
        told[f"{shows} right"] += off <= FOUND_WITHIN[shows]
        told[f"{shows} placed"] += place <= FOUND_WITHIN[shows]
        told["wrong"] += found.origin is CornersFrom.FOUND and place > 2 * FOUND_WITHIN[shows]
        says = f"{off:6.1%} off, {place:6.1%} beside its place {found.says.en}"
        print(f"{shows:5} {photo.name:40} {found.origin:8} {says}", flush=True)
    for shows, share in FOUND_WITHIN.items():
        print(
            f"{shows}: {told[shows]}, {told[f'{shows} marked']} of them marked: "
            f"{told[f'{shows} right']} within {share:.0%}, {told[f'{shows} placed']} in their place"
        )
    print(f"surely wrong: {told['wrong']}")
    return int(told["wrong"] > 0)


def photographs(folder: Path, half: str | None = None) -> Iterator[Photograph]:
    """Those of the list that lie below a folder."""
    with REAL_TABLES.open(encoding="utf-8", newline="") as file:
        known = {row["sha256"]: row for row in csv.DictReader(file)}
    for path in filter(Path.is_file, sorted(folder.rglob("*"))):
        row = known.pop(hashlib.sha256(path.read_bytes()).hexdigest(), None)
        if row is None or half not in (None, row["half"]):
            continue
        image = load_picture(path)
        if row["crop"]:
            left, top, right, bottom, *size_wh = map(int, row["crop"].split())
            image = np.asarray(cv2.resize(image[top:bottom, left:right], size_wh), np.uint8)
        pairs = (pair.split() for pair in row["corners"].split(";") if pair)
        corners = tuple((float(x), float(y)) for x, y in pairs)
        lies = tuple(map(parse_tiles, filter(None, row["lies"].split(";"))))
        yield Photograph(row["name"], row["shows"], corners, lies, image)


def off_share(
    found: Corners, true: Corners, shape: tuple[int, ...], *, is_placed: bool = True
) -> float:
    """By which share of the side the farthest place of the table in sight is off, at most.

    Not placed: plane, direction and scale count, and not where the table begins.
    """
    there = cv2.getPerspectiveTransform(np.array(found, np.float32), UNIT)
    least = np.inf
    for turn in range(4):
        corners = np.roll(np.array(true, np.float32), turn, axis=0)
        seen = cv2.perspectiveTransform(GRID, cv2.getPerspectiveTransform(UNIT, corners))
        within = (seen >= 0) & (seen < shape[1::-1])
        inside = within.all(axis=(1, 2))
        off = cv2.perspectiveTransform(seen[inside], there) - GRID[inside]
        off -= (not is_placed) * off.mean(axis=0)
        least = min(least, float(np.linalg.norm(off, axis=2).max()))
    return least
