"""The board's clock, seen from the host: when was that board time, and how sure is that?

A message tells the board's time and arrives late, never early. Over board time, the host's time
minus the board's is therefore a cloud of points above a straight line, whose height is the offset
and whose slope is the drift of the two clocks. The line sought is the highest one below all points
that has the smallest sum of distances to them: an edge of their lower convex hull.

Source: S. B. Moon, P. Skelly, D. Towsley: Estimation and Removal of Clock Skew from Network Delay
Measurements, IEEE INFOCOM 1999, section 3.
"""

from collections import deque
from dataclasses import dataclass
from itertools import pairwise

from firmware_bridge.messages import MS_MODULUS

# Of each group of messages, one is remembered: the one that was delayed least. With two snapshots
# a second, 60 groups of 20 are ten minutes.
GROUP = 20
GROUPS = 60
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
        self._best: deque[_Point] = deque(maxlen=GROUPS)
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
    drift = _slope(*edge) if edge else 0.0
    drift = max(-MOST_DRIFT, min(drift, MOST_DRIFT))
    flat = [point.offset_s - drift * (point.board_s - middle_s) for point in points]
    offset_s = min(flat)
    delays = [height - offset_s for height in flat]
    median_s = sorted(delays)[len(delays) // 2]
    delay_s = max(median_s, min(delays[:GROUP]), min(delays[-GROUP:]))
    span_s = points[-1].board_s - points[0].board_s
    return ClockFit(middle_s, offset_s, drift, span_s, delay_s)


def _slope(left: _Point, right: _Point) -> float:
    return (right.offset_s - left.offset_s) / (right.board_s - left.board_s)


def _turns_down(first: _Point, second: _Point, third: _Point) -> bool:
    """Whether the second point lies on or above the line from the first to the third."""
    run = (second.board_s - first.board_s) * (third.offset_s - first.offset_s)
    rise = (second.offset_s - first.offset_s) * (third.board_s - first.board_s)
    return rise >= run


def _difference(board_ms: int, reference_ms: int) -> int:
    """The shortest way from the reference to the board time, around the counter's end."""
    half = MS_MODULUS // 2
    return (board_ms - reference_ms + half) % MS_MODULUS - half
