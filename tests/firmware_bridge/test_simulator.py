"""The virtual board as a port: as narrow as a wire, and hard to break."""

import os
import threading
import time
from collections.abc import Callable, Iterator

import pytest
import serial

from firmware_bridge.events import Key
from firmware_bridge.frames import BadFrame, Frame, FrameDecoder
from firmware_bridge.messages import BoardSnapshot, parse
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
