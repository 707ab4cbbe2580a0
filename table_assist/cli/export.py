"""A log as text."""

import argparse

from table_assist.record.export import export_lines, read_log
from table_assist.settings.config import Config, load_config


def command(options: argparse.Namespace) -> int:
    """As ``table-assist export``; returns the exit code."""
    config = load_config(options.config) if options.config else Config()
    for line in export_lines(read_log(options.log), options.format, config.seats.names):
        print(line)
    return 0
