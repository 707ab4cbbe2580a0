"""Plans in which nobody meets anybody twice, for as many rounds as that can go; each is proved.

``python tools/seek_designs.py --most 100 --seconds 200`` adds to `table_assist/club/designs.json`;
``--prove`` seeks nothing, and proves those that are there.

Of v players (v = 4n) each can meet three new ones in r = (v - 1) // 3 rounds at most. The players
are three rings of r, and f = v - 3r beside them (1, 2 or 3). One round is sought; the others follow
when all rings turn by one. Two meet again in some round exactly if two pairs of the one round are
as far apart in the same rings. Such plans are resolvable designs: of pairs for f = 1 (R. C. Bose,
"On the construction of balanced incomplete block designs", 1939), with groups of f otherwise.

The round looks the same when the rings change places (ring i to ring i + 1, places times m,
m³ = 1): then a third of its tables says all, and a place y stands for the players (0, y), (1, m·y)
and (2, m²·y). What is left is an exact cover (D. E. Knuth, "Dancing links", 2000): each place sits
once, no distance comes twice.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from table_assist.club.seating import FILE, met_twice, most_rounds, turned  # noqa: E402

LEAST = 16
WORD = 1 << 64  # what may be there once, of one choice: bits of two such words
Spot = tuple[int, int]  # ring, place
Rows = npt.NDArray[np.uint64]  # [two words, choice]
Chosen = npt.NDArray[np.intp]


class TimeIsUpError(Exception):
    """Nothing was found in the time."""


@dataclass(slots=True)
class Sought:
    """A round of one number of players, with one multiplier.

    Attributes:
        bits: of each choice: the places that sit, then the distances that are there.
        choices: the spots of each; three where they sit with one beside the rings.
    """

    players: int
    times: int
    bits: list[int] = field(default_factory=list)
    choices: list[tuple[Spot, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._take(self._singles() if self.beside < 3 else self._trios())
        self._take(self._fours())

    @property
    def ring(self) -> int:
        """Places of a ring."""
        return most_rounds(self.players)

    @property
    def beside(self) -> int:
        """Players beside the rings."""
        return self.players - 3 * self.ring

    def _take(self, choices: Iterable[tuple[Spot, ...]]) -> None:
        for spots in choices:
            items = {self.ring + each for each in self._apart(spots)}
            meet = 1 if len(spots) == 1 else len(spots) * (len(spots) - 1) // 2
            if len(items) == meet and self.ring - 1 not in items:
                items |= {place for _, place in spots}
                self.bits.append(sum(1 << each for each in items))
                self.choices.append(spots)

    def _apart(self, spots: tuple[Spot, ...]) -> Iterator[int]:
        """The common part of each two with others that meet when these do; -1: they meet again."""
        if len(spots) == 1:  # with the two others that this place stands for
            yield self.ring + spots[0][1] * (self.times - 1) % self.ring
        for (i, a), (j, b) in combinations(spots, 2):
            if i == j:
                apart = min((b - a) % self.ring, (a - b) % self.ring)
                yield -1 if 2 * apart == self.ring else apart
            elif (i + 1) % 3 == j:
                yield self.ring + (b * self.times - a) % self.ring
            else:
                yield self.ring + (a * self.times - b) % self.ring

    def _singles(self) -> Iterator[tuple[Spot, ...]]:
        for place in range(self.ring):
            yield ((0, place),)

    def _trios(self) -> Iterator[tuple[Spot, ...]]:
        """Each ring once."""
        for places in combinations(range(self.ring), 3):
            for rings in ((0, 1, 2), (0, 2, 1)):
                yield tuple(zip(rings, places, strict=True))

    def _fours(self) -> Iterator[tuple[Spot, ...]]:
        for places in combinations(range(self.ring), 4):
            for rings in product(range(3), repeat=3):
                yield tuple(zip((0, *rings), places, strict=True))

    def found(self, random: Random, until: float) -> list[list[int]] | None:
        """The tables of a round; None where there is none.

        Raises:
            TimeIsUpError: that is not known.
        """
        order = list(range(len(self.bits)))
        random.shuffle(order)
        bits, choices = [self.bits[n] for n in order], [self.choices[n] for n in order]
        fours = np.array([len(each) == 4 for each in choices])
        rows = np.array([(each % WORD, each // WORD) for each in bits], dtype=np.uint64).T
        wanted = self.beside if self.beside < 3 else 1
        for begun in combinations(np.flatnonzero(~fours).tolist(), wanted):
            used = [bits[n] for n in begun]
            if len(used) == 2 and used[0] & used[1]:
                continue
            rest = np.flatnonzero(fours)
            for n in begun:
                rest = _fitting(rows, rest, n)
            chosen = _cover(rows, rest, sum(used), self.ring, until)
            if chosen is not None:
                return self._tables([choices[n] for n in (*begun, *chosen)])
        return None

    def _tables(self, chosen: list[tuple[Spot, ...]]) -> list[list[int]]:
        """A player is ring · r + place; those beside come last."""
        tables, beside = list[list[int]](), 3 * self.ring
        for spots in chosen:
            if len(spots) == 1:
                place = spots[0][1]
                tables.append([beside, *(self._player(ring, place, 0) for ring in range(3))])
                beside += 1
                continue
            for turn in range(3):
                table = [self._player(ring, place, turn) for ring, place in spots]
                tables.append(([beside + turn] if len(spots) == 3 else []) + table)
        return tables

    def _player(self, ring: int, place: int, turn: int) -> int:
        ring = (ring + turn) % 3
        return ring * self.ring + place * pow(self.times, ring, self.ring) % self.ring


def _cover(rows: Rows, rest: Chosen, used: int, places: int, until: float) -> list[int] | None:
    """Rows with which every place sits; each of the rest fits to what is used."""
    if time.monotonic() > until:
        raise TimeIsUpError
    free = [place for place in range(places) if not used >> place & 1]
    if not free:
        return []
    left = rows[0][rest]
    sits = [left & np.uint64(1 << place) != 0 for place in free]
    for n in rest[min(sits, key=np.count_nonzero)]:
        own = int(rows[0][n]) + WORD * int(rows[1][n])
        chosen = _cover(rows, _fitting(rows, rest, n), used | own, places, until)
        if chosen is not None:
            return [int(n), *chosen]
    return None


def _fitting(rows: Rows, rest: Chosen, n: int) -> Chosen:
    """Those of the rest that have nothing in common with a row."""
    return np.asarray(rest[((rows[0][rest] & rows[0][n]) | (rows[1][rest] & rows[1][n])) == 0])


def found(players: int, seconds: float, seed: int) -> list[list[int]] | None:
    """A round from which all follow; None where none was found in the time."""
    ring, random = most_rounds(players), Random(f"{seed} {players}")
    multipliers = [m for m in range(ring - 1, 0, -1) if pow(m, 3, ring) == 1]
    for times in multipliers:
        until = time.monotonic() + seconds / len(multipliers)
        try:
            round = Sought(players, times).found(random, until)
        except TimeIsUpError:
            continue
        if round is not None:
            return round
    return None


def proved(players: int, round: list[list[int]]) -> None:
    """Everybody sits once in each round, and nobody meets anybody twice.

    Raises:
        ValueError: it is not so.
    """
    plan = turned(players, round)
    everybody = list(range(players))
    sit = all(sorted(each for table in tables for each in table) == everybody for tables in plan)
    if not sit or len(plan) != most_rounds(players) or met_twice(plan):
        raise ValueError(f"the plan of {players} players does not hold")


def main(arguments: Sequence[str] | None = None) -> None:
    """Seek, prove, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--prove", action="store_true", help="those that are there, and no more")
    parser.add_argument("--out", type=Path, default=FILE)
    options = parser.parse_args(arguments)
    known = json.loads(options.out.read_text()) if options.out.exists() else {}
    for players, round in known.items():
        proved(int(players), round)
    print(f"proved: {', '.join(known)}", flush=True)
    for players in () if options.prove else range(LEAST, options.most + 1, 4):
        if str(players) in known:
            continue
        begun = time.monotonic()
        made = found(players, options.seconds, options.seed)
        said = "none found" if made is None else f"{most_rounds(players)} rounds"
        print(f"{players} players: {said}, {time.monotonic() - begun:.0f} s", flush=True)
        if made is not None:
            proved(players, made)
            known[str(players)] = made
            ordered = sorted(known.items(), key=lambda each: int(each[0]))
            lines = [f'"{key}": {json.dumps(value)}' for key, value in ordered]
            options.out.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
