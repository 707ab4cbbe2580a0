"""The firmware reaches the board whole, or somebody is told what to do; each key is then tried.

avrdude is played by a script: it takes what the real one takes, and can fail as the real one does.
The board behind the port is the real firmware on a simulated chip.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware_bridge import flashing
from firmware_bridge.events import DiceReport, Dome, Key, KeyPressed, TrayWeighed
from firmware_bridge.flashing import (
    BAUDS,
    HEX,
    PARTS,
    SHA256,
    Avrdude,
    FlashError,
    KeyTest,
    check_hex,
    choose_port,
    find_avrdude,
    flash,
    how_to_get_avrdude,
    steps,
)
from firmware_bridge.ports import FoundPort
from table_assist.cli import firmware, shared_arguments
from table_assist.cli.main import main
from table_assist.languages.board_words import board_words, is_known
from tests.stages.simavr import BoardOnPort, build

CHINESE = re.compile(r"[\u4e00-\u9fff]")
UNO = FoundPort("/dev/ttyACM0", "Arduino Uno", "2341:0043", None)
NANO = FoundPort("/dev/ttyUSB0", "USB Serial", "1a86:7523", None)
PHONE = FoundPort("/dev/ttyACM1", "a phone's modem", "04e8:6860", None)
PLAIN = FoundPort("/dev/ttyS0", "n/a", None, None)
# What avrdude 7 says where nothing answers, shortened.
HELD_S = 0.1  # a key is held so long; it counts from 8 ms on
SILENT = "avrdude: stk500_getsync() attempt 10 of 10: not in sync: resp=0x00"


@dataclass(frozen=True)
class StandIn:
    """A script that notes how it was called."""

    path: Path
    calls: Path

    def called(self) -> list[list[str]]:
        return [line.split() for line in self.calls.read_text().splitlines()]


@pytest.fixture
def stand_in(tmp_path: Path) -> StandIn:
    """Answers at 57600 only, as a Nano with the old bootloader does."""
    path, calls = tmp_path / "avrdude", tmp_path / "calls"
    path.write_text(
        f'#!/bin/sh\necho "$@" >> {calls}\n'
        f'case "$*" in *"-b 57600"*) exit 0;; *) echo "{SILENT}" >&2; exit 1;; esac\n'
    )
    path.chmod(0o755)
    return StandIn(path, calls)


@pytest.fixture(scope="module")
def board() -> Iterator[BoardOnPort]:
    build()
    with BoardOnPort() as plugged:
        yield plugged


def test_a_changed_or_missing_file_is_never_written(tmp_path: Path) -> None:
    changed = tmp_path / "changed.hex"
    shutil.copy(HEX, changed)
    changed.write_bytes(changed.read_bytes()[:-1])
    with pytest.raises(FlashError, match="is not ours"):
        check_hex(changed)
    with pytest.raises(FlashError, match="cannot be read"):
        check_hex(tmp_path / "none.hex")


@pytest.mark.parametrize(
    ("named", "found", "chosen"),
    [
        ("COM7", (), "COM7"),
        ("", (UNO, PLAIN), UNO.path),
        ("", (NANO, PHONE), NANO.path),
        ("", (PHONE,), PHONE.path),
    ],
)
def test_the_board_is_found(named: str, found: tuple[FoundPort, ...], chosen: str) -> None:
    assert choose_port(named, found) == chosen


@pytest.mark.parametrize(
    ("found", "says"), [((PLAIN,), "No board"), ((UNO, NANO), "Several"), ((), "--port")]
)
def test_no_board_and_two_boards_are_told_apart(found: tuple[FoundPort, ...], says: str) -> None:
    with pytest.raises(FlashError, match=says):
        choose_port("", found)


def test_both_bootloaders_are_tried_and_the_file_is_read_back(stand_in: StandIn) -> None:
    said: list[str] = []
    flash(Avrdude(str(stand_in.path)), "/dev/x", None, said.append)
    assert [call[call.index("-b") + 1] for call in stand_in.called()] == list(map(str, BAUDS))
    for call in stand_in.called():
        assert "-V" not in call  # avrdude compares unless it is told not to
        assert f"flash:w:{HEX}:i" in call
    assert len(said) == 2


def test_a_silent_bootloader_names_the_capacitor(stand_in: StandIn) -> None:
    with pytest.raises(FlashError, match="capacitor"):
        flash(Avrdude(str(stand_in.path)), "/dev/x", 115200, lambda _: None)


@pytest.mark.parametrize(
    ("platform", "how"), [("linux", "apt install"), ("win32", "winget"), ("darwin", "brew")]
)
def test_whoever_lacks_avrdude_is_told_how_to_get_it(platform: str, how: str) -> None:
    assert how in how_to_get_avrdude(platform)
    with pytest.raises(FlashError, match="avrdude"):
        flash(Avrdude(None), "/dev/x", None, lambda _: None)


def test_flashing_ends_with_the_boards_own_greeting(
    stand_in: StandIn, board: BoardOnPort, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["firmware", "flash", "--port", board.port, "--avrdude", str(stand_in.path)])
    said = capsys.readouterr().out
    assert code == 0, said
    assert f"sha256 {SHA256[:12]}" in said
    assert "It greets: uno-" in said
    assert f"firmware test --port {board.port}" in said


def test_the_real_avrdude_takes_our_words_and_its_reason_is_passed_on(tmp_path: Path) -> None:
    """Without a chip it gets as far as the port: the words and the file were understood."""
    with pytest.raises(FlashError, match=f"open port {tmp_path}/none: No such file"):
        flash(find_avrdude(), str(tmp_path / "none"), None, lambda _: None)


def test_the_command_line_offers_what_the_test_has() -> None:
    assert shared_arguments.PARTS == PARTS


def test_every_key_of_every_seat_is_asked_for_once() -> None:
    wanted = [step.wanted for step in steps(["keys"])]
    assert wanted == [KeyPressed(seat, key) for seat in range(4) for key in Key]
    assert len({step.asks for step in steps()}) == len(steps()) == 16 + 4 + 1 + 2


def test_a_swapped_wire_is_named_and_the_right_key_still_awaited() -> None:
    test = KeyTest.of(["dice"])
    assert "side 2" in (test.hear(DiceReport(2)) or "")
    assert test.heard == 0
    assert test.hear(TrayWeighed(0, 5)) is None
    assert test.hear(DiceReport(0, (3, 4))) == "heard"
    test.skip()
    assert [step.wanted for step in test.missing] == [DiceReport(1)]


@dataclass
class Hand:
    """Presses what the program asks for, on the simulated chip."""

    board: BoardOnPort
    leaves_out: str

    def obey(self, line: str) -> None:
        chip = self.board.board
        assert chip is not None
        words = line.strip().rstrip(".").split()
        if words[:1] != ["Press"] or line.strip() == self.leaves_out:
            return
        if words[1] == "the":
            chip.set(f"dice{words[-1]}", is_active=True)
            time.sleep(HELD_S)
            chip.set(f"dice{words[-1]}", is_active=False)
        else:
            seat = int(words[-1])
            chip.hold(seat, Key(words[1].lower()))
            time.sleep(HELD_S)
            chip.hold(seat)
            time.sleep(HELD_S)


def test_each_key_is_asked_for_heard_and_the_missing_one_named(board: BoardOnPort) -> None:
    hand = Hand(board, "Press KONG at seat 1.")
    command = [sys.executable, "-m", "table_assist", "firmware", "test", "--port", board.port]
    with subprocess.Popen(
        [*command, "--parts", "keys", "dice", "--seconds", "3"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as program:
        assert program.stdout is not None
        said = []
        for line in program.stdout:
            said.append(line)
            hand.obey(line)
    assert program.returncode == 1, "".join(said)
    assert "19 of 20 heard.\n" in said, "".join(said)
    assert f"  not heard: {hand.leaves_out}\n" in said


def spoken(path: Path) -> list[str]:
    """What a file says to people, with 7 for what is filled in."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if is_call and node.func.id in ("FlashError", "say", "Step"):
            found += [each for part in node.args[:1] for each in literals(part)]
        elif isinstance(node, ast.Return) and node.value is not None:
            found += [each for each in literals(node.value) if " " in each]
    return [each for each in found if each]


def literals(node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            return ["".join(p.value if isinstance(p, ast.Constant) else "7" for p in parts)]
        case _:
            return []


def test_all_that_flashing_and_testing_say_is_known_in_every_language() -> None:
    said = [*spoken(Path(flashing.__file__)), *spoken(Path(flashing.__file__))]
    said += spoken(Path(firmware.__file__))
    said += [how_to_get_avrdude(system) + "." for system in ("linux", "win32", "darwin")]
    said += [step.asks for step in steps()] + [f"not heard: {steps()[0].asks}"]
    assert len(said) > 40
    said += [flashing.said(Dome(open=is_open)) for is_open in (True, False)]
    beginnings = ("avrdude writes the program", "the dome is 7")  # they are whole among the others
    assert [each for each in said if not is_known(each) and not each.startswith(beginnings)] == []
    assert board_words("not heard: Press WIN at seat 2.").zh == "没有收到：请按 2 号座位的 WIN 键。"


def test_flashing_and_its_faults_are_told_in_chinese(
    stand_in: StandIn, board: BoardOnPort, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["firmware", "flash", "--lang", "zh", "--avrdude", str(stand_in.path), "--port"]
    assert main([*words, board.port]) == 0
    assert main(["firmware", "flash", "--lang", "zh", "--avrdude", "/none", "--port", "x"]) == 2
    told = capsys.readouterr()
    lines = [*told.out.splitlines(), *told.err.splitlines()]
    lines = [line for line in lines if not line.strip().startswith("table-assist")]
    assert len(lines) > 5
    for line in lines:
        assert CHINESE.search(line), line
        assert "控制板：" not in line, line
