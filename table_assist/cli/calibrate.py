"""Where the table is in the picture."""

import argparse
import functools

from table_assist.cli.door import progress
from table_assist.settings.config import load_config
from table_assist.upkeep.setup.calibrate import WantedView, calibrate
from web.access.guard import only_here


def command(options: argparse.Namespace) -> int:
    """As ``table-assist calibrate``; returns the exit code."""
    only_here(options.host)
    wanted = WantedView(
        load_config(options.config), options.picture, options.yes, options.host, options.port
    )
    try:
        return 0 if calibrate(wanted, functools.partial(print, flush=True)) else 1
    except KeyboardInterrupt:
        progress("Given up; nothing was kept.")
        return 1
