"""Other sources from the command line: shown like a board's readings, or refused in a sentence."""

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.__main__ import main
from firmware_bridge.events import DiceReport
from firmware_bridge.receiver import Reading
from firmware_bridge.sources import choose
from firmware_bridge.sources.choose import describe_die
from firmware_bridge.sources.dice_set import Die, DieMotion


class Rolling:
    """Dice that are thrown once, as soon as they are followed."""

    def __init__(self, dice: dict[str, object], deliver: Callable[[Reading], None]) -> None:
        self.dice = tuple(Die(name, DieMotion.SETTLED, 3, 81, True) for name in dice)
        self._deliver = deliver

    def start(self) -> None:
        self._deliver(Reading(DiceReport(0, (3, 3)), "A1B2C3D4", 1, 0, 0.0))

    def stop(self) -> None:
        pass


@pytest.fixture
def _every_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "find_spec", lambda package: package)


@pytest.mark.usefixtures("_every_package")
def test_dice_are_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(choose, "RadioDice", Rolling)
    assert main(["dice", "godice:AA:01", "pixels:east", "--seconds", "0.1"]) == 0
    shown = capsys.readouterr().out
    assert "    1  dice    side 0: 3 and 3" in shown
    assert "AA:01 settled on 3, battery 81 %; east settled on 3, battery 81 %." in shown


@pytest.mark.usefixtures("_every_package")
@pytest.mark.parametrize("die", ["east", "godice:", "hazard:7"])
def test_what_is_no_die_is_refused(die: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dice", die]) == 2
    assert f"'{die}' is no die: write godice:ADDRESS or pixels:NAME." in capsys.readouterr().err


def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(choose, "find_spec", lambda package: None)
    assert main(["dice", "pixels:east"]) == 2
    assert main(["modbus", "map.toml"]) == 2
    dice, modbus = capsys.readouterr().err.splitlines()
    assert dice == "The package nat20 is not installed: pip install 'table-assist[dice]'."
    assert modbus == "The package pymodbus is not installed: pip install 'table-assist[modbus]'."


def test_a_modbus_line_without_an_answer_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "map.toml"
    path.write_text(
        'port = "tcp://127.0.0.1:9"\n'
        '[[input]]\nunit = 1\ntable = "coils"\naddress = 0\nsensor = "dome"\n'
    )
    assert main(["modbus", str(path), "--seconds", "0.1"]) == 0
    assert "No answer from Modbus unit 1 on tcp://127.0.0.1:9." in capsys.readouterr().out
    assert main(["modbus", str(tmp_path / "none")]) == 2
    assert "cannot be read: No such file or directory." in capsys.readouterr().err


def test_a_die_is_put_into_words() -> None:
    assert describe_die(Die("east", DieMotion.ROLLING, is_connected=True)) == "east rolling"
