"""Tile sets that nobody has made, on disk: whole, and the same each time."""

from pathlib import Path

import numpy as np
import pytest

from models.invented import chinese_fonts
from models.invented_sets import write_set
from models.sets import faces_for, is_set_held_out
from models.world import WorldLooks
from table_assist.rules.registry import rule_sets
from table_assist.twin.faces import load_faces

FONTS = Path("/usr/share/fonts")


@pytest.fixture(scope="module")
def fonts() -> list[Path]:
    return chinese_fonts(FONTS)


def test_a_written_set_can_be_played_with(fonts: list[Path], tmp_path: Path) -> None:
    own = load_faces()
    folder = write_set(1, fonts, own, tmp_path / "a")
    again = write_set(1, fonts, own, tmp_path / "b")
    other = write_set(2, fonts, own, tmp_path / "a")
    assert folder is not None
    assert again is not None
    assert other is not None
    one, same, another = load_faces(folder), load_faces(again), load_faces(other)
    assert all(np.array_equal(one.pictures[tile], same.pictures[tile]) for tile in one.pictures)
    assert any(
        not np.array_equal(one.pictures[tile], another.pictures[tile]) for tile in one.pictures
    )
    for rules in rule_sets():
        every = (*rules.kinds, *rules.bonus_tiles)
        drawn = faces_for(tmp_path / "a", WorldLooks.WORLD, 7, needed=rules.kinds, all_of=every)
        assert drawn.name in {folder.name, other.name}


def test_no_invented_set_has_the_name_of_a_held_out_one(fonts: list[Path], tmp_path: Path) -> None:
    held = next(n for n in range(100) if is_set_held_out(f"invented-{n:04d}"))
    assert write_set(held, fonts, load_faces(), tmp_path) is None
    assert list(tmp_path.iterdir()) == []
