"""What a camera at the side sees of concealed tiles is black for whoever may be playing against."""

import numpy as np
import pytest

from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from table_assist.twin.lens import Lens
from table_assist.twin.scene import PlacedTile, Pose, Scene
from table_assist.upkeep.demo import make_renderer
from table_assist.vision.pictures.picture import Image
from table_assist.vision.table import blacken
from table_assist.vision.table.blacken import standing_hands, without
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.zones import Layout, from_seat

HAND_D, RIVER_D, TILES = 366.0, 110.0, 13
FACES = [tile for tile in Tile if tile.is_face][:34]


def held(first: int) -> Scene:
    """Four hands that stand before their players, of other faces for another `first`."""
    tiles = []
    for seat in range(4):
        for place in range(TILES):
            x, y = from_seat(26.0 * (place - TILES // 2), HAND_D, seat)
            face = FACES[(first + 5 * seat + place) % len(FACES)]
            tiles.append(PlacedTile(face, x, y, 90.0 * seat, Pose.STANDING))
        x, y = from_seat(0.0, RIVER_D, seat)
        tiles.append(PlacedTile(Tile.P5, x, y, 90.0 * seat))
    return Scene(tuple(tiles))


def drawn(lens: Lens, first: int) -> Image:
    return make_renderer(find_rules("changsha"), seed=1, lens=lens).picture(held(first))


@pytest.mark.parametrize(("tilt", "turn"), [(0.0, 0.0), (20.0, 90.0), (30.0, 0.0), (35.0, 33.0)])
def test_two_hands_look_the_same_to_whoever_plays_against_them(tilt: float, turn: float) -> None:
    lens = Lens(size_wh=(1440, 810), px_per_mm=0.96, tilt_deg=tilt, turn_deg=turn)
    pictures = [drawn(lens, first) for first in (0, 11)]
    height, width = pictures[0].shape[:2]
    hands = standing_hands(Calibration(lens.corners_px()), Layout(), (width, height))
    assert len(hands) == 4
    one, other = (without(each, hands) for each in pictures)
    assert np.array_equal(one, other)
    if tilt >= 30.0:
        assert not np.array_equal(*pictures)  # there is something to be hidden
    for seat in range(4):  # and what lies open stays
        x, y = (round(each) for each in lens.project(*from_seat(0.0, RIVER_D, seat)))
        assert one[y - 3 : y + 4, x - 3 : x + 4].max() > 150
        alone = without(pictures[0], [place for n, place in enumerate(hands) if n != seat])
        x, y = (round(each) for each in lens.project(*from_seat(0.0, HAND_D, seat)))
        assert alone[y, x].max() > 0
        assert one[y, x].max() == 0


def test_where_the_camera_is_not_known_no_place_is_free_of_hands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was none of them that was hidden then."""
    monkeypatch.setattr(blacken, "viewpoint", lambda *_: None)
    hands = standing_hands(Calibration(Lens().corners_px()), Layout(), (192, 108))
    picture = np.full((108, 192, 3), 200, np.uint8)
    assert len(hands) == 4
    assert not without(picture, hands).any()
    assert not without(picture, hands[:1]).any()
