"""The command line of what plays many hands of every rule set, in several processes."""

import argparse
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Protocol, TypeVar

from table_assist.rules.registry import rule_sets


class Part(Protocol):
    """What some hands came to."""

    def add(self: "P", other: "P") -> None:
        """Count another part's hands, too."""


P = TypeVar("P", bound=Part)


def arguments(module: str, about: str | None, hands: int) -> argparse.ArgumentParser:
    """Which rule sets, how many hands of each, which seed, how many processes."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=about)
    parser.add_argument("rules", nargs="*", help="rule sets; all of them without")
    parser.add_argument("--hands", type=int, default=hands, help="of each rule set")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    return parser


def ids_of(options: argparse.Namespace) -> list[str]:
    """The rule sets that were asked for."""
    return options.rules or [rules.id for rules in rule_sets()]


def pool_of(options: argparse.Namespace) -> ProcessPoolExecutor:
    """As many processes as were asked for."""
    return ProcessPoolExecutor(options.processes, get_context("spawn"))


def in_chunks(
    options: argparse.Namespace, chunk: int, play: Callable[..., P], whole: Callable[[], P]
) -> Iterator[tuple[str, P, float]]:
    """Each rule set with what all its hands came to, and the seconds that it took.

    Args:
        play: of a rule set, so many hands with a seed.
        whole: of no hands.
    """
    with pool_of(options) as pool:
        for id in ids_of(options):
            started, found = time.monotonic(), whole()
            firsts = range(0, options.hands, chunk)
            sizes = [min(chunk, options.hands - first) for first in firsts]
            seeds = [f"{options.seed}-{first}" for first in firsts]
            for part in pool.map(play, [id] * len(sizes), sizes, seeds):
                found.add(part)
            yield id, found, time.monotonic() - started
