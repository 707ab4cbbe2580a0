"""The simulated camera: it shows what lies on the table, where it says."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from table_assist.twin.evening import play_evening
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens, askew
from table_assist.twin.looks import Glass, Optics, TableLook
from table_assist.twin.render import Renderer
from table_assist.twin.river import RiverStyle, penetration
from table_assist.twin.scene import TABLE_MM, Cover, PlacedDie, PlacedTile, Pose, Scene, rectangle
from table_assist.twin.table import Manners
from table_assist.vision.table.calibration import Calibration
from tests.stages.evenings import read

SMALL = Lens(size_wh=(800, 560), px_per_mm=0.66)
FAULTLESS = Optics(uneven=0, vignette=0, noise=0, jitter_px=0, jpeg_quality=0)
PLAIN = TableLook(optics=FAULTLESS)
FACES = load_faces()


@pytest.fixture(scope="module")
def plain() -> Renderer:
    return Renderer(FACES, PLAIN, SMALL)


def red(picture: NDArray[np.uint8]) -> NDArray[np.bool_]:
    blue, green, red = (picture[..., k].astype(int) for k in range(3))
    return (red - np.maximum(blue, green)) > 60


def centre(mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    return np.argwhere(mask).mean(axis=0)[::-1]


def inside(mask: NDArray[np.bool_], polygon: object) -> float:
    """The share of a mask that lies within a polygon."""
    drawn = np.zeros(mask.shape, np.uint8)
    corners = np.round(np.array(polygon)).astype(np.int32)
    cv2.fillConvexPoly(drawn, cv2.convexHull(corners), 1)
    return float((mask & (cv2.dilate(drawn, np.ones((3, 3))) > 0)).sum() / mask.sum())


@pytest.mark.parametrize(("x", "y", "turn"), [(0, 200, 0), (-300, -150, 90), (310, 20, 200)])
def test_a_face_lies_inside_its_true_box(plain: Renderer, x: float, y: float, turn: float) -> None:
    scene = Scene((PlacedTile(Tile.RED, x, y, turn),))
    picture = plain.picture(scene)
    (box,) = plain.true_boxes(scene)
    assert box.label == "C"
    assert red(picture).sum() > 40
    assert inside(red(picture), box.polygon_px) > 0.99
    assert np.allclose(centre(red(picture)), np.mean(box.polygon_px, axis=0), atol=2)


def test_true_boxes_name_faces_backs_and_dice() -> None:
    renderer = Renderer(FACES, PLAIN, SMALL)
    scene = Scene(
        (
            PlacedTile(Tile.SEASON2, 0, 100),
            PlacedTile(Tile.M1, 0, 200, 90, Pose.FACE_DOWN),
            PlacedTile(Tile.M1, 0, -200, 0, Pose.STACKED),
            PlacedTile(Tile.M1, 0, -350, 0, Pose.STANDING),
            PlacedTile(Tile.UNKNOWN, 200, 0),
        ),
        (PlacedDie(6, 100, 100, 10),),
    )
    labels = sorted(box.label for box in renderer.true_boxes(scene))
    assert labels == ["2q", "back", "back", "d6"]


def test_a_cover_hides_what_lies_under_it(plain: Renderer) -> None:
    tile = PlacedTile(Tile.RED, 50, 60)
    cloth = Cover(rectangle(50, 60, width=90, depth=90), (120, 120, 120))
    beside = Cover(rectangle(-200, 60, width=90, depth=90), (120, 120, 120))
    assert not red(plain.picture(Scene((tile,), covers=(cloth,)))).any()
    assert plain.true_boxes(Scene((tile,), covers=(cloth,))) == ()
    assert len(plain.true_boxes(Scene((tile,), covers=(beside,)))) == 1
    assert red(plain.picture(Scene((tile,)))).any(), "the cover must not stay"


@given(
    x=st.floats(-400, 400), y=st.floats(-400, 400),
    tilt=st.floats(0, 50), turn=st.floats(-180, 180), aim=st.floats(-60, 60),
)  # fmt: skip
@settings(max_examples=60)
def test_the_table_plane_is_where_a_calibration_finds_it(
    x: float, y: float, tilt: float, turn: float, aim: float
) -> None:
    camera = Lens(tilt_deg=tilt, turn_deg=turn, aim_mm=(aim, -aim))
    calibration = Calibration(camera.corners_px(), TABLE_MM)
    found = calibration.to_table(np.array([camera.project(x, y)], np.float32))
    assert np.allclose(found, [(x, y)], atol=0.2)


# Nothing in these pictures differs from one to the next by itself.
STILL = Optics(noise=0, jitter_px=0, jpeg_quality=0)
TABLES = {
    "plain": (TableLook(optics=STILL), SMALL),
    "blurred": (TableLook(optics=replace(STILL, blur_px=0.6)), SMALL),
    "bent": (TableLook(optics=replace(STILL, blur_px=0.3, distortion=0.06)), SMALL),
    "askew": (TableLook(optics=replace(STILL, distortion=0.03)), askew(SMALL, 30.0)),
    "of glass": (TableLook(optics=STILL, glass=Glass(0.3, (220, 230, 220), True)), SMALL),
    "of an odd size": (TableLook(optics=STILL), replace(SMALL, size_wh=(801, 559))),
}
COLOURS = ((120, 90, 60), (60, 90, 160))


def scenes(seed: int, count: int) -> list[Scene]:
    """Tiles that come, go, are pushed and turned over; arms, cups and lamps above them."""
    rng = np.random.default_rng(seed)
    tiles = [_tile(rng) for _ in range(30)]
    covers: list[Cover] = []
    found = []
    for _ in range(count):
        for _ in range(int(rng.integers(0, 4))):
            tiles[int(rng.integers(len(tiles)))] = _tile(rng)
        if rng.uniform() < 0.3:
            tiles.append(_tile(rng))
        if rng.uniform() < 0.5:
            covers = covers[1:] if covers and rng.uniform() < 0.5 else [*covers, _cover(rng)]
        if rng.uniform() < 0.2:
            covers = covers[::-1]
        die = PlacedDie(1 + int(rng.integers(6)), *rng.uniform(-60, 60, 2).tolist(), 10.0)
        found.append(Scene(tuple(tiles), dice=(die,), covers=tuple(covers)))
    return found


def _tile(rng: np.random.Generator) -> PlacedTile:
    x, y = rng.uniform(-430, 430, 2).tolist()
    pose = (Pose.FACE_UP, Pose.FACE_DOWN, Pose.STANDING)[int(rng.integers(3))]
    return PlacedTile(Tile(int(rng.integers(34))), x, y, float(rng.integers(360)), pose)


def _cover(rng: np.random.Generator) -> Cover:
    x, y = rng.uniform(-500, 500, 2).tolist()
    shape = rectangle(x, y, width=60, depth=float(rng.uniform(60, 300)))
    colour = COLOURS[int(rng.integers(len(COLOURS)))]
    return Cover(shape, colour, 40.0, is_light=bool(rng.uniform() < 0.2))


@pytest.mark.parametrize("name", TABLES)
def test_a_picture_of_what_moved_is_the_picture_drawn_whole(name: str) -> None:
    """To the grey level, wherever the tiles lie and whatever comes and goes above them."""
    look, lens = TABLES[name]
    follows = Renderer(FACES, look, lens, seed=3)
    for number, scene in enumerate(scenes(7, 8)):
        anew = Renderer(FACES, look, lens, seed=3)

        assert np.array_equal(follows.picture(scene), anew.picture(scene)), number


# Tiles may touch, and real ones overlap in the picture by less than this.
TOUCH_MM = 1.0


def test_tiles_of_a_heap_do_not_lie_on_each_other() -> None:
    rules = find_rules("tianjin")
    steps = list(play_evening(2, rules, hands=1, manners=Manners(river=RiverStyle.HEAP)))
    fullest = max(steps, key=lambda s: sum(map(len, read(s.scene).rivers)))
    lying = [t for own in read(fullest.scene).rivers for t in own]
    assert len(lying) > 40
    for index, one in enumerate(lying):
        for other in lying[:index]:
            assert penetration(one.corners_mm(), other.corners_mm()) <= TOUCH_MM
