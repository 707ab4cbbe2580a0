"""The hands of an evening, one after the other: who won, what moved, what the scores are then."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from table_assist.game.events import (
    End,
    Event,
    HandAbandoned,
    HandStarted,
    Penalised,
    Settled,
    Transfers,
)
from table_assist.game.fold import apply
from table_assist.game.people import FIRST_SEATS, Names, People, by_person
from table_assist.game.state import TableState
from table_assist.languages.words import Words
from table_assist.record.log import Entry, effective


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
        names: as they had said themselves by then; empty for who had not.
        given: (giver, winner) of each win on a tile that another gave up.
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
    names: Names = ("", "", "", "")
    given: tuple[tuple[int, int], ...] = ()


def played_hands(entries: Iterable[Entry]) -> tuple[PlayedHand, ...]:
    """Every hand that is over, as the log counts it: what was taken back is not in it."""
    entries = tuple(entries)
    times = {entry.seq: entry.t for entry in entries}
    state, found = TableState(), []
    started, before = 0.0, state.scores
    for seq, event in effective(entries):
        if isinstance(event, HandStarted):
            started, before = times[seq], state.scores
        over, given = isinstance(event, End) and state.is_running, _given(state, event)
        state = apply(state, event)
        if over:
            ended = times[seq]
            moved = state.last_transfers
            a, b, c, d = (state.scores[seat] - before[seat] - moved[seat] for seat in range(4))
            settled, people = state.settled, state.people
            assert settled is not None
            end = "abandoned" if isinstance(event, HandAbandoned) else "drawn"
            hand = PlayedHand(
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
                names=state.names,
            )
            found.append(replace(hand, given=given))
        elif isinstance(event, Penalised) and not state.is_running:
            before = state.scores  # between two hands: it belongs to neither
    return tuple(found)


def _given(state: TableState, event: Event) -> tuple[tuple[int, int], ...]:
    if not isinstance(event, Settled):
        return ()
    found, told = list[tuple[int, int]](), {hand.seat: hand for hand in state.told}
    for hand in state.shown:
        if hand.self_drawn or hand.rush or hand.seat not in event.winners:
            continue
        giver = told[hand.seat].discarder if hand.seat in told else None
        if giver is None and state.given_up is not None:
            giver = state.given_up[0]
        if giver is not None:
            found.append((state.people[giver], state.people[hand.seat]))
    return tuple(found)
