"""The gate at export finds the one face that is lost, and lets chance pass."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from models.gate import Cell, lost, main
from table_assist import twin
from table_assist.vision.reading.weights import WEIGHTS

CELLS: list[Cell] = [(f"set {n}", face) for n in range(20) for face in ("8p", "1m", "E")]


def test_one_face_of_one_set_that_is_lost_is_told() -> None:
    rng = np.random.default_rng(1)
    before = {cell: rng.random(24) < 0.97 for cell in CELLS}
    after = dict(before) | {CELLS[7]: before[CELLS[7]] & (np.arange(24) % 3 == 0)}
    (told,) = lost(before, after)
    assert told.startswith(f"{CELLS[7][0]}, {CELLS[7][1]}: ")


def test_what_differs_by_chance_passes() -> None:
    rng = np.random.default_rng(2)
    before, after = ({cell: rng.random(24) < 0.9 for cell in CELLS} for _ in range(2))
    assert not list(lost(before, after))


@pytest.mark.slow
def test_the_same_networks_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(Path(twin.__file__).parent / "rasters", tmp_path / "faces" / "mine")
    (tmp_path / "photos" / "images").mkdir(parents=True)
    weights = ["--before", str(WEIGHTS), "--after", str(WEIGHTS)]
    assert main([*weights, "--data", str(tmp_path)]) == 0
    assert "faces of sets, none read worse" in capsys.readouterr().out
