"""Tables of every rule set: hands by bots, told as a camera above the table would."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from table_assist.game.events import Drew, Event, HandStarted, Settled, TilesExchanged, WallBuilt
from table_assist.game.fold import apply
from table_assist.game.offered import who_won
from table_assist.game.outcome import end_of_hand
from table_assist.game.state import Phase, TableState
from table_assist.record.log import Entry, Source
from table_assist.record.snapshot import Snapshot
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.twin.play.hand import play_hand
from tests.stages.web_fakes import NAMES, healthy

RULE_SETS = ("changchun", "changsha", "wanzhou", "tianjin", "classical")
Until = Callable[[TableState], bool]


@dataclass
class Table:
    """An evening under one rule set, one event after the other."""

    rules: RuleSet
    state: TableState = field(default_factory=TableState)
    entries: list[Entry] = field(default_factory=list)
    history: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)
    seq: int = 0
    start: float = field(default_factory=time.time)

    def do(self, event: Event) -> None:
        if isinstance(event, WallBuilt):
            self.entries.clear()
        ended = self.state.phase is Phase.SETTLED
        self.state = apply(self.state, event)
        self.seq += 1
        at = self.start - 600 + 4 * self.seq
        self.entries.append(Entry(self.seq, at, Source.CAMERA, event, 0.97))
        if self.state.phase is Phase.SETTLED and not ended:
            moved = self.state.last_transfers
            self.history.append((self.state.hand, moved, self.state.scores))

    def snapshot(self, **changes: object) -> Snapshot:
        now = time.time()
        made = Snapshot(
            seq=self.seq,
            t=now,
            names=NAMES,
            rules=self.rules,
            state=self.state,
            entries=tuple(self.entries),
            history=tuple(self.history),
            health=healthy(now),
        )
        if self.state.shown:
            settlement = who_won(self.rules, self.state)
            verdicts = tuple(sorted(settlement.verdicts.items()))
            made = replace(made, settlement=settlement, verdicts=verdicts)
        return replace(made, **changes)


def as_seen(event: Event) -> Event | None:
    """The event as a table without eyes in the hands knows it."""
    match event:
        case HandStarted():
            return replace(event, hands=())
        case TilesExchanged():
            return replace(event, given=())
        case Drew():
            return None
        case _:
            return event


def table_of(id: str, until: Until, *, seed: int = 1, hands: int = 1, seen: bool = True) -> Table:
    """The table at the first state that satisfies a condition, after so many hands at least.

    Args:
        seen: concealed tiles are not known, as at a real table.
    """
    random, rules = Random(seed), find_rules(id)
    table, played = Table(rules), TableState()
    for number in range(1, 400):
        events, played = play_hand(rules, played, random)
        for event in events:
            told = as_seen(event) if seen else event
            if told is None:
                continue
            table.do(told)
            if number >= hands and until(table.state):
                return table
        if played.game_over:
            played = TableState()
    raise AssertionError(f"no hand of {id} comes to such a state")


def mid_hand(discards: int = 36) -> Until:
    """So many tiles lie in the rivers, and somebody has laid a meld."""

    def reached(state: TableState) -> bool:
        lying = sum(len(seat.river) for seat in state.seats)
        melds = sum(len(seat.melds) for seat in state.seats)
        return state.phase is Phase.PLAYING and lying >= discards and melds >= 2

    return reached


def won(state: TableState) -> bool:
    """A hand is settled that somebody won."""
    return (
        state.phase is Phase.SETTLED and state.settled is not None and bool(state.settled.winners)
    )


def showing(state: TableState) -> bool:
    """A winning hand lies open, nothing is settled yet."""
    return state.phase is Phase.SHOWING and bool(state.shown)


__all__ = ["RULE_SETS", "Settled", "Table", "end_of_hand", "mid_hand", "showing", "table_of", "won"]
