"""What a report of a fault needs, in one file."""

import argparse

from table_assist.recording.bundle import bundle_lines, make_bundle


def command(options: argparse.Namespace) -> int:
    """As ``table-assist bundle``; returns the exit code."""
    for line in bundle_lines(make_bundle(options.out, options.config, options.recording)):
        print(line)
    return 0
