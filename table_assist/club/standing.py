"""What a log says of players: points, hands and wins by session and round, a fold of its entries.

Who sits where is in the log itself: a `seats` order of the club is an entry like any other, and
counts from the next hand on. Nothing else is needed, and nothing is kept beside it: standings are
always what the entries say.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from table_assist.club.told import Kind, Order, kept_orders
from table_assist.game.events import End, GameBegun, HandAbandoned
from table_assist.game.people import by_person
from table_assist.game.state import TableState
from table_assist.record.log import Entry, effective
from table_assist.record.skim import skim

Four = tuple[int, int, int, int]
NOBODY: Four = (0, 0, 0, 0)


@dataclass(slots=True)
class Stretch:
    """What was played at one table by the same four in one round.

    Attributes:
        session: 0 before the club has seated anybody; then nobody is known by number.
        players: by person (`game.people`).
        points: won and lost, by person; they add up to 0.
        wins: hands won.
        hands: that were settled or drawn.
        best: the most that each won with one hand.
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


@dataclass(frozen=True, slots=True)
class Told:
    """A whole log.

    Attributes:
        scores: the table's own, by person.
        uneven: numbers of entries by which the four scores did not move by 0 together.
    """

    stretches: tuple[Stretch, ...]
    scores: Four
    uneven: tuple[int, ...]


def told_by(entries: Iterable[Entry], is_ordered: Callable[[Order], bool]) -> Told:
    """Fold a log.

    Args:
        is_ordered: whether the hub has signed this order for the log's table: a table that writes
            one by itself seats nobody.
    """
    known = tuple(entries)
    orders = _seating(known, is_ordered)
    times = {entry.seq: entry.t for entry in known}
    state, stretches, uneven = TableState(), [Stretch()], list[int]()
    due: Stretch | None = None
    for seq, event in effective(known):
        if seq in orders:
            due = _seated(orders[seq].content, state) or due
        if due is not None and not state.is_running:
            stretches.append(due)
            due = None
        before, was_running = state, state.is_running
        state = skim(state, event)
        if isinstance(event, GameBegun):
            continue  # what everybody begins with is not won
        moved = _moved(before, state)
        if sum(moved):
            uneven.append(seq)
        now = stretches[-1]
        now.points = [a + b for a, b in zip(now.points, moved, strict=True)]
        if isinstance(event, End) and was_running and not isinstance(event, HandAbandoned):
            _note_hand(now, state, moved, times.get(seq, 0.0))
    scores = by_person(state.scores, state.people)
    return Told(tuple(each for each in stretches if _is_something(each)), scores, tuple(uneven))


def _seating(entries: Iterable[Entry], is_ordered: Callable[[Order], bool]) -> Mapping[int, Order]:
    """The orders of seats that count, by entry; each counts where it came first."""
    found: dict[int, Order] = {}
    known: set[str] = set()
    for kept in kept_orders(entries):
        order = kept.order
        is_new = order.kind is Kind.SEATS and not kept.refused and order.key not in known
        if is_new and is_ordered(order):
            known.add(order.key)
            found[kept.seq] = order
    return found


def _seated(content: Mapping[str, Any], state: TableState) -> Stretch | None:
    """The stretch that an order of seats begins; None for one that is damaged."""
    try:
        a, b, c, d = (int(each) for each in content["players"])
        session, round = int(content["session"]), int(content["round"])
    except (KeyError, TypeError, ValueError):
        return None
    return Stretch(session, round, by_person((a, b, c, d), state.people))


def _moved(before: TableState, after: TableState) -> Four:
    was = by_person(before.scores, before.people)
    now = by_person(after.scores, after.people)
    a, b, c, d = (new - old for new, old in zip(now, was, strict=True))
    return a, b, c, d


def _note_hand(stretch: Stretch, state: TableState, moved: Four, t: float) -> None:
    stretch.hands += 1
    stretch.begun_t, stretch.ended_t = stretch.begun_t or t, t
    winners = state.settled.winners if state.settled else ()
    for seat in winners:
        person = state.people[seat]
        stretch.wins[person] += 1
        stretch.best[person] = max(stretch.best[person], moved[person])


def _is_something(stretch: Stretch) -> bool:
    return bool(stretch.session or stretch.hands or any(stretch.points))
