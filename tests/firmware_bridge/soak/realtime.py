"""The real firmware in real time behind a pseudo-terminal, and the real link: how fast is it?"""

import queue
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from firmware_bridge.events import Key, KeyPressed
from firmware_bridge.link import Link, LinkDown, LinkItem, LinkUp
from firmware_bridge.receiver import Reading
from tests.stages.simavr import BoardOnPort

PATIENCE_S = 20.0
RELEASE_S = 0.08  # longer than the board wants to see a key released
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RealTimeReport:
    """Seconds, one for each time.

    Attributes:
        pressed_s: from pressing a key to its reading.
        lost_s: from pulling the plug to ``LinkDown``.
        live_s: from plugging in to ``LinkUp``.
    """

    pressed_s: tuple[float, ...]
    lost_s: tuple[float, ...]
    live_s: tuple[float, ...]


def run_in_real_time(
    presses: int, plugs: int, *, resets_on_open: bool = False, bootloader_ms: int = 0
) -> RealTimeReport:
    """Press keys, and pull the plug and put it in again, so often.

    Args:
        presses: of keys, one after the other.
        plugs: how often the plug is pulled.
        resets_on_open: as an Arduino does without the capacitor of docs/BOARD.md.
        bootloader_ms: how long a reset takes the board.

    Raises:
        SimavrError: the firmware cannot be run.
        queue.Empty: something has not happened within ``PATIENCE_S``.
    """
    board = BoardOnPort(resets_on_open=resets_on_open, bootloader_ms=bootloader_ms)
    with board, _linked(board.port) as host:
        host.next(LinkUp)
        pressed_s = [_press(board, host, number) for number in range(presses)]
        lost_s, live_s = [], []
        for number in range(plugs):
            lost_s.append(_unplug(board, host))
            live_s.append(_plug_in(board, host))
            _press(board, host, number)
    return RealTimeReport(tuple(pressed_s), tuple(lost_s), tuple(live_s))


class _Host:
    def __init__(self, port: str) -> None:
        self.items: queue.SimpleQueue[tuple[float, LinkItem]] = queue.SimpleQueue()
        self.link = Link(port, self._take)

    def _take(self, item: LinkItem) -> None:
        self.items.put((time.monotonic(), item))
        if isinstance(item, Reading):
            self.link.acknowledge(item)

    def next(self, kind: type[T]) -> tuple[float, T]:
        """When the next item of this kind came; those before it are dropped."""
        until_s = time.monotonic() + PATIENCE_S
        while True:
            at_s, item = self.items.get(timeout=max(0.0, until_s - time.monotonic()))
            if isinstance(item, kind):
                return at_s, item


@contextmanager
def _linked(port: str) -> Iterator[_Host]:
    host = _Host(port)
    host.link.start()
    try:
        yield host
    finally:
        host.link.stop()


def _press(board: BoardOnPort, host: _Host, number: int) -> float:
    content = KeyPressed(number % 4, list(Key)[number // 4 % 4])
    assert board.board is not None
    began_s = time.monotonic()
    board.board.hold(content.seat, content.key)
    while True:
        at_s, reading = host.next(Reading)
        if reading.content == content:
            break
    board.board.hold(content.seat)
    time.sleep(RELEASE_S)
    return at_s - began_s


def _unplug(board: BoardOnPort, host: _Host) -> float:
    began_s = time.monotonic()
    board.unplug()
    at_s, _ = host.next(LinkDown)
    return at_s - began_s


def _plug_in(board: BoardOnPort, host: _Host) -> float:
    began_s = time.monotonic()
    board.plug_in()
    at_s, _ = host.next(LinkUp)
    return at_s - began_s
