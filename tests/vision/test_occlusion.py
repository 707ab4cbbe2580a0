"""What cannot be seen is told with its reason, and shadows, tiles and lamps hide nothing."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from table_assist.tiles.tile import Tile
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens, askew
from table_assist.twin.looks import Optics, TableLook
from table_assist.twin.render import Renderer
from table_assist.twin.scene import PlacedTile, Scene
from table_assist.vision.pictures.picture import Image
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import SeenTile
from table_assist.vision.table.occlusion import BELONGS_S, SHOWN_S, TableView
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zones import Layout, Zone, ZoneKind, zone_at

SIDE = 800
CALIBRATION = Calibration(((0, SIDE), (SIDE, SIDE), (SIDE, 0), (0, 0)))
FELT, SKIN = (62, 104, 42), (142, 172, 214)
NOTHING = np.zeros((0, 4, 2), np.float32)
STILL = np.zeros((100, 100), np.bool_)
RIVER = Zone(ZoneKind.RIVER, 0)
TILE_AT = (0.0, -130.0)


def felt(seed: int = 0, gain: tuple[float, float, float] = (1, 1, 1)) -> Image:
    noise = np.random.default_rng(seed).normal(0, 4, (SIDE, SIDE, 3))
    return np.clip(np.array(FELT) * np.array(gain) + noise, 0, 255).astype(np.uint8)


def box(x_mm: float, y_mm: float, width: float, height: float) -> tuple[int, int, int, int]:
    """In pixels: one is a millimetre."""
    left, top = x_mm - width / 2 + SIDE / 2, SIDE / 2 - y_mm - height / 2
    return round(left), round(top), round(left + width), round(top + height)


def painted(image: Image, colour: tuple[int, ...], place: tuple[int, int, int, int]) -> Image:
    left, top, right, bottom = place
    image = image.copy()
    image[top:bottom, left:right] = colour
    return image


def corners(*places: tuple[int, int, int, int]) -> np.ndarray:
    return np.array(
        [[(a, b), (c, b), (c, d), (a, d)] for a, b, c, d in places], np.float32
    ).reshape(-1, 4, 2)


def view(t: float = 0.0) -> TableView:
    seen = TableView(Layout())
    seen.update(felt(), CALIBRATION, NOTHING, STILL, (), t)
    assert seen.unavailable == ()
    return seen


def zones(seen: TableView) -> dict[Zone, WhyUnseen]:
    return {gone.zone: gone.why for gone in seen.unavailable}


def test_an_arm_at_rest_hides_its_zones_and_no_others() -> None:
    seen = view()
    arm = painted(felt(1), SKIN, box(0, -230, 70, 300))
    seen.update(arm, CALIBRATION, NOTHING, STILL, (), 1.0)
    assert zones(seen)[RIVER] is WhyUnseen.HIDDEN
    assert seen.hides(TILE_AT)
    assert Zone(ZoneKind.RIVER, 2) not in zones(seen)
    assert not seen.hides((0.0, 130.0))


def test_it_is_told_since_when_and_gone_when_the_arm_is() -> None:
    seen = view()
    arm = painted(felt(1), SKIN, box(0, -230, 70, 300))
    for t in (1.0, 2.0, 3.0):
        seen.update(arm, CALIBRATION, NOTHING, STILL, (), t)
    assert {gone.since_t for gone in seen.unavailable} == {1.0}
    seen.update(felt(2), CALIBRATION, NOTHING, STILL, (), 4.0)
    assert seen.unavailable == ()
    assert not seen.hides(TILE_AT)


def test_a_tile_that_was_read_hides_nothing_and_one_that_was_not_is_no_arm() -> None:
    place = box(*TILE_AT, 26, 35)
    image = painted(felt(1), (224, 236, 242), place)
    for boxes in (corners(place), NOTHING):
        seen = view()
        seen.update(image, CALIBRATION, boxes, STILL, (), 1.0)
        assert seen.unavailable == ()


@pytest.mark.parametrize("gain", [(0.55,) * 3, (1.4,) * 3, (0.9, 1.0, 1.08)])
def test_a_lamp_that_is_switched_and_exposure_hide_nothing(
    gain: tuple[float, float, float],
) -> None:
    seen = view()
    seen.update(felt(1, gain), CALIBRATION, NOTHING, STILL, (), 1.0)
    assert seen.unavailable == ()


def test_a_shadow_hides_nothing() -> None:
    seen = view()
    left, top, right, bottom = box(0, -150, 250, 200)
    image = felt(1).astype(np.float32)
    image[top:bottom, left:right] *= 0.6
    seen.update(image.astype(np.uint8), CALIBRATION, NOTHING, STILL, (), 1.0)
    assert seen.unavailable == ()


@pytest.mark.parametrize(("size", "is_told"), [(20, True), (4, False)])
def test_what_may_hide_a_tile_is_told_though_the_zone_can_be_seen(size: int, is_told: bool) -> None:
    seen = view()
    white = painted(felt(1), (255, 255, 255), box(4, -132, size, size))
    seen.update(white, CALIBRATION, NOTHING, STILL, (), 1.0)
    assert seen.unavailable == ()
    assert (RIVER in seen.partly_hidden) is is_told


def test_glare_is_told_as_glare() -> None:
    seen = view()
    image = painted(felt(1), (255, 255, 255), box(0, -150, 80, 80))
    seen.update(image, CALIBRATION, NOTHING, STILL, (), 1.0)
    assert zones(seen) == {RIVER: WhyUnseen.GLARE}


def test_motion_is_told_as_motion_and_a_sliding_tile_is_none() -> None:
    seen = view()
    moving = STILL.copy()
    moving[61:65, 48:52] = True  # 32 by 32 mm
    seen.update(felt(1), CALIBRATION, NOTHING, moving, (), 1.0)
    assert seen.unavailable == ()
    assert seen.hides((0.0, -105.0)), "but that place itself cannot be judged"
    moving[60:70, 40:60] = True
    seen.update(felt(2), CALIBRATION, NOTHING, moving, (), 2.0)
    assert zones(seen) == {RIVER: WhyUnseen.MOTION}


def lying(**changes: object) -> SeenTile:
    tile = SeenTile(Tile.M1, 0.9, *TILE_AT, 26.0, RIVER, ((Tile.M1, 0.9),))
    return replace(tile, **changes)  # type: ignore[arg-type]


def test_a_cup_becomes_part_of_the_table_but_never_over_a_tile() -> None:
    cup = painted(felt(1), (40, 40, 160), box(*TILE_AT, 70, 70))
    for followed, is_hidden in (((), False), ((lying(age_s=1.0),), True)):
        seen = view()
        for step in range(8):
            t = 1.0 + step * BELONGS_S / 6
            seen.update(cup, CALIBRATION, NOTHING, STILL, followed, t)
        assert seen.hides(TILE_AT) is is_hidden


def test_a_standing_hand_is_nothing_to_be_seen_and_an_open_one_can_be_hidden() -> None:
    hand = Zone(ZoneKind.HAND, 0)
    rack = painted(felt(1), (168, 98, 30), box(0, -362, 340, 25))
    shown = SeenTile(Tile.M1, 0.9, 0.0, -362.0, 26.0, hand)
    for followed, is_hidden in (
        ((), False),
        ((replace(shown, tile=Tile.BACK),), False),
        ((replace(shown, tile=Tile.WHITE),), False),  # the upper side of one that stands
        ((shown,), True),
    ):
        seen = view()
        seen.update(rack, CALIBRATION, NOTHING, STILL, followed, 1.0)
        assert (hand in zones(seen)) is is_hidden


def test_a_table_seen_at_an_angle_is_looked_at_in_its_own_millimetres() -> None:
    oblique = Calibration(((50, 780), (750, 780), (715, 120), (85, 120)))
    source = np.array([[0, SIDE], [SIDE, SIDE], [SIDE, 0], [0, 0]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, np.array(oblique.corners_px, np.float32))
    seen = TableView(Layout())
    arm = painted(felt(1), SKIN, box(0, -230, 70, 300))
    for t, image in enumerate((felt(), arm)):
        warped = np.asarray(cv2.warpPerspective(image, matrix, (SIDE, SIDE)), np.uint8)
        seen.update(warped, oblique, NOTHING, STILL, (), float(t))
    assert RIVER in zones(seen)
    assert Zone(ZoneKind.RIVER, 2) not in zones(seen)


@pytest.mark.parametrize("tilt", [0.0, 20.0, 35.0])
def test_a_tiles_own_side_is_nothing_that_lies_beside_it(tilt: float) -> None:
    """The more a camera hangs askew, the more it sees of the side that is turned to it."""
    lens = askew(Lens(), tilt)
    calm = Optics(uneven=0, vignette=0, noise=0, jitter_px=0, jpeg_quality=0)
    renderer = Renderer(load_faces(), TableLook(optics=calm), lens)
    scene = Scene((PlacedTile(Tile.P5, 305, 270, 90),))
    boxes = np.array([true.polygon_px for true in renderer.true_boxes(scene)], np.float32)
    seen, calibration = TableView(Layout()), Calibration(lens.corners_px())
    still = np.zeros((200, 300), np.bool_)
    seen.update(renderer.picture(Scene()), calibration, NOTHING, still, (), 0.0)
    seen.update(renderer.picture(scene), calibration, boxes, still, (), 1.0)
    assert not seen.hidden.any()


def test_a_cast_is_measured_against_the_first_picture() -> None:
    seen = view()
    seen.update(felt(1, (0.62, 0.95, 1.25)), CALIBRATION, NOTHING, STILL, (), 1.0)
    assert seen.cast == pytest.approx(np.log(1.25 / 0.62), abs=0.15)


def test_each_zone_can_say_why_in_both_languages() -> None:
    for why in WhyUnseen:
        words = OccludedZone(RIVER, 0.0, why).words
        assert words.en.startswith("The river of {0} cannot be seen: ")
        assert words.zh.startswith("{0}的牌河看不到：")
    assert OccludedZone(zone_at(-10, 0, Layout()), 0.0, WhyUnseen.GLARE).words.en.startswith(
        "The dice "
    )


def test_over_what_people_call_bare_nothing_lies() -> None:
    """One tap goes on, at once and for as long as they say so; a cup elsewhere still hides."""
    seen, cup = view(), box(0, -130, 90, 70)
    image = painted(painted(felt(), SKIN, cup), SKIN, box(0, 130, 90, 70))
    seen.update(image, CALIBRATION, NOTHING, STILL, (), 1.0)
    other = Zone(ZoneKind.RIVER, 2)
    assert zones(seen) == {RIVER: WhyUnseen.HIDDEN, other: WhyUnseen.HIDDEN}
    bare = Attention(bare=frozenset({RIVER}))
    seen.update(image, CALIBRATION, NOTHING, STILL, (), 2.0, bare)
    assert zones(seen) == {other: WhyUnseen.HIDDEN}
    seen.update(image, CALIBRATION, NOTHING, STILL, (), 3.0)
    assert zones(seen) == {other: WhyUnseen.HIDDEN}


def test_the_cloth_under_a_hand_that_stood_is_no_thing_over_the_hand_that_is_laid_down() -> None:
    """Standing tiles are not read; their colour must not become the table's."""
    seen, hand = view(), Zone(ZoneKind.HAND, 0)
    standing = painted(felt(), (224, 236, 242), box(0, -370, 340, 22))
    for t in range(1, round(2 * BELONGS_S)):
        seen.update(standing, CALIBRATION, NOTHING, STILL, (), float(t))
    assert zones(seen) == {}
    laid = [box(-117 + 26 * i, -360, 26, 35) for i in range(10)]
    open_hand = felt(1)
    for place in laid:
        open_hand = painted(open_hand, (224, 236, 242), place)
    faces = tuple(SeenTile(Tile.M1, 0.99, -117.0 + 26 * i, -360.0, 26.0, hand) for i in range(10))
    seen.update(open_hand, CALIBRATION, corners(*laid), STILL, faces, 3 * BELONGS_S)
    assert zones(seen) == {}
    assert not seen.crowds((-117.0, -360.0))


def test_what_looks_as_most_of_the_table_does_is_the_table() -> None:
    """A cup that stood for long and goes leaves the cloth, not a hole in the picture."""
    seen, cup = view(), box(0, -130, 90, 70)
    there = painted(felt(), SKIN, cup)
    for t in range(1, round(BELONGS_S) + 3):
        seen.update(there, CALIBRATION, NOTHING, STILL, (), float(t))
    assert zones(seen) == {}, "it belongs to the table"
    seen.update(felt(2), CALIBRATION, NOTHING, STILL, (), BELONGS_S + 4)
    assert zones(seen) == {}


@pytest.mark.parametrize("declared", [False, True])
def test_a_hand_that_was_shown_and_stands_again_is_closed_unless_it_is_declared(
    declared: bool,
) -> None:
    """Its last faces are kept while they may be covered: they must not keep themselves."""
    seen, hand = view(), Zone(ZoneKind.HAND, 0)
    standing = painted(felt(), (224, 236, 242), box(0, -370, 340, 22))
    attention = Attention(frozenset({hand}) if declared else frozenset())
    for age in (0.5, SHOWN_S - 0.5, SHOWN_S, SHOWN_S + 5):
        face = SeenTile(Tile.M1, 0.99, 0.0, -360.0, 26.0, hand, age_s=age)
        seen.update(standing, CALIBRATION, NOTHING, STILL, (face,), 1.0 + age, attention)
        assert zones(seen) == ({hand: WhyUnseen.HIDDEN} if declared or age < SHOWN_S else {})


def test_a_large_tile_that_was_not_found_is_no_arm_and_a_thing_crowds_it_from_farther() -> None:
    image = painted(felt(1), (224, 236, 242), box(-4.0, -144.0, 40, 48))
    beside = -4.0, -212.0
    told = []
    for times in (1.0, 1.17):
        seen = view()
        seen.fit(Layout(), times)
        seen.update(image, CALIBRATION, NOTHING, STILL, (), 1.0)
        told.append((bool(seen.unavailable), seen.crowds(beside)))
    assert told == [(True, False), (False, True)]


def test_a_print_that_was_read_and_is_none_lies_over_nothing() -> None:
    """A print came to light as the wall before it was drawn: no tile any more, it counted as a
    thing over the melds for two minutes, as what was believed to lie under it held it there."""
    seen, place = view(), box(0, -300, 60, 60)
    image = painted(felt(1), (190, 190, 215), place)
    believed = SeenTile(Tile.BACK, 0.9, 0.0, -300.0, 26.0, Zone(ZoneKind.MELDS, 0), age_s=9.0)
    for t in (1.0, 30.0):
        seen.update(image, CALIBRATION, NOTHING, STILL, (believed,), t)
        assert zones(seen) == {believed.zone: WhyUnseen.HIDDEN}
    seen.update(image, CALIBRATION, NOTHING, STILL, (believed,), 31.0, prints_px=corners(place))
    assert seen.unavailable == ()
    assert not seen.hides((0.0, -300.0))
    seen.update(image, CALIBRATION, NOTHING, STILL, (believed,), 32.0)
    assert seen.unavailable == ()
