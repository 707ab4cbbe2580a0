"""The harness that runs the firmware: its own promises, and what only the real chip can show."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial

from firmware_bridge.frames import Frame, FrameDecoder
from tests.stages.board_scenarios import SCENARIOS, Table
from tests.stages.simavr import BoardOnPort, SteppedBoard, build


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    build()


@pytest.fixture
def board() -> Iterator[SteppedBoard]:
    with SteppedBoard() as board:
        yield board


def frames(data: bytes) -> list[Frame]:
    return [frame for frame in FrameDecoder().feed(data) if isinstance(frame, Frame)]


def kinds(data: bytes) -> list[str]:
    return [frame.type for frame in frames(data)]


@pytest.mark.parametrize("is_deaf", [False, True])
def test_the_watchdog_starts_a_hanging_program_anew(is_deaf: bool, board: SteppedBoard) -> None:
    board.run(300)
    board.hang(is_deaf=is_deaf)
    assert kinds(board.run(900)) == []
    said = frames(board.run(2500))
    assert said[0].type == "HI"
    assert ("FAULT", "WATCHDOG") in [frame.fields[2:] for frame in said if frame.type == "EV"]
    # A deaf chip does not hear the watchdog's interrupt: only its reset helps.
    state = board.state()
    counted = (state["watchdog_interrupts"], state["watchdog_resets"])
    assert counted == (("0", "1") if is_deaf else ("1", "0"))


def test_the_light_blinks_with_every_snapshot(board: SteppedBoard) -> None:
    lit = []
    for _ in range(200):
        board.run(10)
        lit.append(board.state()["led"])
    assert 4 <= "".join(lit).count("01") <= 5


def test_the_harness_ends_when_nobody_speaks_to_it_any_more() -> None:
    board = SteppedBoard()
    process = board.process
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(5) == 0
    board.close()
    with pytest.raises(ValueError, match="closed file"):
        board.run(1)


def read_until(port: serial.Serial, wanted: bytes) -> bytes:
    seen, until_s = b"", time.monotonic() + 10
    while wanted not in seen:
        assert time.monotonic() < until_s, seen
        seen += port.read(port.in_waiting or 1)
    return seen


def test_an_unopened_board_restarts_when_its_port_is_opened() -> None:
    """As an Arduino does without the capacitor at its reset pin."""
    boot_ids = []
    with BoardOnPort(resets_on_open=True) as plugged:
        for _ in range(2):
            with serial.Serial(plugged.port, 115200, timeout=0.05, exclusive=True) as port:
                hello = read_until(port, b"\r\n")
                boot_ids.append(hello[hello.index(b"$HI,") :].split(b",")[2])
            # The harness comes to look at its port; the computer may be busy elsewhere
            assert plugged.board is not None
            until_us = int(plugged.board.state()["us"]) + 20_000
            while int(plugged.board.state()["us"]) < until_us:
                time.sleep(0.005)
    assert len(set(boot_ids)) == 2


def test_a_pulled_plug_breaks_the_port_and_the_path_comes_back() -> None:
    with BoardOnPort() as plugged:
        with serial.Serial(plugged.port, 115200, timeout=0.05) as port:
            read_until(port, b"$ST,")
            plugged.unplug()
            assert not os.path.lexists(plugged.port)
            with pytest.raises(OSError, match="Input/output error"):
                port.read(port.in_waiting)
        plugged.plug_in()
        with serial.Serial(plugged.port, 115200, timeout=0.05) as port:
            read_until(port, b"$ST,")
    assert not os.path.lexists(plugged.port)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_the_firmware_says_what_happens(scenario: Callable[[Table], None], tmp_path: Path) -> None:
    with SteppedBoard(eeprom=tmp_path / "eeprom") as board:
        scenario(Table(board))
