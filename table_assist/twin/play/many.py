"""Many whole hands by bots, each checked after every event: what the bench and the tests run."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from table_assist.game.events import Event, Settled
from table_assist.game.fold import replay
from table_assist.game.state import TableState
from table_assist.record.log import Entry, Retracted, Source, effective
from table_assist.rules.ruleset import RuleSet
from table_assist.twin.play.bots import KEEN, WILD
from table_assist.twin.play.hand import play_hand
from table_assist.twin.play.watch import BrokenError, check

# A game of bots is broken off after so many hands.
_GAME = 16


@dataclass(slots=True)
class HandsTally:
    """The tally of many hands.

    Attributes:
        events: how many of each kind there were.
        winners: how many hands had so many winners.
    """

    hands: int = 0
    events: Counter[str] = field(default_factory=Counter)
    winners: Counter[int] = field(default_factory=Counter)

    def add(self, other: "HandsTally") -> None:
        """Count another tally in."""
        self.hands += other.hands
        self.events.update(other.events)
        self.winners.update(other.winners)


def play_many(rules: RuleSet, hands: int, seed: str) -> HandsTally:
    """Play so many hands, in games of a few, and check them.

    Raises:
        BrokenError: what does not hold, with the seed of the hand.
    """
    tally = HandsTally()
    state = TableState()
    for number in range(hands):
        name = f"{rules.id} {seed} {number}"
        if number % _GAME == 0 or state.game_over:
            state = TableState()
        try:
            events, after = _play_one(rules, state, Random(name))
        except (BrokenError, ValueError, AssertionError, LookupError) as error:
            raise BrokenError(f"hand {name!r}: {error}") from error
        tally.hands += 1
        tally.events.update(type(event).__name__ for event in events)
        tally.winners[len(after.settled.winners) if after.settled else 0] += 1
        state = after
    return tally


def _play_one(rules: RuleSet, state: TableState, random: Random) -> tuple[list[Event], TableState]:
    a, b, c, d = (random.choice((KEEN, KEEN, WILD)) for _ in range(4))
    events, after = play_hand(rules, state, random, habits=(a, b, c, d), watch=check)
    if isinstance(events[-1], Settled) and not events[-1].winners:
        raise BrokenError(f"an allowed win was refused in the end: {events[-2]}")
    if replay(events, state) != after:
        raise BrokenError("the events replayed give another state")
    _check_undo(events, random)
    return events, after


def _check_undo(events: list[Event], random: Random) -> None:
    """An event taken back never was; given again, it never was taken back."""
    at = random.randrange(len(events))
    log = [Entry(seq, 0.0, Source.PERSON, event) for seq, event in enumerate(events, start=1)]
    cut = [*log[: at + 1], Entry(at + 2, 0.0, Source.PERSON, Retracted(at + 1))]
    if [event for _, event in effective(cut)] != events[:at]:
        raise BrokenError(f"{events[at]} was taken back, and left a trace")
    again = Entry(at + 3, 0.0, Source.PERSON, Retracted(at + 2))
    rest = [Entry(at + 4 + n, 0.0, Source.PERSON, e) for n, e in enumerate(events[at + 1 :])]
    if [event for _, event in effective([*cut, again, *rest])] != events:
        raise BrokenError(f"{events[at]} was taken back and given again, and changed the hand")
