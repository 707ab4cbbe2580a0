"""The log's sums for players: points, hands and wins by session and round, a fold of its entries.

Who sits where is in the log itself: a `seats` order of the club is an entry like any other, and
counts from the next hand on. Nothing else is needed, and nothing is kept beside it: standings are
always what the entries say.
"""

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from table_assist.club.orders import Order, OrderKind, kept_orders
from table_assist.club.won import Drawn, Four, InPlay, Won
from table_assist.game.events import (
    End,
    Event,
    GameBegun,
    HandAbandoned,
    HandStarted,
    Settled,
)
from table_assist.game.people import by_person
from table_assist.game.state import TableState
from table_assist.record.log import Amended, Entry, Inserted, Retracted, effective
from table_assist.record.skim import skim

NOBODY: Four = (0, 0, 0, 0)
SEATING = (OrderKind.SEATS, OrderKind.STAND_IN)


@dataclass(slots=True)
class PlayedStretch:
    """A stretch of play at one table by the same four in one round.

    Attributes:
        session: 0 before the club has seated anybody; then nobody is known by number.
        players: by person (`game.people`).
        points: won and lost, by person; they add up to 0.
        wins: hands won.
        hands: that were settled or drawn.
        best: the most that each won with one hand.
        won: the hands that were won, the oldest first.
        drawn: those that nobody won.
        profiles: how many of the hands were played by which rule profile, by its hash.
        begun_t, ended_t: of the first and the last hand, by the table's clock; 0 for none.
    """

    session: int = 0
    round: int = 0
    players: Four = NOBODY
    points: list[int] = field(default_factory=lambda: [0] * 4)
    wins: list[int] = field(default_factory=lambda: [0] * 4)
    best: list[int] = field(default_factory=lambda: [0] * 4)
    hands: int = 0
    begun_t: float = 0.0
    ended_t: float = 0.0
    won: list[Won] = field(default_factory=list)
    drawn: list[Drawn] = field(default_factory=list)
    profiles: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToldStanding:
    """A whole log.

    Attributes:
        scores: the table's own, by person.
        uneven: numbers of entries by which the four scores did not move by 0 together.
    """

    stretches: tuple[PlayedStretch, ...]
    scores: Four
    uneven: tuple[int, ...]


IsOrdered = Callable[[Order], bool]


class Folding:
    """A log that is folded as it grows: only its last hand is folded again.

    Args:
        is_ordered: whether the hub has signed this order for the log's table: a table that writes
            one by itself seats nobody.

    Attributes:
        seq: the last entry that was added.
    """

    def __init__(self, is_ordered: IsOrdered) -> None:
        self.seq = 0
        self._fold = _Fold(is_ordered)  # of what no correction is expected to reach
        self._known = 0  # so many entries are in it
        self._open: list[Entry] = []  # all after them
        self._told: ToldStanding | None = None

    def add(self, entries: Sequence[Entry]) -> bool:
        """Fold what comes next; False where it corrects an early hand: then begin anew."""
        if self._known and any(_reaches(entry) <= self._known for entry in entries):
            return False
        self._open += entries
        self._told = None
        if self._open:
            self.seq = self._open[-1].seq
        closed = _closed(self._open)
        if closed:
            self._fold.add(self._open[:closed])
            self._known = self._open[closed - 1].seq
            del self._open[:closed]
        return True

    @property
    def told(self) -> ToldStanding:
        """The whole log."""
        if self._told is None:
            fold = self._fold.copy()
            fold.add(self._open)
            self._told = fold.told()
        return self._told


def _reaches(entry: Entry) -> float:
    """The earliest entry that this one changes."""
    match entry.event:
        case Retracted(seq) | Amended(seq, _):
            return seq
        case Inserted(before, _):
            return before
        case _:
            return float("inf")


def _closed(entries: Sequence[Entry]) -> int:
    """How many entries stand before the last hand, and before all that later ones correct."""
    reached = float("inf")
    for place in range(len(entries) - 1, 0, -1):
        reached = min(reached, _reaches(entries[place]))
        if isinstance(entries[place].event, HandStarted) and reached >= entries[place].seq:
            return place
    return 0


@dataclass(slots=True)
class _Fold:
    is_ordered: IsOrdered
    obeyed: set[str] = field(default_factory=set)  # orders of seats, by their keys
    state: TableState = field(default_factory=TableState)
    play: InPlay = field(default_factory=InPlay)
    stretches: list[PlayedStretch] = field(default_factory=lambda: [PlayedStretch()])
    uneven: list[int] = field(default_factory=list)
    due: PlayedStretch | None = None

    def copy(self) -> "_Fold":
        last = copy.copy(self.stretches[-1])
        last.points, last.wins, last.best = [*last.points], [*last.wins], [*last.best]
        last.won, last.drawn, last.profiles = [*last.won], [*last.drawn], {**last.profiles}
        return replace(
            self,
            obeyed={*self.obeyed},
            stretches=[*self.stretches[:-1], last],
            uneven=[*self.uneven],
        )

    def add(self, entries: Sequence[Entry]) -> None:
        known, orders = {entry.seq: entry for entry in entries}, self._seating(entries)
        for seq, event in effective(entries):
            entry = known[seq]
            if seq in orders:
                before = self.due or self.stretches[-1]
                self.due = _seated(orders[seq], self.state, before) or self.due
            if self.due is not None and not self.state.is_running:
                self.stretches.append(self.due)
                self.due = None
            self._one(entry, event)

    def _seating(self, entries: Iterable[Entry]) -> Mapping[int, Order]:
        """The orders of seats that count, by entry; each counts where it came first."""
        found: dict[int, Order] = {}
        for kept in kept_orders(entries):
            order = kept.order
            is_new = not kept.refused and order.key not in self.obeyed
            if order.kind in SEATING and is_new and self.is_ordered(order):
                self.obeyed.add(order.key)
                found[kept.seq] = order
        return found

    def _one(self, entry: Entry, event: Event) -> None:
        before, self.state = self.state, skim(self.state, event)
        self.play = self.play.after(event, entry.seq)
        if isinstance(event, GameBegun):
            return  # what everybody begins with is not won
        now = self.stretches[-1]
        if before.scores is not self.state.scores or before.people is not self.state.people:
            moved = _moved(before, self.state)
            if sum(moved):
                self.uneven.append(entry.seq)
            now.points = [a + b for a, b in zip(now.points, moved, strict=True)]
        if isinstance(event, End) and before.is_running and not isinstance(event, HandAbandoned):
            moved = _moved(before, self.state)
            won = list[Won]()
            if isinstance(event, Settled):
                people, hand = self.state.people, self.state.hand
                won = self.play.won(event, people, hand, entry.seq, entry.t)
            _note_hand(now, won, Drawn(self.state.hand, entry.t, entry.seq, moved))
            hash = self.state.hash
            now.profiles[hash] = now.profiles.get(hash, 0) + 1

    def told(self) -> ToldStanding:
        scores = by_person(self.state.scores, self.state.people)
        stretches = tuple(each for each in self.stretches if _is_something(each))
        return ToldStanding(stretches, scores, tuple(self.uneven))


def _seated(order: Order, state: TableState, before: PlayedStretch) -> PlayedStretch | None:
    """The stretch that an order of seats begins; None for one that is damaged.

    Args:
        before: who sits there until then.
    """
    content = order.content
    try:
        session, round = int(content["session"]), int(content["round"])
        if order.kind is OrderKind.SEATS:
            a, b, c, d = (int(each) for each in content["players"])
            return PlayedStretch(session, round, by_person((a, b, c, d), state.people))
        player, by = int(content["player"]), int(content["by"])
    except (KeyError, TypeError, ValueError):
        return None
    if (session, round) != (before.session, before.round) or player not in before.players:
        return None
    a, b, c, d = (by if each == player else each for each in before.players)
    return PlayedStretch(session, round, (a, b, c, d))


def _moved(before: TableState, after: TableState) -> Four:
    was = by_person(before.scores, before.people)
    now = by_person(after.scores, after.people)
    a, b, c, d = (new - old for new, old in zip(now, was, strict=True))
    return a, b, c, d


def _note_hand(stretch: PlayedStretch, won: Sequence[Won], ended: Drawn) -> None:
    stretch.hands += 1
    stretch.begun_t, stretch.ended_t = stretch.begun_t or ended.t, ended.t
    stretch.won += won
    if not won:
        stretch.drawn.append(ended)
    for each in won:
        stretch.wins[each.winner] += 1
        stretch.best[each.winner] = max(stretch.best[each.winner], ended.moved[each.winner])


def _is_something(stretch: PlayedStretch) -> bool:
    return bool(stretch.session or stretch.hands or any(stretch.points))
