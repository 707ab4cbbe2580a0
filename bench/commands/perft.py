"""How many complete hands there are."""

import argparse

from bench import perft


def command(options: argparse.Namespace) -> int:
    """As ``python -m bench perft``; returns the exit code."""
    for line in perft.bench_perft():
        print(line, flush=True)
    return 0
