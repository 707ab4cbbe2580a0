"""`python -m tests.accountant`: many hands of bots, each accounted for a second time."""

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.accountant.audit import Audited, audit, without_effect
from tests.accountant.books import BOOKS

CHUNK = 100


def main() -> int:
    options = _arguments()
    faults = 0
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
        for id in options.rules or sorted(BOOKS):
            started, whole = time.monotonic(), Audited()
            chunks = range(0, options.hands, CHUNK)
            sizes = [min(CHUNK, options.hands - first) for first in chunks]
            seeds = [f"{options.seed}-{first}" for first in chunks]
            for part in pool.map(audit, [id] * len(sizes), sizes, seeds):
                whole.add(part)
            faults += len(whole.faults)
            print(_line(id, whole, time.monotonic() - started), flush=True)
            for fault in whole.faults[:10]:
                print("  ", fault)
    return min(faults, 1)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.accountant", description=__doc__)
    parser.add_argument("rules", nargs="*", help="rule sets; all of them without")
    parser.add_argument("--hands", type=int, default=5000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    return parser.parse_args()


def _line(id: str, whole: Audited, seconds: float) -> str:
    kinds = whole.kinds
    special = ("KongDeclared", "EggLaid", "EggAppended", "ReadyDeclared", "BirdTurned", "Penalised")
    met = ", ".join(f"{kinds[kind]} {kind}" for kind in special if kinds[kind])
    never = without_effect(id, whole)
    return (
        f"{id}: {whole.hands} hands, {len(whole.faults)} differ, {kinds['Settled']} won; {met}; "
        f"{len(whole.moved)} option values changed a hand, {len(never)} none"
        f"{': ' if never else ''}{', '.join(never)}; {seconds:.0f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
