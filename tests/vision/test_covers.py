"""What lies over a table is found in kept pictures, as long as it may have lain there."""

import cv2
import numpy as np

from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import parse_tiles
from table_assist.twin.demo.demo import make_renderer
from table_assist.twin.fit import USUAL_FIT
from table_assist.twin.lens import Lens
from table_assist.twin.places import on_table, put
from table_assist.twin.scene import Cover, PlacedTile, Scene, reaching_arm
from table_assist.vision.pictures.picture import Image
from table_assist.vision.table.blacken import without
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.covers import Covers
from table_assist.vision.table.zones import Layout

LENS = Lens((1280, 720), 0.85)
CALIBRATION = Calibration(LENS.corners_px(), 800.0)
RENDERER = make_renderer(find_rules("wanzhou"), seed=3, lens=LENS)
ROW = tuple(
    put(0, tile, r=26.4 * n - 120, d=USUAL_FIT.hand_d)
    for n, tile in enumerate(parse_tiles("123456789p"))
)
ARM = reaching_arm(1, *on_table(1, 0, 60))


def picture(*covers: Cover, tiles: tuple[PlacedTile, ...] = ROW) -> Image:
    return RENDERER.picture(Scene(tiles, covers=covers))


def boxes(tiles: tuple[PlacedTile, ...]) -> np.ndarray:
    corners = [[LENS.project(x, y, 20.0) for x, y in tile.corners_mm()] for tile in tiles]
    return np.array(corners, np.float32).reshape(-1, 4, 2)


def share_covered(places: object, covers: tuple[Cover, ...]) -> float:
    """How much of what lies over the table is in these places."""
    white = np.full((720, 1280, 3), 255, np.uint8)
    hidden = without(white, places)[..., 0] == 0  # type: ignore[arg-type]
    arm, table = np.zeros((720, 1280), np.uint8), np.zeros((720, 1280), np.uint8)
    for cover in covers:
        corners = [LENS.project(x, y, cover.height_mm) for x, y in cover.polygon_mm]
        cv2.fillPoly(arm, [np.array(corners, np.int32)], 1)
    cv2.fillPoly(table, [np.array(LENS.corners_px(), np.int32)], 1)
    inside = (arm & table).astype(bool)
    return float(hidden[inside].mean())


def test_an_arm_is_found_whole_and_nothing_else_is() -> None:
    covers = Covers(Layout())
    free = covers.places(picture(), CALIBRATION, boxes(ROW))
    assert share_covered(free, ARM) < 0.02
    assert share_covered(covers.places(picture(*ARM), CALIBRATION, boxes(ROW)), ARM) > 0.9


def test_an_arm_that_stays_for_long_does_not_become_the_table() -> None:
    covers = Covers(Layout())
    for image in [picture()] * 2 + [picture(*ARM)] * 30:
        found = covers.places(image, CALIBRATION, boxes(ROW))
    assert share_covered(found, ARM) > 0.9
