"""The virtual board as a port: as narrow as a wire, and hard to break."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from random import Random

import pytest
import serial

from firmware_bridge.events import DiceReport, Dome, Key, KeyPressed, TrayWeighed, WallReady
from firmware_bridge.frames import BadFrame, Frame, FrameDecoder, encode
from firmware_bridge.messages import (
    Acknowledge,
    BoardSnapshot,
    Event,
    Inputs,
    Order,
    acknowledge_frame,
    order_frame,
    parse,
    to_frame,
)
from firmware_bridge.simulator import Board, BoardTiming, VirtualBoard

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


BOOT = "A1B2C3D4"


def frames(board: Board, now_ms: int) -> list[Frame]:
    """All that the board has to say at this moment."""
    said: list[Frame] = []
    while (line := board.step(now_ms)) is not None:
        for frame in FrameDecoder().feed(line):
            assert not isinstance(frame, BadFrame)
            said.append(frame)
    return said


def types(board: Board, now_ms: int) -> list[str]:
    return [frame.type for frame in frames(board, now_ms)]


def started(now_ms: int = 0) -> Board:
    board = Board(BOOT, now_ms)
    assert types(board, now_ms) == ["HI", "ST"]
    return board


def give(board: Board, order: Order | Acknowledge, seq: int = 1) -> None:
    is_acknowledge = isinstance(order, Acknowledge)
    board.receive(encode(acknowledge_frame(order) if is_acknowledge else order_frame(order, seq)))


@pytest.mark.parametrize(
    "order", [Acknowledge(1, "A1B2C3D5"), Acknowledge(2, BOOT), Acknowledge(0, BOOT)]
)
def test_an_acknowledgement_of_another_boot_or_number_is_ignored(order: Acknowledge) -> None:
    board = started()
    board.happen(WallReady(), 0)
    frames(board, 0)
    give(board, order)
    assert types(board, 250) == ["EV"]


Damage = Callable[[Random, bytes, int], bytes]
DAMAGES: dict[str, Damage] = {
    "a bit flipped": lambda random, data, at: (
        data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]
    ),
    "a byte replaced": lambda random, data, at: data[:at] + random.randbytes(1) + data[at + 1 :],
    "a byte lost": lambda random, data, at: data[:at] + data[at + 1 :],
    "a byte inserted": lambda random, data, at: data[:at] + random.randbytes(1) + data[at:],
    "8 bytes replaced": lambda random, data, at: data[:at] + random.randbytes(8) + data[at + 8 :],
    "8 bytes lost": lambda random, data, at: data[:at] + data[at + 8 :],
}
EVENTS = (KeyPressed(2, Key.WIN), DiceReport(3, (6, 1)), Dome(open=True), TrayWeighed(1, -51_230))
BLOCK = 20  # messages; with one damage in each block, what each costs can be counted


@pytest.mark.parametrize("kind", DAMAGES)
def test_damage_costs_little_and_is_never_accepted(kind: str) -> None:
    random, decoder, lost = Random(kind), FrameDecoder(), 0
    for first in range(0, 10_000, BLOCK):
        heads = [(seq, BOOT, 10 * seq) for seq in range(first, first + BLOCK)]
        sent = [
            Event(*head, EVENTS[head[0] // 2 % 4])
            if head[0] % 2
            else BoardSnapshot(*head, 0, Inputs(head[0] % 4096), 0, 0)
            for head in heads
        ]
        lines = [encode(to_frame(message)) for message in sent]
        data = b"".join(lines)
        # Not in the last line: what a damage does there is seen in the next block.
        at = random.randrange(len(data) - len(lines[-1]))
        found = decoder.feed(DAMAGES[kind](random, data, at))
        arrived = {encode(frame) for frame in found if isinstance(frame, Frame)}
        assert arrived <= set(lines)
        lost += len(set(lines) - arrived)
    assert 0.9 <= lost / (10_000 / BLOCK) <= 1.3
