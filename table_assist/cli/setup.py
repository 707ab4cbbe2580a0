"""Setting a table up in the browser, and following it afterwards."""

import argparse

from table_assist.cli.modes import WantedTable
from table_assist.cli.reach import reach_of
from table_assist.cli.run import run
from table_assist.upkeep.table_service import Mode


def command(options: argparse.Namespace) -> int:
    """As ``table-assist setup``; returns the exit code."""
    return run(WantedTable(options.config, reach_of(options), mode=Mode.SETUP))
