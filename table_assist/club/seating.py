"""Seating in each round: drawn, prescribed, by rank, or balanced; and the defects of a plan.

A plan is a list of rounds, a round a list of tables, a table four players in the order of the
winds, East first. Every plan is measured in the same way before anybody accepts it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from table_assist.club.winds import Plan, Round, best_order
from table_assist.languages.words import WordsError

LEAST, MOST, MOST_ROUNDS = 4, 400, 40


class SeatingError(WordsError):
    """A draw cannot be made; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Defects:
    """The defects of a plan, counted; a smaller number is better everywhere.

    Attributes:
        again: meetings of two players beyond their first.
        least_again: how many of them no plan of this size can avoid.
        most: how often two players meet at the most.
        winds: over all players, how much oftener each sits in the wind where it sits most often
            than in that where it sits least often, beyond what must be.
        places: how often players come back to a table number.
    """

    again: int
    least_again: int
    most: int
    winds: int
    places: int


def why_not(players: Sequence[int], rounds: int) -> SeatingError | None:
    """Why no draw can be made; None where one can."""
    count = len(players)
    if len(set(players)) != count:
        twice = sorted(player for player, n in Counter(players).items() if n > 1)
        return SeatingError("players {twice} stand there twice", "选手 {twice} 重复", twice=twice)
    if not LEAST <= count <= MOST:
        return SeatingError(
            "it takes {least} to {most} players, not {count}",
            "须为 {least} 至 {most} 人，而不是 {count} 人",
            least=LEAST,
            most=MOST,
            count=count,
        )
    if count % 4:
        return SeatingError(
            "{count} players do not fill tables of four: {count_2} are missing",
            "{count} 人无法坐满四人桌：还缺 {count_2} 人",
            count=count,
            count_2=4 - count % 4,
        )
    if not 1 <= rounds <= MOST_ROUNDS:
        return SeatingError(
            "there are 1 to {most_rounds} rounds, not {rounds}",
            "轮数须为 1 至 {most_rounds}，而不是 {rounds}",
            most_rounds=MOST_ROUNDS,
            rounds=rounds,
        )
    return None


def defects(plan: Plan) -> Defects:
    """Count them."""
    met: Counter[tuple[int, int]] = Counter()
    winds: Counter[tuple[int, int]] = Counter()
    places: Counter[tuple[int, int]] = Counter()
    players: set[int] = set()
    for each in plan:
        for place, table in enumerate(each):
            players.update(table)
            met.update((min(pair), max(pair)) for pair in combinations(table, 2))
            winds.update((player, wind) for wind, player in enumerate(table))
            places.update((player, place) for player in table)
    pairs = len(players) * (len(players) - 1) // 2
    uneven = 1 if len(plan) % 4 else 0
    return Defects(
        again=sum(n - 1 for n in met.values()),
        least_again=max(0, sum(met.values()) - pairs),
        most=max(met.values(), default=0),
        winds=sum(
            max(counts) - min(counts) - uneven
            for counts in ([winds[player, wind] for wind in range(4)] for player in players)
            if max(counts) - min(counts) > uneven
        ),
        places=sum(n - 1 for n in places.values()),
    )


# -- ways to draw ----------------------------------------------------------------------------------


def drawn(players: Sequence[int], rounds: int, seed: str) -> Plan:
    """By lot.

    Raises:
        SeatingError: it cannot be made.
    """
    refuse_odd(players, rounds)
    random, plan = Random(seed), []
    for _ in range(rounds):
        order = list(players)
        random.shuffle(order)
        plan.append(_fours(order))
    return tuple(plan)


def by_interval(ranked: Sequence[int]) -> Round:
    """One round from a ranking: with n tables, first, n+1st, 2n+1st and 3n+1st sit together.

    >>> by_interval([1, 2, 3, 4, 5, 6, 7, 8])
    ((1, 3, 5, 7), (2, 4, 6, 8))

    Raises:
        SeatingError: it cannot be made.
    """
    refuse_odd(ranked, 1)
    count = len(ranked) // 4
    return tuple(
        (ranked[n], ranked[n + count], ranked[n + 2 * count], ranked[n + 3 * count])
        for n in range(count)
    )


def by_swiss(ranked: Sequence[int], before: Plan) -> Round:
    """One round from a ranking: neighbours sit together, as far as they have not met.

    From the top, each table takes the first player left, then those next in rank who have met the
    fewest at it. Who has not sat in a wind yet sits in it now.

    Raises:
        SeatingError: it cannot be made.
    """
    refuse_odd(ranked, 1)
    met = _meetings(before)
    left, tables = list(ranked), list[list[int]]()
    while left:
        table = [left.pop(0)]
        while len(table) < 4:
            best = min(
                range(len(left)),
                key=lambda n: (sum(met[_pair(left[n], other)] for other in table), n),
            )
            table.append(left.pop(best))
        tables.append(table)
    return tuple(best_order(table, before) for table in tables)


def sitting_out(players: Sequence[int], before: Plan, seed: str) -> list[int]:
    """The players who sit out in the next round, so that tables of four are full: the most seated.

    >>> sitting_out([1, 2, 3, 4, 5], (((1, 2, 3, 4),),), "") in ([1], [2], [3], [4])
    True
    """
    sat = Counter(player for each in before for table in each for player in table)
    order = list(players)
    Random(seed).shuffle(order)
    order.sort(key=lambda player: -sat[player])
    return order[: len(order) % 4]


def prescribed(tables: Iterable[Sequence[int]], players: Sequence[int]) -> Round:
    """A round as somebody has written it down.

    Raises:
        SeatingError: not every player sits once.
    """
    rows = [tuple(table) for table in tables]
    seated = Counter(player for row in rows for player in row)
    if any(len(row) != 4 for row in rows) or seated != Counter(players):
        odd = sorted(seated.keys() ^ set(players)) or sorted(p for p, n in seated.items() if n > 1)
        raise SeatingError(
            "every player sits once at a table of four; look at {odd}",
            "每名选手须在四人桌各坐一次；请检查 {odd}",
            odd=odd,
        )
    return tuple((row[0], row[1], row[2], row[3]) for row in rows)


def _meetings(plan: Plan) -> Counter[tuple[int, int]]:
    return Counter(
        _pair(a, b) for each in plan for table in each for a, b in combinations(table, 2)
    )


def _pair(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


def _fours(order: Sequence[int]) -> Round:
    return tuple(
        (order[at], order[at + 1], order[at + 2], order[at + 3]) for at in range(0, len(order), 4)
    )


def refuse_odd(players: Sequence[int], rounds: int) -> None:
    """Go on only if a draw can be made.

    Raises:
        SeatingError: it cannot.
    """
    why = why_not(players, rounds)
    if why is not None:
        raise why
