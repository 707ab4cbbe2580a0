"""Following a real table, and its dashboard; what is wrong is repaired in the browser."""

import argparse
import functools

from table_assist.cli.door import end_asked
from table_assist.cli.modes import Modes, WantedTable
from table_assist.cli.reach import reach_of


def command(options: argparse.Namespace) -> int:
    """As ``table-assist run``; returns the exit code."""
    return run(
        WantedTable(
            options.config,
            reach_of(options),
            options.record,
            recovers=not options.no_recovery,
        )
    )


def run(wanted: WantedTable) -> int:
    """Run a table until Ctrl-C or a request to end; 1 when something of it could not be saved."""
    stop = end_asked()
    modes = Modes(wanted, functools.partial(print, flush=True))
    modes.run(stop)
    return 0 if modes.lost is None else 1
