"""`python -m tests.corners`: rare hands, sought, and each settled a second time by the account."""

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from table_assist.rules.registry import rule_sets
from tests.corners.report import Reached, search


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.corners", description=__doc__)
    parser.add_argument("rules", nargs="*", help="rule sets; all of them without")
    parser.add_argument("--hands", type=int, default=2000, help="of each rule set")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    ids = options.rules or [rules.id for rules in rule_sets()]
    faults = 0
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
        hands, seeds = [options.hands] * len(ids), [options.seed] * len(ids)
        for id, (line, found, wrong) in zip(ids, pool.map(search, ids, hands, seeds), strict=True):
            faults += len(wrong)
            print(f"{id}: {line}", flush=True)
            _tell(found, wrong)
    return min(faults, 1)


def _tell(found: Reached, wrong: list[str]) -> None:
    for fault in wrong[:10]:
        print("   differs:", fault)
    for file, function, lines in found.missed:
        print(f"   not reached: {file}:{function}, from line {', '.join(map(str, lines))}")
    for reason, where in found.explained.items():
        print(f"   left out, {reason}: {', '.join(where)}")


if __name__ == "__main__":
    sys.exit(main())
