"""`python -m tests.corners`: rare hands, sought, and each settled a second time by the account."""

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from table_assist.rules.registry import rule_sets
from tests.corners.report import Reached, reached, search, together


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.corners", description=__doc__)
    parser.add_argument("rules", nargs="*", help="rule sets; all of them without")
    parser.add_argument("--hands", type=int, default=2000, help="of each rule set, and some more")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    ids = options.rules or [rules.id for rules in rule_sets()]
    parts, faults = [], 0
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
        hands, seeds = [options.hands] * len(ids), [options.seed] * len(ids)
        for id, found in zip(ids, pool.map(search, ids, hands, seeds), strict=True):
            faults += len(found.faults)
            parts.append(found.functions)
            print(f"{id}: {found.line}", flush=True)
            for fault in found.faults[:10]:
                print("   differs:", fault)
            _tell(f"rules/sets/{id}", reached(found.functions, f"rules/sets/{id}"))
            print("   never:", ", ".join(found.unmet) or "nothing")
    _tell("game, all rule sets together", reached(together(parts), "game"))
    return min(faults, 1)


def _tell(what: str, whole: Reached) -> None:
    print(f"   {what}: {whole.line}")
    for reason, count in whole.explained.items():
        print(f"      {count}: {reason}")
    for place in whole.missed:
        print(f"      not reached: {place}")


if __name__ == "__main__":
    sys.exit(main())
