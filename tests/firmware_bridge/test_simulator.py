"""The virtual board as a port: as narrow as a wire, and hard to break."""

import os
import threading
import time
from collections.abc import Callable, Iterator

import pytest
import serial

from firmware_bridge.events import Key
from firmware_bridge.faults import FaultyLine, LineFault
from firmware_bridge.frames import BadFrame, Frame, FrameDecoder, encode
from firmware_bridge.messages import BoardSnapshot, parse
from firmware_bridge.orders import Ping, order_frame
from firmware_bridge.simulator import BoardTiming, VirtualBoard

PATIENCE_S = 20.0


class Terminal:
    """A plain terminal program at the port."""

    def __init__(self, path: str) -> None:
        self._port = serial.Serial(path, timeout=0.02)
        self._decoder = FrameDecoder()
        self.write = self._port.write
        self.close = self._port.close

    def read_until(self, is_enough: Callable[[list[Frame | BadFrame]], bool]) -> list[Frame]:
        found: list[Frame | BadFrame] = []
        until_s = time.monotonic() + PATIENCE_S
        while not is_enough(found):
            assert time.monotonic() < until_s, found
            found += self._decoder.feed(self._port.read(self._port.in_waiting or 1))
        return [frame for frame in found if isinstance(frame, Frame)]

    def snapshot(self) -> BoardSnapshot:
        """The second that comes, or a later one: nothing in it is from before."""

        def snapshots(found: list[Frame | BadFrame]) -> list[BoardSnapshot]:
            messages = [parse(frame) for frame in found if isinstance(frame, Frame)]
            return [message for message in messages if isinstance(message, BoardSnapshot)]

        return snapshots(list(self.read_until(lambda found: len(snapshots(found)) >= 2)))[-1]


@pytest.fixture
def board() -> Iterator[VirtualBoard]:
    with VirtualBoard(boot_id="A1B2C3D4", timing=BoardTiming(60, 60)) as board:
        yield board


@pytest.fixture
def terminal(board: VirtualBoard) -> Iterator[Terminal]:
    terminal = Terminal(board.port)
    yield terminal
    terminal.close()


def test_orders_streamed_without_waiting_overrun_the_board_which_lives_on(
    terminal: Terminal,
) -> None:
    for number in range(200):
        terminal.write(encode(order_frame(Ping(), number)))
    terminal.write(b"\n")
    until_s = time.monotonic() + PATIENCE_S
    while (snapshot := terminal.snapshot()).overruns == 0 and snapshot.bad_lines == 0:
        assert time.monotonic() < until_s
    terminal.write(encode(order_frame(Ping(), 999)))
    terminal.read_until(lambda found: Frame("OK", 999) in found)


def test_noise_without_a_line_end_is_counted_by_the_board(terminal: Terminal) -> None:
    terminal.write(b"U" * 500)
    terminal.write(b"\n" + encode(order_frame(Ping(), 7)))
    terminal.read_until(lambda found: Frame("OK", 7) in found)
    assert terminal.snapshot().bad_lines >= 1


def test_lines_come_no_faster_than_the_wire(board: VirtualBoard, terminal: Terminal) -> None:
    terminal.snapshot()
    started_s = time.monotonic()
    for _ in range(10):
        board.press(0, Key.WIN)
    frames = terminal.read_until(lambda found: any(getattr(one, "seq", 0) == 10 for one in found))
    size = sum(len(encode(frame)) for frame in frames if frame.type == "EV")
    assert time.monotonic() - started_s >= 0.9 * size / 11520


def test_two_boards_do_not_share_a_boot_id() -> None:
    with VirtualBoard() as first, VirtualBoard() as second:
        assert first.boot_id != second.boot_id
        assert first.port != second.port


def test_a_board_nobody_reads_goes_on() -> None:
    with VirtualBoard(timing=BoardTiming(20, 5)) as board:
        board.press(0, Key.WIN)
        time.sleep(0.5)  # about ten kilobytes at the wire's speed: more than the terminal holds
        terminal = Terminal(board.port)
        terminal.snapshot()
        terminal.close()


def test_plugging_twice_and_using_a_stopped_board_are_harmless() -> None:
    board = VirtualBoard()
    board.start()
    board.replug()
    board.unplug()
    board.unplug()
    assert not os.path.lexists(board.port)
    board.replug()
    assert os.path.exists(board.port)
    board.stop()
    board.stop()
    board.press(1, Key.WIN)
    board.unplug()
    assert not os.path.lexists(board.port)
    assert "virtual-board" not in [thread.name for thread in threading.enumerate()]


@pytest.mark.parametrize(
    ("fault", "arriving"),
    [
        (LineFault.DROP, [b"", b"two\r\n", b"three\r\n"]),
        (LineFault.DUPLICATE, [b"one\r\none\r\n", b"two\r\n", b"three\r\n"]),
        (LineFault.REORDER, [b"", b"two\r\none\r\n", b"three\r\n"]),
    ],
)
def test_a_fault_hits_the_next_frame_only(fault: LineFault, arriving: list[bytes]) -> None:
    line = FaultyLine()
    line.harm(fault)
    assert [line.carry(sent) for sent in (b"one\r\n", b"two\r\n", b"three\r\n")] == arriving
    assert line.is_clean


def test_damage_is_damage_and_comes_from_the_seed() -> None:
    sent = encode(order_frame(Ping(), 12345))

    def arriving(fault: LineFault, seed: int) -> list[bytes]:
        line = FaultyLine(seed)
        line.harm(fault, 20)
        return [line.carry(sent) for _ in range(20)]

    for fault in (LineFault.GARBLE, LineFault.NOISE, LineFault.HALF):
        assert arriving(fault, 1) == arriving(fault, 1)
        assert arriving(fault, 1) != arriving(fault, 2)
    assert sent not in arriving(LineFault.GARBLE, 1)
    assert all(line.endswith(sent) and line != sent for line in arriving(LineFault.NOISE, 1))
    assert all(sent.startswith(line) and len(line) < 14 for line in arriving(LineFault.HALF, 1))
