"""A board behind a pseudo-terminal, a program behind a link to it, and what tests ask of them."""

import os
import queue
import shutil
import tempfile
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self, TypeVar

import pytest

from bench.board import RECEIVE_BUFFER, Board, FaultyLine, LineFault
from firmware_bridge.events import EventContent, Key, KeyPressed
from firmware_bridge.link import Link, LinkItem, LinkTiming
from firmware_bridge.receiver import Position, Reading

T = TypeVar("T")
PASS_S = 0.002  # a line, or as much as the board can receive: about what the wire carries
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


class VirtualBoard:
    """The firmware's core behind a pseudo-terminal. Its methods may be called from any thread.

    ``line`` damages what it sends, ``order_line`` what it receives.

    Attributes:
        port: the path to open; stays the same when the board is unplugged and plugged in again,
            unless it is plugged in ``under`` another name.
    """

    def __init__(self, *, seed: int = 0, hurry: int = 1) -> None:
        self.line, self.order_line = FaultyLine(seed), FaultyLine(seed + 1)
        self._hurry = hurry  # its clock runs so many times as fast
        # Unlike any other run's, so that a log of an earlier run is not continued by mistake.
        self._board = Board(int.from_bytes(os.urandom(2)), self._now_ms())
        self._folder = Path(tempfile.mkdtemp(prefix="virtual-board-"))
        self.port = str(self._folder / "port")
        self._ends: tuple[int, ...] = ()
        self._orders = b""
        self._is_silent = False
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self.replug(is_restarted=False)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._thread.join()
        self.unplug()
        shutil.rmtree(self._folder)

    @property
    def boot_id(self) -> str:
        with self._lock:
            return self._board.boot_id

    @property
    def pending(self) -> int:
        """How many events it keeps, because they are not acknowledged."""
        with self._lock:
            return self._board.pending

    def press(self, seat: int, key: Key) -> None:
        self.happen(KeyPressed(seat, key))

    def happen(self, content: EventContent) -> None:
        with self._lock:
            self._board.happen(content, self._now_ms())

    def harm(self, fault: LineFault, frames: int = 1) -> None:
        """Damage the next frames that the board sends."""
        with self._lock:
            self.line.harm(fault, frames)

    def harm_orders(self, fault: LineFault, frames: int = 1) -> None:
        """Damage the next lines that the board receives."""
        with self._lock:
            self.order_line.harm(fault, frames)

    def go_silent(self, *, is_silent: bool = True) -> None:
        """Send nothing any more, while the board goes on; or speak again."""
        self._is_silent = is_silent

    def reset(self) -> None:
        """Press the board's reset button: new boot id, unsent events are lost."""
        with self._lock:
            self._board.start(self._now_ms())

    def unplug(self) -> None:
        """Pull the plug: the port's path is gone, an open port fails."""
        with self._lock:
            Path(self.port).unlink(missing_ok=True)
            for end in self._ends:
                os.close(end)
            self._ends, self._orders = (), b""

    def replug(self, *, is_restarted: bool = True, under: str = "") -> None:
        """Plug in again; a board with its own supply is not restarted by that."""
        if is_restarted:
            self.reset()
        with self._lock:
            self._ends = device, program = os.openpty()
            # Our own hold on the program's end stays: reading would fail when nobody has it open.
            tty.setraw(program)
            os.set_blocking(device, False)
            self.port = str(self._folder / (under or Path(self.port).name))
            Path(self.port).symlink_to(os.ttyname(program))

    def _run(self) -> None:
        while not self._stopping.wait(PASS_S):
            with self._lock, suppress(BlockingIOError):
                line = self._board.step(self._now_ms())
                arriving = b"" if line is None else self.line.carry(line)
                if self._ends and arriving and not self._is_silent:
                    os.write(self._ends[0], arriving)
                if self._ends:
                    read = self._orders + os.read(self._ends[0], RECEIVE_BUFFER)
                    *lines, self._orders = read.split(b"\n")
                    for order in lines:
                        self._board.receive(self.order_line.carry(order + b"\n"))

    def _now_ms(self) -> int:
        return int(time.monotonic() * 1000 * self._hurry)


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
    with VirtualBoard(hurry=6) as board:
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
