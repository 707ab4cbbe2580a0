"""`python -m tests.told`: hands of bots, told again by phone; both must settle alike."""

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from table_assist.rules.registry import rule_sets
from tests.told.compare import Compared, compare

CHUNK = 48


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.told", description=__doc__)
    parser.add_argument("rules", nargs="*", help="rule sets; all of them without")
    parser.add_argument("--hands", type=int, default=2000, help="of each rule set")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    faults = 0
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
        for id in options.rules or [rules.id for rules in rule_sets()]:
            started, whole = time.monotonic(), Compared()
            firsts = range(0, options.hands, CHUNK)
            sizes = [min(CHUNK, options.hands - first) for first in firsts]
            seeds = [f"{options.seed}-{first}" for first in firsts]
            for part in pool.map(compare, [id] * len(sizes), sizes, seeds):
                whole.add(part)
            faults += len(whole.faults)
            asked = ", ".join(f"{count} {what}" for what, count in whole.asked.most_common())
            print(
                f"{id}: {whole.hands} hands, {whole.won} won, {len(whole.faults)} differ; "
                f"asked: {asked}; {time.monotonic() - started:.0f} s",
                flush=True,
            )
            for fault in whole.faults[:20]:
                print("  ", fault)
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
