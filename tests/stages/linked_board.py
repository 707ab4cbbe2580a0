"""A program behind a link to a board, and what tests ask of the two."""

import queue
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from firmware_bridge.events import EventContent, Key, KeyPressed
from firmware_bridge.link import Link, LinkItem, LinkTiming
from firmware_bridge.receiver import Position, Reading
from firmware_bridge.simulator import BoardTiming, VirtualBoard

T = TypeVar("T")
QUICK_BOARD = BoardTiming(resend_ms=60, snapshot_ms=80)
PATIENCE_S = 20.0  # of the tests: a busy machine is slow, but what is right comes in the end
# A board that the machine lets wait is neither silent nor owes an answer: who wants that says so.
QUICK = LinkTiming(
    poll_s=0.005,
    silent_s=PATIENCE_S,
    answer_s=PATIENCE_S,
    ask_s=0.1,
    first_wait_s=0.02,
    longest_wait_s=0.1,
    look_s=0.01,
)


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
