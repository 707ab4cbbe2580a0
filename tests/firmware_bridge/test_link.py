"""The link against a virtual board on a real pseudo-terminal: nothing lost, nothing twice."""

import errno
import os
import queue
import socket
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest
import serial

from firmware_bridge.board import BoardTiming
from firmware_bridge.events import DiceRolled, Dome, EventContent, Fault, Key, KeyPressed, WallReady
from firmware_bridge.faults import LineFault
from firmware_bridge.frames import SEQ_MODULUS, FrameDecoder, encode
from firmware_bridge.health import LinkStatus
from firmware_bridge.inflight import OrderDone
from firmware_bridge.link import DEFAULT_TIMING, Link, LinkDown, LinkItem, LinkTiming, LinkUp
from firmware_bridge.messages import PROTOCOL, BoardSnapshot, Event, Hello, to_frame
from firmware_bridge.orders import Order, Ping, Reset, StatusRequest
from firmware_bridge.ports import FoundPort, Port, PortError, open_port, restart_board
from firmware_bridge.receiver import MOST_UNSTORED, Position, Reading, Receiver
from firmware_bridge.simulator import VirtualBoard

T = TypeVar("T")
QUICK_BOARD = BoardTiming(resend_ms=60, snapshot_ms=80)
QUICK = LinkTiming(
    poll_s=0.005, silent_s=0.8, ask_s=0.1, first_wait_s=0.02, longest_wait_s=0.1, look_s=0.01
)
PATIENCE_S = 20.0  # of the tests: a busy machine is slow, but what is right comes in the end


class Host:
    """A program behind a link: stores events, and acknowledges what it has stored."""

    def __init__(self, port: str, *, resume: Position | None = None, **options: object) -> None:
        self.items: queue.SimpleQueue[LinkItem] = queue.SimpleQueue()
        self.stores = True
        self.refusals = 0
        options = {"timing": QUICK, **options}
        self.link = Link(port, self._take, resume=resume, **options)  # type: ignore[arg-type]

    def _take(self, item: LinkItem) -> None:
        if isinstance(item, Reading) and item.is_event and self.refusals:
            self.refusals -= 1
            raise OSError("disk full")
        self.items.put(item)
        if isinstance(item, Reading) and self.stores:
            self.link.acknowledge(item)

    def next(self, kind: type[T]) -> T:
        """The next item of this kind; those before it are dropped."""
        until_s = time.monotonic() + PATIENCE_S
        while True:
            item = self.items.get(timeout=max(0.0, until_s - time.monotonic()))
            if isinstance(item, kind):
                return item

    def next_event(self) -> Reading:
        while not (reading := self.next(Reading)).is_event:
            pass
        return reading

    def next_events(self, count: int) -> list[object]:
        return [self.next_event().content for _ in range(count)]

    def no_more_events(self) -> bool:
        """After three more snapshots: nothing came a second time."""
        for _ in range(3):
            self.next(Reading)
        events = []
        while not self.items.empty():
            item = self.items.get()
            events += [item] if isinstance(item, Reading) and item.is_event else []
        return not events


@contextmanager
def linked(port: str, **options: object) -> Iterator[Host]:
    host = Host(port, **options)  # type: ignore[arg-type]
    host.link.start()
    try:
        yield host
    finally:
        host.link.stop()


@pytest.fixture
def board() -> Iterator[VirtualBoard]:
    with VirtualBoard(timing=QUICK_BOARD) as board:
        yield board


def wait_until(is_true: Callable[[], bool]) -> None:
    until_s = time.monotonic() + PATIENCE_S
    while not is_true():
        assert time.monotonic() < until_s, "it never became true"
        time.sleep(0.005)


def press_all(board: VirtualBoard, count: int) -> list[EventContent]:
    pressed: list[EventContent] = [
        KeyPressed(number % 4, list(Key)[number // 4 % 4]) for number in range(count)
    ]
    for content in pressed:
        board.happen(content)
    return pressed


def test_every_kind_of_event_arrives(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        up = host.next(LinkUp)
        assert up.board.boot_id == board.boot_id
        board.roll_dice(2, (3, 5))
        board.wall_ready()
        board.dome(open=True)
        board.press(1, Key.KONG)
        board.fault("STUCK")
        assert host.next_events(5) == [
            DiceRolled(2, (3, 5)),
            WallReady(),
            Dome(open=True),
            KeyPressed(1, Key.KONG),
            Fault("STUCK"),
        ]
        assert host.no_more_events()


def test_a_reading_says_when(board: VirtualBoard) -> None:
    with linked(board.port, wall_clock=lambda: 1234.5) as host:
        host.next(LinkUp)
        board.wall_ready()
        reading = host.next_event()
        assert (reading.seq, reading.boot_id) == (1, board.boot_id)
        assert reading.received_s == 1234.5
        assert 0 <= reading.age_s < PATIENCE_S


@pytest.mark.parametrize("fault", LineFault)
def test_every_event_arrives_once_in_order_under(fault: LineFault, board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        board.harm(fault, 6)
        board.harm_orders(fault, 3)
        pressed = press_all(board, 9)
        assert host.next_events(9) == pressed
        wait_until(lambda: board.line.is_clean)
        assert host.no_more_events()


def test_events_arrive_over_a_slow_line_in_pieces(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        board.slow(2000)
        pressed = press_all(board, 3)
        assert host.next_events(3) == pressed
        board.slow(None)
        assert host.no_more_events()


def test_noise_is_counted_and_dropped(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        board.harm(LineFault.NOISE, 5)
        wait_until(lambda: host.link.health.counters.bad >= 5)
        assert host.link.health.status is LinkStatus.CONNECTED
        assert host.no_more_events()


def test_a_restarted_board_is_noticed_and_heard(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        first = board.boot_id
        board.press(0, Key.WIN)
        assert host.next_events(1) == [KeyPressed(0, Key.WIN)]
        board.reset()
        assert board.boot_id != first
        while not isinstance((reading := host.next(Reading)).content, Hello):
            pass
        assert reading.boot_id == board.boot_id
        board.press(1, Key.PASS)
        assert host.next_events(1) == [KeyPressed(1, Key.PASS)]
        assert host.link.health.counters.restarts == 1


def test_a_restart_whose_greeting_is_lost_is_noticed_too(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        board.harm(LineFault.DROP)
        board.reset()
        board.press(1, Key.PASS)
        assert host.next_events(1) == [KeyPressed(1, Key.PASS)]


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


def test_a_port_that_has_appeared_and_is_not_ours_yet_is_tried_again_soon(tmp_path: Path) -> None:
    """The system makes the port first, and lets its users open it a moment later."""
    attempts: queue.SimpleQueue[float] = queue.SimpleQueue()
    path = tmp_path / "ttyACM0"

    def refuse(url: str, baud: int, poll_s: float) -> Port:
        attempts.put(time.monotonic())
        raise PortError("not there" if not path.exists() else "may not be opened")

    timing = LinkTiming(first_wait_s=0.02, longest_wait_s=600.0, look_s=0.005)
    with linked(str(path), open_port=refuse, timing=timing):
        attempts.get(timeout=PATIENCE_S)
        path.touch()
        touched_s = time.monotonic()
        last_s = [attempts.get(timeout=PATIENCE_S) for _ in range(3)][-1]
    assert last_s - touched_s < 1.0


def test_closing_a_port_does_not_restart_an_arduino(board: VirtualBoard) -> None:
    port = open_port(board.port, 115200, 0.01)
    assert isinstance(port, serial.Serial)
    assert not termios.tcgetattr(port.fileno())[2] & termios.HUPCL
    restart_board(port)  # a pseudo-terminal has no modem lines: nothing happens
    port.close()


def test_health_tells_how_old_everything_is(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        assert host.link.health.ages.event_s is None
        board.press(0, Key.WIN)
        host.next_event()
        host.next(Reading)
        ages = host.link.health.ages
        assert ages.event_s is not None
        assert ages.snapshot_s is not None
        assert ages.line_s is not None
        assert ages.byte_s is not None
        assert 0 <= ages.byte_s <= ages.line_s <= ages.snapshot_s <= ages.event_s < PATIENCE_S
        board.harm(LineFault.HALF, 1000)
        wait_until(lambda: (host.link.health.ages.line_s or 0) > 0.3)
        assert (host.link.health.ages.byte_s or 0) < 0.3
        assert host.link.health.connects == 1


def test_a_port_missing_at_the_start_is_waited_for(board: VirtualBoard) -> None:
    board.unplug()
    with linked(board.port) as host:
        down = host.next(LinkDown)
        assert down == LinkDown(f"Port {board.port} is not there: is the board plugged in?")
        health = host.link.health
        assert (health.status, health.message) == (LinkStatus.LOST, down.reason)
        assert health.age_s is None
        assert health.board is None
        board.replug()
        host.next(LinkUp)
        assert host.items.empty() or not isinstance(host.items.get(), LinkDown)


def test_a_silent_board_is_lost_and_found(board: VirtualBoard) -> None:
    with linked(board.port) as host:
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


def test_what_was_not_stored_before_a_crash_comes_to_the_next_link(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        board.press(0, Key.READY)
        stored = host.next_event()
        host.stores = False
        board.press(1, Key.WIN)
        assert host.next_events(1) == [KeyPressed(1, Key.WIN)]
    with linked(board.port, resume=Position(stored.boot_id, stored.seq)) as host:
        board.press(2, Key.PASS)
        assert host.next_events(2) == [KeyPressed(1, Key.WIN), KeyPressed(2, Key.PASS)]
        assert host.no_more_events()


def test_what_was_stored_but_not_acknowledged_is_not_repeated(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        host.stores = False
        board.press(0, Key.READY)
        stored = host.next_event()
    with linked(board.port, resume=Position(stored.boot_id, stored.seq)) as host:
        host.next(LinkUp)
        board.press(1, Key.WIN)
        assert host.next_events(1) == [KeyPressed(1, Key.WIN)]
        assert host.no_more_events()


def test_what_the_program_could_not_take_comes_again(
    board: VirtualBoard, caplog: pytest.LogCaptureFixture
) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        host.refusals = 2
        board.press(0, Key.READY)
        board.press(0, Key.WIN)
        assert host.next_events(2) == [KeyPressed(0, Key.READY), KeyPressed(0, Key.WIN)]
        assert host.no_more_events()
        assert host.link.health.failures == 2
    assert "disk full" in caplog.text


def test_a_stopping_link_still_acknowledges(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        board.press(0, Key.READY)
        assert host.next_events(1)
    with linked(board.port) as host:
        host.next(LinkUp)
        assert host.no_more_events()


def test_orders_are_answered_two_at_a_time(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        for _ in range(10):
            host.link.order(Ping())
        for _ in range(10):
            done = host.next(OrderDone)
            assert (done.order, done.problem) == (Ping(), None)
            assert done.took_s > 0
        while not isinstance(snapshot := host.next(Reading).content, BoardSnapshot):
            pass
        assert snapshot.overruns == 0


def test_an_order_without_an_answer_ends(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        board.harm_orders(LineFault.DROP)
        host.link.order(StatusRequest())
        done = host.next(OrderDone)
        assert done.problem == "The board did not answer within 1 s."


def test_an_order_resets_the_board(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        first = board.boot_id
        host.link.order(Reset())
        assert host.next(OrderDone)
        wait_until(lambda: board.boot_id != first)
        board.press(0, Key.WIN)
        assert host.next_events(1) == [KeyPressed(0, Key.WIN)]


@pytest.mark.parametrize("order", [Ping(), Reset()])
def test_an_order_to_no_board_ends_at_once(order: Order, tmp_path: Path) -> None:
    with linked(str(tmp_path / "missing")) as host:
        host.next(LinkDown)
        host.link.order(order)
        done = host.next(OrderDone)
        assert done.problem == "The board is not connected."


def test_a_port_in_use_is_refused_and_said(board: VirtualBoard) -> None:
    port = open_port(board.port, 115200, 0.01)
    with linked(board.port) as host:
        assert host.next(LinkDown) == LinkDown(f"Port {board.port} is in use by another program.")
        port.close()
        host.next(LinkUp)


def test_a_file_is_no_port(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("not a port")
    with linked(str(path)) as host:
        down = host.next(LinkDown)
        assert down.reason.startswith(f"Port {path} cannot be opened: ")


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


def test_a_wrong_url_is_said() -> None:
    with pytest.raises(PortError, match="protocol 'nonsense' not known"):
        open_port("nonsense://here", 115200, 0.01)


def test_a_port_that_echoes_is_no_board() -> None:
    with linked("loop://") as host:
        assert host.next(LinkDown) == LinkDown(
            "What is on loop:// sends lines, but does not say that it is a board."
        )


@contextmanager
def scripted_port(*said: bytes) -> Iterator[str]:
    """A TCP port that says the same bytes to everyone, again and again."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        is_over = threading.Event()

        def serve() -> None:
            while not is_over.is_set():
                try:
                    connection, _ = server.accept()
                except TimeoutError:
                    continue
                with connection:
                    while not is_over.wait(0.05):
                        try:
                            connection.sendall(b"".join(said))
                        except OSError:
                            break

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"socket://127.0.0.1:{server.getsockname()[1]}"
        finally:
            is_over.set()
            thread.join()


def test_a_board_over_the_network_is_heard() -> None:
    hello = encode(to_frame(Hello(0, "A1B2C3D4", 5, 0, 1, "net-1", ("KEY",))))
    with scripted_port(hello) as url, linked(url) as host:
        up = host.next(LinkUp)
        assert up.board.firmware == "net-1"


def test_another_speed_or_device_is_said() -> None:
    with scripted_port(b"\x80\xff\x13\x0a") as url, linked(url) as host:
        assert host.next(LinkDown) == LinkDown(
            f"What is on {url} sends bytes that cannot be read: "
            "is it the board, and is its speed 115200?"
        )


def test_nothing_at_the_other_end_is_said() -> None:
    with scripted_port() as url, linked(url) as host:
        assert host.next(LinkDown) == LinkDown(f"Nothing answers on {url}: is it the board's port?")


def test_a_newer_protocol_is_said_and_its_events_are_left() -> None:
    hello = encode(to_frame(Hello(0, "A1B2C3D4", 5, 0, 2, "future-2", ("KEY",))))
    with scripted_port(hello) as url, linked(url) as host:
        down = host.next(LinkDown)
        assert down.reason == (
            f"The board on {url} (future-2) speaks protocol 2, this program speaks 1: "
            "update the older of the two."
        )


def test_the_watcher_sees_every_byte(board: VirtualBoard) -> None:
    seen: list[bytes] = []
    with linked(board.port, watch=seen.append) as host:
        host.next(LinkUp)
        press_all(board, 3)
        host.next_events(3)
    found = FrameDecoder().feed(b"".join(seen))
    assert len([frame for frame in found if getattr(frame, "type", "") == "EV"]) >= 3


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


HELLO = Hello(0, "A1B2C3D4", 1, 0, PROTOCOL, "virtual-1", ("KEY",))


def pressed(seq: int) -> Event:
    return Event(seq, HELLO.boot_id, 1, KeyPressed(0, Key.WIN))


class FloodingPort:
    """A board that heeds nothing: as many signals as are read, or greetings without end."""

    def __init__(self, *, restarts: bool = False) -> None:
        self.opened = self.sent = 0
        self._restarts = restarts

    def open(self, url: str, baud: int, poll_s: float) -> "FloodingPort":
        self.opened += 1
        self._begun = False
        return self

    @property
    def in_waiting(self) -> int:
        return 1 << 16

    def read(self, size: int = 1) -> bytes:
        lines = b"" if self._begun else self._hello("A1B2C3D4")
        self._begun = True
        while len(lines) < 8192:
            self.sent += 1
            if self._restarts:
                lines += self._hello(f"{self.sent:08X}")
            else:
                event = pressed(self.sent % SEQ_MODULUS)
                lines += encode(to_frame(event))
        return lines

    def _hello(self, boot_id: str) -> bytes:
        return encode(to_frame(replace(HELLO, boot_id=boot_id)))

    def write(self, data: bytes) -> int:
        return len(data)

    def close(self) -> None:
        pass


@pytest.mark.parametrize("restarts", [False, True])
def test_a_board_that_never_waits_fills_no_memory_is_told_and_can_be_stopped(
    restarts: bool,
) -> None:
    port = FloodingPort(restarts=restarts)
    items: list[LinkItem] = []
    timing = replace(QUICK, longest_wait_s=30.0)
    link = Link("/dev/null", items.append, timing=timing, open_port=port.open)  # stores nothing
    link.start()
    wait_until(lambda: link.health.status is LinkStatus.LOST)
    said = "restarts without end" if restarts else "without waiting for acknowledgements"
    assert said in link.health.message
    time.sleep(0.1)
    assert port.opened == 1
    assert len(items) < 2 * MOST_UNSTORED  # 69,000 and more, before
    started = time.monotonic()
    link.stop()
    assert time.monotonic() - started < 5
    assert LinkDown(link_reason(items)) in items


def link_reason(items: list[LinkItem]) -> str:
    return next(item.reason for item in items if isinstance(item, LinkDown))


def test_what_is_stored_makes_room_for_what_comes_next() -> None:
    receiver = Receiver()
    taken: list[Reading] = []

    def send(first: int, count: int) -> None:
        for seq in range(first, first + count):
            frame = to_frame(pressed(seq))
            for item in receiver.feed(encode(frame), now_s=1.0, received_s=1.0):
                assert isinstance(item, Reading)
                taken.append(item)

    list(receiver.feed(encode(to_frame(HELLO)), now_s=0.0, received_s=0.0))
    send(1, MOST_UNSTORED + 10)
    assert len(taken) == MOST_UNSTORED
    assert receiver.counters.overrun == 1  # the others are early
    receiver.stored(taken[99])
    send(MOST_UNSTORED + 1, 200)
    assert [each.seq for each in taken] == list(range(1, MOST_UNSTORED + 101))
