"""The command that packs a report of a fault into one file."""

import argparse

from table_assist.record.private import keep_new_files_private
from table_assist.upkeep.doctor.fault_report import bundle_lines, make_bundle


def command(options: argparse.Namespace) -> int:
    """As ``table-assist bundle``; returns the exit code."""
    keep_new_files_private()
    for line in bundle_lines(make_bundle(options.out, options.config, options.recording)):
        print(line)
    return 0
