"""`python -m tests.differential`: what bots are refused is flagged, what they may do is not."""

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from random import Random

from table_assist.rules.registry import find_rules, rule_sets
from tests.accountant.audit import options_for
from tests.differential.compare import Compared, play

CHUNK = 50


def many(id: str, hands: int, seed: str, states: int) -> Compared:
    """So many hands, their options at random."""
    whole = Compared()
    for number in range(hands):
        name = f"{id} {seed} {number}"
        options = options_for(find_rules(id), Random(f"{name} options"))
        whole.add(play(id, name, options, states=states))
    return whole


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("rules", nargs="*", help="rule sets; all of them without")
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--states", type=int, default=3, help="of each hand")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    faults = 0
    with ProcessPoolExecutor(options.processes) as pool:
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
