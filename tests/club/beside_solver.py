"""Balanced plans of our own search beside those of a constraint solver, in the same time.

    python -m pip install ortools
    python -m tests.club.beside_solver --seconds 60

It says why the solver is not an extra of the program.
"""

import argparse
import time
from itertools import combinations

from table_assist.club.balanced import balanced
from table_assist.club.seating import defects
from table_assist.club.winds import Plan, in_winds

SIZES = ((8, 7), (12, 11), (16, 5), (20, 6), (24, 7), (28, 9), (32, 10), (64, 12))


def solved(players: int, rounds: int, seconds: float, threads: int) -> Plan | None:
    """The plan with the fewest further meetings that CP-SAT finds; None where it finds no plan."""
    from ortools.sat.python import cp_model  # nothing else needs it

    model, tables = cp_model.CpModel(), range(players // 4)
    sits = {
        (r, t, p): model.new_bool_var("")
        for r in range(rounds) for t in tables for p in range(players)
    }  # fmt: skip
    for r in range(rounds):
        for p in range(players):
            model.add_exactly_one(sits[r, t, p] for t in tables)
        for t in tables:
            model.add(sum(sits[r, t, p] for p in range(players)) == 4)
    for p in range(players):  # the first round is as good as any
        model.add(sits[0, p // 4, p] == 1)
    often = -(-6 * rounds * len(tables) // (players * (players - 1) // 2))
    cost = []
    for a, b in combinations(range(players), 2):
        meets = []
        for r in range(rounds):
            for t in tables:
                both = model.new_bool_var("")
                model.add_bool_or(both, sits[r, t, a].negated(), sits[r, t, b].negated())
                meets.append(both)
        more = model.new_int_var(0, rounds, "")
        model.add(more >= sum(meets) - often)
        cost.append(more)
    model.minimize(sum(cost))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = threads
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return in_winds([
        [[p for p in range(players) if solver.boolean_value(sits[r, t, p])] for t in tables]
        for r in range(rounds)
    ])  # fmt: skip


def main() -> None:
    """Print what both find, a line a size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    for players, rounds in SIZES:
        begin = time.monotonic()
        own = defects(balanced(range(1, players + 1), rounds, "beside", given.seconds))
        took = time.monotonic() - begin
        begin = time.monotonic()
        plan = solved(players, rounds, given.seconds, given.threads)
        theirs = None if plan is None else defects(plan)
        other = time.monotonic() - begin
        print(f"{players} × {rounds}: {own} after {took:.1f} s", flush=True)
        print(f"    the solver {theirs} after {other:.1f} s", flush=True)


if __name__ == "__main__":
    main()
