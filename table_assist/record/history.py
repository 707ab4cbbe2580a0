"""The hands of an evening, one after the other: who won, what moved, what the scores are then."""

from collections.abc import Iterable
from dataclasses import dataclass

from table_assist.game.events import (
    End,
    Event,
    HandAbandoned,
    HandStarted,
    Penalised,
    Transfers,
)
from table_assist.game.fold import apply
from table_assist.game.people import FIRST_SEATS, People, by_person
from table_assist.game.state import TableState
from table_assist.record.log import Entry, effective
from table_assist.words import Words


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """One hand that is over.

    Attributes:
        seq: the entry that ended it.
        profile: the house profile's id, empty where there was none, and its hash.
        started_s: seconds since the epoch, as with `ended_s`.
        end: ``won``, ``drawn`` or ``abandoned``.
        dealer: a person, as all of them here: wherever they sat (`game.people`).
        penalties: what moved beside the settlement.
        scores: after the hand.
        people: who sat where; the seats in ``steps`` are these.
        begun_with: what every seat began the game with, if this is a game's first hand.
        steps: the arithmetic, (English, Chinese) lines.
    """

    hand: int
    seq: int
    rules: str
    profile: str
    hash: str
    dealer: int
    started_s: float
    ended_s: float
    end: str
    winners: tuple[int, ...]
    transfers: Transfers
    penalties: Transfers
    scores: Transfers
    steps: tuple[Words, ...]
    begun_with: int | None = None
    people: People = FIRST_SEATS


def played_hands(entries: Iterable[Entry]) -> tuple[PlayedHand, ...]:
    """Every hand that is over, as the log counts it: what was taken back is not in it."""
    entries = tuple(entries)
    times = {entry.seq: entry.t for entry in entries}
    state, found = TableState(), []
    started, before = 0.0, state.scores
    for seq, event in effective(entries):
        if isinstance(event, HandStarted):
            started, before = times[seq], state.scores
        over = isinstance(event, End) and state.is_running
        state = apply(state, event)
        if over:
            found.append(_played(state, event, seq, started, times[seq], before))
        elif isinstance(event, Penalised) and not state.is_running:
            before = state.scores  # between two hands: it belongs to neither
    return tuple(found)


def _played(
    state: TableState, event: Event, seq: int, started: float, ended: float, before: Transfers
) -> PlayedHand:
    moved = state.last_transfers
    a, b, c, d = (state.scores[seat] - before[seat] - moved[seat] for seat in range(4))
    settled, people = state.settled, state.people
    assert settled is not None
    end = "abandoned" if isinstance(event, HandAbandoned) else "drawn"
    return PlayedHand(
        hand=state.hand,
        seq=seq,
        rules=state.rules,
        profile=state.profile,
        hash=state.hash,
        dealer=people[state.dealer],
        started_s=started,
        ended_s=ended,
        end="won" if settled.winners else end,
        winners=tuple(people[seat] for seat in settled.winners),
        transfers=by_person(moved, people),
        penalties=by_person((a, b, c, d), people),
        scores=by_person(state.scores, people),
        steps=settled.steps,
        begun_with=state.game.points if state.hand == state.game.since + 1 else None,
        people=people,
    )
