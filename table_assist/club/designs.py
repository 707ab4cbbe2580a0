"""Known plans in which nobody meets anybody twice; `tools/seek_designs.py` makes and proves them.

Of each number of players one round is kept. The players are three rings of r and a few beside them;
every turn of the rings by one place is another round, r of them.
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
    """Who meets again; nobody in a plan that is kept."""
    met = Counter(
        (min(pair), max(pair)) for each in plan for table in each for pair in combinations(table, 2)
    )
    return [pair for pair, times in met.items() if times > 1]


def designed(players: int) -> list[Tables]:
    """The rounds that are known for so many players, numbered from 0; none where none are."""
    round = _kept().get(players)
    return [] if round is None else turned(players, round)


@cache
def _kept() -> dict[int, Tables]:
    return {int(players): round for players, round in json.loads(FILE.read_text("utf-8")).items()}


def _after(player: int, ring: int, turns: int) -> int:
    if player >= 3 * ring:
        return player  # beside the rings
    return player // ring * ring + (player % ring + turns) % ring
