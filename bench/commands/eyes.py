"""How long reading takes on this machine."""

import argparse
import json

from bench import reading


def command(options: argparse.Namespace) -> int:
    """As ``python -m bench eyes``; returns the exit code."""
    bench = reading.bench_eyes(max(1, options.runs), options.threads)
    if options.json:
        print(json.dumps(reading.to_json(bench)))
    else:
        print("\n".join(reading.lines(bench)))
    return 0
