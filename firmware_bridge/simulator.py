"""A virtual board behind a pseudo-terminal: a port like any other, with faults on command."""

import os
import queue
import select
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from firmware_bridge.board import RECEIVE_BUFFER, Board, BoardTiming
from firmware_bridge.events import DiceReport, Dome, EventContent, Fault, Key, KeyPressed, WallReady
from firmware_bridge.faults import FaultyLine, LineFault
from firmware_bridge.pseudo_terminal import TerminalLine, open_line

WIRE_BYTES_PER_S = 11520  # 115200 baud, ten bits a byte
# The wire is moved in slices of this length; a slice carries one byte at least.
SLICE_S = 0.0015


class VirtualBoard:
    """A board with its own thread; a context manager. Its methods may be called from any thread.

    It speaks as the firmware does, and no faster than the wire allows. ``line`` damages what it
    sends, ``order_line`` what it receives.

    Attributes:
        port: the path to open; stays the same when the board is unplugged and plugged in again,
            unless it is plugged in ``under`` another name.
    """

    def __init__(
        self,
        *,
        boot_id: str | None = None,
        timing: BoardTiming | None = None,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.line = FaultyLine(seed)
        self.order_line = FaultyLine(seed + 1)
        self._clock = clock
        # Unlike any other run's, so that a log of an earlier run is not continued by mistake.
        self._board = Board(boot_id or os.urandom(4).hex().upper(), self._now_ms(), timing)
        self._folder = Path(tempfile.mkdtemp(prefix="virtual-board-"))
        self.port = str(self._folder / "port")
        self._lock = threading.Lock()
        self._stopping = False
        self._silent = False
        self._bytes_per_s = float(WIRE_BYTES_PER_S)
        self._sending = b""
        self._orders = b""
        self._send_at_s = self._receive_at_s = self._clock()
        self._terminal: TerminalLine | None = None
        self._actions: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        # Sockets, because only they can be waited for on every system.
        self._wake_read, self._wake_write = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="virtual-board", daemon=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Plug in and run."""
        self._plug_in()
        self._thread.start()

    def stop(self) -> None:
        """Unplug and end; the port's path is gone. May be called again."""
        with self._lock:
            if self._stopping:
                return
            self._stopping = True
            self._wake_write.send(b"w")
        if self._thread.is_alive():
            self._thread.join()
        self._pull_out()
        self._wake_read.close()
        self._wake_write.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def boot_id(self) -> str:
        """The boot id of the present start."""
        return self._board.boot_id

    @property
    def pending(self) -> int:
        """How many events it keeps, because they are not acknowledged."""
        with self._lock:
            return self._board.pending

    def roll_dice(self, side: int, values: tuple[int, ...] = ()) -> None:
        """Press the dice key of a side; values as in ``DiceReport``."""
        self.happen(DiceReport(side, values))

    def wall_ready(self) -> None:
        """The next wall comes up."""
        self.happen(WallReady())

    def dome(self, *, open: bool) -> None:
        """Open or close the dome."""
        self.happen(Dome(open))

    def press(self, seat: int, key: Key) -> None:
        """Press a key of a seat's keypad."""
        self.happen(KeyPressed(seat, key))

    def fault(self, kind: str) -> None:
        """The board finds a fault in itself."""
        self.happen(Fault(kind))

    def happen(self, content: EventContent) -> None:
        """Let anything happen that a board can say."""
        with self._lock:
            self._board.happen(content, self._now_ms())
        self._wake()

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
        with self._lock:
            self._silent = is_silent
        self._wake()

    def slow(self, bytes_per_s: float | None) -> None:
        """Send so slowly that lines come in pieces; None is the wire's own speed."""
        with self._lock:
            self._bytes_per_s = bytes_per_s or WIRE_BYTES_PER_S

    def reset(self) -> None:
        """Press the board's reset button: new boot id, unsent events are lost."""
        with self._lock:
            self._restart()
        self._wake()

    def unplug(self) -> None:
        """Pull the plug: the port's path is gone, an open port fails."""
        self._in_thread(self._pull_out)

    def replug(self, *, is_restarted: bool = True, under: str | None = None) -> None:
        """Plug in again; a board with its own supply is not restarted by that.

        Args:
            is_restarted: it takes its power from the port.
            under: another name for the port, in the same folder.
        """
        if under is not None:
            self.port = str(self._folder / under)
        if is_restarted:
            self.reset()
        self._in_thread(self._plug_in)

    def _in_thread(self, action: Callable[[], None]) -> None:
        """Let the board's own thread do it, which alone opens and closes the pseudo-terminal."""
        done = threading.Event()
        self._actions.put(action)
        self._actions.put(done.set)
        self._wake()
        while not self._stopping and not done.wait(0.1):
            pass

    def _restart(self) -> None:
        self._board = self._board.restarted(self._now_ms())
        self._sending = self._orders = b""

    def _plug_in(self) -> None:
        if self._terminal is None:
            self._terminal = open_line(self.port)
            self.port = self._terminal.url

    def _pull_out(self) -> None:
        if self._terminal is not None:
            self._terminal.close()
        self._terminal = None
        self._sending = self._orders = b""

    def _run(self) -> None:
        while not self._stopping:
            with self._lock:
                while not self._actions.empty():
                    self._actions.get()()
                self._receive()
                self._send()
                wait_s = self._wait_s()
                ports = [self._wake_read.fileno()]
                if self._terminal is not None and self._clock() >= self._receive_at_s:
                    ports.append(self._terminal.descriptor)
            ready, _, _ = select.select(ports, [], [], wait_s)
            if self._wake_read.fileno() in ready:
                self._wake_read.recv(1000)

    def _receive(self) -> None:
        """Take from the pseudo-terminal what the wire would have carried by now."""
        if self._terminal is None or self._clock() < self._receive_at_s:
            return
        data = self._terminal.read(int(WIRE_BYTES_PER_S * SLICE_S))
        self._receive_at_s = self._clock() + len(data) / WIRE_BYTES_PER_S
        *lines, self._orders = (self._orders + data).split(b"\n")
        for line in lines:
            self._board.receive(self.order_line.carry(line + b"\n"))
        if len(self._orders) > RECEIVE_BUFFER:
            self._board.receive(self._orders)
            self._orders = b""

    def _send(self) -> None:
        """Send the next slice; step the board when the line before is out."""
        if self._clock() < self._send_at_s:
            return
        if not self._sending:
            if self._board.wants_restart:
                self._restart()
            line = self._board.step(self._now_ms())
            if line is None:
                return
            self._sending = self.line.carry(line)
        size = max(1, int(self._bytes_per_s * SLICE_S))
        piece, self._sending = self._sending[:size], self._sending[size:]
        self._send_at_s = self._clock() + len(piece) / self._bytes_per_s
        if self._terminal is not None and not self._silent:
            self._terminal.write(piece)

    def _wait_s(self) -> float:
        now_s = self._clock()
        waits = [(self._board.next_step_ms(self._now_ms()) - self._now_ms()) / 1000]
        if now_s < self._send_at_s:
            waits[0] = self._send_at_s - now_s
        elif self._sending:
            waits[0] = 0.0
        if now_s < self._receive_at_s:
            waits.append(self._receive_at_s - now_s)
        return max(0.0, min(waits))

    def _wake(self) -> None:
        with self._lock:
            if not self._stopping:
                self._wake_write.send(b"w")

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)
