"""``python -m bench calibration``: how often the table is found, and how far off.

Tables in play are drawn with many looks and cameras, overhead and oblique, some with an arm across
the border. Photographs that show no whole table must be refused.
"""

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from table_assist.rules.registry import find_rules
from table_assist.twin.evening import play_evening
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import look_of
from table_assist.twin.render import Renderer
from table_assist.twin.scene import TABLE_MM, Scene, reaching_arm
from table_assist.vision.pictures.picture import Image, load_picture
from table_assist.vision.pictures.sources import pictures_in
from table_assist.vision.table.find_table import FoundTable, find_table, off_mm

SIZES_WH = ((1920, 1080), (1280, 720))
WITHIN = 0.01  # of the side: 8 mm, a third of a tile
ARMS = 0.35  # of the pictures
SEED = 3  # of the hand that is played


@dataclass(frozen=True, slots=True)
class TablesBench:
    """The measured figures.

    Attributes:
        right: found for sure, within a hundredth of the side.
        doubted: found, but to be looked at by a person; right or not.
        refused: nothing found.
        wrong_and_sure: farther off, and not doubted.
        off_mm: of each that was found for sure, the farthest corner, ascending.
        seconds: of looking, for each picture.
    """

    tables: int
    right: int
    doubted: int
    refused: int
    wrong_and_sure: int
    off_mm: tuple[float, ...]
    seconds: float


def bench_tables(tables: int, first: int = 0) -> TablesBench:
    """Look for so many simulated tables; those of seeds from ``first`` on."""
    offs: list[float] = []
    doubted = refused = 0
    spent = 0.0
    for seed in range(first, first + tables):
        camera, picture = simulated_table(seed)
        started = time.perf_counter()
        found = find_table(picture)
        spent += time.perf_counter() - started
        if found is None:
            refused += 1
        elif not found.is_sure:
            doubted += 1
        else:
            offs.append(off_mm(found.corners_px, camera.corners_px(), TABLE_MM))
    right = sum(off <= WITHIN * TABLE_MM for off in offs)
    return TablesBench(
        tables, right, doubted, refused, len(offs) - right, tuple(sorted(offs)), spent / tables
    )


def simulated_table(seed: int) -> tuple[Lens, Image]:
    """A camera and its picture of a table in play; every third is oblique."""
    chance = random.Random(seed)
    size_wh = SIZES_WH[seed % len(SIZES_WH)]
    camera = Lens(
        size_wh=size_wh,
        px_per_mm=size_wh[1] / TABLE_MM * chance.uniform(0.62, 0.85),
        height_mm=chance.uniform(900, 1600),
        tilt_deg=chance.uniform(15, 45) if seed % 3 == 0 else chance.uniform(0, 8),
        turn_deg=chance.uniform(-12, 12),
        aim_mm=(chance.uniform(-30, 30), chance.uniform(-30, 30)),
    )
    scene = chance.choice(_scenes())
    if chance.random() < ARMS:
        x_mm, y_mm = chance.uniform(-150, 150), chance.uniform(-150, 150)
        arm = reaching_arm(chance.randrange(4), x_mm, y_mm)
        scene = replace(scene, covers=(*scene.covers, *arm))
    return camera, Renderer(load_faces(), look_of(seed), camera, seed).picture(scene)


def lines(bench: TablesBench) -> Iterator[str]:
    """The figures in words."""
    yield f"{bench.tables} simulated tables, {bench.seconds:.2f} s each"
    yield f"  found for sure, within {WITHIN:.0%} of the side: {bench.right}"
    yield f"  found, to be looked at: {bench.doubted}"
    yield f"  refused: {bench.refused}"
    yield f"  found for sure and wrong: {bench.wrong_and_sure}"
    if bench.off_mm:
        yield (
            f"  farthest corner of each: median {bench.off_mm[len(bench.off_mm) // 2]:.1f} mm, "
            f"worst {bench.off_mm[-1]:.1f} mm"
        )


def photos_line(folder: Path) -> str:
    """How many of a folder's photographs, none of which shows a whole table, are refused."""
    found = [find_table(load_picture(path)) for path in pictures_in(folder)]
    sure, doubted = sum(map(_is_sure, found)), sum(map(_is_doubted, found))
    return (
        f"{len(found)} photographs without a whole table: {len(found) - sure - doubted} refused, "
        f"{doubted} to be looked at, {sure} taken for a table"
    )


def _is_sure(found: FoundTable | None) -> bool:
    return found is not None and found.is_sure


def _is_doubted(found: FoundTable | None) -> bool:
    return found is not None and not found.is_sure


@cache
def _scenes() -> tuple[Scene, ...]:
    """A simulated hand, step by step."""
    return tuple(step.scene for step in play_evening(SEED, find_rules("changsha"), hands=1))
