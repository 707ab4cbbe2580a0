"""The link against a virtual board on a real pseudo-terminal: nothing lost, nothing twice."""

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

from bench.board import LineFault
from firmware_bridge.events import Key, KeyPressed
from firmware_bridge.link import (
    DEFAULT_TIMING,
    Ages,
    Link,
    LinkDown,
    LinkStatus,
    LinkTiming,
    LinkUp,
)
from firmware_bridge.messages import BoardSnapshot, Hello
from firmware_bridge.ports import (
    FoundPort,
    Locator,
    PortError,
    open_port,
    read_selector,
    restart_board,
)
from firmware_bridge.receiver import Reading
from tests.stages.linked_board import PATIENCE_S, QUICK, VirtualBoard, linked, press_all, wait_until
from tests.stages.linked_board import board as board


@pytest.mark.parametrize("fault", LineFault)
def test_every_event_arrives_once_in_order_under(fault: LineFault, board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        board.harm(fault, 6)
        board.harm_orders(fault, 3)
        pressed = press_all(board, 9)
        assert host.next_events(9) == pressed
        assert host.no_more_events()


def test_a_restarted_board_is_noticed_and_heard(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        first = board.boot_id
        board.press(0, Key.WIN)
        assert host.next_events(1) == [KeyPressed(0, Key.WIN)]
        board.reset()
        assert board.boot_id != first
        while not is_greeting(host.next(Reading), board.boot_id):
            pass  # the first start's may come twice
        board.press(1, Key.PASS)
        assert host.next_events(1) == [KeyPressed(1, Key.PASS)]
        assert host.link.health.counters.restarts == 1


def is_greeting(reading: Reading, boot_id: str) -> bool:
    return isinstance(reading.content, Hello) and reading.boot_id == boot_id


@pytest.mark.parametrize("is_restarted", [True, False])
def test_unplugged_and_plugged_in_again(is_restarted: bool, board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        for _ in range(3):
            board.unplug()
            down = host.next(LinkDown)
            assert down.reason == f"The board on {board.port} was unplugged."
            assert host.link.health.status is LinkStatus.LOST
            board.replug(is_restarted=is_restarted)
            host.next(LinkUp)
            board.press(3, Key.READY)
            assert host.next_events(1) == [KeyPressed(3, Key.READY)]
        assert host.no_more_events()


def test_what_happened_while_unplugged_arrives_from_a_board_with_its_own_supply(
    board: VirtualBoard,
) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        board.unplug()
        host.next(LinkDown)
        pressed = press_all(board, 5)
        board.replug(is_restarted=False)
        assert host.next_events(5) == pressed
        assert host.no_more_events()


def test_health_tells_how_old_everything_is(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        assert host.link.health.ages.event_s is None
        board.press(0, Key.WIN)
        host.next_event()
        while not isinstance(host.next(Reading).content, BoardSnapshot):
            pass
        ages = host.link.health.ages
        assert ages.event_s is not None
        assert ages.snapshot_s is not None
        assert ages.line_s is not None
        assert ages.byte_s is not None
        assert 0 <= ages.byte_s <= ages.line_s <= ages.snapshot_s <= ages.event_s < PATIENCE_S
        board.harm(LineFault.HALF, 1000)
        wait_until(lambda: is_of_bytes_alone(host.link.health.ages))
        assert host.link.health.connects == 1


def is_of_bytes_alone(ages: Ages) -> bool:
    """Bytes have come lately, and no whole line."""
    return (ages.line_s or 0) > 0.3 > (ages.byte_s or 0)


def test_a_silent_board_is_lost_and_found(board: VirtualBoard) -> None:
    with linked(board.port, timing=replace(QUICK, silent_s=0.8)) as host:
        host.next(LinkUp)
        board.go_silent()
        assert host.next(LinkDown) == LinkDown(
            f"The board on {board.port} has been silent for 0.8 s."
        )
        assert (host.link.health.age_s or 0) > 0.5
        board.press(2, Key.WIN)
        board.go_silent(is_silent=False)
        host.next(LinkUp)
        assert host.next_events(1) == [KeyPressed(2, Key.WIN)]
        assert host.link.health.status is LinkStatus.CONNECTED


UNO, CLONE = "2341:0043", "1a86:7523"


class Computer:
    """A computer with ports that come and go."""

    def __init__(self, *ports: FoundPort) -> None:
        self.ports = ports

    def list_ports(self) -> tuple[FoundPort, ...]:
        return self.ports


def port(path: str | Path, serial: str | None = None, usb_id: str | None = UNO) -> FoundPort:
    return FoundPort(str(path), "", usb_id, serial)


def test_a_selector_is_read_in_any_case() -> None:
    selector = read_selector("usb:1A86:7523:Ab")
    assert selector is not None
    assert (selector.usb_id, selector.serial) == (CLONE, "Ab")
    assert read_selector("/dev/ttyACM0") is None
    assert read_selector("socket://host:1") is None


@pytest.mark.parametrize(
    "url", ["usb:", "usb:2341", "usb:2341:43", "usb:xyzw:0043", "usb:2341:0043:"]
)
def test_what_only_looks_like_a_selector_is_refused(url: str) -> None:
    with pytest.raises(PortError, match=r"is no USB port: write usb:VENDOR:PRODUCT"):
        Locator(url, Computer().list_ports).find()
    assert not Locator(url, Computer().list_ports).is_findable()


def test_a_selector_finds_the_one_port_that_it_means() -> None:
    computer = Computer(port("/dev/ttyACM3", "A"), port("/dev/ttyUSB0", None, CLONE))
    assert Locator("usb:2341:0043", computer.list_ports).find() == "/dev/ttyACM3"
    assert Locator("usb:1a86:7523", computer.list_ports).find() == "/dev/ttyUSB0"
    with pytest.raises(PortError, match="No port is usb:2341:0043:B: is the board plugged in"):
        Locator("usb:2341:0043:B", computer.list_ports).find()


def test_two_ports_of_the_same_kind_are_told_apart_by_their_serial_numbers() -> None:
    computer = Computer(port("/dev/ttyACM0", "A"), port("/dev/ttyACM1", "B"))
    assert Locator("usb:2341:0043:B", computer.list_ports).find() == "/dev/ttyACM1"
    with pytest.raises(PortError) as raised:
        Locator("usb:2341:0043", computer.list_ports).find()
    assert str(raised.value) == (
        "Several ports are usb:2341:0043: /dev/ttyACM0 (serial A), /dev/ttyACM1 (serial B); "
        "name one by path or serial."
    )


def test_a_path_that_was_a_board_is_known_by_its_serial_number_wherever_it_is() -> None:
    computer = Computer(port("/dev/ttyACM0", "A"), port("/dev/ttyACM1", "B"))
    locator = Locator("/dev/ttyACM0", computer.list_ports)
    assert locator.find() == "/dev/ttyACM0"
    locator.opened("/dev/ttyACM0")
    computer.ports = (port("/dev/ttyACM1", "B"),)
    assert locator.find() == "/dev/ttyACM0"  # not there: that is said when it is opened
    computer.ports = (port("/dev/ttyACM0", "B"), port("/dev/ttyACM1", "A"))
    assert locator.find() == "/dev/ttyACM1"  # the names were swapped


def test_a_board_without_a_serial_number_is_not_taken_for_the_other_tables() -> None:
    computer = Computer(port("/dev/ttyUSB0", None, CLONE), port("/dev/ttyUSB1", None, CLONE))
    locator = Locator("/dev/ttyUSB0", computer.list_ports)
    locator.opened("/dev/ttyUSB0")
    computer.ports = (port("/dev/ttyUSB1", None, CLONE),)
    assert locator.find() == "/dev/ttyUSB0"
    computer.ports = (port("/dev/ttyUSB1", None, CLONE), port("/dev/ttyUSB2", None, CLONE))
    assert locator.find() == "/dev/ttyUSB2"
    computer.ports = (*computer.ports, port("/dev/ttyUSB3", None, CLONE))
    assert locator.find() == "/dev/ttyUSB0"  # either of two: rather none than the wrong one


def test_a_link_to_a_device_is_followed(tmp_path: Path) -> None:
    (tmp_path / "ttyACM0").touch()
    by_id = tmp_path / "by-id"
    by_id.symlink_to(tmp_path / "ttyACM0")
    computer = Computer(port(tmp_path / "ttyACM0", "A"))
    locator = Locator(str(by_id), computer.list_ports)
    locator.opened(str(by_id))
    assert locator.find() == str(by_id)
    assert locator.is_findable()
    assert not locator.is_gone(str(by_id))
    (tmp_path / "ttyACM0").rename(tmp_path / "ttyACM1")
    computer.ports = (port(tmp_path / "ttyACM1", "A"),)
    assert locator.is_gone(str(by_id))
    assert locator.find() == str(tmp_path / "ttyACM1")


def test_a_port_that_is_not_on_usb_stays_where_it_is() -> None:
    computer = Computer(port("/dev/ttyS0", None, None), port("/dev/ttyS1", None, None))
    locator = Locator("/dev/ttyS0", computer.list_ports)
    locator.opened("/dev/ttyS0")
    computer.ports = (port("/dev/ttyS2", None, None),)
    assert locator.find() == "/dev/ttyS0"


def test_a_port_of_windows_is_there_when_it_is_listed() -> None:
    computer = Computer(port("COM3"))
    assert Locator("COM3", computer.list_ports).is_findable()
    assert not Locator("COM4", computer.list_ports).is_findable()
    assert not Locator("COM4", computer.list_ports).is_gone("COM4")


def test_a_url_is_always_there() -> None:
    locator = Locator("socket://host:7", Computer().list_ports)
    assert locator.is_findable()
    assert locator.find() == "socket://host:7"
    assert not locator.is_gone("socket://host:7")


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
