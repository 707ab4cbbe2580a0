"""Printed cloths, tiles of glass, bamboo's fibres and phones' streams: each on its own."""

import sys
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.live.hands import WantedHands, follow_hands
from models.world import COINS, LIT, WorldLooks, clutter, is_rarer_held_out, with_rarer, world_look
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from table_assist.twin import stream
from table_assist.twin.emblems import prints
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import (
    Emblem,
    EmblemKind,
    EmblemPlace,
    Glass,
    Optics,
    TableLook,
    look_of,
)
from table_assist.twin.render import Renderer
from table_assist.twin.scene import TABLE_MM, PlacedTile, Pose, Scene

CAMERA = Lens(size_wh=(480, 480), px_per_mm=0.55)
FACES = load_faces(needed=(Tile.P5, Tile.RED))
CLEAR = replace(look_of(3), optics=Optics(noise=0.0, jitter_px=0.0, jpeg_quality=0, glare=0.0))
GOLD = (70, 160, 200)
EMPTY = Scene()


def taken(look: TableLook, scene: Scene = EMPTY) -> NDArray[np.int_]:
    return Renderer(FACES, look, CAMERA, 3).picture(scene).astype(int)


def without(look: TableLook) -> TableLook:
    optics = replace(look.optics, stream_mbit=0.0, glow=0.0)
    return replace(look, emblem=None, glass=None, grain=0.0, optics=optics)


def kinds_of(look: TableLook) -> tuple[bool, ...]:
    return look.emblem is not None, look.glass is not None, look.optics.stream_mbit > 0


def test_each_comes_from_numbers_of_its_own_and_changes_nothing_else_of_a_look() -> None:
    """A look that has none of them is what it was before there were any."""
    for seed in range(60):
        plain = replace(look_of(seed), wear=0.2)
        found = with_rarer(plain, seed, held=False, is_bamboo=False)
        assert without(found) == plain
        assert found == with_rarer(plain, seed, held=False, is_bamboo=False)
        assert with_rarer(replace(plain, wear=0.0), seed, held=False, is_bamboo=False) == replace(
            found, wear=0.0
        )


# The very looks that evenings of these seeds had on 2026-11-22, before there were any.
@pytest.mark.parametrize(
    ("seed", "felt", "back", "noise"),
    [(9941, (128, 83, 38), (120, 79, 36), 4.8), (9954, (128, 80, 37), (43, 45, 45), 4.9)],
)
def test_evenings_that_were_played_before_have_the_look_that_they_had(
    seed: int, felt: object, back: object, noise: float
) -> None:
    look = world_look(seed, held=False)
    assert (look.felt, look.back, round(look.optics.noise, 1)) == (felt, back, noise)


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


@pytest.mark.parametrize("place", list(EmblemPlace))
@pytest.mark.parametrize("kind", list(EmblemKind))
def test_an_emblem_is_printed_on_the_cloth_and_nowhere_else(
    kind: EmblemKind, place: EmblemPlace
) -> None:
    emblem = Emblem(kind, place, GOLD, ink=0.9)
    plain, printed = taken(CLEAR), taken(replace(CLEAR, emblem=emblem))
    differs = np.abs(printed - plain).max(axis=2) > 6
    x, y = (np.argwhere(differs)[:, ::-1] - 240).T / CAMERA.px_per_mm
    assert max(np.abs(x).max(), np.abs(y).max()) <= TABLE_MM / 2
    assert differs.mean() > 0.004
    away = np.maximum(np.abs(x), np.abs(y))
    if place is EmblemPlace.CORNERS:
        assert np.minimum(np.abs(x), np.abs(y)).min() > 100
    elif place is EmblemPlace.MIDDLE:
        assert away.max() < 260
    for shape, corners in prints(emblem):
        assert (shape > 0).mean() > 0.05
        wide, high = (
            np.linalg.norm(corners[1] - corners[0]),
            np.linalg.norm(corners[2] - corners[1]),
        )
        stretched = wide / high / (shape.shape[1] / shape.shape[0])
        assert 0.4 < stretched < 1.6, "letters keep nearly their shape"


def test_a_console_that_glows_lights_what_lies_beside_it_in_its_colour() -> None:
    tile = PlacedTile(Tile.P5, 100.0, 0.0)
    green = replace(CLEAR, plate=(120, 200, 120))
    glows = replace(green, optics=replace(green.optics, glow=0.4))
    more = taken(glows, Scene((tile,))) - taken(green, Scene((tile,)))

    def at(x_mm: float, y_mm: float) -> NDArray[np.int_]:
        column, row = (round(240 + CAMERA.px_per_mm * place) for place in (x_mm, -y_mm))
        return np.asarray(more[row, column])

    assert at(0, 80)[1] > at(0, 120)[1] > at(0, 300)[1] == 0, "less and less, farther away"
    assert at(100, 14)[1] > at(100, 14)[2] > 0, "on the tile, too, and in its colour"


def test_tiles_and_the_console_lie_on_what_is_printed() -> None:
    tile = PlacedTile(Tile.P5, 120.0, 30.0)
    emblem = Emblem(EmblemKind.FLOWER, EmblemPlace.MIDDLE, GOLD, ink=0.95)
    plain, printed = (
        taken(CLEAR, Scene((tile,))),
        taken(replace(CLEAR, emblem=emblem), Scene((tile,))),
    )
    x, y = (round(each) for each in CAMERA.project(tile.x_mm, tile.y_mm, 20.0))
    assert np.abs(plain - printed)[y - 5 : y + 6, x - 4 : x + 5].max() <= 1
    assert np.abs(plain - printed)[225:256, 225:256].max() <= 1


def test_the_cloth_is_seen_through_glass_and_print_on_it_is_not() -> None:
    tile = PlacedTile(Tile.RED, 150.0, 150.0, scale=2.0)
    glass = Glass(see_through=0.35, tint=(220, 220, 220), is_whole=True)
    dark, light = (
        taken(replace(CLEAR, felt=felt, glass=glass), Scene((tile,)))
        for felt in ((40, 40, 40), (160, 160, 160))
    )
    solid = [
        taken(replace(CLEAR, felt=felt, ivory=(220, 220, 220)), Scene((tile,)))
        for felt in ((40, 40, 40), (160, 160, 160))
    ]
    x, y = (round(each) for each in CAMERA.project(tile.x_mm, tile.y_mm, 40.0))
    part = np.s_[y - 14 : y + 15, x - 10 : x + 11]
    assert np.abs(solid[0] - solid[1])[part].max() <= 2
    through = (light - dark)[part].mean(axis=2)
    assert 12 < np.percentile(through, 80) < 60
    red = (dark[part][..., 2] - dark[part][..., :2].max(axis=2)) > 60
    assert red.sum() > 20, "the character"
    assert through[red].mean() < 0.5 * np.median(through[~red])


def test_through_glass_on_a_coloured_back_that_back_is_seen_and_not_the_cloth() -> None:
    glass = Glass(see_through=0.35, tint=(220, 220, 220))
    tile = PlacedTile(Tile.P5, 150.0, 150.0, scale=2.0)
    look = replace(CLEAR, glass=glass, back=(30, 30, 200))
    x, y = (round(each) for each in CAMERA.project(tile.x_mm, tile.y_mm, 40.0))
    part = np.s_[y - 15 : y + 16, x - 10 : x + 11]
    one, other = (
        taken(replace(look, felt=felt), Scene((tile,)))[part]
        for felt in ((40, 40, 40), (160, 160, 160))
    )
    assert np.abs(one - other).max() <= 2
    assert np.median(one[..., 2] - one[..., 0]) > 12, "reddish"


def test_fibres_are_seen_on_backs_alone() -> None:
    lying = [
        PlacedTile(Tile.P5, x, 150.0, pose=p, scale=2.0)
        for x, p in ((120, Pose.FACE_DOWN), (230, Pose.FACE_UP))
    ]
    plain, grained = (
        taken(replace(CLEAR, back=(96, 172, 206), grain=grain), Scene(tuple(lying)))
        for grain in (0.0, 1.0)
    )
    differs = np.abs(plain - grained).max(axis=2) > 2
    columns = np.nonzero(differs)[1]
    assert differs.sum() > 60
    assert columns.max() < CAMERA.project(175.0, 150.0, 20.0)[0]


def test_coins_lie_on_some_tables_and_what_else_lies_there_stays() -> None:
    metals = [any(thing.colour in COINS for thing in clutter(seed)) for seed in range(100)]
    assert 0.2 < np.mean(metals) < 0.5


# -- a phone's stream --------------------------------------------------------------------------


def streamed(mbit: float, noise: float = 3.0) -> TableLook:
    return replace(CLEAR, optics=replace(CLEAR.optics, noise=noise, stream_mbit=mbit))


def test_a_stream_shows_the_table_and_the_fewer_bits_it_has_the_less_of_it() -> None:
    scene = Scene(tuple(PlacedTile(Tile.P5, 40.0 * i - 200, 150.0) for i in range(10)))
    clear = taken(CLEAR, scene)
    errors = []
    for mbit in (0.3, 2.0, 20.0):
        renderer = Renderer(FACES, streamed(mbit), CAMERA, 3)
        pictures = [renderer.picture(scene).astype(int) for _ in range(6)]
        errors.append(np.abs(pictures[-1] - clear).mean())
        assert pictures[0].shape == clear.shape
    assert errors[0] > errors[1]
    assert errors[0] < 12, "it is the same table"


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


def test_without_an_encoder_such_looks_are_refused_before_anything_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seed = next(s for s in range(50) if world_look(s, held=False).optics.stream_mbit > 0)
    plain = next(s for s in range(50) if world_look(s, held=False).optics.stream_mbit == 0)
    monkeypatch.setitem(sys.modules, "av", None)
    wanted = WantedHands(1, seed, real=True, looks=WorldLooks.WORLD)
    with pytest.raises(stream.NoCodecError, match=r"table-assist\[bench\]") as refused:
        next(follow_hands(wanted, [find_rules("wanzhou")]))
    assert "编码器" in refused.value.words.zh
    assert not replace(wanted, seed=plain).has_streams
    assert not replace(wanted, real=False).has_streams
    assert replace(wanted, seed=seed - 1, hands=9).has_streams, "the second evening has it"
    taken(CLEAR)  # and everything else is drawn
