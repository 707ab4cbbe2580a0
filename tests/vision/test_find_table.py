"""Finding the table in a picture: right, or doubted, or refused; never wrong and sure."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from bench.calibration import simulated_table
from bench.tables import off_share
from table_assist.tiles.tile import SUITED
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import FELTS, look_of
from table_assist.twin.render import Renderer
from table_assist.twin.scene import PlacedTile, Scene
from table_assist.vision.pictures.picture import Image
from table_assist.vision.table.find_table import find_table

CAMERA = Lens((1280, 720), px_per_mm=0.72)
SHAPE = (720, 1280)


def picture(camera: Lens, seed: int, scene: Scene | None = None, **look: object) -> Image:
    drawn = replace(look_of(seed), **look)  # type: ignore[arg-type]
    return Renderer(load_faces(), drawn, camera, seed).picture(scene or Scene())


WOOD = {"felt": (74, 110, 150), "rim": (30, 44, 66), "floor": (104, 104, 100)}


COLOURED = [{"felt": felt, "rim": (86, 132, 172)} for felt in FELTS.values()]


@pytest.mark.parametrize(
    ("look", "turn"),
    [(WOOD, 8.0), (COLOURED[0], 8.0), (WOOD, 0.0), (COLOURED[-1], 0.0)],
)
def test_a_cloth_of_any_colour_and_bare_wood_are_found(
    look: dict[str, object], turn: float
) -> None:
    camera = replace(CAMERA, tilt_deg=4 * turn, turn_deg=turn)
    found = find_table(picture(camera, 4, **look))
    assert found
    assert found.is_sure or look is WOOD or turn
    assert off_share(found.corners_px, camera.corners_px(), SHAPE) < 0.01


# Grey cloths; of 87 a hand hides the far border, of 400 two hold tiles.
@pytest.mark.parametrize("seed", [65, 87, 400])
def test_a_table_in_play_is_never_wrong_and_sure(seed: int) -> None:
    camera, image = simulated_table(seed, is_fitted=seed >= 200, is_holding=seed == 400)
    found = find_table(image)
    if found and found.is_sure:
        assert off_share(found.corners_px, camera.corners_px(), image.shape) < 0.01


def test_the_near_side_is_the_lowest_and_seat_0s_left_comes_first() -> None:
    """Things far from the table, which are no tiles, hide it not."""
    image = picture(replace(CAMERA, turn_deg=10.0), 1)
    found = find_table(image, np.array([(5, 5, 14, 14)] * 3))
    assert found
    x, y = np.array(found.corners_px).T
    assert max(x[0], x[3]) < min(x[1], x[2])
    assert min(y[0], y[1]) > max(y[2], y[3])


@pytest.mark.parametrize("width", [320, 480])
def test_a_rectangle_that_cannot_be_a_square_is_no_table(width: int) -> None:
    image = np.full((*SHAPE, 3), (90, 100, 110), np.uint8)
    cv2.rectangle(image, (640 - width, 120), (640 + width, 600), (60, 120, 40), -1)
    assert find_table(image) is None


def test_tiles_laid_out_as_a_square_are_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block of 3 by 4 tiles seen from near is as square and as straight as a table."""
    tiles = tuple(
        PlacedTile(tile, 26.0 * column - 39, 35.0 * row + 110)
        for index, tile in enumerate(SUITED[:12])
        for row, column in [divmod(index, 4)]
    )
    seen = picture(Lens((640, 640), px_per_mm=1.2), 5, Scene(tiles))
    near = cv2.resize(seen[66:226, 195:445], None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)
    assert find_table(near) is None
    monkeypatch.setattr("table_assist.vision.table.find_table.LEAST_PLAIN", 0.0)
    assert find_table(near), "nothing else about it is unlike a table"


def test_nothing_is_found_where_there_is_nothing() -> None:
    noise = np.random.default_rng(3).integers(0, 255, (360, 640, 3), np.uint8)
    for image in (0 * noise, noise):
        assert find_table(image) is None


def test_a_border_that_tiles_hide_is_never_sure() -> None:
    left, top = CAMERA.corners_px()[3]
    row = [(left + 30 * k, top - 15, left + 30 * k + 30, top + 15) for k in range(20)]
    found = find_table(picture(CAMERA, 3), np.array(row))
    assert not (found and found.is_sure)


def test_tiles_side_by_side_tell_plane_and_scale_where_no_border_is_in_sight() -> None:
    """A console among them is as square and as straight as a table, and a fifth of its size."""
    camera = Lens((1280, 720), px_per_mm=1.5, tilt_deg=50.0, turn_deg=17.0, height_mm=680)
    river = [(30.0 * (n % 6) - 75, -100.0 - 38 * (n // 6)) for n in range(12)]
    feet = [place for x, y in river for place in ((x, y), (-y, x), (-x, -y), (y, -x))]
    corners = np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)]) * 14.0
    seen = np.array([camera.project_points(np.array(foot) + corners) for foot in feet])
    image = np.full((*SHAPE, 3), (70, 110, 60), np.uint8)
    console = camera.project_points(6 * corners[[0, 1, 3, 2]])
    cv2.fillConvexPoly(image, console.astype(np.int32), (20, 20, 20))
    found = find_table(image, np.hstack([seen.min(axis=1), seen.max(axis=1)]))
    assert found
    assert not found.is_sure
    assert off_share(found.corners_px, camera.corners_px(), SHAPE) < 0.1


def test_of_a_table_in_part_plane_and_scale_are_asked_and_not_its_place() -> None:
    true = CAMERA.corners_px()
    beside = tuple((x + 99, y) for x, y in true)
    assert off_share(beside, true, SHAPE) > 0.1
    assert off_share(beside, true, SHAPE, is_placed=False) < 0.001
