"""What a club's logs say of play: points, hands, wins by session and round, each player's own.

A fold of a log's entries. Who sits where is in the log itself: a `seats` order of the club is an
entry like any other, and counts from the next hand on. Nothing else is needed, and nothing is kept
beside it: standings are always what the entries say.
"""

import copy
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt

from table_assist.club.orders import SEATING, Order, OrderKind, kept_orders
from table_assist.game.events import (
    Claimed,
    DeclaredHand,
    Discarded,
    EggAppended,
    EggLaid,
    Event,
    GameBegun,
    HandShown,
    HandStarted,
    HandTold,
    KongDeclared,
    PlayedOut,
    Settled,
)
from table_assist.game.outcome import heading
from table_assist.game.people import People, by_person
from table_assist.game.state import TableState
from table_assist.languages.words import Words
from table_assist.record.course import skim
from table_assist.record.log import Amended, Entry, Inserted, Retracted, effective
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, Tiles

Four = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Won:
    """A hand that somebody won; people as in `game.people`."""

    hand: int  # its number at the table
    t: float  # when it was settled, by the table's clock
    seq: int  # of the entry that settled it
    winner: int  # a person
    moved: Four  # by person, all that the settlement moved; with several winners theirs together
    self_drawn: bool | None  # None where nobody has shown how it was won
    # whose discard or kong it was won on; None for nobody's, and where it is not known
    giver: int | None
    concealed: Tiles  # with the winning tile; empty where it is not known
    winning: Tile | None
    melds: tuple[Tiles, ...]  # in the order laid
    worth: tuple[Words, ...]  # what it is made of, line by line, as the table reckoned
    shown: int = 0  # the entry that laid the hand open; 0 where people told it


@dataclass(frozen=True, slots=True)
class Drawn:
    """A hand that nobody won: its number, when and by which entry it ended, what was paid."""

    hand: int
    t: float
    seq: int
    moved: Four


@dataclass(frozen=True, slots=True)
class InPlay:
    """The open tiles of the hand in play, by seat, as far as they tell how a hand is won."""

    melds: tuple[tuple[Tiles, ...], ...] = ((), (), (), ())
    giver: int | None = None  # who put the last tile down that another may win
    shown: tuple[tuple[int, DeclaredHand], ...] = ()

    def after(self, event: Event, seq: int) -> "InPlay":
        """With another event, which is the entry of this number."""
        match event:
            case HandStarted():
                return InPlay()
            case Discarded(seat):
                return self if self.giver == seat and not self.shown else InPlay(self.melds, seat)
            case Claimed(seat, _, tiles) | EggLaid(seat, tiles):
                return self._with(seat, (*self.melds[seat], tiles))
            case KongDeclared():
                melds = _kong(self.melds[event.seat], event)
                return replace(self._with(event.seat, melds), giver=event.seat)
            case EggAppended(seat, egg, tile):
                eggs = [list(each) for each in self.melds[seat]]
                if egg < len(eggs):
                    eggs[egg].append(tile)
                return replace(self._with(seat, tuple(map(tuple, eggs))), giver=seat)
            case HandShown() | HandTold():
                return replace(self, shown=(*self.shown, (seq, event)))
            case _:
                return self

    def _with(self, seat: int, melds: tuple[Tiles, ...]) -> "InPlay":
        every = [melds if other == seat else own for other, own in enumerate(self.melds)]
        return replace(self, melds=tuple(every))

    def won(self, event: Settled, seat: int, people: People, hand: int, entry: Entry) -> Won:
        """The win of one winner; the entry settled the hand."""
        own = [each for each in self.shown if each[1].seat == seat]
        laid, shown = own[-1] if own else (0, None)
        melds, self_drawn, giver = self.melds[seat], None, None
        match shown:
            case HandShown():
                self_drawn, giver = shown.self_drawn, None if shown.self_drawn else self.giver
            case HandTold():
                melds = tuple(each.tiles + each.supplements for each in shown.melds)
                self_drawn, giver = shown.discarder is None, shown.discarder
        moved = by_person(event.transfers, people)
        return Won(
            hand, entry.t, entry.seq, people[seat], moved, self_drawn,
            None if giver is None or giver == seat else people[giver],
            () if shown is None else shown.concealed,
            None if shown is None else shown.winning_tile,
            melds, worth_of(event.steps, seat), laid if isinstance(shown, HandShown) else 0,
        )  # fmt: skip


def worth_of(steps: Sequence[Words], seat: int) -> tuple[Words, ...]:
    """The lines that say what a winner's hand is made of; none where the sum is told otherwise."""
    if (begins := heading(seat)) not in steps:
        return ()
    found = []
    for step in steps[steps.index(begins) + 1 :]:
        if "seat" in step.en.lower():
            break  # who pays whom, or another hand
        found.append(step)
    return tuple(found)


def _kong(melds: tuple[Tiles, ...], event: KongDeclared) -> tuple[Tiles, ...]:
    kong = (event.tile,) * 4
    if event.kind is not MeldKind.KONG_ADDED:
        return (*melds, kong)
    pung = next((n for n, each in enumerate(melds) if each == kong[:3]), None)
    if pung is None:
        return (*melds, kong)
    return (*melds[:pung], kong, *melds[pung + 1 :])


NO_POINTS: Four = (0, 0, 0, 0)


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
    players: Four = NO_POINTS
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
    """A whole log."""

    stretches: tuple[PlayedStretch, ...]
    scores: Four  # the table's own, by person
    # numbers of entries by which the four scores did not move by 0 together
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
        # What stands before the last hand, and before all that later entries correct, is closed
        reached = float("inf")
        for place in range(len(self._open) - 1, 0, -1):
            entry = self._open[place]
            reached = min(reached, _reaches(entry))
            if isinstance(entry.event, HandStarted) and reached >= entry.seq:
                self._fold.add(self._open[:place])
                self._known = self._open[place - 1].seq
                del self._open[:place]
                break
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
        # The orders of seats that count, by entry; each counts where it came first
        found: dict[int, Order] = {}
        for kept in kept_orders(entries):
            order = kept.order
            is_new = not kept.refused and order.key not in self.obeyed
            if order.kind in SEATING and is_new and self.is_ordered(order):
                self.obeyed.add(order.key)
                found[kept.seq] = order
        known, orders = {entry.seq: entry for entry in entries}, found
        for seq, event in effective(entries):
            entry = known[seq]
            if seq in orders:
                before = self.due or self.stretches[-1]
                self.due = _seated(orders[seq], self.state, before) or self.due
            if self.due is not None and not self.state.is_running:
                self.stretches.append(self.due)
                self.due = None
            self._one(entry, event)

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
        if isinstance(event, PlayedOut) and before.is_running:
            moved = _moved(before, self.state)
            won = list[Won]()
            if isinstance(event, Settled):
                people, hand = self.state.people, self.state.hand
                won = [self.play.won(event, seat, people, hand, entry) for seat in event.winners]
            ended = Drawn(self.state.hand, entry.t, entry.seq, moved)
            now.hands += 1
            now.begun_t, now.ended_t = now.begun_t or ended.t, ended.t
            now.won += won
            if not won:
                now.drawn.append(ended)
            for each in won:
                now.wins[each.winner] += 1
                now.best[each.winner] = max(now.best[each.winner], ended.moved[each.winner])
            hash = self.state.hash
            now.profiles[hash] = now.profiles.get(hash, 0) + 1

    def told(self) -> ToldStanding:
        scores = by_person(self.state.scores, self.state.people)
        stretches = tuple(
            each for each in self.stretches if each.session or each.hands or any(each.points)
        )
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


BEST = 12  # hands that a page shows
PICTURED = 3  # of them, that the club wants pictures of
GREAT = 10  # of so many hands won in a session the dearest one is great


@dataclass(frozen=True, slots=True)
class StoredLog:
    """A log that counts."""

    id: int
    table: int
    name: str
    have: int
    told: ToldStanding
    fault: Words  # what is wrong with its entries; nothing where all is well


# In which log; and whom each person's points count for, who may have been replaced.
At = tuple[StoredLog, PlayedStretch, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that somebody played."""

    table: str
    session: int
    round: int
    points: int
    hands: int
    wins: int
    ended_t: float


@dataclass(frozen=True, slots=True)
class WonHand:
    """A hand with where it was won; `players` by person, as in `Won`."""

    log: int
    table: str
    session: int
    round: int
    players: tuple[int, int, int, int]
    won: Won

    @property
    def points(self) -> int:
        """The winner's points."""
        return self.won.moved[self.won.winner]


@dataclass(frozen=True, slots=True)
class DrawnHand:
    """A hand that nobody won, with where; `players` by person."""

    log: int
    table: str
    session: int
    round: int
    players: tuple[int, int, int, int]
    drawn: Drawn


@dataclass(frozen=True, slots=True)
class Against:
    """How often something happened, beside how often chance among equals has it."""

    count: int
    of: int  # in so many cases
    chance: float  # how often it would be expected
    spread: float  # one standard deviation of that


@dataclass(frozen=True, slots=True)
class Luck:
    """Three counts, each beside chance."""

    wins: Against  # of all wins at the player's tables a quarter falls to each of four
    # of the player's wins with the tile drawn by oneself: as often as all winners at these tables
    # had it
    own_drawn: Against
    given: Against  # of hands that others won on somebody's tile: one of three gave it


@dataclass(frozen=True, slots=True)
class Career:
    """Everything of one player."""

    # whose points count for the player, the oldest first; a stand-in may have sat there
    rounds: tuple[PlayedRound, ...]
    won: tuple[WonHand, ...]  # the hands that the player has won in person, the dearest first
    luck: Luck


def career(player: int, played: Iterable[At]) -> Career:
    """The player's share of all that was played at these tables."""
    rounds, own = list[PlayedRound](), list[WonHand]()
    every = list[tuple[int, Won]]()  # (the player's own number at the table, a hand won there)
    for log, stretch, credited in played:
        rounds += [
            PlayedRound(
                log.name, stretch.session, stretch.round, stretch.points[person], stretch.hands,
                stretch.wins[person], stretch.ended_t,
            )
            for person, other in enumerate(credited)
            if other == player
        ]  # fmt: skip
        if player not in stretch.players:
            continue
        me = stretch.players.index(player)
        every += [(me, won) for won in stretch.won]
        own += [each for each in _hands_of(log, stretch) if each.won.winner == me]
    rounds.sort(key=lambda each: (each.session, each.round))
    own.sort(key=lambda each: (-each.points, each.won.t))
    return Career(tuple(rounds), tuple(own), luck_of(every))


def won_hands(logs: Iterable[StoredLog], sessions: Collection[int]) -> list[WonHand]:
    """Every hand won in these sessions whose tiles are known."""
    return [
        each
        for log in logs
        for stretch in log.told.stretches
        if stretch.session in sessions
        for each in _hands_of(log, stretch)
        if each.won.concealed
    ]


def latest_results(logs: Iterable[StoredLog], session: int, most: int) -> list[WonHand | DrawnHand]:
    """The hands of a session that ended last, the newest first; several wins of one hand apart."""
    found: list[tuple[float, WonHand | DrawnHand]] = []
    for log in logs:
        for stretch in log.told.stretches:
            if stretch.session != session:
                continue
            found += [(each.won.t, each) for each in _hands_of(log, stretch)[-most:]]
            at = (log.id, log.name, stretch.session, stretch.round, stretch.players)
            found += [(each.t, DrawnHand(*at, each)) for each in stretch.drawn[-most:]]
    return [each for _, each in sorted(found, key=lambda one: -one[0])[:most]]


def great(hands: Iterable[WonHand]) -> list[WonHand]:
    """The dearest tenth, one at least, the dearest first."""
    dearest = sorted(hands, key=lambda each: -each.points)
    return dearest[: max(1, len(dearest) // GREAT)]


def best_of_each(hands: Iterable[WonHand]) -> list[WonHand]:
    """The dearest few of each player."""
    found: dict[int, list[WonHand]] = {}
    for each in sorted(hands, key=lambda each: -each.points):
        own = found.setdefault(each.players[each.won.winner], [])
        if len(own) < PICTURED:
            own.append(each)
    return [each for own in found.values() for each in own]


def _hands_of(log: StoredLog, stretch: PlayedStretch) -> list[WonHand]:
    return [
        WonHand(log.id, log.name, stretch.session, stretch.round, stretch.players, won)
        for won in stretch.won
    ]


def luck_of(every: Iterable[tuple[int, Won]]) -> Luck:
    """Counts of the hands that were won at somebody's tables.

    Args:
        every: who among the four it is about, and the hand.
    """
    hands = list(every)
    mine = [won for me, won in hands if won.winner == me]
    known = [won for _, won in hands if won.self_drawn is not None]
    drawn = [won for won in mine if won.self_drawn]
    share = sum(bool(won.self_drawn) for won in known) / len(known) if known else 0.0
    told = [won for won in mine if won.self_drawn is not None]
    taken = [(me, won) for me, won in hands if won.winner != me and won.giver is not None]
    given = sum(won.giver == me for me, won in taken)
    return Luck(
        _against(len(mine), len(hands), 1 / 4),
        _against(len(drawn), len(told), share),
        _against(given, len(taken), 1 / 3),
    )


def _against(count: int, of: int, share: float) -> Against:
    return Against(count, of, of * share, sqrt(of * share * (1 - share)))
