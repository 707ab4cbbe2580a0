"""How many complete hands there are."""

import argparse

from table_assist import bench_perft


def command(options: argparse.Namespace) -> int:
    """As ``table-assist bench perft``; returns the exit code."""
    for line in bench_perft.bench_perft():
        print(line, flush=True)
    return 0
