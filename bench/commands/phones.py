"""Two phones over one table."""

import argparse

from bench.phones import bench_phones


def command(options: argparse.Namespace) -> int:
    """As ``python -m bench phones``; returns the exit code."""
    bench = bench_phones(options.tables, options.first)
    print("\n".join(bench.lines()), flush=True)
    return 1 if bench.both.wrong else 0
