"""The board's decoder under damage."""

import argparse

from firmware_bridge.damage import bench_damage


def command(options: argparse.Namespace) -> int:
    """As ``python -m bench decoder``; returns the exit code."""
    print(bench_damage(options.inputs, options.seed).line, flush=True)
    return 0
