"""How often the table is found."""

import argparse

from bench import calibration


def command(options: argparse.Namespace) -> int:
    """As ``python -m bench calibration``; returns the exit code."""
    bench = calibration.bench_tables(max(1, options.tables))
    print("\n".join(calibration.lines(bench)), flush=True)
    if options.photos is not None:
        print(calibration.photos_line(options.photos), flush=True)
    return 1 if bench.wrong_and_sure else 0
