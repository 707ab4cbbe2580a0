"""The ledger: events that had to happen, those the board said, and those the host received.

Three accounts of the same events are compared: the players' expectations, the bytes that left the
board before any damage, and the host's readings.
"""

from collections import Counter
from dataclasses import dataclass, field

from firmware_bridge.events import Fault
from firmware_bridge.frames import SEQ_MODULUS, BadFrame, FrameDecoder
from firmware_bridge.messages import BoardSnapshot, Event, Hello, parse
from firmware_bridge.receiver import EventsLost, Reading
from tests.firmware_bridge.soak.players import Expected

# The board's clock and the harness's, both of one crystal, and the time that a line takes.
CLOCK_MS = 15


class SoakError(Exception):
    """A promise does not hold; the message says what was seen."""


@dataclass(slots=True)
class BoardStart:
    """One start of the board.

    Attributes:
        said: the events by number, as they left the board.
        received: what the host made of them: events and notes of loss.
        declared: how many the host reported lost at the restart that ended this start.
        began_us: board time 0, by the harness's clock.
    """

    boot_id: str
    began_us: int
    said: dict[int, Event] = field(default_factory=dict)
    received: list[Reading] = field(default_factory=list)
    declared: int = 0

    @property
    def last(self) -> int:
        """The last event's number."""
        return max(self.said, default=0)


@dataclass(frozen=True, slots=True)
class Totals:
    """The fate of the events.

    Attributes:
        caused: by the players, and noticed by the board.
        said: that left the board at least once; its own reports of faults included.
        received: exactly once and in order.
        overwritten: thrown away by the board when its ring was full, and reported lost.
        declared: taken by a reset before they were received, and reported lost by number.
        unheard: taken by a reset before the host could know of them; it reports the restart.
        unsaid: too near to a reset to be noticed, or to be said before it.
    """

    caused: int
    said: int
    received: int
    overwritten: int
    declared: int
    unheard: int
    unsaid: int
    starts: int


class EventLedger:
    """Keeps the accounts and compares them.

    Attributes:
        starts: of the board, in order.
        faults: the board's own reports.
        met: how many expected events the board has said.
    """

    def __init__(self) -> None:
        self.starts: list[BoardStart] = []
        self.faults: Counter[str] = Counter()
        self._decoder = FrameDecoder()
        self.met = 0
        self._waiting: list[Expected] = []
        self._undecided: list[Expected] = []
        self._is_broken_line = False

    def expect(self, expected: Expected) -> None:
        """An event must come."""
        self._waiting.append(expected)

    def board_reset(self, now_us: int) -> None:
        """Events not due yet may come or not: contacts that move during a start are undecided."""
        self._check_due(now_us)
        self._undecided += self._waiting
        self._waiting.clear()
        self._is_broken_line = True

    def board_says(self, data: bytes, now_us: int) -> bool:
        """Bytes leave the board; whether it has started anew.

        Raises:
            SoakError: an event is invented, changed, or at the wrong time.
        """
        has_started = False
        for frame in self._decoder.feed(data):
            if isinstance(frame, BadFrame):
                if not self._is_broken_line:
                    raise SoakError(f"The board itself sent {frame}.")
                continue
            message = parse(frame)
            if isinstance(message, Hello | BoardSnapshot | Event) and (
                not self.starts or message.boot_id != self.starts[-1].boot_id
            ):
                self.board_reset(now_us)
                if any(start.boot_id == message.boot_id for start in self.starts):
                    raise SoakError(f"The boot id {message.boot_id} was used twice.")
                self.starts.append(BoardStart(message.boot_id, now_us - message.board_ms * 1000))
                self._is_broken_line = False
                has_started = True
            if isinstance(message, Event):
                self._note(message)
        self._check_due(now_us)
        return has_started

    def host_reads(self, reading: Reading) -> None:
        """The host stores a reading."""
        if not reading.is_event:
            return
        known = [start for start in self.starts if start.boot_id == reading.boot_id]
        if not known:
            raise SoakError(f"The host invented {reading}.")
        if isinstance(reading.content, EventsLost) and known[0] is not self.starts[-1]:
            known[0].declared += reading.content.count
        else:
            known[0].received.append(reading)

    def close(self) -> Totals:
        """Compare what the host received with what the board said.

        Raises:
            SoakError: an event came twice, out of order, changed, or is silently missing.
        """
        received = overwritten = declared = unheard = 0
        for start in self.starts:
            is_last = start is self.starts[-1]
            came, thrown = _follow(start)
            received += came
            overwritten += thrown
            missing = start.last - (start.received[-1].seq if start.received else 0)
            if is_last and missing:
                raise SoakError(f"{missing} events of {start.boot_id} never came.")
            if start.declared > missing:
                raise SoakError(f"{start.declared} events reported lost, {missing} are.")
            declared += start.declared
            unheard += missing - start.declared
        return Totals(
            caused=self.met,
            said=sum(start.last for start in self.starts),
            received=received,
            overwritten=overwritten,
            declared=declared,
            unheard=unheard,
            unsaid=len(self._undecided),
            starts=len(self.starts),
        )

    def _check_due(self, now_us: int) -> None:
        late = [one for one in self._waiting if one.due_us < now_us]
        if late:
            raise SoakError(f"At {now_us} us the board had not said {late}.")

    def _note(self, event: Event) -> None:
        start = self.starts[-1]
        before = start.said.get(event.seq)
        if before is not None:
            if before != event:
                raise SoakError(f"{before} became {event}.")
            return
        if event.seq != (start.last + 1) % SEQ_MODULUS:
            raise SoakError(f"{event} follows number {start.last}.")
        start.said[event.seq] = event
        if isinstance(event.content, Fault):
            self.faults[event.content.kind] += 1
        else:
            self._meet(start, event)

    def _meet(self, start: BoardStart, event: Event) -> None:
        happened_us = start.began_us + event.board_ms * 1000
        for expectations in (self._waiting, self._undecided):
            for index, expected in enumerate(expectations):
                if _fulfils(event, happened_us, expected):
                    del expectations[index]
                    self.met += 1
                    return
        raise SoakError(f"Nothing has happened that would be {event} at {happened_us} us.")


def _fulfils(event: Event, happened_us: int, expected: Expected) -> bool:
    earliest_us = expected.steady_us - CLOCK_MS * 1000
    return event.content == expected.content and earliest_us <= happened_us <= expected.due_us


def _follow(start: BoardStart) -> tuple[int, int]:
    """Go along what was received of a start; how many came, how many were reported overwritten."""
    due, came, thrown = 1, 0, 0
    for reading in start.received:
        if isinstance(reading.content, EventsLost):
            if reading.seq != due + reading.content.count - 1:
                raise SoakError(f"{reading} where number {due} was due.")
            thrown += reading.content.count
            due += reading.content.count
            continue
        said = _said(start, due)
        if (reading.seq, reading.content, reading.board_ms) != (due, said.content, said.board_ms):
            raise SoakError(f"{reading} where {said} was due.")
        came += 1
        due += 1
    return came, thrown


def _said(start: BoardStart, seq: int) -> Event:
    if seq not in start.said:
        raise SoakError(f"Number {seq} of {start.boot_id} was never said.")
    return start.said[seq]
