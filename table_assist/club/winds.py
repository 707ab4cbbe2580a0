"""The order at the tables of a plan: winds and table numbers, so that nobody has them too often."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations

Table = tuple[int, int, int, int]  # players, East first
Round = tuple[Table, ...]
Plan = tuple[Round, ...]
Vertex = tuple[int, ...]


def in_winds(rounds: Sequence[Sequence[Sequence[int]]]) -> Plan:
    """The same tables, in an order by which everybody sits in each wind equally often.

    Players and tables are a graph with two sides, winds are colours of its edges. With a player cut
    into pieces of four rounds no vertex has more than four edges, so four colours are enough
    (König 1916), found by changing colours along alternating paths.
    """
    at: dict[Vertex, list[Vertex | None]] = {}
    for n, each in enumerate(rounds):
        for place, table in enumerate(each):
            for player in table:
                _colour(at, (player, n // 4), (n, place, -1))
    plan = []
    for n, each in enumerate(rounds):
        tables = []
        for place in range(len(each)):
            a, b, c, d = (found[0] if found else 0 for found in at[n, place, -1])
            tables.append((a, b, c, d))
        plan.append(tables)
    return _places(plan)


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
