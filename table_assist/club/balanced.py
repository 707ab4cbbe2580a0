"""Balanced plans: everybody meets everybody as evenly as a search finds within its time."""

import time
from collections.abc import Iterator, Sequence
from itertools import permutations
from math import exp
from random import Random

from table_assist.club.designs import designed, most_rounds
from table_assist.club.seating import MOST_ROUNDS, refuse_odd
from table_assist.club.winds import Plan, in_winds

LOOK = 512  # steps between two looks at the clock
COLD, WARM = 1.0, 6.0
# The cost of one more meeting of two: squares, and a little more where it is the third.
_MORE = [4 * (2 * n + 1) + n * (n - 1) // 2 for n in range(MOST_ROUNDS)]


def balanced(players: Sequence[int], rounds: int, seed: str, seconds: float = 10.0) -> Plan:
    """Everybody meets everybody as evenly as can be found, and winds are even.

    Where a plan is known in which nobody meets anybody twice, it is that one, with the players
    drawn into it; after its last round it comes again, drawn anew. The rest is a search: swaps of
    two players within a round, kept when fewer meet again, or sometimes when not (simulated
    annealing); then the order at each table. It ends when nothing can be better, or the time is
    over.

    Raises:
        SeatingError: it cannot be made.
    """
    refuse_odd(players, rounds)
    search = _Search(players, rounds, Random(seed))
    search.run(time.monotonic() + seconds)
    return in_winds(search.rounds)


class _Search:
    """The annealing, from known rounds on.

    `met` counts how often each two meet; each pair costs by `_MORE`.
    """

    def __init__(self, players: Sequence[int], rounds: int, random: Random) -> None:
        self.random = random
        self.count = len(players)
        self.names = list(players)
        self.met = [[0] * self.count for _ in range(self.count)]
        self.seats: list[list[int]] = []
        self.seats += self._known(rounds)
        while len(self.seats) < rounds:
            self.seats.append(self._greedy())
        self.best, self.best_cost = [row[:] for row in self.seats], self._cost()
        total = 6 * rounds * self.count // 4
        pairs = self.count * (self.count - 1) // 2
        often, rest = divmod(total, pairs)
        self.least = pairs * sum(_MORE[:often]) + rest * _MORE[often]

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
        is_whole = len(known) == most_rounds(self.count)
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

    def _greedy(self) -> list[int]:
        """A round in which few meet again."""
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
        return row

    def _cost(self) -> int:
        return sum(sum(_MORE[:n]) for row in self.met for n in row) // 2

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
            delta = self._delta(row, one, other)
            if delta <= 0 or random.random() < exp(-delta / heat):
                self._swap(row, one, other)
                cost += delta
                if cost < self.best_cost:
                    self.best_cost, self.best = cost, [each[:] for each in self.seats]

    def _delta(self, row: list[int], one: int, other: int) -> int:
        a, b = row[one], row[other]
        of_a, of_b = self.met[a], self.met[b]
        delta = 0
        for at, others_of, new in ((one, of_a, of_b), (other, of_b, of_a)):
            first = at - at % 4
            for place in range(first, first + 4):
                if place != at:
                    player = row[place]
                    delta += _MORE[new[player]] - _MORE[others_of[player] - 1]
        return delta

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
