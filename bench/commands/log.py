"""How long it takes to check a log."""

import argparse

from bench.log import bench_log


def command(options: argparse.Namespace) -> int:
    """As ``python -m bench log``; returns the exit code."""
    print(bench_log(options.entries, options.seed).line, flush=True)
    return 0
