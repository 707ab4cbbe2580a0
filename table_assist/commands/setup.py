"""Setting a table up in the browser, and following it afterwards."""

import argparse

from table_assist.commands.run import run
from table_assist.keeping.keeper import Mode
from table_assist.keeping.modes import Wanted


def command(options: argparse.Namespace) -> int:
    """As ``table-assist setup``; returns the exit code."""
    return run(Wanted(options.config, options.host, options.port, mode=Mode.SETUP))
