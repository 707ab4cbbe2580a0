"""Plans in which nobody meets anybody twice, for as many rounds as that can go; each is proved.

``python tools/seek_designs.py --most 100 --seconds 60`` adds to `table_assist/club/designs.json`.

Of v players (v = 4n) each can meet three new ones in r = (v - 1) // 3 rounds at most. The players
are three rings of r, and f = v - 3r beside them (1, 2 or 3). One round is sought; the others follow
when all rings turn by one. Two meet again in some round exactly if two pairs of the one round are
as far apart in the same rings. Such plans are resolvable designs: of pairs for f = 1 (R. C. Bose,
"On the construction of balanced incomplete block designs", 1939), with groups of f otherwise.

The search is for a round that looks the same when the rings change places (ring i to ring i + 1,
places times m, m³ = 1): then a third of its tables says all. For f = 1 it looks the same, too, when
all places change their signs.
"""

import argparse
import json
import time
from collections.abc import Sequence
from itertools import combinations
from math import exp
from pathlib import Path
from random import Random

from table_assist.club.designs import FILE, met_twice, turned

LEAST = 16
HOT, COLD = 1.2, 0.15


class Search:
    """Of one number of players, with one multiplier.

    A place y stands for the three players (y, m·y, m²·y) of the three rings.
    """

    def __init__(self, players: int, times: int, random: Random) -> None:
        self.ring = (players - 1) // 3
        self.beside = players - 3 * self.ring
        self.times, self.random = times, random
        self.back = [pow(times, (3 - i) % 3, self.ring) for i in range(3)]
        self.places = list(range(self.ring))
        random.shuffle(self.places)
        self.rings = [random.randrange(3) for _ in self.places]
        singles = self.beside if self.beside < 3 else 0
        first = 3 if self.beside == 3 else 0
        self.singles = range(singles)
        self.tables = [range(singles, singles + first)] if first else []
        at = singles + first
        self.tables += [range(n, n + 4) for n in range(at, self.ring, 4)]
        self.table_of = {n: t for t, table in enumerate(self.tables) for n in table}
        half, whole = self.ring // 2 + 1, self.ring
        self.counts = [0] * (half + whole + 3)
        if self.ring % 2 == 0:
            self.counts[self.ring // 2] = 1  # half a ring apart: they meet again half a turn later
        self.cost = 0
        for t in range(len(self.tables)):
            self._count(t, 1)
        for n in self.singles:
            self._add(self._single(n), 1)

    def _key(self, a: int, b: int) -> int:
        """What two places at a table have in common with others that meet when these do."""
        i, j = self.rings[a], self.rings[b]
        if i == j:
            apart = (self.places[b] - self.places[a]) % self.ring
            return min(apart, self.ring - apart)
        if (i + 1) % 3 != j:
            a, b, i, j = b, a, j, i
        apart = self.places[b] * self.times - self.places[a]
        return self.ring // 2 + 1 + apart % self.ring

    def _single(self, n: int) -> int:
        return self.ring // 2 + 1 + (self.places[n] * (self.times - 1)) % self.ring

    def _add(self, key: int, by: int) -> None:
        count = self.counts[key]
        self.cost += count if by > 0 else -(count - 1)
        self.counts[key] = count + by

    def _count(self, table: int, by: int) -> None:
        places = self.tables[table]
        for a, b in combinations(places, 2):
            self._add(self._key(a, b), by)
        if len(places) == 3:  # with one of those beside the rings: each ring once
            for n in places:
                self._add(len(self.counts) - 3 + self.rings[n], by)

    def run(self, until: float) -> bool:
        """Whether a round was found."""
        random, steps, size = self.random, 0, self.ring
        rounds = 400 * size * size
        while self.cost:
            heat = HOT * (COLD / HOT) ** (steps % rounds / rounds)
            steps += 1
            if steps % 256 == 0 and time.monotonic() > until:
                return False
            n, other = random.randrange(size), random.randrange(size)
            before = self.cost
            turn = random.randrange(3) if n == other or random.random() < 0.3 else -1
            self._move(n, other, turn)
            if self.cost > before and random.random() > exp((before - self.cost) / heat):
                self._move(n, other, -turn if turn > 0 else turn)
        return True

    def _move(self, n: int, other: int, turn: int) -> None:
        touched = {self.table_of.get(each, -1 - each) for each in (n, other)}
        self._recount(touched, -1)
        if turn == -1:
            self.places[n], self.places[other] = self.places[other], self.places[n]
        else:
            self.rings[n] = (self.rings[n] + turn) % 3
        self._recount(touched, 1)

    def _recount(self, touched: set[int], by: int) -> None:
        for each in touched:
            if each >= 0:
                self._count(each, by)
            else:
                self._add(self._single(-1 - each), by)

    @property
    def round(self) -> list[list[int]]:
        """The tables; a player is ring · r + place."""
        found = []
        for n in self.singles:
            trio = [self._player(n, turn, free=True) for turn in range(3)]
            found.append([3 * self.ring + n, *trio])
        for places in self.tables:
            for turn in range(3):
                table = [self._player(n, turn) for n in places]
                if len(table) == 3:
                    table.insert(0, 3 * self.ring + turn)
                found.append(table)
        return found

    def _player(self, n: int, turn: int, *, free: bool = False) -> int:
        ring = (turn + (0 if free else self.rings[n])) % 3
        place = self.places[n] * pow(self.times, ring, self.ring)
        return ring * self.ring + place % self.ring


def paired(ring: int) -> list[tuple[int, int]] | None:
    """All places but 0, up to their sign, as pairs whose sums and differences are all of them, too.

    For (a, b) four sit together: a and -a of a ring, b and -b of the next.
    """
    free, missing = set(range(1, ring // 2 + 1)), set(range(1, ring // 2 + 1))
    pairs: list[tuple[int, int]] = []

    def go_on() -> bool:
        if not free:
            return True
        a = max(free)
        for b in sorted(free - {a}):
            two = {min(n % ring, -n % ring) for n in (a + b, a - b)}
            if len(two) == 2 and two <= missing:
                pairs.append((a, b))
                free.difference_update((a, b))
                missing.difference_update(two)
                if go_on():
                    return True
                free.update((a, b))
                missing.update(two)
                pairs.pop()
        return False

    return pairs if go_on() else None


def of_pairs(ring: int, pairs: list[tuple[int, int]]) -> list[list[int]]:
    """The round that pairs make; with them the one beside the rings sits with all places 0."""
    tables = [[3 * ring, 0, ring, 2 * ring]]
    for i in range(3):
        first, next = i * ring, (i + 1) % 3 * ring
        tables += [[first + a, first + ring - a, next + b, next + ring - b] for a, b in pairs]
    return tables


def found(players: int, seconds: float, seed: int) -> list[list[int]] | None:
    """A round from which all follow; None where none was found in the time."""
    ring, random = (players - 1) // 3, Random(f"{seed} {players}")
    if players == 3 * ring + 1 and (pairs := paired(ring)) is not None:
        round = of_pairs(ring, pairs)
        if not met_twice(turned(players, round)):
            return round
    multipliers = [m for m in range(1, ring) if pow(m, 3, ring) == 1]
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for times in multipliers:
            search = Search(players, times, random)
            share = min(until, time.monotonic() + max(1.0, seconds / 8))
            if search.run(share) and not met_twice(turned(players, search.round)):
                return search.round
    return None


def main(arguments: Sequence[str] | None = None) -> None:
    """Seek, prove, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=FILE)
    options = parser.parse_args(arguments)
    known = json.loads(options.out.read_text()) if options.out.exists() else {}
    for players in range(LEAST, options.most + 1, 4):
        if str(players) in known:
            continue
        begun = time.monotonic()
        round = found(players, options.seconds, options.seed)
        said = "none found" if round is None else f"{(players - 1) // 3} rounds"
        print(f"{players} players: {said}, {time.monotonic() - begun:.0f} s", flush=True)
        if round is not None:
            known[str(players)] = round
            lines = [f'"{key}": {json.dumps(value)}' for key, value in known.items()]
            options.out.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
