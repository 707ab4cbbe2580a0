"""Which of the events that count belong to which hand."""

from collections.abc import Sequence
from dataclasses import dataclass

from table_assist.game.events import Beside, BetweenHands, End, Event, HandStarted

Counting = Sequence[tuple[int, Event]]


@dataclass(frozen=True, slots=True)
class Span:
    """Where a hand lies among the events that count, by index.

    Attributes:
        seq: the number of the entry that started the hand.
        started: the event at `first`.
        first: of its `HandStarted`.
        end: of the event that ended it; None where there is none.
        close: of what was done first for the next hand, or one past the last event.
        is_closed: the table went on to the next hand.
    """

    seq: int
    started: HandStarted
    first: int
    end: int | None
    close: int
    is_closed: bool

    @property
    def until(self) -> int:
        """One past the last event that its points rest on."""
        return self.close if self.end is None else self.end


def span_between(counting: Counting, start: int, after: int) -> Span:
    """The hand that starts at one index; the next one starts at the other, or nothing does."""
    seq, started = counting[start]
    assert isinstance(started, HandStarted)
    inside = range(start + 1, after)
    end = next((i for i in inside if isinstance(counting[i][1], End)), None)
    next_hand = start + 1 if end is None else end + 1
    close = next(
        (i for i in range(next_hand, after) if isinstance(counting[i][1], BetweenHands)), after
    )
    return Span(seq, started, start, end, close, after < len(counting) or close < after)


def played(counting: Counting, span: Span) -> tuple[Event, ...]:
    """The events that the hand's points rest on, its start among them."""
    events = (event for _, event in counting[span.first : span.until])
    return tuple(event for event in events if not isinstance(event, Beside))
