"""Ports: found again, in use, no port at all, and how often a link tries them."""

import errno
import os
import queue
import termios
import threading
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import serial

from firmware_bridge.events import Key, KeyPressed
from firmware_bridge.link import DEFAULT_TIMING, Link, LinkDown, LinkStatus, LinkTiming, LinkUp
from firmware_bridge.ports import FoundPort, PortError, open_port, restart_board
from firmware_bridge.simulator import VirtualBoard
from tests.stages.linked_board import PATIENCE_S, QUICK, linked
from tests.stages.linked_board import board as board


def usb_port(path: str, serial: str | None = None, usb_id: str = "2341:0043") -> FoundPort:
    return FoundPort(path, "a board", usb_id, serial)


@pytest.mark.parametrize("url", [None, "usb:2341:0043", "usb:2341:0043:85"])
def test_a_usb_board_is_found_again_under_another_name(
    url: str | None, board: VirtualBoard
) -> None:
    def list_ports() -> tuple[FoundPort, ...]:
        found = (usb_port(board.port, "85"),) if os.path.exists(board.port) else ()
        return (*found, usb_port("/dev/ttyUSB9", "7", "1a86:7523"))

    with linked(url or board.port, list_ports=list_ports) as host:
        host.next(LinkUp)
        assert host.link.health.path == board.port
        for name in ("ttyACM1", "ttyACM0", "ttyACM1"):
            board.unplug()
            host.next(LinkDown)
            board.replug(under=name)
            host.next(LinkUp)
            assert host.link.health.path == board.port
            board.press(3, Key.READY)
            assert host.next_events(1) == [KeyPressed(3, Key.READY)]
        assert host.link.health.connects == 4


@pytest.mark.alone
def test_unplugging_is_noticed_within_a_second_and_plugging_in_within_two(
    board: VirtualBoard,
) -> None:
    with linked(board.port, timing=DEFAULT_TIMING) as host:
        host.next(LinkUp)
        for pause_s in (0.0, 0.9):
            unplugged_s = time.monotonic()
            board.unplug()
            host.next(LinkDown)
            assert time.monotonic() - unplugged_s < 1.0
            time.sleep(pause_s)
            plugged_s = time.monotonic()
            board.replug()
            host.next(LinkUp)
            assert time.monotonic() - plugged_s < 2.0


class SilentPort:
    """A port that says nothing, and whose system does not tell that it is gone."""

    in_waiting = 0

    def __init__(self) -> None:
        self.modem_lines: list[bool] = []

    @property
    def dtr(self) -> bool:
        return True

    @dtr.setter
    def dtr(self, level: bool) -> None:
        self.modem_lines.append(level)

    def read(self, size: int) -> bytes:
        time.sleep(0.002)
        return b""

    def write(self, data: bytes) -> int:
        return len(data)

    def close(self) -> None:
        pass


def test_a_port_that_vanishes_without_an_error_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "ttyACM0"
    path.touch()
    with linked(str(path), open_port=lambda *_: SilentPort()) as host:
        time.sleep(0.1)
        path.unlink()
        assert host.next(LinkDown) == LinkDown(f"The board on {path} was unplugged.")


def test_a_board_that_did_not_answer_is_restarted_at_the_next_opening(tmp_path: Path) -> None:
    ports: queue.SimpleQueue[SilentPort] = queue.SimpleQueue()
    opened: list[SilentPort] = []

    def open_silent(*_: object) -> SilentPort:
        opened.append(SilentPort())
        ports.put(opened[-1])
        return opened[-1]

    with linked("net://x", open_port=open_silent, timing=replace(QUICK, silent_s=0.05)):
        for _ in range(3):
            ports.get(timeout=PATIENCE_S)
    assert opened[0].modem_lines == []
    assert opened[1].modem_lines == [False, True]


def test_closing_a_port_does_not_restart_an_arduino(board: VirtualBoard) -> None:
    port = open_port(board.port, 115200, 0.01)
    assert isinstance(port, serial.Serial)
    assert not termios.tcgetattr(port.fileno())[2] & termios.HUPCL
    restart_board(port)  # a pseudo-terminal has no modem lines: nothing happens
    port.close()


def test_a_port_in_use_is_refused_and_said(board: VirtualBoard) -> None:
    port = open_port(board.port, 115200, 0.01)
    with linked(board.port) as host:
        assert host.next(LinkDown) == LinkDown(f"Port {board.port} is in use by another program.")
        port.close()
        host.next(LinkUp)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (errno.EACCES, "may not be opened by this user"),
        (errno.EBUSY, "is in use by another program"),
        (errno.ENOENT, "is not there"),
        (errno.EIO, "cannot be opened"),
    ],
)
def test_why_a_port_is_closed_is_one_sentence(
    error: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str, flags: int) -> int:
        raise OSError(error, os.strerror(error), path)

    monkeypatch.setattr("serial.serialposix.os.open", refuse)
    with pytest.raises(PortError, match=message) as raised:
        open_port("/dev/ttyUSB7", 115200, 0.01)
    assert "/dev/ttyUSB7" in str(raised.value)
    assert str(raised.value).endswith((".", "?"))


def test_a_link_ends_at_once_while_it_waits(tmp_path: Path) -> None:
    patient = LinkTiming(first_wait_s=600.0)
    down = threading.Event()
    link = Link(str(tmp_path / "missing"), lambda item: down.set(), timing=patient)
    assert link.health.status is LinkStatus.NONE
    link.start()
    assert down.wait(PATIENCE_S)
    started_s = time.monotonic()
    link.stop()
    assert time.monotonic() - started_s < 5.0
    assert link.health.status is LinkStatus.NONE
    link.stop()


def test_the_waits_between_attempts_grow_to_their_limit(tmp_path: Path) -> None:
    attempts: queue.SimpleQueue[float] = queue.SimpleQueue()

    def refuse(url: str, baud: int, poll_s: float) -> object:
        attempts.put(time.monotonic())
        raise PortError("not today")

    timing = LinkTiming(first_wait_s=0.02, longest_wait_s=0.16, look_s=0.005)
    path = tmp_path / "ttyACM0"
    path.touch()
    link = Link(
        str(path),
        lambda item: None,
        timing=timing,
        open_port=refuse,  # type: ignore[arg-type]
    )
    link.start()
    times = [attempts.get(timeout=PATIENCE_S) for _ in range(7)]
    link.stop()
    waits = [later - earlier for earlier, later in pairwise(times)]
    for wait, least in zip(waits, (0.02, 0.04, 0.08, 0.16, 0.16, 0.16), strict=True):
        assert wait >= least * 0.99
