"""Tables of the whole space of looks: what is held out is never drawn while mending."""

import sys
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from bench.live.hands import WantedHands, follow_hands
from models.world import (
    BODIES,
    LIT,
    Back,
    WorldLooks,
    is_held_out,
    is_mixture_held_out,
    is_rarer_held_out,
    look_from,
    tapped_corners,
    tile_scale,
    world_lens,
    world_look,
)
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from table_assist.twin import optics
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import (
    ClothPattern,
    EmblemKind,
    EmblemPlace,
    Optics,
    TableLook,
    look_of,
)
from table_assist.twin.render import Renderer
from table_assist.twin.scene import PlacedTile, Scene
from table_assist.vision.table.calibration import Calibration

CAMERA = Lens(size_wh=(480, 480), px_per_mm=0.55)
FACES = load_faces(needed=(Tile.P5, Tile.RED))
CLEAR = replace(look_of(3), optics=Optics(noise=0.0, jitter_px=0.0, jpeg_quality=0, glare=0.0))


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


@pytest.mark.parametrize("seed", [14549, 14572, *range(20)])
@pytest.mark.parametrize("tilt", [0.0, 20.0, 35.0])
def test_the_program_begins_before_every_camera_of_the_world(seed: int, tilt: float) -> None:
    """By the corners as they are tapped, and with large tiles, too: it does not know their size."""
    lens = world_lens(Lens(), seed, scale=tile_scale(WorldLooks.WORLD, seed), tilt_deg=tilt)
    Calibration(tapped_corners(lens, look_from(WorldLooks.WORLD, seed), seed))


def without(look: TableLook) -> TableLook:
    optics = replace(look.optics, stream_mbit=0.0, glow=0.0)
    return replace(look, emblem=None, glass=None, grain=0.0, optics=optics)


def kinds_of(look: TableLook) -> tuple[bool, ...]:
    return look.emblem is not None, look.glass is not None, look.optics.stream_mbit > 0


def test_every_kind_comes_and_a_tenth_of_their_mixtures_is_held_out() -> None:
    rest = [world_look(seed, held=False) for seed in range(250)]
    every = [world_look(seed, held=True) for seed in range(700) if seed % 3]
    held = [world_look(seed, held=True) for seed in range(0, 450, 3)]
    assert not any(map(is_rarer_held_out, rest))
    assert all(map(is_rarer_held_out, held))
    some = [look for look in every if any(kinds_of(look))]
    assert 0.06 <= np.mean([is_rarer_held_out(look) for look in some]) <= 0.14
    for looks in (rest, held):
        for kind in range(3):
            assert {kinds_of(look)[kind] for look in looks} >= {True}
    assert {look.emblem.kind for look in rest if look.emblem} == set(EmblemKind)
    assert {look.emblem.place for look in rest if look.emblem} == set(EmblemPlace)
    counts = Counter(kinds_of(look) for look in rest)
    assert 0.25 < counts[False, False, False] / len(rest) < 0.45
    assert {look.glass.is_whole for look in rest if look.glass} == {True, False}
    assert any(look.grain > 0 for look in rest)
    assert {look.optics.glow > 0 for look in rest if max(look.plate) > LIT} == {True, False}
    assert not any(look.optics.glow for look in rest if max(look.plate) <= LIT)
    assert all(look_of(seed) == without(look_of(seed)) for seed in range(20))


def streamed(mbit: float, noise: float = 3.0) -> TableLook:
    return replace(CLEAR, optics=replace(CLEAR.optics, noise=noise, stream_mbit=mbit))


def test_the_same_stream_again_is_the_same_to_the_bit() -> None:
    scene = Scene((PlacedTile(Tile.P5, 0.0, 150.0),))
    one, other = (Renderer(FACES, streamed(2.0), CAMERA, 3) for _ in range(2))
    for _ in range(10):
        assert np.array_equal(one.picture(scene), other.picture(scene))


def test_a_noisy_camera_never_sends_the_very_same_picture_twice_through_a_stream() -> None:
    """By that a frozen camera is known."""
    renderer = Renderer(FACES, streamed(1.5, noise=1.4), CAMERA, 3)
    pictures = [renderer.picture(Scene()) for _ in range(10)]
    assert not any(np.array_equal(one, other) for one, other in pairwise(pictures))


def test_without_an_encoder_such_looks_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seed = next(s for s in range(50) if world_look(s, held=False).optics.stream_mbit > 0)
    monkeypatch.setitem(sys.modules, "av", None)
    wanted = WantedHands(1, seed, real=True, looks=WorldLooks.WORLD)
    with pytest.raises(optics.NoCodecError, match=r"table-assist\[bench\]") as refused:
        next(follow_hands(wanted, [find_rules("changchun")]))
    assert "编码器" in refused.value.words.zh
