"""The host's half of the protocol, without a port: bytes in, readings out, the board's clock.

Every event comes out exactly once and in order, whatever the line does to it. What cannot come any
more, because the board has thrown it away or has restarted, comes out as ``EventsLost``; but a
board that restarts may take events with it that it has never been heard to have.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from firmware_bridge.events import EventContent, UnreadableEvent
from firmware_bridge.frames import SEQ_MODULUS, BadFrame, Frame, FrameDecoder, line_length
from firmware_bridge.messages import (
    MS_MODULUS,
    PROTOCOL,
    Acknowledge,
    Answer,
    BadMessage,
    BoardSnapshot,
    Event,
    Hello,
    UnknownMessage,
    parse,
    parse_answer,
)

# Of each group of messages, one is remembered: the one that was delayed least. With two snapshots
# a second, 60 groups of 20 are ten minutes.
GROUP = 20
KEPT_GROUPS = 60
# A ceramic resonator, as on the Uno, is right to 0.5 %; a crystal to 0.01 %.
MOST_DRIFT = 0.006
# Messages of a shorter time do not yet tell the drift.
TRUSTED_SPAN_S = 60.0
# The board counts whole milliseconds, in the message that is compared and in the one that is asked.
RESOLUTION_S = 0.002
# A message that seems earlier than it can be by so much tells that one of the clocks has jumped.
JUMP_S = 0.05


@dataclass(frozen=True, slots=True)
class ClockFit:
    """How the two clocks go together: ``host = board + offset + drift * (board - at)``.

    Attributes:
        at_s: board time in the middle of what is known, counted on over the counter's end.
        offset_s: host time minus board time then.
        drift: seconds by which the host's clock gains on the board's in a second.
        span_s: board time from the first message to the last.
        delay_s: how far above the line messages lie: the median, or the lowest of the first or
            last ones, where that is more, since there a wrong drift shows.
    """

    at_s: float
    offset_s: float
    drift: float = 0.0
    span_s: float = 0.0
    delay_s: float = 0.0

    def host_s(self, board_s: float) -> float:
        """The host's time at a board time."""
        return board_s + self.offset_s + self.drift * (board_s - self.at_s)

    def error_s(self, board_s: float) -> float:
        """How far ``host_s`` may be off.

        It takes for granted that some messages were delayed by nothing but the wire, and that the
        clocks keep their pace.
        """
        delay_s = RESOLUTION_S + self.delay_s
        away_s = max(0.0, abs(board_s - self.at_s) - self.span_s / 2)
        pace = 2 * delay_s / self.span_s if self.span_s >= TRUSTED_SPAN_S else 2 * MOST_DRIFT
        return delay_s + pace * away_s


@dataclass(frozen=True, slots=True)
class _Point:
    board_s: float
    offset_s: float


class BoardClock:
    """Follows one start of one board."""

    def __init__(self) -> None:
        self._reference_ms = 0  # the last board time, counted on over the counter's end
        self._recent: list[_Point] = []
        self._best: deque[_Point] = deque(maxlen=KEPT_GROUPS)
        self._fit: ClockFit | None = None
        self._is_fit_old = False

    def observe(self, board_ms: int, now_s: float, wire_s: float = 0.0) -> None:
        """Note that a message has arrived.

        Args:
            board_ms: the board's time when it began to send it.
            now_s: the host's time, by a steady clock.
            wire_s: how long the message's bytes take at least.
        """
        self._reference_ms += _difference(board_ms, self._reference_ms)
        board_s = self._reference_ms / 1000
        if self._fit is not None:
            earliest_s = self._fit.host_s(board_s) - self._fit.error_s(board_s) - JUMP_S
            if now_s - wire_s < earliest_s:
                self._recent, self._fit = [], None
                self._best.clear()
        self._recent.append(_Point(board_s, now_s - wire_s - board_s))
        self._is_fit_old = True
        if self._fit is None or len(self._recent) == 2 * GROUP:
            self._refit()
        if len(self._recent) == 2 * GROUP:
            group, self._recent = self._recent[:GROUP], self._recent[GROUP:]
            self._best.append(min(group, key=self._delay_s))

    def has_gone_back(self, board_ms: int, *, by_ms: int) -> bool:
        """Whether this board time lies before the latest one, as after a restart."""
        return bool(self._recent) and _difference(board_ms, self._reference_ms) < -by_ms

    def age_s(self, board_ms: int, now_s: float) -> float:
        """Seconds from that board time to now; 0 at least, and 0 before the first message.

        Right for times up to 24 days ago, half the range of the board's counter.
        """
        fit = self.fit
        return 0.0 if fit is None else max(0.0, now_s - fit.host_s(self._board_s(board_ms)))

    def error_s(self, board_ms: int) -> float:
        """How far ``age_s`` may be off; 0 before the first message."""
        fit = self.fit
        return 0.0 if fit is None else fit.error_s(self._board_s(board_ms))

    @property
    def fit(self) -> ClockFit | None:
        """How the clocks go together; None before the first message."""
        if self._is_fit_old:
            self._refit()
        return self._fit

    def _board_s(self, board_ms: int) -> float:
        return (self._reference_ms + _difference(board_ms, self._reference_ms)) / 1000

    def _refit(self) -> None:
        self._fit = fit_below([*self._best, *self._recent])
        self._is_fit_old = False

    def _delay_s(self, point: _Point) -> float:
        assert self._fit is not None
        return point.board_s + point.offset_s - self._fit.host_s(point.board_s)


def fit_below(points: list[_Point]) -> ClockFit:
    """The line below all points that is nearest to them.

    Args:
        points: one at least, in the order of board time.
    """
    middle_s = sum(point.board_s for point in points) / len(points)
    hull: list[_Point] = []
    for point in points:
        while len(hull) >= 2 and _turns_down(hull[-2], hull[-1], point):
            hull.pop()
        if hull and hull[-1].board_s == point.board_s:
            if hull[-1].offset_s <= point.offset_s:
                continue
            hull.pop()
        hull.append(point)
    edges = pairwise(hull)
    edge = next((edge for edge in edges if edge[1].board_s >= middle_s), None)
    drift = 0.0
    if edge:
        left, right = edge
        drift = (right.offset_s - left.offset_s) / (right.board_s - left.board_s)
    drift = max(-MOST_DRIFT, min(drift, MOST_DRIFT))
    flat = [point.offset_s - drift * (point.board_s - middle_s) for point in points]
    offset_s = min(flat)
    delays = [height - offset_s for height in flat]
    median_s = sorted(delays)[len(delays) // 2]
    delay_s = max(median_s, min(delays[:GROUP]), min(delays[-GROUP:]))
    span_s = points[-1].board_s - points[0].board_s
    return ClockFit(middle_s, offset_s, drift, span_s, delay_s)


def _turns_down(first: _Point, second: _Point, third: _Point) -> bool:
    """Whether the second point lies on or above the line from the first to the third."""
    run = (second.board_s - first.board_s) * (third.offset_s - first.offset_s)
    rise = (second.offset_s - first.offset_s) * (third.board_s - first.board_s)
    return rise >= run


def _difference(board_ms: int, reference_ms: int) -> int:
    """The shortest way from the reference to the board time, around the counter's end."""
    half = MS_MODULUS // 2
    return (board_ms - reference_ms + half) % MS_MODULUS - half


# A board whose boot id is broken (always the same) is known by its clock, which starts at 0 again.
# Messages may overtake each other by less than this.
CLOCK_BACK_MS = 2000


@dataclass(frozen=True, slots=True)
class EventsLost:
    """The board threw events away before they were received: it can keep only so many.

    Or it restarted, and they are those that it was heard to have.
    """

    count: int


@dataclass(frozen=True, slots=True)
class Reading:
    """Something that the board said, once.

    Attributes:
        content: an event's content, or the board's greeting (once per start of the board), or a
            snapshot of all its inputs.
        seq: the event's number, or the last event's before a greeting or snapshot.
        board_ms: by the board's clock, modulo 2**32.
        received_s: seconds since the epoch, by the host's clock.
        age_s: how long before ``received_s`` it happened, by the board's clock.
        error_s: how far ``age_s`` may be off, as far as the delays so far can tell.
    """

    content: EventContent | EventsLost | Hello | BoardSnapshot
    boot_id: str
    seq: int
    board_ms: int
    received_s: float
    age_s: float = 0.0
    error_s: float = 0.0

    @property
    def is_event(self) -> bool:
        """Whether it is to be acknowledged."""
        return not isinstance(self.content, Hello | BoardSnapshot)


@dataclass(frozen=True, slots=True)
class Position:
    """The last event that the caller has stored: ``reading.boot_id`` and ``reading.seq``."""

    boot_id: str
    seq: int


@dataclass(frozen=True, slots=True)
class Counters:
    """The counts since the receiver was made.

    Attributes:
        good: undamaged lines.
        bad: damaged lines, noise, and messages with a field out of range: dropped.
        duplicate: events that had been received before: dropped.
        early: events whose predecessor, or whose board's greeting, is missing: dropped, because
            the board sends them again.
        unknown: lines of an unknown type, and events of an unknown kind.
        overrun: events beyond `MOST_UNSTORED`: dropped; the board does not wait.
        lost: events that the board threw away, or was heard to have when it restarted.
        restarts: starts of the board after the first.
    """

    good: int = 0
    bad: int = 0
    duplicate: int = 0
    early: int = 0
    unknown: int = 0
    overrun: int = 0
    lost: int = 0
    restarts: int = 0


# Events that are handed over and not stored yet. No board keeps more than 255, so one
# that sends more does not wait for acknowledgements.
MOST_UNSTORED = 256


class Receiver:
    """Follows one board through damage, repetition and restarts. Not thread-safe.

    Attributes:
        board: the greeting of the board at the other end; None until it was read.
        counters: what was received.
        wants_greeting: the board should be asked who it is (``StatusRequest``).
    """

    def __init__(self, resume: Position | None = None, *, baud: int = 115200) -> None:
        """Know nothing yet.

        Args:
            resume: the last event that an earlier run has stored.
            baud: the wire's bits a second, of which a byte has ten.
        """
        self._byte_s = 10 / baud
        self.board: Hello | None = None
        self.counters = Counters()
        self.wants_greeting = True
        self._decoder = FrameDecoder()
        self._clock = BoardClock()
        self._stored = resume
        self._boot_id: str | None = None
        self._next = 0  # the number of the event that is due
        self._unstored = 0  # events handed over since the caller has stored one
        self._gap_seen = False  # a message has told that the event that is due will not come
        self._heard = Position("", 0)  # the last event that the board was heard to have
        self._heard_ms = 0  # when it said so
        self._acknowledge: Acknowledge | None = None

    def feed(self, data: bytes, *, now_s: float, received_s: float) -> Iterator[Reading | Answer]:
        """Take the next bytes and yield what they say.

        An event counts as received when the caller asks for the next item: if handling it raises,
        the board's repetition brings it again.

        Args:
            data: any bytes, in any chunks.
            now_s: a steady clock, for ages.
            received_s: the clock that the readings are stamped with.
        """
        for frame in self._decoder.feed(data):
            if isinstance(frame, BadFrame):
                self._count(bad=1)
            else:
                yield from self._take(frame, now_s, received_s)

    def reopened(self) -> None:
        """Start on a newly opened line: forget the half line, ask who is there."""
        self._decoder = FrameDecoder()
        self.board = None
        self.wants_greeting = True

    def stored(self, reading: Reading) -> None:
        """Note that the caller has stored this event and all before it."""
        if not reading.is_event or reading.boot_id != self._boot_id:
            return
        if self._stored is None or _ahead(reading.seq, self._stored.seq) > 0:
            self._stored = Position(reading.boot_id, reading.seq)
            self._unstored = max(0, _ahead(self._next, reading.seq) - 1)
        self._acknowledge_stored()

    @property
    def clock(self) -> ClockFit | None:
        """How the board's clock goes with ``now_s``; None before the first message."""
        return self._clock.fit

    def take_acknowledgement(self) -> Acknowledge | None:
        """The acknowledgement to send now; one speaks for all events before it."""
        due, self._acknowledge = self._acknowledge, None
        return due

    def _take(self, frame: Frame, now_s: float, received_s: float) -> Iterator[Reading | Answer]:
        message = parse(frame)
        self._count(**{"bad" if isinstance(message, BadMessage) else "good": 1})
        match message:
            case UnknownMessage():
                answer = parse_answer(frame)
                if isinstance(answer, UnknownMessage):
                    self._count(unknown=1)
                else:
                    yield answer
            case Hello():
                yield from self._hello(message, now_s, received_s, self._wire_s(frame))
            case BoardSnapshot() | Event() if (
                self.board is None or message.boot_id != self._boot_id
            ):
                # Only a greeting may change the board: a wrong boot id that slipped through the
                # checksum must not throw the position away.
                self.wants_greeting = True
                self._count(early=int(isinstance(message, Event)))
            case BoardSnapshot():
                self._hear(message)
                self._clock.observe(message.board_ms, now_s, self._wire_s(frame))
                yield Reading(message, message.boot_id, message.seq, message.board_ms, received_s)
                yield from self._notice_lost(message, received_s)
            case Event():
                self._hear(message)
                yield from self._event(message, now_s, received_s)

    def _hello(
        self, hello: Hello, now_s: float, received_s: float, wire_s: float
    ) -> Iterator[Reading]:
        is_same = hello.boot_id == self._boot_id
        if is_same and self._clock.has_gone_back(hello.board_ms, by_ms=CLOCK_BACK_MS):
            is_same, self._stored = False, None
        if not is_same:
            heard = self._heard
            lost = _ahead(heard.seq, self._next) + 1 if heard.boot_id == self._boot_id else 0
            if lost > 0:
                gone = EventsLost(lost)
                yield Reading(gone, heard.boot_id, heard.seq, self._heard_ms, received_s)
                self._next = (heard.seq + 1) % SEQ_MODULUS
                self._count(lost=lost)
            self._count(restarts=int(self._boot_id is not None))
            self._start(hello)
        self._hear(hello)
        self._clock.observe(hello.board_ms, now_s, wire_s)
        self.board, self.wants_greeting = hello, False
        if not is_same:
            yield Reading(hello, hello.boot_id, hello.seq, hello.board_ms, received_s)
        yield from self._notice_lost(hello, received_s)

    def _start(self, hello: Hello) -> None:
        self._boot_id = hello.boot_id
        self._clock = BoardClock()
        self._gap_seen = False
        self._acknowledge = None
        self._unstored = 0
        # Events that a witnessed start has thrown away are missing; before the first start, another
        # program may have taken them.
        is_first = self._heard.boot_id == ""
        self._next = _oldest(hello) if is_first or _ahead(_oldest(hello), 1) < 0 else 1
        if self._stored is not None and self._stored.boot_id == hello.boot_id:
            resumed = (self._stored.seq + 1) % SEQ_MODULUS
            # Beyond the board's own last event: the boot id was used twice.
            if _ahead(resumed, hello.seq) <= 1:
                self._next = resumed
                return
        self._stored = None

    def _event(self, event: Event, now_s: float, received_s: float) -> Iterator[Reading]:
        if self.board is None or self.board.protocol != PROTOCOL:
            return
        ahead = _ahead(event.seq, self._next)
        if ahead > 0:
            self._count(early=1)
        elif ahead < 0:
            self._count(duplicate=1)
            self._acknowledge_stored()  # the last acknowledgement may have been lost
        elif self._unstored >= MOST_UNSTORED:
            self._count(overrun=1)
        else:
            age_s = self._clock.age_s(event.board_ms, now_s)
            error_s = self._clock.error_s(event.board_ms)
            head = (event.content, event.boot_id, event.seq, event.board_ms)
            yield Reading(*head, received_s, age_s, error_s)
            self._next = (event.seq + 1) % SEQ_MODULUS
            self._unstored += 1
            self._count(unknown=int(isinstance(event.content, UnreadableEvent)))

    def _notice_lost(self, message: Hello | BoardSnapshot, received_s: float) -> Iterator[Reading]:
        oldest = _oldest(message)
        count = _ahead(oldest, self._next)
        if count <= 0:
            self._gap_seen = False
        elif not self._gap_seen:
            self._gap_seen = True  # believed when a second message says so too
            self.wants_greeting = True  # at once, and the oldest events after it
        else:
            last = (oldest - 1) % SEQ_MODULUS
            yield Reading(EventsLost(count), message.boot_id, last, message.board_ms, received_s)
            self._next = oldest
            self._gap_seen = self.wants_greeting = False
            self._count(lost=count)

    def _hear(self, message: Hello | BoardSnapshot | Event) -> None:
        # An event may be a repetition; the others tell the last number, and set right what a wrong
        # one that slipped through the checksum has told.
        is_newer = _ahead(message.seq, self._heard.seq) > 0
        if is_newer or not isinstance(message, Event):
            self._heard = Position(message.boot_id, message.seq)
            self._heard_ms = message.board_ms

    def _wire_s(self, frame: Frame) -> float:
        return line_length(frame) * self._byte_s

    def _acknowledge_stored(self) -> None:
        if self._stored is not None:
            self._acknowledge = Acknowledge(self._stored.seq, self._stored.boot_id)

    def _count(self, **more: int) -> None:
        changes = {name: getattr(self.counters, name) + step for name, step in more.items() if step}
        self.counters = replace(self.counters, **changes)


def _oldest(message: Hello | BoardSnapshot) -> int:
    """The first event that the board still keeps, or the next one that it will have."""
    return (message.seq - message.pending + 1) % SEQ_MODULUS


def _ahead(seq: int, other: int) -> int:
    """How far seq is after the other, by the shorter way around; negative when it is before."""
    half = SEQ_MODULUS // 2
    return (seq - other + half) % SEQ_MODULUS - half
