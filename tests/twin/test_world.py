"""Tables of the whole space of looks: what is held out is never drawn while mending."""

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.world import (
    BODIES,
    CORNER_OFF_MM,
    SIZES_WH,
    Back,
    WorldLooks,
    clutter,
    is_held_out,
    is_mixture_held_out,
    look_from,
    tapped_corners,
    tile_scale,
    tilt_from,
    world_lens,
    world_look,
)
from table_assist.tiles.tile import Tile
from table_assist.twin.disturb import Disturber, Hardness
from table_assist.twin.faces import load_faces
from table_assist.twin.fit import Fit
from table_assist.twin.lens import Lens
from table_assist.twin.looks import ClothPattern, Optics, TableLook, look_of
from table_assist.twin.optics import distorted
from table_assist.twin.render import Renderer
from table_assist.twin.scene import TABLE_MM, PlacedTile, Scene
from table_assist.twin.steps import ArmReach, TableStep
from table_assist.twin.worn import used
from table_assist.vision.table.calibration import LEAST_PX_PER_TILE, Calibration
from table_assist.vision.table.zones import Layout, ZoneKind, zone_at

CAMERA = Lens(size_wh=(480, 480), px_per_mm=0.55)
SCENE = Scene((PlacedTile(Tile.P5, 0.0, -130.0),))


def test_a_tenth_of_the_kinds_of_tables_is_held_out() -> None:
    kinds = [(pattern, back) for pattern in ClothPattern for back in Back]
    held = [kind for kind in kinds if is_held_out(*kind)]
    assert 0.08 <= len(held) / len(kinds) <= 0.12
    assert len({pattern for pattern, _ in held}) == len(held), "no pattern is held out whole"


def test_what_is_held_out_is_drawn_only_where_it_is_asked_for() -> None:
    """Of each held-out pair of a pattern and a back, no evening of the rest has the pattern and
    that colour together."""
    plain_black = [world_look(seed, held=True) for seed in range(1, 120, 2)]
    patterns = {look.pattern for look in plain_black}
    assert patterns == {p for p in ClothPattern if any(is_held_out(p, b) for b in Back)}
    for seed in range(300):
        look = world_look(seed, held=False)
        if look.pattern is ClothPattern.PLAIN:  # whose black backs are held out
            assert sum(look.back) > 140 or sum(look.felt) < 160


def test_a_tenth_of_all_other_mixtures_is_held_out_too() -> None:
    """Bodies, plates, lights, lenses and prints: each kind comes on both sides."""
    rest = [world_look(seed, held=False) for seed in range(300)]
    held = [world_look(seed, held=True) for seed in range(0, 300, 2)]
    assert not any(map(is_mixture_held_out, rest))
    assert all(map(is_mixture_held_out, held))
    by_pair = [world_look(seed, held=True) for seed in range(1, 600, 2)]
    assert 0.05 <= sum(map(is_mixture_held_out, by_pair)) / len(by_pair) <= 0.15
    for looks in (rest, held):
        assert {look.ivory for look in looks} == set(BODIES)
        assert {look.optics.mirror > 0 for look in looks} == {True, False}


def test_each_seat_has_an_arm_of_its_own_and_half_of_them_wear_something() -> None:
    step = TableStep(1, SCENE, "", 2.0, reach=ArmReach(0, 0.0, -130.0))
    hard = Hardness(reaches=1.0, shines=0.0, cloths=0.0, rolls=0.0)
    arms = [
        next(moment.scene.covers for moment in Disturber(seed, hard).moments(step))
        for seed in range(60)
    ]
    assert len({arm[0].colour for arm in arms}) == 5
    assert len({arm[1].colour for arm in arms}) == 4
    rings = [arm[2] for arm in arms if len(arm) == 3]
    assert 15 <= len(rings) <= 45
    hand = np.array(arms[0][1].polygon_mm)
    for x, y in rings[0].polygon_mm:
        assert (hand.min(0) - 1 <= (x, y)).all()
        assert ((x, y) <= hand.max(0) + 1).all()


def test_every_pattern_comes_and_the_same_seed_is_the_same_look() -> None:
    looks = [world_look(seed, held=False) for seed in range(200)]
    counts = Counter(look.pattern for look in looks)
    assert set(counts) == set(ClothPattern)
    assert min(counts.values()) >= 15
    assert looks == [world_look(seed, held=False) for seed in range(200)]
    assert look_from(WorldLooks.USUAL, 7) == look_of(7)
    assert (
        look_from(WorldLooks.HELD_OUT, 7)
        == world_look(7, held=True)
        != look_from(WorldLooks.WORLD, 7)
    )


@pytest.mark.parametrize("pattern", [p for p in ClothPattern if p is not ClothPattern.PLAIN])
def test_a_pattern_is_seen_on_the_cloth_and_nowhere_else(pattern: ClothPattern) -> None:
    faces = load_faces(needed=(Tile.P5,))
    look = look_of(3)
    clear = replace(look.optics, noise=0.0, jitter_px=0.0, blur_px=0.0, jpeg_quality=0)
    look = replace(look, optics=clear)
    plain, patterned = (
        Renderer(faces, replace(look, pattern=each), CAMERA, 3).picture(Scene()).astype(int)
        for each in (ClothPattern.PLAIN, pattern)
    )
    differs = np.abs(patterned - plain).max(axis=2) > 2
    assert differs[60:420, 60:420].mean() > 0.005
    assert not differs[:8].any(), "the floor is as it was"


def test_exposure_and_white_balance_wander_slowly_and_come_back() -> None:
    look = look_of(3)
    look = replace(look, optics=replace(look.optics, drift=0.06, noise=0.0, jitter_px=0.0))
    renderer = Renderer(load_faces(needed=(Tile.P5,)), look, CAMERA, 3)
    means = np.array([renderer.picture(SCENE).mean(axis=(0, 1)) for _ in range(230)])
    assert np.abs(np.diff(means, axis=0)).max() < 1.5, "from picture to picture hardly at all"
    assert np.ptp(np.log(means[:, 0] / means[:, 2])) > 0.04, "the colours' balance, too"


# -- each kind of look does something, and only that -----------------------------------------------

FACES = load_faces(needed=(Tile.P5,))
CLEAR = replace(look_of(3), optics=Optics(noise=0.0, jitter_px=0.0, jpeg_quality=0))


def taken(look: TableLook, pictures: int = 1) -> list[NDArray[np.float32]]:
    renderer = Renderer(FACES, look, CAMERA, 3)
    return [renderer.picture(SCENE).astype(np.float32) for _ in range(pictures)]


def with_optics(**optics: float) -> TableLook:
    return replace(CLEAR, optics=replace(CLEAR.optics, **optics))  # type: ignore[arg-type]


def test_a_second_lamp_makes_other_light_and_no_other_picture() -> None:
    (one,), (two,) = taken(CLEAR), taken(with_optics(second_lamp=0.5))
    assert np.abs(one - two).mean() > 0.5
    assert np.abs(one - two).max() < 40


def test_daylight_comes_from_one_side_and_goes_with_the_clouds() -> None:
    means = np.array(
        [[p[:, :160].mean(), p[:, 320:].mean()] for p in taken(with_optics(daylight=0.3), 140)]
    )
    window, wall = means.max(axis=0) / means.min(axis=0)
    assert window > 1.2 > wall > 1.0
    assert np.abs(np.diff(means, axis=0)).max() < 3, "slowly"


def test_a_screen_is_mirrored_in_one_place() -> None:
    (plain,), (mirrored,) = taken(CLEAR), taken(with_optics(mirror=0.5))
    brighter = (mirrored - plain).max(axis=2) > 8
    assert 0.005 < brighter.mean() < 0.1
    assert (mirrored >= plain - 1).all()


def test_somebodys_shadow_walks_around_the_table() -> None:
    pictures = taken(with_optics(shadow=0.35), 100)
    (plain,) = taken(CLEAR)
    shares = [(pictures[i] + 9).mean(axis=2) / (plain + 9).mean(axis=2) for i in (0, 50, 95)]
    soft = [cv2.GaussianBlur(share, (0, 0), 12) for share in shares]
    places = np.array([np.unravel_index(each.argmin(), each.shape) for each in soft])
    assert np.linalg.norm(np.diff(places, axis=0), axis=1).min() > 80
    assert all(0.5 < each.min() < 0.85 for each in soft)


def test_a_lens_that_looks_for_its_focus_is_blurred_now_and_then() -> None:
    pictures = taken(with_optics(breathing_px=1.2), 46)
    sharpness = [np.abs(np.diff(picture[..., 1], axis=1)).mean() for picture in pictures]
    assert min(sharpness) < 0.8 * max(sharpness)
    assert sharpness[0] == pytest.approx(sharpness[44], rel=0.02), "it comes back"


@pytest.mark.parametrize("distortion", [0.03, 0.06])
def test_a_lens_bends_what_is_far_out_and_people_tap_where_they_see_it(distortion: float) -> None:
    tile = PlacedTile(Tile.P5, 330.0, -340.0)
    renderer = Renderer(FACES, with_optics(distortion=distortion), CAMERA, 3)
    plain = renderer.picture(Scene()).astype(float)
    seen = np.abs(renderer.picture(Scene((tile,))) - plain).max(axis=2) > 90
    straight = CAMERA.project(tile.x_mm, tile.y_mm, 20.0)
    expected = distorted(straight, CAMERA.size_wh, distortion)
    assert np.hypot(*(np.array(straight) - expected)) > 3
    assert np.allclose(np.argwhere(seen).mean(axis=0)[::-1], expected, atol=3)


@pytest.mark.parametrize("kind", ["wear", "engraved", "careless"])
def test_a_used_face_looks_otherwise_and_the_tile_is_where_it_was(kind: str) -> None:
    (new,), (old,) = taken(CLEAR), taken(replace(CLEAR, **{kind: 0.8}))
    differs = np.abs(new - old).max(axis=2) > 6
    assert differs.sum() > 20
    rows, columns = np.nonzero(differs)
    x, y = CAMERA.project(0.0, -130.0, 20.0)
    assert abs(columns.mean() - x) < 4
    assert abs(rows.mean() - y) < 4
    assert max(np.ptp(rows), np.ptp(columns)) < 24


def test_no_two_tiles_are_worn_alike_and_the_same_tile_is_always_itself() -> None:
    face = np.full((70, 52, 3), 40, np.uint8)
    look = replace(CLEAR, wear=0.4)
    assert np.array_equal(used(face, look, 3), used(face, look, 3))
    assert not np.array_equal(used(face, look, 3), used(face, look, 4))
    assert np.array_equal(used(face, CLEAR, 3), face)


def test_things_lie_where_no_tiles_lie() -> None:
    kinds = set()
    for seed in range(60):
        things = clutter(seed)
        assert things == clutter(seed)
        for thing in things:
            x, y = np.mean(thing.polygon_mm, axis=0)
            kinds.add(thing.height_mm)
            is_beside = max(abs(x), abs(y)) > TABLE_MM / 2
            assert is_beside or zone_at(x, y, Layout()).kind is ZoneKind.ELSEWHERE
    assert len(kinds) == 6, "cups, phones, snacks, chips, coins and their edges"


def test_cameras_of_all_sizes_hang_not_quite_straight_and_see_the_whole_table() -> None:
    lenses = [world_lens(Lens(), seed) for seed in range(80)]
    assert {lens.size_wh for lens in lenses} == set(SIZES_WH)
    for lens in lenses:
        corners = np.array(lens.corners_px())
        assert (corners >= 0).all()
        assert (corners <= lens.size_wh).all()
    assert np.ptp([lens.turn_deg for lens in lenses]) > 5


def test_tiles_of_the_world_are_24_to_44_mm_long_on_the_tables_that_people_have_for_them() -> None:
    scales = [tile_scale(WorldLooks.WORLD, seed) for seed in range(400)]
    assert Fit(min(scales)).scale < 0.75
    assert Fit(max(scales)).scale > 1.1, "and all of them fit on the table"
    assert 0.88 < np.median(scales) < 0.98
    assert {tile_scale(WorldLooks.USUAL, seed) for seed in range(20)} == {1.0}
    assert scales[7] == tile_scale(WorldLooks.WORLD, 7) == tile_scale(WorldLooks.HELD_OUT, 7)


def test_cameras_of_the_world_look_askew_by_up_to_35_degrees_or_not_at_all() -> None:
    tilts = [tilt_from(WorldLooks.WORLD, seed) for seed in range(200)]
    assert 0.3 < np.mean([tilt == 0 for tilt in tilts]) < 0.5
    assert 30 < max(tilts) <= 35
    assert {tilt_from(WorldLooks.USUAL, seed) for seed in range(20)} == {0.0}


def test_a_camera_askew_sees_the_whole_table_and_small_tiles_as_wide_as_they_must_be() -> None:
    for seed in range(60):
        scale, tilt = tile_scale(WorldLooks.WORLD, seed), tilt_from(WorldLooks.WORLD, seed)
        lens = world_lens(Lens(), seed, scale=scale, tilt_deg=tilt)
        assert lens.tilt_deg == tilt
        corners = np.array(lens.corners_px())
        assert (corners >= 0).all()
        assert (corners <= lens.size_wh).all()
        assert Calibration(lens.corners_px()).px_per_mm * 26 * scale >= LEAST_PX_PER_TILE


@pytest.mark.parametrize("seed", [14549, 14572, *range(80)])
@pytest.mark.parametrize("tilt", [0.0, 20.0, 35.0])
def test_the_program_begins_before_every_camera_of_the_world(seed: int, tilt: float) -> None:
    """By the corners as they are tapped, and with large tiles, too: it does not know their size."""
    lens = world_lens(Lens(), seed, scale=tile_scale(WorldLooks.WORLD, seed), tilt_deg=tilt)
    Calibration(tapped_corners(lens, look_from(WorldLooks.WORLD, seed), seed))


def test_a_larger_tile_is_drawn_larger_with_the_same_face() -> None:
    faces, look, boxes = load_faces(needed=(Tile.P5,)), CLEAR, []
    for scale in (1.0, 1.5):
        renderer = Renderer(faces, look, Lens(size_wh=(480, 480), px_per_mm=3.0), 3)
        scene = Scene((PlacedTile(Tile.P5, 0.0, 0.0, scale=scale),))
        (box,) = renderer.true_boxes(scene)
        low, high = np.min(box.polygon_px, axis=0), np.max(box.polygon_px, axis=0)
        picture = renderer.picture(scene)
        left, top, right, bottom = (*np.ceil(low).astype(int), *np.floor(high).astype(int))
        boxes.append(cv2.resize(picture[top:bottom, left:right], (78, 105)))
        assert high[0] - low[0] == pytest.approx(26 * 3 * scale, rel=0.04)
    alike = np.corrcoef([box[5:-5, 5:-5].ravel() for box in boxes])[0, 1]
    assert alike > 0.9


def test_corners_are_tapped_beside_where_they_are_by_a_centimetre_at_most() -> None:
    lens, off = Lens(), []
    for seed in range(30):
        tapped = np.array(tapped_corners(lens, CLEAR, seed))
        off += (np.linalg.norm(tapped - lens.corners_px(), axis=1) / lens.px_per_mm).tolist()
    assert 5 < max(off) <= CORNER_OFF_MM
    assert np.mean(off) > 2


def test_each_kind_of_light_and_wear_comes_in_the_world_and_none_in_the_usual_looks() -> None:
    looks = [world_look(seed, held=False) for seed in range(80)]
    optics = ("second_lamp", "daylight", "mirror", "shadow", "breathing_px", "distortion")
    for name in optics:
        share = np.mean([getattr(look.optics, name) > 0 for look in looks])
        assert 0.05 < share < 0.8, name
        assert all(getattr(look_of(seed).optics, name) == 0 for seed in range(20))
    for name in ("wear", "engraved", "careless"):
        assert 0.05 < np.mean([getattr(look, name) > 0 for look in looks]) < 0.8, name
