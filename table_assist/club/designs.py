"""Known plans in which nobody meets anybody twice.

`tools/seek_designs.py` makes and proves some: of each number of players one round is kept. The
players are three rings of r and a few beside them; every turn of the rings by one place is another
round, r of them. That is as many rounds as can be.

For 20, 32, 68 and 92 no such plan is kept: for 20 there is none, of 68 and 92 none is known to us.
Four groups of n play n rounds, one of each group at a table: a transversal design, or three
orthogonal Latin squares (R. C. Bose, "On the application of the properties of Galois fields to the
problem of construction of hyper-Graeco-Latin squares", 1938), where n is a prime or 8. Groups of 8
play one more round alone.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

FILE = Path(__file__).with_name("designs.json")
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


def met_twice(plan: Iterable[Iterable[Sequence[int]]]) -> list[tuple[int, int]]:
    """Pairs of players who meet again; none in a plan that is kept."""
    met = Counter(
        (min(pair), max(pair)) for each in plan for table in each for pair in combinations(table, 2)
    )
    return [pair for pair, times in met.items() if times > 1]


def designed(players: int) -> list[Tables]:
    """The rounds that are known for so many players, numbered from 0; none where none are."""
    round = _kept().get(players)
    return crossed(players) if round is None else turned(players, round)


def most_rounds(players: int) -> int:
    """More rounds cannot be without that somebody meets somebody again."""
    return (players - 1) // 3


def crossed(players: int) -> list[Tables]:
    """Four groups across each other, then each alone; none where that is not known.

    >>> [len(crossed(players)) for players in (20, 24, 32, 44)]
    [5, 0, 9, 11]
    """
    size, rest = divmod(players, 4)
    if rest or not (size == EIGHT or _is_prime(size)) or size < 5:
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


def _is_prime(size: int) -> bool:
    return size > 1 and all(size % each for each in range(2, int(size**0.5) + 1))


@cache
def _kept() -> dict[int, Tables]:
    return {int(players): round for players, round in json.loads(FILE.read_text("utf-8")).items()}


def _after(player: int, ring: int, turns: int) -> int:
    if player >= 3 * ring:
        return player  # beside the rings
    return player // ring * ring + (player % ring + turns) % ring
