"""The hands of an evening, one after the other: who won, what moved, what the scores are then."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby

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
from table_assist.game.state import NO_TRANSFERS, SEATS, TableState
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


Payment = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class EveningMoment:
    """One person's gain or loss in one hand."""

    person: int
    hand: PlayedHand
    points: int


@dataclass(frozen=True, slots=True)
class Fed:
    """So often somebody won on another's discard."""

    giver: int
    winner: int
    times: int


@dataclass(frozen=True, slots=True)
class Evening:
    """The game that is played, or was played last.

    Attributes:
        hands: of it, oldest first, without those that were given up.
        begun_with: everybody's points at its beginning.
        best: the won hand that brought most; None where nobody has won.
        swing: the hand that cost one person most; None where none cost anything.
        dealer: (person, hands in a row) of the longest dealer; None without a hand.
        fed: who won on whose discards, most often first.
    """

    hands: tuple[PlayedHand, ...]
    begun_with: int
    best: EveningMoment | None
    swing: EveningMoment | None
    dealer: tuple[int, int] | None
    fed: tuple[Fed, ...]

    @property
    def balance(self) -> Transfers:
        """Everybody's gain or loss since the beginning."""
        if not self.hands:
            return NO_TRANSFERS
        a, b, c, d = (score - self.begun_with for score in self.hands[-1].scores)
        return a, b, c, d

    @property
    def curve(self) -> tuple[Transfers, ...]:
        """Everybody's score at the beginning and after each hand."""
        start = self.begun_with
        return ((start, start, start, start), *(hand.scores for hand in self.hands))


def evening_of(entries: Iterable[Entry]) -> Evening:
    """The evening as the log counts it now."""
    played = played_hands(entries)
    first = max((at for at, hand in enumerate(played) if hand.begun_with is not None), default=0)
    hands = tuple(hand for hand in played[first:] if hand.end != "abandoned")
    begun_with = 0 if not played else played[first].begun_with or 0
    moved = [
        EveningMoment(person, hand, hand.transfers[person]) for hand in hands for person in SEATS
    ]
    won = [each for each in moved if each.person in each.hand.winners and each.points > 0]
    lost = [each for each in moved if each.points < 0]
    rows = [(dealer, len(list(same))) for dealer, same in groupby(hand.dealer for hand in hands)]
    times = Counter(pair for hand in hands for pair in hand.given)
    most = sorted(times.items(), key=lambda item: (-item[1], item[0]))
    return Evening(
        hands,
        begun_with,
        max(won, key=lambda each: each.points, default=None),
        min(lost, key=lambda each: each.points, default=None),
        max(rows, key=lambda row: row[1], default=None),
        tuple(Fed(giver, winner, count) for (giver, winner), count in most),
    )


def fewest_payments(balance: Sequence[int]) -> tuple[Payment, ...]:
    """The payments after which everybody is even, as few as there can be.

    People who are even among themselves pay among themselves: each such group of n needs n - 1.

    >>> fewest_payments((30, -10, -20, 0)), fewest_payments((5, -5, 7, -7))
    (((2, 0, 20), (1, 0, 10)), ((1, 0, 5), (3, 2, 7)))
    """
    left = [person for person, points in enumerate(balance) if points]
    found: list[Payment] = []
    while left:
        group = next(
            list(some)
            for size in range(1, len(left) + 1)
            for some in combinations(left, size)
            if sum(balance[person] for person in some) == 0
        )
        found += _even(group, balance)
        left = [person for person in left if person not in group]
    return tuple(found)


def _even(group: Sequence[int], balance: Sequence[int]) -> Iterable[Payment]:
    open_now = {person: balance[person] for person in group}
    while any(open_now.values()):
        payer = min(open_now, key=lambda person: open_now[person])
        payee = max(open_now, key=lambda person: open_now[person])
        points = min(-open_now[payer], open_now[payee])
        open_now[payer] += points
        open_now[payee] -= points
        yield payer, payee, points
