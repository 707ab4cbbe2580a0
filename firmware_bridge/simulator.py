"""A virtual board behind a pseudo-terminal: a port like any other, with faults on command."""

import os
import queue
import select
import shutil
import socket
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from firmware_bridge import events, messages
from firmware_bridge.faults import FaultyLine, LineFault
from firmware_bridge.frames import SEQ_MODULUS, BadFrame, Frame, FrameDecoder, encode
from firmware_bridge.pseudo_terminal import TerminalLine, open_line

# The board's firmware, pass by pass, without a wire: the device's half of the protocol.
#
# The limits are those of the small microcontroller that the firmware is for.

# The inputs that go with the events of the virtual board.

HELD_MS = 120  # how long a pressed key stays down


class ToldInputs:
    """Levels that follow from events, so that snapshots agree with them."""

    def __init__(self) -> None:
        self._levels = 0
        self._held_until_ms: dict[int, int] = {}

    def follow(self, content: events.EventContent, now_ms: int) -> None:
        """Move the inputs as this event says."""
        match content:
            case events.DiceReport(side):
                self._held_until_ms[messages.dice_key_bit(side)] = now_ms + HELD_MS
            case events.KeyPressed(seat, key):
                self._held_until_ms[messages.key_bit(seat, key)] = now_ms + HELD_MS
            case events.LiftKeyPressed(lift_key):
                self._held_until_ms[messages.LIFT_KEY_BIT + lift_key] = now_ms + HELD_MS
            case events.WallReady():
                self._levels |= 1 << messages.WALL_BIT
            case events.LiftMoved(side, is_up):
                self._set(messages.LIFT_BIT + side, is_up)
            case events.TrayWeighed(seat):
                self._levels |= 1 << messages.TRAY_BIT + seat
            case events.Dome(is_open):
                self._set(messages.DOME_BIT, is_open)
                if is_open:  # the tiles go in: the wall that stood is used up
                    self._set(messages.WALL_BIT, False)
            case _:
                pass

    def levels(self, now_ms: int) -> int:
        """The bits of a snapshot."""
        held = [bit for bit, until_ms in self._held_until_ms.items() if now_ms < until_ms]
        return self._levels | sum(1 << bit for bit in held)

    def _set(self, bit: int, level: bool) -> None:
        self._levels = self._levels & ~(1 << bit) | level << bit


KEPT_EVENTS = 32  # a minute of hurried players; 32 x 10 bytes of 2048
RECEIVE_BUFFER = 64  # bytes, as in the Arduino core for this chip
FIRMWARE = "virtual-1"
CAPABILITIES = ("DICE", "WALL", "DOME", "KEY", "LIFT", "LIFTKEY", "TRAY", "FAULT")


@dataclass(frozen=True, slots=True)
class BoardTiming:
    """The periods of repetition; the defaults are the protocol's."""

    resend_ms: int = 250
    snapshot_ms: int = 500


class Board:
    """One board. Time is told by the caller, in milliseconds of any steady clock.

    Attributes:
        boot_id: eight hexadecimal digits, the start counted in the last four.
        overruns: bytes that the receive buffer had no room for.
        wants_restart: it was told to; the caller goes on with ``restarted`` when its last line is
            sent.
    """

    def __init__(self, boot_id: str, now_ms: int, timing: BoardTiming | None = None) -> None:
        self.boot_id = boot_id
        self.overruns = 0
        self.wants_restart = False
        self._timing = timing or BoardTiming()
        self._started_ms = now_ms
        self._seq = 0
        self._events: deque[messages.Event] = deque()
        self._sent = 0  # how many of the kept events were sent in this round
        self._repeats = False
        self._resend_at_ms = now_ms
        self._snapshot_at_ms = now_ms
        self._hello_due = True
        self._snapshot_due = False
        self._told = ToldInputs()
        self._received = b""
        self._decoder = FrameDecoder(messages.ORDER_LINE)
        self._bad_lines = 0

    def restarted(self, now_ms: int) -> "Board":
        """The board after a power failure or reset: all is lost, and the boot id is the next."""
        board, start = self.boot_id[:4], int(self.boot_id[4:], 16)
        boot_id = f"{board}{(start + 1) & 0xFFFF:04X}"
        return Board(boot_id, now_ms, self._timing)

    def happen(self, content: events.EventContent, now_ms: int) -> None:
        """Something happens at the table."""
        self._told.follow(content, now_ms)
        self._seq = (self._seq + 1) % SEQ_MODULUS
        if len(self._events) == KEPT_EVENTS:
            self._forget_oldest()
        self._events.append(messages.Event(self._seq, self.boot_id, self._clock(now_ms), content))

    def receive(self, data: bytes) -> None:
        """Bytes arrive: as many as there is room for are kept, the rest is counted and lost."""
        room = RECEIVE_BUFFER - len(self._received)
        self._received += data[:room]
        self.overruns = min(self.overruns + len(data[room:]), messages.COUNTER_MAX)

    def step(self, now_ms: int) -> bytes | None:
        """One pass of the main loop: the next line to send, or None if there is nothing to say.

        The firmware waits until a line is sent. So the caller steps again only then, and meanwhile
        what arrives fills the receive buffer.
        """
        answer = self._obey()
        if answer is not None:
            return encode(messages.answer_frame(answer))
        if self._hello_due:
            self._hello_due = False
            self._snapshot_due = True
            hello = messages.Hello(
                seq=self._seq,
                boot_id=self.boot_id,
                board_ms=self._clock(now_ms),
                pending=len(self._events),
                protocol=messages.PROTOCOL,
                firmware=FIRMWARE,
                capabilities=CAPABILITIES,
            )
            return encode(messages.to_frame(hello))
        if self._snapshot_due:
            return self._snapshot_line(now_ms)
        return self._event_line(now_ms) or self._snapshot_line(now_ms)

    @property
    def pending(self) -> int:
        """How many events it keeps."""
        return len(self._events)

    def next_step_ms(self, now_ms: int) -> int:
        """When step has something to do at the latest, if nothing arrives and nothing happens."""
        if (
            self._received
            or self.wants_restart
            or self._hello_due
            or self._snapshot_due
            or self._sent < len(self._events)
        ):
            return now_ms
        return min([self._snapshot_at_ms, *([self._resend_at_ms] if self._events else [])])

    def _obey(self) -> messages.Answer | None:
        """Read what has arrived, up to the first order that wants an answer."""
        while self._received:
            line, end, self._received = self._received.partition(b"\n")
            for frame in self._decoder.feed(line + end):
                answer = self._obey_one(frame)
                if answer is not None:
                    return answer
        return None

    def _obey_one(self, frame: Frame | BadFrame) -> messages.Answer | None:
        order = frame if isinstance(frame, BadFrame) else messages.parse_order(frame)
        match order:
            case BadFrame():
                self._bad_lines = min(self._bad_lines + 1, messages.COUNTER_MAX)
                return None
            case messages.UnknownMessage(unknown):
                self._bad_lines = min(self._bad_lines + 1, messages.COUNTER_MAX)
                return messages.Refused(unknown.seq, "TYPE")
            case messages.Acknowledge(seq, boot_id):
                # A number that is not among the kept ones is of another time: it must not count.
                if boot_id == self.boot_id and any(event.seq == seq for event in self._events):
                    while self._events and self._events[0].seq != seq:
                        self._forget_oldest()
                    self._forget_oldest()
                return None
            case messages.Reset():
                self.wants_restart = True
            case messages.StatusRequest():
                self._hello_due = True
                self._repeat()
            case messages.Ping():
                pass
        assert isinstance(frame, Frame)
        return messages.Accepted(frame.seq)

    def _forget_oldest(self) -> None:
        self._events.popleft()
        self._sent = max(0, self._sent - 1)

    def _event_line(self, now_ms: int) -> bytes | None:
        if self._sent == len(self._events) and now_ms >= self._resend_at_ms:
            self._repeat()
        if self._sent == len(self._events):
            return None
        # Counted from the end of a repetition: on a slow line, too, it comes to its last event, and
        # snapshots find their time between. But a new event does not put it off: hurried players
        # would do so until there is no room for the older ones.
        if self._sent == 0 or self._repeats:
            self._resend_at_ms = now_ms + self._timing.resend_ms
        self._sent += 1
        self._repeats = self._repeats and self._sent < len(self._events)
        return encode(messages.to_frame(self._events[self._sent - 1]))

    def _repeat(self) -> None:
        self._sent = 0
        self._repeats = True

    def _snapshot_line(self, now_ms: int) -> bytes | None:
        if now_ms < self._snapshot_at_ms and not self._snapshot_due:
            return None
        self._snapshot_due = False
        self._snapshot_at_ms = now_ms + self._timing.snapshot_ms
        snapshot = messages.BoardSnapshot(
            seq=self._seq,
            boot_id=self.boot_id,
            board_ms=self._clock(now_ms),
            pending=len(self._events),
            inputs=messages.Inputs(self._told.levels(now_ms)),
            bad_lines=self._bad_lines,
            overruns=self.overruns,
        )
        return encode(messages.to_frame(snapshot))

    def _clock(self, now_ms: int) -> int:
        return (now_ms - self._started_ms) % messages.MS_MODULUS


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

    def __exit__(self, *_: object) -> None:
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

    def press(self, seat: int, key: events.Key) -> None:
        """Press a key of a seat's keypad."""
        self.happen(events.KeyPressed(seat, key))

    def happen(self, content: events.EventContent) -> None:
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
                now_s = self._clock()
                waits = [(self._board.next_step_ms(self._now_ms()) - self._now_ms()) / 1000]
                if now_s < self._send_at_s:
                    waits[0] = self._send_at_s - now_s
                elif self._sending:
                    waits[0] = 0.0
                if now_s < self._receive_at_s:
                    waits.append(self._receive_at_s - now_s)
                wait_s = max(0.0, min(waits))
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
        size = max(1, int(WIRE_BYTES_PER_S * SLICE_S))
        piece, self._sending = self._sending[:size], self._sending[size:]
        self._send_at_s = self._clock() + len(piece) / WIRE_BYTES_PER_S
        if self._terminal is not None and not self._silent:
            self._terminal.write(piece)

    def _wake(self) -> None:
        with self._lock:
            if not self._stopping:
                self._wake_write.send(b"w")

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)
