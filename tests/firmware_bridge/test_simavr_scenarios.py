"""The firmware that a user flashes, on a simulated chip: what it says of what happens."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.stages.board_scenarios import SCENARIOS, Table
from tests.stages.simavr import SteppedBoard, build


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    build()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_the_firmware_says_what_happens(scenario: Callable[[Table], None], tmp_path: Path) -> None:
    with SteppedBoard(eeprom=tmp_path / "eeprom") as board:
        scenario(Table(board))
