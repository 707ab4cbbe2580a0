"""Two of the published tile sets are only measured on: no training and no other play has them."""

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.sets import PARTS, faces_for, is_set_held_out
from models.tables import own_or_drawn
from models.various import LIGHT_ARTWORK, photographed
from models.world import WorldLooks
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from table_assist.twin.faces import BUILT_IN, FacesError, FaceSet, load_faces

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
    assert share == pytest.approx(1 / PARTS, rel=0.1)
    assert [name for name in PUBLISHED if is_set_held_out(name)] == [
        "justinchan114",
        "xmahjongg_real",
    ]


def test_each_evening_has_a_set_and_held_out_ones_come_with_held_out_looks_only(data: Path) -> None:
    for looks in (WorldLooks.USUAL, WorldLooks.WORLD):
        names = [played(data, looks, seed).name for seed in range(60)]
        assert not set(names) & set(HELD)
        assert len(set(names)) == 5, "all whole ones"
        assert played(data, looks, 7).name == names[7]
    assert {played(data, WorldLooks.HELD_OUT, seed).name for seed in range(40)} == set(HELD[:2])
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


def test_a_set_drawn_in_white_for_dark_tiles_is_not_laid_on_ivory(data: Path) -> None:
    for name in LIGHT_ARTWORK:
        shutil.copytree(BUILT_IN, data / "artwork" / name)
    assert not {faces.name for faces in own_or_drawn(data)} & set(LIGHT_ARTWORK)
