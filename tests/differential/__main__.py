"""`python -m tests.differential`: what bots are refused is flagged, what they may do is not."""

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from table_assist.rules.registry import rule_sets
from tests.differential.compare import Compared, many

CHUNK = 50


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("rules", nargs="*", help="rule sets; all of them without")
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--states", type=int, default=3, help="of each hand")
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
            states = [options.states] * len(sizes)
            for part in pool.map(many, [id] * len(sizes), sizes, seeds, states):
                whole.add(part)
            faults += whole.faults.total()
            print(
                f"{id}: {whole.hands} hands, {whole.states} states, {whole.allowed.total()} deeds "
                f"allowed, {whole.refused.total()} refused, {whole.faults.total()} differ; "
                f"{time.monotonic() - started:.0f} s",
                flush=True,
            )
            for fault, count in whole.faults.most_common(20):
                print(f"   {count} times {fault}; first {whole.examples[fault]}")
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
