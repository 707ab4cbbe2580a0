"""``python -m bench calibration``: how often the table is found, and how far off.

Tables in play are drawn with many looks and cameras, overhead and oblique, some with an arm across
the border.
"""

import argparse
import random
from dataclasses import replace
from functools import cache

from bench.tables import off_share
from table_assist.live.corners import seen_things
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import SUITED
from table_assist.twin.evening import play_evening
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import ClothPattern, look_of
from table_assist.twin.render import Renderer
from table_assist.twin.scene import (
    TABLE_MM,
    Cover,
    PlacedTile,
    Pose,
    Scene,
    reaching_arm,
    rectangle,
)
from table_assist.vision.pictures.picture import Image
from table_assist.vision.table.find_table import NOTHING_SEEN, find_table

PICTURED_WH = ((1920, 1080), (1280, 720))
SURE_WITHIN = 0.01  # of the side: 8 mm, a third of a tile
ARMS = 0.35  # of the pictures
HAND_SEED = 3  # of the hand that is played
STICK = (214, 230, 236)


def run(options: argparse.Namespace) -> int:
    """Look for so many tables; 1 where one is sure of a wrong place."""
    tables = max(1, options.tables)
    offs, doubted = list[float](), 0
    for seed in range(tables):
        camera, picture = simulated_table(seed)
        readings = seen_things(picture)
        found = find_table(picture, NOTHING_SEEN if readings is None else readings.boxes)
        if found is not None and found.is_sure:
            offs.append(off_share(found.corners_px, camera.corners_px(), picture.shape))
        doubted += found is not None and not found.is_sure
    offs.sort()
    right = sum(off <= SURE_WITHIN for off in offs)
    print(f"{tables} simulated tables")
    print(f"  found for sure, within {SURE_WITHIN:.0%} of the side: {right}")
    print(f"  found, to be looked at: {doubted}")
    print(f"  refused: {tables - doubted - len(offs)}")
    print(f"  found for sure and wrong: {len(offs) - right}")
    if offs:
        median, worst = offs[len(offs) // 2], offs[-1]
        print(f"  farthest place of each: median {median:.2%} of the side, worst {worst:.2%}")
    return int(len(offs) > right)


def simulated_table(
    seed: int, *, is_fitted: bool = False, is_holding: bool = False
) -> tuple[Lens, Image]:
    """A camera and its picture of a table in play; every third is oblique.

    Fitted: it has a raised rim, trays, a rail, seams, two lamps, and sticks on the cloth; holding:
    two hands hold a tile each.
    """
    chance = random.Random(seed)
    size_wh = PICTURED_WH[seed % len(PICTURED_WH)]
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
    look = look_of(seed)
    if is_fitted:
        optics = replace(look.optics, second_lamp=chance.uniform(0.2, 0.5))
        look = replace(look, is_fitted=True, pattern=ClothPattern.SEAMED, optics=optics)
        places = [(chance.uniform(-250, 250), chance.uniform(250, 380)) for _ in range(4)]
        sticks = (Cover(rectangle(*place, width=90, depth=7), STICK, 5.0) for place in places)
        scene = replace(scene, covers=(*scene.covers, *sticks))
    for seat in chance.sample(range(4), 2 * is_holding):
        x_mm, y_mm = chance.uniform(-250, 250), chance.uniform(-250, 250)
        held = PlacedTile(chance.choice(SUITED), x_mm, y_mm, chance.uniform(0, 360), Pose.TURNED)
        covers = (*scene.covers, *reaching_arm(seat, x_mm, y_mm))
        scene = replace(scene, tiles=(*scene.tiles, held), covers=covers)
    return camera, Renderer(load_faces(), look, camera, seed).picture(scene)


@cache
def _scenes() -> tuple[Scene, ...]:
    """A simulated hand, step by step."""
    return tuple(step.scene for step in play_evening(HAND_SEED, find_rules("changsha"), hands=1))
