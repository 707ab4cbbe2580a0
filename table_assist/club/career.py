"""A player's record in a club: rounds, won hands, luck; made of the logs."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Protocol

from table_assist.club.standing import PlayedStretch, ToldStanding
from table_assist.club.won import Drawn, Won

BEST = 12  # hands that a page shows
PICTURED = 3  # of them, that the club wants pictures of
GREAT = 10  # of so many hands won in a session the dearest one is great


class CareerLog(Protocol):
    """A table's log that counts."""

    @property
    def id(self) -> int:
        """Its number."""
        ...

    @property
    def name(self) -> str:
        """The table's."""
        ...

    @property
    def told(self) -> ToldStanding:
        """The message of it."""
        ...


# In which log; and whom each person's points count for, who may have been replaced.
At = tuple[CareerLog, PlayedStretch, tuple[int, ...]]


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
    """How often something happened, beside how often chance among equals has it.

    Attributes:
        of: in so many cases.
        chance: how often it would be expected.
        spread: one standard deviation of that.
    """

    count: int
    of: int
    chance: float
    spread: float


@dataclass(frozen=True, slots=True)
class Luck:
    """Three counts, each beside chance.

    Attributes:
        wins: of all wins at the player's tables a quarter falls to each of four.
        own_drawn: of the player's wins with the tile drawn by oneself: as often as all winners at
            these tables had it.
        given: of hands that others won on somebody's tile: one of three gave it.
    """

    wins: Against
    own_drawn: Against
    given: Against


@dataclass(frozen=True, slots=True)
class Career:
    """Everything of one player.

    Attributes:
        rounds: whose points count for the player, the oldest first; a stand-in may have sat there.
        won: the hands that the player has won in person, the dearest first.
    """

    rounds: tuple[PlayedRound, ...]
    won: tuple[WonHand, ...]
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
        own += [each for each in _of(log, stretch) if each.won.winner == me]
    rounds.sort(key=lambda each: (each.session, each.round))
    own.sort(key=lambda each: (-each.points, each.won.t))
    return Career(tuple(rounds), tuple(own), luck_of(every))


def won_hands(logs: Iterable[CareerLog], sessions: Collection[int]) -> list[WonHand]:
    """Every hand won in these sessions whose tiles are known."""
    return [
        each
        for log in logs
        for stretch in log.told.stretches
        if stretch.session in sessions
        for each in _of(log, stretch)
        if each.won.concealed
    ]


def latest_results(logs: Iterable[CareerLog], session: int, most: int) -> list[WonHand | DrawnHand]:
    """The hands of a session that ended last, the newest first; several wins of one hand apart."""
    found: list[tuple[float, WonHand | DrawnHand]] = []
    for log in logs:
        for stretch in log.told.stretches:
            if stretch.session != session:
                continue
            found += [(each.won.t, each) for each in _of(log, stretch)[-most:]]
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


def _of(log: CareerLog, stretch: PlayedStretch) -> list[WonHand]:
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
