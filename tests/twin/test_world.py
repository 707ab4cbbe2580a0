"""Tables of the whole space of looks: what is held out is never drawn while mending."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from table_assist.tiles import Tile
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import ClothPattern, look_of
from table_assist.twin.render import Renderer
from table_assist.twin.scene import PlacedTile, Scene
from table_assist.twin.world import Back, Looks, is_held_out, look_from, world_look

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
    plain_black = [world_look(seed, held=True) for seed in range(60)]
    patterns = {look.pattern for look in plain_black}
    assert patterns == {p for p in ClothPattern if any(is_held_out(p, b) for b in Back)}
    for seed in range(300):
        look = world_look(seed, held=False)
        if look.pattern is ClothPattern.PLAIN:  # whose black backs are held out
            assert sum(look.back) > 140 or sum(look.felt) < 160


def test_every_pattern_comes_and_the_same_seed_is_the_same_look() -> None:
    looks = [world_look(seed, held=False) for seed in range(200)]
    counts = Counter(look.pattern for look in looks)
    assert set(counts) == set(ClothPattern)
    assert min(counts.values()) >= 15
    assert looks == [world_look(seed, held=False) for seed in range(200)]
    assert look_from(Looks.USUAL, 7) == look_of(7)
    assert look_from(Looks.HELD_OUT, 7) == world_look(7, held=True) != look_from(Looks.WORLD, 7)


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
