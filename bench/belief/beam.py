"""The beam: the likeliest histories of a hand, carried on look by look; and what they agree in."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from bench.belief.histories import History, Scales, begun, told
from bench.belief.moves import MoveAsked, MoveTable, moves
from bench.belief.seen import TracksEvidence, sum_logs
from table_assist.game.events import Event
from table_assist.game.state import TableState

WIDTH = 24  # histories that are carried on
UNLIKELY = 16.0  # nats below the likeliest: such a history is given up
MOST_EVENTS = 5  # that a look may add
SEEN_LATE = 3  # of so many histories it is asked whether something happened earlier


@dataclass(frozen=True, slots=True)
class Belief:
    """The likeliest histories, the likeliest first.

    Attributes:
        asked: of what it was asked already, in which courses, whether it happened earlier.
    """

    histories: tuple[History, ...]
    asked: MoveAsked = field(default_factory=MoveAsked)
    _scales: Scales | None = None

    @classmethod
    def of(cls, state: TableState) -> "Belief":
        """Before anything is seen."""
        return cls((begun(state),))

    def told(self, event: Event, t: float) -> "Belief":
        """People or the board have told an event: every history has it."""
        after = tuple(told(history, event, t) for history in self.histories)
        return replace(self, histories=after)

    def look(self, seen: TracksEvidence, table: MoveTable, width: int = WIDTH) -> "Belief":
        """With what the tracks show now."""
        before = None if self._scales is None else replace(self._scales, last=None)
        scales, asked = Scales(seen, before), self.asked.now()
        found = _best(map(scales.anew, self.histories), width)
        newest: Sequence[History] = found
        for number in range(MOST_EVENTS):
            longer = (
                move for place, history in enumerate(newest)
                for move in moves(
                    history, seen, table, asked if number == 0 and place < SEEN_LATE else None
                )
            )  # fmt: skip
            known = {history.course for history in found}
            grown = [
                scales.weigh(history) for history in _distinct(longer)
                if history.course not in known
            ]  # fmt: skip
            found = _best([*found, *grown], width)
            newest = [history for history in grown if any(history is kept for kept in found)]
            if not newest:
                break
        return Belief(tuple(found), asked, scales)

    @property
    def shares(self) -> tuple[float, ...]:
        """How likely each history is, if one of them is so."""
        logs = np.array([history.weight for history in self.histories])
        return tuple(np.exp(logs - sum_logs(logs)).tolist())

    @property
    def likeliest(self) -> History:
        """The one of the largest weight."""
        return self.histories[0]

    def agreed(self) -> tuple[float, ...]:
        """Of each event of the likeliest history: how likely it has happened, bound so."""
        first = self.likeliest.course
        sums = [0.0] * len(first)
        for history, share in zip(self.histories, self.shares, strict=True):
            others = Counter(history.course)
            for index, mine in enumerate(first):
                if others[mine]:
                    others[mine] -= 1
                    sums[index] += share
        return tuple(min(each, 1.0) for each in sums)


def _distinct(histories: Iterable[History]) -> list[History]:
    found: dict[object, History] = {}
    for history in histories:
        found.setdefault(history.course, history)
    return list(found.values())


def _best(histories: Iterable[History], width: int) -> list[History]:
    ordered = sorted(histories, key=lambda history: -history.weight)[:width]
    return [each for each in ordered if each.weight > ordered[0].weight - UNLIKELY]
