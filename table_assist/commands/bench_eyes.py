"""How long reading takes on this machine."""

import argparse
import json

from table_assist import bench_eyes


def command(options: argparse.Namespace) -> int:
    """As ``table-assist bench eyes``; returns the exit code."""
    bench = bench_eyes.bench_eyes(max(1, options.runs), options.threads)
    if options.json:
        print(json.dumps(bench_eyes.to_json(bench)))
    else:
        print("\n".join(bench_eyes.lines(bench)))
    return 0
