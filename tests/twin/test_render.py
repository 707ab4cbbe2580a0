"""The simulated camera: it shows what lies on the table, where it says."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from table_assist.tiles.tile import Tile
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import Optics, TableLook
from table_assist.twin.render import Renderer
from table_assist.twin.scene import TABLE_MM, Cover, PlacedDie, PlacedTile, Pose, Scene, rectangle
from table_assist.vision.table.calibration import Calibration

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
@settings(max_examples=60, deadline=None)
def test_the_table_plane_is_where_a_calibration_finds_it(
    x: float, y: float, tilt: float, turn: float, aim: float
) -> None:
    camera = Lens(tilt_deg=tilt, turn_deg=turn, aim_mm=(aim, -aim))
    calibration = Calibration(camera.corners_px(), TABLE_MM)
    found = calibration.to_table(np.array([camera.project(x, y)], np.float32))
    assert np.allclose(found, [(x, y)], atol=0.2)
