"""`table-assist export`: the hands and the evening of a log, as JSON lines or as a table."""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import combinations, groupby
from pathlib import Path

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
from table_assist.record.store import Store, StoreError


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
        open_now = {person: balance[person] for person in group}
        while any(open_now.values()):
            payer = min(open_now, key=open_now.__getitem__)
            payee = max(open_now, key=open_now.__getitem__)
            points = min(-open_now[payer], open_now[payee])
            open_now[payer] += points
            open_now[payee] -= points
            found.append((payer, payee, points))
        left = [person for person in left if person not in group]
    return tuple(found)


_BEGINS = tuple("=+-@＝＋－＠")  # with these begins a formula


def read_log(path: Path) -> tuple[Entry, ...]:
    """The entries of a log file, which stays as it is.

    Raises:
        StoreError: there is no such file, or it is no log.
    """
    if not path.is_file():
        raise StoreError(f"there is no log {path}")
    with Store(path, reads_only=True) as store:
        return store.load()


def export_lines(entries: Sequence[Entry], form: str, names: Sequence[str]) -> Iterator[str]:
    """The hands that are over, oldest first.

    Args:
        entries: of a log.
        form: ``json``: an object a line; ``csv``: a header, then a line a hand.
        names: the players', by the seats in which they began.
    """
    if form == "json":
        for hand in played_hands(entries):
            yield json.dumps(
                asdict(hand),
                ensure_ascii=False,
                default=lambda words: {"en": words.en, "zh": words.zh},
            )
        return
    header, *rows = map(spreadsheet_line, hands_table(entries, names))
    yield "\ufeff" + header  # spreadsheets take it for text of any script
    yield from rows


def hands_table(entries: Sequence[Entry], names: Sequence[str]) -> list[list[str]]:
    """A header, then a row a hand that is over."""
    # Every seat has the points of the hand and the score after it
    fixed = ["hand", "started (UTC)", "minutes", "rules", "profile", "dealer", "end", "winners"]
    found = [[*fixed, *(f"{name} points" for name in names), *(f"{name} score" for name in names)]]
    for hand in played_hands(entries):
        started = datetime.fromtimestamp(hand.started_s, UTC).strftime("%Y-%m-%d %H:%M:%S")
        points = [hand.transfers[seat] + hand.penalties[seat] for seat in range(4)]
        found.append(
            [
                str(hand.hand),
                started,
                f"{(hand.ended_s - hand.started_s) / 60:.1f}",
                hand.rules,
                hand.profile,
                names[hand.dealer],
                hand.end,
                ", ".join(names[seat] for seat in hand.winners),
                *map(str, points),
                *map(str, hand.scores),
            ]
        )
    return found


def payment_lines(
    entries: Sequence[Entry], names: Sequence[str], amount: Callable[[int], str]
) -> Iterator[str]:
    """A header, then a line for each payment after which everybody is even.

    Args:
        amount: the money for so many points; empty where none was agreed.
    """
    yield spreadsheet_line(["pays", "to", "points", "money"])
    for payer, payee, points in fewest_payments(evening_of(entries).balance):
        yield spreadsheet_line([names[payer], names[payee], str(points), amount(points)])


def spreadsheet(rows: Iterable[Sequence[object]]) -> str:
    r"""A file of CSV; without the mark at its begin a spreadsheet shows other letters for Chinese.

    >>> spreadsheet([("name",), ("=1+1",)])
    "\ufeffname\r\n'=1+1\r\n"
    """
    return "\ufeff" + "".join(f"{spreadsheet_line(row)}\r\n" for row in rows)


def spreadsheet_line(cells: Sequence[object]) -> str:
    """A row; what people wrote is no formula there."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(
        [_harmless("" if cell is None else str(cell)) for cell in cells]
    )
    return text.getvalue()


def _harmless(cell: str) -> str:
    """A spreadsheet would take a name that begins like a formula for one.

    >>> _harmless("=1+1"), _harmless("-12"), _harmless("Ada")
    ("'=1+1", '-12', 'Ada')
    """
    number = cell.removeprefix("-").replace(".", "", 1).isdecimal()
    return f"'{cell}" if cell.lstrip()[:1] in _BEGINS and not number else cell
