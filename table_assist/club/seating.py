"""Seating in each round: drawn, prescribed, by rank, or balanced; and the defects of a plan.

A plan is a list of rounds, a round a list of tables, a table four players in the order of the
winds, East first. Every plan is measured in the same way before anybody accepts it.
"""

import csv
import io
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from math import exp
from pathlib import Path
from random import Random

from table_assist.languages.words import WordsError

# Known plans in which nobody meets anybody twice.
#
# Of each number of players one round is kept, found as an exact cover. The
# players are three rings of r and a few beside them; every turn of the rings by one place is
# another round, r of them. That is as many rounds as can be.
#
# For 20, 32, 68 and 92 no such plan is kept: for 20 there is none, of 68 and 92 none is known to
# us. Four groups of n play n rounds, one of each group at a table: a transversal design, or three
# orthogonal Latin squares (R. C. Bose, "On the application of the properties of Galois fields to
# the problem of construction of hyper-Graeco-Latin squares", 1938), where n is a prime or 8.
# Groups of 8 play one more round alone.

DESIGNS_FILE = Path(__file__).with_name("designs.json")
Tables = list[list[int]]


def turned(players: int, round: Sequence[Sequence[int]]) -> list[Tables]:
    """All rounds that follow from one.

    >>> turned(4, [[3, 0, 1, 2]])
    [[[3, 0, 1, 2]]]
    """
    ring = (players - 1) // 3
    return [
        [[_after(player, ring, turns) for player in table] for table in round]
        for turns in range(ring)
    ]


def designed(players: int) -> list[Tables]:
    """The rounds that are known for so many players, numbered from 0; none where none are."""
    round = _kept().get(players)
    return crossed(players) if round is None else turned(players, round)


def crossed(players: int) -> list[Tables]:
    """Four groups across each other, then each alone; none where that is not known.

    >>> [len(crossed(players)) for players in (20, 24, 32, 44)]
    [5, 0, 9, 11]
    """
    size, rest = divmod(players, 4)
    is_prime = all(size % each for each in range(2, int(size**0.5) + 1))
    if rest or not (size == EIGHT or is_prime) or size < 5:
        return []
    across = [
        [[group * size + _moved(place, group, turn, size) for group in range(4)]
         for place in range(size)]
        for turn in range(size)
    ]  # fmt: skip
    alone = [[list(range(at, at + 4)) for at in range(0, players, 4)]] if size == EIGHT else []
    return across + alone


EIGHT, _BY = 8, 0b1011  # the field of 8 elements: polynomials over two, and by what is divided


def _moved(place: int, group: int, turn: int, size: int) -> int:
    """Place + group · turn in the field of so many elements."""
    if size != EIGHT:
        return (place + group * turn) % size
    product = (turn if group & 1 else 0) ^ (turn << 1 if group & 2 else 0)
    return place ^ (product ^ _BY if product >= size else product)


@cache
def _kept() -> dict[int, Tables]:
    return {
        int(players): round
        for players, round in json.loads(DESIGNS_FILE.read_text("utf-8")).items()
    }


def _after(player: int, ring: int, turns: int) -> int:
    if player >= 3 * ring:
        return player  # beside the rings
    return player // ring * ring + (player % ring + turns) % ring


Table = tuple[int, int, int, int]  # players, East first
Round = tuple[Table, ...]
Plan = tuple[Round, ...]
Vertex = tuple[int, ...]


def _colour(at: dict[Vertex, list[Vertex | None]], player: Vertex, table: Vertex) -> None:
    """Give the edge between them a colour that both have free, after a change if need be."""
    mine, its = at.setdefault(player, [None] * 4), at.setdefault(table, [None] * 4)
    free, other = mine.index(None), its.index(None)
    if its[free] is not None:
        path, end, colour = [table], its[free], other
        while end is not None:  # colours `free` and `other` by turns, away from the table
            path.append(end)
            end, colour = at[end][colour], free if colour == other else other
        for vertex in path:
            at[vertex][free], at[vertex][other] = at[vertex][other], at[vertex][free]
    mine[free], its[free] = table, player


def _places(plan: list[list[Table]]) -> Plan:
    """The same tables under numbers by which players move: two change theirs while that helps."""
    at = Counter((p, n) for each in plan for n, table in enumerate(each) for p in table)

    def delta(one: Table, n: int, other: Table, m: int) -> int:
        return sum(at[p, m] - at[p, n] + 1 for p in one) + sum(
            at[p, n] - at[p, m] + 1 for p in other
        )

    for each in [*plan, *plan]:
        for n, m in combinations(range(len(each)), 2):
            one, other = each[n], each[m]
            if delta(one, n, other, m) < 0:
                each[n], each[m] = other, one
                for move, old, new in ((one, n, m), (other, m, n)):
                    at.update({(p, new): 1 for p in move})
                    at.subtract({(p, old): 1 for p in move})
    return tuple(tuple(each) for each in plan)


def best_order(table: Sequence[int], before: Plan) -> Table:
    """Of the 24 orders that which evens the winds most."""
    sat = Counter(
        (player, wind) for each in before for row in each for wind, player in enumerate(row)
    )
    a, b, c, d = min(
        permutations(table),
        key=lambda order: sum(2 * sat[player, wind] + 1 for wind, player in enumerate(order)),
    )
    return a, b, c, d


LEAST_SEATED, MOST_SEATED, MOST_ROUNDS = 4, 400, 40


class SeatingError(WordsError):
    """A draw cannot be made; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Defects:
    """The defects of a plan, counted; a smaller number is better everywhere."""

    again: int  # meetings of two players beyond their first
    least_again: int  # how many of them no plan of this size can avoid
    most: int  # how often two players meet at the most
    # over all players, how much oftener each sits in the wind where it sits most often than in that
    # where it sits least often, beyond what must be
    winds: int
    places: int  # how often players come back to a table number


def refuse_odd(players: Sequence[int], rounds: int) -> None:
    """Go on only if a draw can be made."""
    count = len(players)
    if len(set(players)) != count:
        twice = sorted(player for player, n in Counter(players).items() if n > 1)
        raise SeatingError("players {twice} stand there twice", "选手 {twice} 重复", twice=twice)
    if not LEAST_SEATED <= count <= MOST_SEATED:
        raise SeatingError.told("players", least=LEAST_SEATED, most=MOST_SEATED, count=count)
    if count % 4:
        raise SeatingError.told("not_of_four", count=count, count_2=4 - count % 4)
    if not 1 <= rounds <= MOST_ROUNDS:
        raise SeatingError.told("rounds", most_rounds=MOST_ROUNDS, rounds=rounds)


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
    """By lot."""
    refuse_odd(players, rounds)
    random, plan = Random(seed), []
    for _ in range(rounds):
        order = list(players)
        random.shuffle(order)
        fours = zip(*(order[wind::4] for wind in range(4)), strict=True)
        plan.append(tuple((a, b, c, d) for a, b, c, d in fours))
    return tuple(plan)


def by_interval(ranked: Sequence[int]) -> Round:
    """One round from a ranking: with n tables, first, n+1st, 2n+1st and 3n+1st sit together.

    >>> by_interval([1, 2, 3, 4, 5, 6, 7, 8])
    ((1, 3, 5, 7), (2, 4, 6, 8))
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
    """
    refuse_odd(ranked, 1)
    met = Counter(pair for each in before for table in each for pair in permutations(table, 2))
    left, tables = list(ranked), list[list[int]]()
    while left:
        table = [left.pop(0)]
        while len(table) < 4:
            best = min(
                range(len(left)),
                key=lambda n: (sum(met[left[n], other] for other in table), n),
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
    """A round as somebody has written it down."""
    rows = [tuple(table) for table in tables]
    seated = Counter(player for row in rows for player in row)
    if any(len(row) != 4 for row in rows) or seated != Counter(players):
        odd = sorted(seated.keys() ^ set(players)) or sorted(p for p, n in seated.items() if n > 1)
        raise SeatingError.told("not_once", odd=odd)
    return tuple((row[0], row[1], row[2], row[3]) for row in rows)


LOOK = 512  # steps between two looks at the clock
COLD, WARM = 1.0, 6.0
# The cost of one more meeting of two: squares, and a little more where it is the third.
_MEETING_COST = [4 * (2 * n + 1) + n * (n - 1) // 2 for n in range(MOST_ROUNDS)]


def balanced(players: Sequence[int], rounds: int, seed: str, seconds: float = 10.0) -> Plan:
    """Everybody meets everybody as evenly as can be found, and winds are even.

    Where a plan is known in which nobody meets anybody twice, it is that one, with the players
    drawn into it; after its last round it comes again, drawn anew. The rest is a search: swaps of
    two players within a round, kept when fewer meet again, or sometimes when not (simulated
    annealing); then the order at each table. It ends when nothing can be better, or the time is
    over.
    """
    refuse_odd(players, rounds)
    search = _Search(players, rounds, Random(seed))
    search.run(time.monotonic() + seconds)
    # The same tables, in an order by which everybody sits in each wind equally often
    at: dict[Vertex, list[Vertex | None]] = {}
    for n, each in enumerate(search.rounds):
        for place, table in enumerate(each):
            for player in table:
                _colour(at, (player, n // 4), (n, place, -1))
    plan = []
    for n, each in enumerate(search.rounds):
        tables = []
        for place in range(len(each)):
            a, b, c, d = (found[0] if found else 0 for found in at[n, place, -1])
            tables.append((a, b, c, d))
        plan.append(tables)
    return _places(plan)


class _Search:
    """The annealing, from known rounds on.

    `met` counts how often each two meet; each pair costs by `_MEETING_COST`.
    """

    def __init__(self, players: Sequence[int], rounds: int, random: Random) -> None:
        self.random = random
        self.count = len(players)
        self.names = list(players)
        self.met = [[0] * self.count for _ in range(self.count)]
        self.seats: list[list[int]] = []
        self.seats += self._known(rounds)
        while len(self.seats) < rounds:
            # A round in which few meet again
            left = list(range(self.count))
            self.random.shuffle(left)
            row: list[int] = []
            while left:
                table = [left.pop()]
                while len(table) < 4:
                    tried = left if len(left) < 40 else left[-40:]
                    offset = len(left) - len(tried)
                    best = min(
                        range(len(tried)),
                        key=lambda n: sum(self.met[tried[n]][other] for other in table),
                    )
                    table.append(left.pop(offset + best))
                row += self._counted(table)
            self.seats.append(row)
        self.best = [row[:] for row in self.seats]
        self.best_cost = sum(sum(_MEETING_COST[:n]) for row in self.met for n in row) // 2
        total = 6 * rounds * self.count // 4
        pairs = self.count * (self.count - 1) // 2
        often, rest = divmod(total, pairs)
        self.least = pairs * sum(_MEETING_COST[:often]) + rest * _MEETING_COST[often]

    @property
    def rounds(self) -> list[list[list[int]]]:
        """The best found."""
        return [
            [[self.names[n] for n in row[at : at + 4]] for at in range(0, self.count, 4)]
            for row in self.best
        ]

    def _known(self, rounds: int) -> Iterator[list[int]]:
        """Rounds in which nobody meets anybody twice, as far as they are known.

        Where they are all that can be, they come again; else the search seats the others.
        """
        known = designed(self.count)
        is_whole = len(known) == (self.count - 1) // 3  # in more, somebody meets somebody again
        if is_whole or rounds < len(known):
            self.random.shuffle(known)
        for n in range(rounds if is_whole else min(rounds, len(known))):
            if n % len(known) == 0:
                names = self.random.sample(range(self.count), self.count)
            tables = [[names[player] for player in table] for table in known[n % len(known)]]
            yield [player for table in tables for player in self._counted(table)]

    def _counted(self, table: list[int]) -> list[int]:
        """The same table; its players have met."""
        for a, b in permutations(table, 2):
            self.met[a][b] += 1
        return table

    def run(self, until: float) -> None:
        """Swap until nothing can be better, or the time is over."""
        cost, heat, random = self.best_cost, WARM, self.random
        step = 0
        while cost > self.least:
            step += 1
            if step % LOOK == 0:
                if time.monotonic() > until:
                    return
                heat = max(COLD, heat * 0.995) if random.random() > 0.0005 else WARM
            row = self.seats[random.randrange(len(self.seats))]
            one, other = random.randrange(self.count), random.randrange(self.count)
            if one // 4 == other // 4:
                continue
            a, b = row[one], row[other]
            of_a, of_b = self.met[a], self.met[b]
            delta = 0
            for at, others_of, new in ((one, of_a, of_b), (other, of_b, of_a)):
                first = at - at % 4
                for place in range(first, first + 4):
                    if place != at:
                        player = row[place]
                        delta += _MEETING_COST[new[player]] - _MEETING_COST[others_of[player] - 1]
            if delta <= 0 or random.random() < exp(-delta / heat):
                self._swap(row, one, other)
                cost += delta
                if cost < self.best_cost:
                    self.best_cost, self.best = cost, [each[:] for each in self.seats]

    def _swap(self, row: list[int], one: int, other: int) -> None:
        a, b = row[one], row[other]
        for at, old, new in ((one, a, b), (other, b, a)):
            first = at - at % 4
            for place in range(first, first + 4):
                if place != at:
                    player = row[place]
                    self.met[old][player] -= 1
                    self.met[player][old] -= 1
                    self.met[new][player] += 1
                    self.met[player][new] += 1
        row[one], row[other] = b, a


MOST_ROUND = 999
WIND_COLUMNS = ("east", "south", "west", "north")
_SEATING_HEADERS = {
    "round": "round", "轮": "round", "轮次": "round", "east": "east", "东": "east",
    "south": "south", "南": "south", "west": "west", "西": "west", "north": "north", "北": "north",
}  # fmt: skip


def read_plan(text: str, players: Mapping[str, int]) -> tuple[int, Plan]:
    r"""The first round, and the rounds of a CSV file with a header; tables stand in their order.

    >>> read_plan("round,east,south,west,north\n2,a,b,c,d\n", {"a": 1, "b": 2, "c": 3, "d": 4})
    (2, (((1, 2, 3, 4),),))

    Args:
        players: the players' own numbers, by what stands in the file.
    """
    rows = list(csv.reader(io.StringIO(text.lstrip("\ufeff"), newline="")))
    header = [_SEATING_HEADERS.get(each.strip().lower(), "") for each in (rows[0] if rows else [])]
    if not {"round", *WIND_COLUMNS} <= set(header):
        raise SeatingError.told("columns")
    found: dict[int, list[Table]] = {}
    seen: dict[tuple[int, int], int] = {}
    for place, row in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in row):
            continue
        cells = dict(zip(header, (cell.strip() for cell in row), strict=False))
        said = cells.get("round", "")
        if not said.isascii() or not said.isdigit() or not 1 <= int(said[:4]) <= MOST_ROUND:
            raise SeatingError.told("no_round", place=place, text=f"{said[:20]!r}", most=MOST_ROUND)
        number = int(said)
        a, b, c, d = (_player(cells.get(wind, ""), players, place) for wind in WIND_COLUMNS)
        for player in (a, b, c, d):
            before = seen.setdefault((number, player), place)
            if before != place or (a, b, c, d).count(player) > 1:
                who = next(name for name, each in players.items() if each == player)
                raise SeatingError.told(
                    "sits_twice", place=place, who=who, number=number, before=before
                )
        found.setdefault(number, []).append((a, b, c, d))
    if not found:
        raise SeatingError("the plan has no line", "座位表没有内容")
    first, last = min(found), max(found)
    missing = [number for number in range(first, last + 1) if number not in found]
    if missing:
        raise SeatingError("round {missing} is missing", "缺少第 {missing} 轮", missing=missing[0])
    return first, tuple(tuple(found[number]) for number in range(first, last + 1))


def _player(text: str, players: Mapping[str, int], place: int) -> int:
    if text not in players:
        raise SeatingError.told("nobody", place=place, text=f"{text[:40]!r}")
    return players[text]
