"""The link: a thread that keeps a port open, hands over what the board says, and how it is."""

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from firmware_bridge import messages
from firmware_bridge.frames import encode
from firmware_bridge.ports import (
    FoundPort,
    Locator,
    Port,
    PortError,
    find_ports,
    open_port,
    restart_board,
)
from firmware_bridge.receiver import ClockFit, Counters, Position, Reading, Receiver


class LinkStatus(StrEnum):
    """A link's state."""

    NONE = "none"  # no link was asked for, or it was stopped
    CONNECTING = "connecting"  # for the first time
    CONNECTED = "connected"
    LOST = "lost"  # and trying again


@dataclass(frozen=True, slots=True)
class Ages:
    """Seconds since the last of each; None before the first.

    Attributes:
        byte_s: anything at all.
        line_s: an undamaged line.
        event_s: an event that was new.
        snapshot_s: a snapshot of the inputs.
    """

    byte_s: float | None = None
    line_s: float | None = None
    event_s: float | None = None
    snapshot_s: float | None = None


@dataclass(slots=True)
class HeardCounts:
    """When each of what `Ages` tells was heard last, by a steady clock."""

    byte_s: float | None = None
    line_s: float | None = None
    event_s: float | None = None
    snapshot_s: float | None = None

    def reading(self, reading: Reading, now_s: float) -> None:
        """Note that this was heard now."""
        if reading.is_event:
            self.event_s = now_s
        elif isinstance(reading.content, messages.BoardSnapshot):
            self.snapshot_s = now_s

    def ages(self, now_s: float) -> Ages:
        """How long ago all that was."""
        marks = (self.byte_s, self.line_s, self.event_s, self.snapshot_s)
        return Ages(*(None if mark is None else max(0.0, now_s - mark) for mark in marks))


@dataclass(frozen=True, slots=True)
class LinkHealth:
    """The link at one moment.

    Attributes:
        message: one sentence.
        path: what is open, or was last: a USB port may have come back under another name.
        clock: how the board's clock goes with this computer's steady one; None before the first
            message.
        board: who is at the other end, or was last; None before the first greeting.
        connects: how often the board was found; the first time counts.
        failures: readings that the program could not take; the board sends them again.
    """

    status: LinkStatus
    message: str
    path: str = ""
    ages: Ages = field(default_factory=Ages)
    clock: ClockFit | None = None
    board: messages.Hello | None = None
    counters: Counters = field(default_factory=Counters)
    connects: int = 0
    failures: int = 0

    @property
    def age_s(self) -> float | None:
        """Seconds since the last undamaged line; None before the first."""
        return self.ages.line_s


# Why a link is down: one sentence for the user, which says what to do where that is known.


def why_broken(path: str, error: OSError, *, is_gone: bool) -> str:
    """An open port failed."""
    return why_gone(path) if is_gone else f"The line to the board on {path} broke: {error}."


def why_gone(path: str) -> str:
    """The port's device is no longer there."""
    return f"The board on {path} was unplugged."


def why_silent(
    path: str, board: messages.Hello | None, heard: Counters, *, baud: int, silent_s: float
) -> str:
    """No board has spoken for too long.

    Args:
        path: the open port.
        board: who had spoken before, if anybody.
        heard: what was received since the port was opened.
        baud: the port's speed.
        silent_s: for how long.
    """
    if board is not None:
        return f"The board on {path} has been silent for {silent_s:g} s."
    if heard.good:
        return f"What is on {path} sends lines, but does not say that it is a board."
    if heard.bad:
        return (
            f"What is on {path} sends bytes that cannot be read: "
            f"is it the board, and is its speed {baud}?"
        )
    return f"Nothing answers on {path}: is it the board's port?"


def why_overrun(path: str) -> str:
    """The board does not wait for acknowledgements."""
    return (
        f"The board on {path} sends signals without waiting for acknowledgements: "
        "it is broken, or was not made for this program; unplug it."
    )


def why_restarting(path: str) -> str:
    """The board greets anew without end."""
    return f"The board on {path} restarts without end: check its supply and its cable."


def why_foreign(path: str, board: messages.Hello) -> str:
    """The board speaks another protocol."""
    return (
        f"The board on {path} ({board.firmware}) speaks protocol {board.protocol}, "
        f"this program speaks {messages.PROTOCOL}: update the older of the two."
    )


logger = logging.getLogger(__name__)

MOST_RESTARTS, RESTARTS_IN_S = 20, 10.0  # a board needs up to two seconds for one


@dataclass(frozen=True, slots=True)
class LinkTiming:
    """The link's patience, in seconds.

    Attributes:
        poll_s: how long a read waits; an acknowledgement may be late by so much.
        silent_s: without an undamaged line for so long, the link is lost. Boards speak twice a
            second, and need up to two seconds to start after the port is opened.
        answer_s: without an answer for so long, an order has failed.
        ask_s: how often the board is asked for its greeting until it comes.
        first_wait_s: before the first new attempt to open the port; doubled each time.
        longest_wait_s: between attempts.
        look_s: how often to look whether an open port has vanished or a missing one has appeared.
    """

    poll_s: float = 0.02
    silent_s: float = 3.0
    answer_s: float = 1.0
    ask_s: float = 0.5
    first_wait_s: float = 0.25
    longest_wait_s: float = 30.0
    look_s: float = 0.25


DEFAULT_TIMING = LinkTiming()


@dataclass(frozen=True, slots=True)
class LinkUp:
    """The port is open and the board has said who it is."""

    board: messages.Hello


@dataclass(frozen=True, slots=True)
class LinkDown:
    """The link is lost, or could not be made; the thread goes on trying.

    Attributes:
        reason: one sentence for the user.
    """

    reason: str


LinkItem = Reading | LinkUp | LinkDown | messages.OrderDone


class _LostError(Exception):
    """The connection is over; the message is one sentence for the user."""


class _FloodError(_LostError):
    """The board says more than can be taken; it is left alone for a while."""


class Link:
    """One board at one port, for as long as it is wanted.

    The items go to ``deliver`` on the link's thread, one after the other. An event is acknowledged
    when ``acknowledge`` is called for it, from any thread, and not before: call it when the event
    is stored. Until then the board keeps it and sends it again after a crash of this program.
    If ``deliver`` raises, that is logged, and the event comes again.
    """

    def __init__(
        self,
        url: str,
        deliver: Callable[[LinkItem], None],
        *,
        baud: int = 115200,
        resume: Position | None = None,
        timing: LinkTiming = DEFAULT_TIMING,
        watch: Callable[[bytes], None] | None = None,
        wall_clock: Callable[[], float] = time.time,
        open_port: Callable[[str, int, float], Port] = open_port,
        list_ports: Callable[[], tuple[FoundPort, ...]] = find_ports,
        say: Callable[[str], str] = str,
    ) -> None:
        """Make a link; ``start`` opens the port.

        Args:
            url: a device path, any pyserial URL, or a USB selector such as ``usb:2341:0043``.
            deliver: takes the items; should be quick.
            baud: bits a second, where the port has such a thing.
            resume: the last event that an earlier run has stored.
            timing: how patient to be.
            watch: sees every byte that arrives, for recordings.
            wall_clock: stamps the readings.
            open_port: opens the port; may raise ``PortError``.
            list_ports: the ports that there are, to find a USB port by its id.
            say: makes of each text for people one without what is secret in the port's address.
        """
        self.url: Final = url
        self._deliver = deliver
        self._say = say
        self._baud = baud
        self._timing = timing
        self._watch = watch
        self._wall_clock = wall_clock
        self._open_port = open_port
        self._locator = Locator(url, list_ports)
        self._path = url
        self._receiver = Receiver(resume, baud=baud)
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._stored: queue.SimpleQueue[Reading] = queue.SimpleQueue()
        self._orders = messages.OrdersInFlight()
        self._asked_at_s = float("-inf")
        self._heard = HeardCounts()
        self._restarts_s: list[float] = []
        self._answered = True  # at the last opening; if not, the board is restarted at the next
        # Replaced as a whole by the link's thread, so that others may read it at any time.
        self._health = LinkHealth(LinkStatus.NONE, say(f"The link to {url} is not started."))

    def start(self) -> None:
        """Start the thread. A link is started once."""
        self._publish(LinkStatus.CONNECTING, f"Connecting to {self.url}.")
        self._thread = threading.Thread(
            target=self._run, name=self._say(f"link {self.url}"), daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Send what is still to be acknowledged, close the port and end the thread."""
        self._stop.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def acknowledge(self, reading: Reading) -> None:
        """Tell that this event, and all before it, are stored. From any thread."""
        self._stored.put(reading)

    def order(self, order: messages.Order) -> None:
        """Send an order as soon as fewer than two are unanswered; its ``OrderDone`` will come."""
        self._orders.put(order)

    @property
    def health(self) -> LinkHealth:
        """The link now. From any thread."""
        return replace(self._health, ages=self._heard.ages(time.monotonic()))

    def _run(self) -> None:
        wait_s = self._timing.first_wait_s
        while not self._stop.is_set():
            is_flooded = False
            try:
                # Open the port and serve it; returns when the link is stopped
                self._end_orders("The board is not connected.")
                self._path = self._locator.find()
                port = self._open_port(self._path, self._baud, self._timing.poll_s)
                try:
                    if not self._answered:
                        restart_board(port)
                    self._answered = False
                    self._receiver.reopened()
                    self._asked_at_s = float("-inf")
                    self._serve(port)
                finally:
                    self._end_orders("The link was lost before the answer.")
                    port.close()
            except (PortError, _LostError) as error:
                reason = str(error)
                is_flooded = isinstance(error, _FloodError)
            except OSError as error:
                is_gone = self._locator.is_gone(self._path)
                reason = why_broken(self._path, error, is_gone=is_gone)
            except Exception:
                logger.exception("The link to %s met a fault of this program", self._say(self.url))
                reason = f"The link to {self.url} met a fault of this program; see its log."
            else:
                break
            if self._health.status is LinkStatus.CONNECTED:
                wait_s = self._timing.first_wait_s
            if is_flooded:
                wait_s = self._timing.longest_wait_s
            self._lose(reason)
            has_appeared = self._wait(wait_s)
            # A port that has just appeared may not be ready, or not be allowed to us yet: soon
            # again.
            wait_s = self._timing.first_wait_s if has_appeared else 2 * wait_s
            wait_s = min(wait_s, self._timing.longest_wait_s)
        self._publish(LinkStatus.NONE, f"The link to {self.url} is stopped.")

    def _serve(self, port: Port) -> None:
        before = self._receiver.counters
        heard_at_s = looked_at_s = time.monotonic()
        while not self._stop.is_set():
            self._write_orders(port)
            if self._orders.may_acknowledge(time.monotonic()):
                self._write_acknowledgement(port)
            # Nobody was late who had spoken by now, however long this machine then stands still.
            listened_s = time.monotonic()
            # Chunks: pyserial's own line reading takes twice the processor time.
            is_good = self._take(port.read(port.in_waiting or 1))
            now_s = time.monotonic()
            for done in self._orders.expire(listened_s, self._timing.answer_s):
                self._hand_over(done)
            if is_good and self._receiver.board is not None:
                heard_at_s = now_s
            elif listened_s - heard_at_s > self._timing.silent_s:
                now, board = self._receiver.counters, self._receiver.board
                heard = Counters(good=now.good - before.good, bad=now.bad - before.bad)
                raise _LostError(
                    why_silent(
                        self._path, board, heard, baud=self._baud, silent_s=self._timing.silent_s
                    )
                )
            if now_s - looked_at_s > self._timing.look_s:
                looked_at_s = now_s
                if self._locator.is_gone(self._path):
                    raise _LostError(why_gone(self._path))
        self._write_acknowledgement(port)

    def _take(self, data: bytes) -> bool:
        """Hand over what the bytes say; whether there was an undamaged line among them."""
        if not data:
            return False
        now_s = time.monotonic()
        self._heard.byte_s = now_s
        self._answered = True
        if self._watch is not None:
            self._watch(data)
        before = self._receiver.counters
        items = self._receiver.feed(data, now_s=now_s, received_s=self._wall_clock())
        for item in items:
            self._heard.line_s = now_s  # before anybody is told of the line
            self._notice_board()
            if isinstance(item, Reading):
                self._heard.reading(item, now_s)
                if not self._hand_over(item):
                    break  # so the receiver does not count it as received
            else:
                for done in self._orders.finish(item, now_s):
                    self._hand_over(done)
        self._notice_board()
        # End a link whose board does not wait, so that it fills neither memory nor log
        counters = self._receiver.counters
        if counters.overrun > before.overrun:
            raise _FloodError(why_overrun(self._path))
        if counters.restarts > before.restarts:
            self._restarts_s = [at for at in self._restarts_s if now_s - at < RESTARTS_IN_S]
            self._restarts_s += [now_s] * (counters.restarts - before.restarts)
            if len(self._restarts_s) >= MOST_RESTARTS:
                self._restarts_s.clear()
                raise _FloodError(why_restarting(self._path))
        is_good = self._receiver.counters.good > before.good
        if is_good:
            self._heard.line_s = now_s
        receiver = self._receiver
        self._health = replace(self._health, counters=receiver.counters, clock=receiver.clock)
        return is_good

    def _notice_board(self) -> None:
        board = self._receiver.board
        if board is None or (board == self._health.board and self._is_connected):
            return
        if board.protocol != messages.PROTOCOL:
            raise _LostError(why_foreign(self._path, board))
        was_connected = self._is_connected
        self._publish(LinkStatus.CONNECTED, f"Connected to {board.firmware} on {self._path}.")
        if not was_connected:
            self._locator.opened(self._path)
            self._health = replace(self._health, connects=self._health.connects + 1)
            self._hand_over(LinkUp(board))

    def _write_orders(self, port: Port) -> None:
        now_s = time.monotonic()
        frames = self._orders.due(now_s) if self._is_connected else []
        is_time = now_s - self._asked_at_s >= self._timing.ask_s
        if self._receiver.wants_greeting and is_time and self._orders.has_room:
            self._asked_at_s = now_s
            frames.append(self._orders.ask_greeting(now_s))
        for frame in frames:
            port.write(encode(frame))

    def _write_acknowledgement(self, port: Port) -> None:
        while not self._stored.empty():
            self._receiver.stored(self._stored.get())
        acknowledgement = self._receiver.take_acknowledgement()
        if acknowledgement is not None:
            self._orders.acknowledged(time.monotonic())
            port.write(encode(messages.acknowledge_frame(acknowledgement)))

    def _end_orders(self, problem: str) -> None:
        for done in self._orders.give_up(problem, time.monotonic()):
            self._hand_over(done)

    def _hand_over(self, item: LinkItem) -> bool:
        try:
            self._deliver(item)
        except Exception:
            logger.exception("The program could not take %s", item)
            self._health = replace(self._health, failures=self._health.failures + 1)
            return False
        return True

    def _lose(self, reason: str) -> None:
        reason = self._say(reason)
        is_news = self._health.status is not LinkStatus.LOST or self._health.message != reason
        self._publish(LinkStatus.LOST, reason)
        if is_news:
            self._hand_over(LinkDown(reason))

    def _wait(self, wait_s: float) -> bool:
        """Wait for the next attempt; if a missing port appears, only until then: it is true."""
        was_there = self._locator.is_findable()
        until_s = time.monotonic() + (wait_s if was_there else self._timing.longest_wait_s)
        while not self._stop.wait(min(self._timing.look_s, max(0.0, until_s - time.monotonic()))):
            is_there = self._locator.is_findable()
            if is_there and not was_there:
                return True
            if time.monotonic() >= until_s:
                return False
            was_there = is_there
        return False

    @property
    def _is_connected(self) -> bool:
        return self._health.status is LinkStatus.CONNECTED

    def _publish(self, status: LinkStatus, message: str) -> None:
        self._health = replace(
            self._health,
            status=status,
            message=self._say(message),
            path=self._say(self._path),
            board=self._receiver.board or self._health.board,
            counters=self._receiver.counters,
        )
