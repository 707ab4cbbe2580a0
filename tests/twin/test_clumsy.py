"""Clumsy people: tiles lie where they should not for a while, and the truth is the same."""

import shutil
from dataclasses import fields, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench.live.clumsy import Clumsiness, clumsily
from bench.live.compared import HandFigures
from bench.live.evening import EveningTable
from bench.live.hands import WantedHands, eyes_for
from models.sets import SET_PARTS, faces_for, is_set_held_out
from models.tables import own_or_drawn
from models.various import LIGHT_ARTWORK, photographed
from models.world import WorldLooks
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from table_assist.twin.evening import play_evening
from table_assist.twin.faces import BUILT_IN, FacesError, FaceSet, load_faces
from table_assist.twin.river import penetration
from table_assist.twin.scene import Pose, Scene
from table_assist.twin.table import TableStep

NEVER = Clumsiness(**dict.fromkeys((field.name for field in fields(Clumsiness)), 0.0))
KINDS = [field.name for field in fields(Clumsiness)]
SEED = 5


@cache
def honest(rules: str) -> tuple[TableStep, ...]:
    return tuple(play_evening(SEED, find_rules(rules), hands=1))


def clumsy(rules: str, wanted: Clumsiness) -> list[TableStep]:
    return list(clumsily(honest(rules), wanted, SEED))


def only(kind: str, share: float = 1.0) -> Clumsiness:
    return replace(NEVER, **{kind: share})


@pytest.mark.parametrize("rules", ["changchun", "classical"])
def test_what_is_clumsy_changes_no_event_signal_or_tap_and_loses_no_tile(rules: str) -> None:
    steps = clumsy(rules, Clumsiness(take_backs=0.3, knocked=0.3, hasty=0.3, glares=0.2))
    assert steps != list(honest(rules))
    for what in ("events", "signals", "commands"):
        told = [each for step in steps for each in getattr(step, what)]
        assert told == [each for step in honest(rules) for each in getattr(step, what)]
    for step in steps:
        pieces = sum(tile.pieces for tile in step.scene.tiles)
        assert pieces in (0, find_rules(rules).tiles_in_wall)


def overlapping(scene: Scene) -> int:
    tiles = [tile for tile in scene.tiles if tile.pose is Pose.FACE_UP]
    return sum(
        penetration(a.corners_mm(), b.corners_mm()) > 3.5
        for i, a in enumerate(tiles)
        for b in tiles[:i]
        if abs(a.x_mm - b.x_mm) < 50 and abs(a.y_mm - b.y_mm) < 50
    )


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_comes_about_and_no_tile_lies_in_another(kind: str) -> None:
    """Wanzhou's first hand of that seed is won; one in three of all that may happen does."""
    steps = clumsy("wanzhou", only(kind, 1.0 if kind in ("two_rows", "crooked", "pushed") else 0.3))
    scenes, plain = ([step.scene for step in each] for each in (steps, honest("wanzhou")))
    assert scenes != plain
    assert (len(scenes) < len(plain)) is (kind == "hasty")
    if kind != "pushed":  # over the others, as a hand pushes it
        assert max(map(overlapping, scenes[:: max(1, len(scenes) // 12)])) == 0
        assert overlapping(scenes[-5]) == 0


def followed(rules: str, wanted: Clumsiness, seed: int) -> HandFigures:
    """One hand by modelled eyes."""
    own = find_rules(rules)
    table = EveningTable(own, eyes_for(WantedHands(1, seed))(own, seed), seed=seed)
    (figures,) = table.play(1, clumsiness=wanted)
    return figures


@pytest.mark.parametrize(
    "kinds",
    [
        ("take_backs", "wrong_rows", "hasty"),
        ("knocked", "glares", "pushed", "tails"),
        ("two_rows", "crooked"),
    ],
)
def test_whatever_people_do_the_record_is_right_or_somebody_is_asked(
    kinds: tuple[str, ...],
) -> None:
    figures = followed("changsha", replace(NEVER, **dict.fromkeys(kinds, 0.2)), SEED)
    assert not figures.is_silently_wrong


NAMES = [f"set-{number}" for number in range(60)]
HELD = [name for name in NAMES if is_set_held_out(name)]
RULES = find_rules("classical")
PUBLISHED = (
    "camerash", "camerash_pr4", "fluffystuff_black", "fluffystuff_regular", "gl_colored",
    "gl_converted", "gnome_smooth", "justinchan114", "kde_classic", "kde_default", "kde_jade",
    "kde_traditional", "mahjax_ja", "xmahjongg_real",
)  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Eight sets as published ones lie: two of them held out, one of the others not whole."""
    known = [name for name in NAMES if name not in HELD][:6]
    for name in (*HELD[:2], *known):
        shutil.copytree(BUILT_IN, tmp_path / "artwork" / name)
    (tmp_path / "artwork" / known[0] / "1f.png").unlink()
    return tmp_path


def played(folder: Path | None, looks: WorldLooks, seed: int) -> FaceSet:
    every = (*RULES.kinds, *RULES.bonus_tiles)
    return faces_for(folder, looks, seed, needed=RULES.kinds, all_of=every)


def test_one_in_eleven_names_is_held_out_and_two_of_the_published_sets_are() -> None:
    share = sum(is_set_held_out(f"set-{number}") for number in range(7000)) / 7000
    assert share == pytest.approx(1 / SET_PARTS, rel=0.1)
    assert [name for name in PUBLISHED if is_set_held_out(name)] == [
        "justinchan114",
        "xmahjongg_real",
    ]


def test_each_evening_has_a_set_and_held_out_ones_come_with_held_out_looks_only(data: Path) -> None:
    for looks in (WorldLooks.USUAL, WorldLooks.WORLD):
        names = [played(data, looks, seed).name for seed in range(30)]
        assert not set(names) & set(HELD)
        assert len(set(names)) == 5, "all whole ones"
        assert played(data, looks, 7).name == names[7]
    assert {played(data, WorldLooks.HELD_OUT, seed).name for seed in range(20)} == set(HELD[:2])
    assert played(None, WorldLooks.HELD_OUT, 1).name == "built-in"


def test_a_held_out_set_is_refused_where_it_is_named_for_other_looks(data: Path) -> None:
    folder = data / "artwork" / HELD[0]
    with pytest.raises(FacesError, match="is held out: play with it by --looks held-out"):
        played(folder, WorldLooks.WORLD, 1)
    assert played(folder, WorldLooks.HELD_OUT, 1).name == HELD[0]
    other = next(path for path in sorted((data / "artwork").iterdir()) if path.name not in HELD)
    assert played(other, WorldLooks.WORLD, 1).name == other.name


def test_training_reads_no_held_out_set(data: Path) -> None:
    """Neither drawn ones nor photographed ones."""
    kept, held = (data / "faces" / name / "5p" for name in ("photographed", HELD[2]))
    for number, folder in enumerate((kept, held, held)):
        folder.mkdir(parents=True, exist_ok=True)
        picture = cv2.imread(str(BUILT_IN / "5p.png"))
        assert picture is not None
        cv2.imwrite(str(folder / f"{number}.jpg"), picture)
    assert len(photographed(data / "faces")[Tile.P5]) == 1
    assert not {faces.name for faces in own_or_drawn(data)} & set(HELD)
    assert len(own_or_drawn(data)) == 7


def test_a_picture_in_another_faces_folder_is_the_face_that_it_shows(tmp_path: Path) -> None:
    """A published set's eight of bamboo shows a seven: nobody learns it as an eight."""
    folder = tmp_path / "faces" / "camerash_pr4"
    for name, shown, files in (("7s", "9s", "706"), ("8s", "7s", "707"), ("9s", "8s", "708")):
        (folder / name).mkdir(parents=True)
        shutil.copy(BUILT_IN / f"{name}.png", folder / name / "600.png")
        picture = cv2.imread(str(BUILT_IN / f"{shown}.png"))
        assert picture is not None
        cv2.imwrite(str(folder / name / f"{files}.jpg"), picture)
    for variant in (0, 1):
        faces = load_faces(folder, needed=(), variant=variant)
        assert set(faces.pictures) == {Tile.S7, Tile.S8, Tile.S9}
        for tile, picture in faces.pictures.items():
            true = cv2.imread(str(BUILT_IN / f"{tile}.png"))
            assert true is not None
            assert np.abs(picture[..., :3].astype(int) - true).mean() < 12, tile
    pictures = photographed(tmp_path / "faces")
    assert {tile: len(of) for tile, of in pictures.items()} == {
        Tile.S7: 2, Tile.S8: 2, Tile.S9: 2
    }  # fmt: skip


def test_faces_that_are_cut_at_their_prints_keep_their_shape(tmp_path: Path) -> None:
    """A published two of bamboo is five times as high as wide, and no face is as narrow."""
    shapes = {Tile.P1: (300, 300, 4), Tile.S2: (300, 60, 4)}
    for tile, shape in shapes.items():
        cv2.imwrite(str(tmp_path / f"{tile}.png"), np.full(shape, 255, np.uint8))
    for tile, face in load_faces(tmp_path, needed=()).pictures.items():
        *_, width, height = cv2.boundingRect(face[..., 3])
        assert (height, width, 4) == shapes[tile]
        assert face.shape[1] / face.shape[0] == pytest.approx(0.75, rel=0.02)
        assert max(width / face.shape[1], height / face.shape[0]) == pytest.approx(0.86, abs=0.02)


def test_a_set_drawn_in_white_for_dark_tiles_is_not_laid_on_ivory(data: Path) -> None:
    for name in LIGHT_ARTWORK:
        shutil.copytree(BUILT_IN, data / "artwork" / name)
    assert not {faces.name for faces in own_or_drawn(data)} & set(LIGHT_ARTWORK)
