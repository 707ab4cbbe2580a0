"""Hours of board time: do the clocks agree, do the counters go around?

The board's clock begins just before the end of its 32 bits. The host's clock is another one, and
its messages are late by chance.
"""

import random
from dataclasses import dataclass
from typing import Self

from firmware_bridge.events import Key, KeyPressed
from firmware_bridge.messages import MS_MODULUS
from firmware_bridge.receiver import Counters, Reading
from tests.firmware_bridge.soak.host import SteppedHost
from tests.firmware_bridge.soak.ledger import SoakError
from tests.stages.simavr import SteppedBoard

BEFORE_END_MS = 60_000  # the board's counter goes around after a minute
DRIFT = 80e-6  # of the host's clock; a crystal's, and more
LATE_S = 0.002  # on average: the operating system and the USB adapter
LATEST_S = 0.016
SETTLED_S = 300.0  # the clocks are compared for so long before the errors count
PRESSED_MS = 100
POLL_MS = 20
HOUR_S = 3600.0


@dataclass(frozen=True, slots=True)
class DayReport:
    """The report of a day.

    Attributes:
        events: pressed, and received once and in order.
        worst_s: the largest difference between an event's time as the bridge gives it and as it
            was, after the clocks have settled.
        settled: how many events that is the largest of.
        wrapped: whether the board's time went around.
        numbers_wrapped: whether the events' numbers did.
    """

    events: int
    worst_s: float
    settled: int
    wrapped: bool
    numbers_wrapped: bool
    counters: Counters


class FirmwareBoard:
    """The real firmware on the simulated chip, whose keys can be pressed. A context manager.

    Attributes:
        now_ms: since the run began.
        began_ms: what its clock showed at 0.
    """

    def __init__(self, before_end_ms: int = BEFORE_END_MS) -> None:
        """Begin so long before the end of its clock."""
        self._chip = SteppedBoard()
        self._chip.run(100)
        self._chip.skip(MS_MODULUS - before_end_ms)
        self._chip.run(100)
        line = self._chip.run(1000, to_line_end=True)
        self._release_ms: float | None = None
        self._seat = 0
        self.now_ms = self._chip.now_us / 1000
        # It says its own time; a line's way is short against what is measured.
        told = line.rsplit(b"$ST,", 1)[-1].split(b",")
        self.began_ms = int(told[2]) + len(line) / 10.7 - self.now_ms

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._chip.close()

    def run(self, milliseconds: float) -> bytes:
        """Run up to the next line's end, or so long."""
        if self._release_ms is not None and self.now_ms >= self._release_ms:
            self._chip.hold(self._seat)
            self._release_ms = None
        data = self._chip.run(milliseconds, to_line_end=True)
        self.now_ms = self._chip.now_us / 1000
        return data

    def send(self, data: bytes) -> None:
        """Put bytes on the line to it."""
        self._chip.send(data)

    def press(self, content: KeyPressed) -> None:
        """Press a key, and let it go."""
        self._seat = content.seat
        self._chip.hold(content.seat, content.key)
        self._release_ms = self.now_ms + PRESSED_MS


def run_day(
    *,
    hours: float,
    between_ms: int,
    settled_s: float = SETTLED_S,
    before_end_ms: int = BEFORE_END_MS,
) -> DayReport:
    """Press a key every now and then, for so long.

    Raises:
        SoakError: an event is lost, changed or repeated.
    """
    with FirmwareBoard(before_end_ms) as board:
        return _Day(board, settled_s).run(hours, between_ms)


class _Day:
    def __init__(self, board: FirmwareBoard, settled_s: float) -> None:
        self._board = board
        self._settled_s = settled_s
        self._random = random.Random(1)
        self._host = SteppedHost(self._store)
        self._now_s = 0.0
        self._pressed = 0
        self._received = 0
        self._worst_s = 0.0
        self._settled = 0
        self._last_ms = -1
        self._wrapped = self._numbers_wrapped = False
        self._last_seq = -1

    def run(self, hours: float, between_ms: int) -> DayReport:
        began_ms = self._board.now_ms
        press_ms = began_ms + between_ms
        until_ms = began_ms + hours * HOUR_S * 1000
        while self._board.now_ms < until_ms:
            if self._board.now_ms >= press_ms:
                self._board.press(_key(self._pressed))
                self._pressed += 1
                press_ms += between_ms
            self._step(min(press_ms, until_ms))
        self._finish()
        return DayReport(
            events=self._received,
            worst_s=self._worst_s,
            settled=self._settled,
            wrapped=self._wrapped,
            numbers_wrapped=self._numbers_wrapped,
            counters=self._host.receiver.counters,
        )

    def _finish(self) -> None:
        until_ms = self._board.now_ms + 2000
        while self._board.now_ms < until_ms:
            self._step(until_ms)
        if self._received != self._pressed:
            raise SoakError(f"{self._pressed} keys were pressed, {self._received} events came.")

    def _step(self, until_ms: float) -> None:
        data = self._board.run(max(1.0, min(until_ms - self._board.now_ms, POLL_MS)))
        late_s = min(self._random.expovariate(1 / LATE_S), LATEST_S) if data else 0.0
        self._now_s = max(self._now_s, self._host_s(self._board.now_ms) + late_s)
        reply = self._host.take(data, self._now_s)
        if reply:
            self._board.send(reply)

    def _host_s(self, now_ms: float) -> float:
        return 1000.0 + now_ms / 1000 * (1 + DRIFT)

    def _store(self, reading: Reading) -> None:
        self._wrapped = self._wrapped or reading.board_ms < self._last_ms
        self._last_ms = reading.board_ms
        if not reading.is_event:
            return
        expected = _key(self._received)
        if reading.content != expected:
            raise SoakError(f"{reading} came where {expected} was due.")
        self._numbers_wrapped = self._numbers_wrapped or reading.seq < self._last_seq
        self._last_seq = reading.seq
        self._received += 1
        if self._now_s - self._host_s(0) > self._settled_s:
            true_s = self._host_s(self._then_ms(reading.board_ms))
            self._settled += 1
            self._worst_s = max(self._worst_s, abs(self._now_s - reading.age_s - true_s))

    def _then_ms(self, board_ms: int) -> float:
        """When the board's clock showed that, since the run began."""
        clock_ms = self._board.began_ms + self._board.now_ms
        return self._board.now_ms - (clock_ms - board_ms) % MS_MODULUS


def _key(number: int) -> KeyPressed:
    return KeyPressed(number % 4, list(Key)[number // 4 % 4])
