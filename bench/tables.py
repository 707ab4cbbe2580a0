"""``python -m bench tables --pictures DIR``: the table in photographs of real tables.

`real_tables.csv` lists them: where each comes from, its licence, its bytes' SHA-256, what it shows
(a whole table, a part, or none) and where the cloth ends, marked by people. The pictures are in
their own repositories; those that lie under DIR are read, whatever their names.
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

from table_assist.phones.corners import CornersFrom, find_corners
from table_assist.settings.config import Corners
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.pictures.picture import Image, load_picture
from table_assist.vision.table.square import UNIT

LIST = Path(__file__).with_name("real_tables.csv")
WITHIN = {"whole": 0.02, "part": 0.05}  # of the side
Rows = tuple[tuple[Tile, ...], ...]  # tiles that lie open: of four rivers, four seats' melds
GRID = np.stack(np.meshgrid(*[np.linspace(0, 1, 21)] * 2), -1).reshape(-1, 1, 2)


@dataclass(frozen=True, slots=True)
class Photograph:
    """One of the list.

    Attributes:
        half: "worked" on, or "held" back.
        shows: "whole", "part" or "none".
        corners: of the cloth, in pixels; empty where nobody can tell.
        lies: the tiles that can be read by eye, each river from the left; empty where nobody did.
    """

    name: str
    half: str
    shows: str
    corners: Corners
    lies: Rows
    image: Image


def run(options: argparse.Namespace) -> int:
    """Look for the table in each; 1 where one is sure of a wrong place."""
    told: Counter[str] = Counter()
    for photo in photographs(options.pictures, options.half):
        found = find_corners(photo.image)
        off = None
        if photo.corners and found.origin is not CornersFrom.NOWHERE:
            off = off_share(found.corners, photo.corners, photo.image.shape)
        is_right = off is not None and off <= WITHIN[photo.shows]
        is_sure = found.origin is CornersFrom.FOUND
        told[photo.shows] += 1
        told[f"{photo.shows} marked"] += bool(photo.corners)
        told[f"{photo.shows} right"] += is_right
        told["surely wrong"] += is_sure and (off is None or off > 2 * WITHIN[photo.shows])
        said = "" if off is None else f"{off:.1%} off"
        print(f"{photo.shows:5} {photo.name:40} {found.origin:8} {said:10} {found.says.en}")
    for shows, share in WITHIN.items():
        right, marked = told[f"{shows} right"], told[f"{shows} marked"]
        print(f"{shows}: {told[shows]}, {marked} of them marked: {right} within {share:.0%}")
    print(f"none: {told['none']}\nsurely wrong: {told['surely wrong']}")
    return int(told["surely wrong"] > 0)


def photographs(folder: Path, half: str | None = None) -> Iterator[Photograph]:
    """Those of the list that lie below a folder."""
    with LIST.open(encoding="utf-8", newline="") as file:
        known = {row["sha256"]: row for row in csv.DictReader(file)}
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        row = known.pop(hashlib.sha256(path.read_bytes()).hexdigest(), None)
        if row is None or half not in (None, row["half"]):
            continue
        image = load_picture(path)
        if row["crop"]:
            left, top, right, bottom = (int(each) for each in row["crop"].split())
            image = np.ascontiguousarray(image[top:bottom, left:right])
        pairs = (pair.split() for pair in row["corners"].split(";") if pair)
        corners = tuple((float(x), float(y)) for x, y in pairs)
        lies = tuple(map(parse_tiles, filter(None, row["lies"].split(";"))))
        yield Photograph(row["name"], row["half"], row["shows"], corners, lies, image)


def off_share(found: Corners, true: Corners, shape: tuple[int, ...]) -> float:
    """By which share of the side the farthest place of the table in sight is off, at most."""
    there = cv2.getPerspectiveTransform(np.array(found, np.float32), UNIT)
    least = np.inf
    for turn in range(4):
        corners = np.roll(np.array(true, np.float32), turn, axis=0)
        seen = cv2.perspectiveTransform(GRID, cv2.getPerspectiveTransform(UNIT, corners))
        within = (seen >= 0) & (seen < np.array((shape[1], shape[0])))
        inside = np.asarray(within.all(axis=2))[:, 0]
        off = cv2.perspectiveTransform(seen[inside], there) - GRID[inside]
        least = min(least, float(np.linalg.norm(off, axis=2).max(initial=0.0)))
    return least
