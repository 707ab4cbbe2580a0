"""The examination of this machine: each part works or does not."""

import argparse
import sys

from table_assist.upkeep.doctor.command import Examination


def command(options: argparse.Namespace) -> int:
    """As ``table-assist doctor``; returns the exit code."""
    at_terminal = sys.stdout.isatty() and not options.json
    seconds = options.seconds if options.seconds is not None else 60.0 * at_terminal
    examination = Examination(options.config, options.port, seconds, [], language=options.lang)
    for line in examination.lines():
        if not options.json:
            print(line, flush=True)
    if options.json:
        print(examination.to_json())
    return 0 if examination.is_well else 1
