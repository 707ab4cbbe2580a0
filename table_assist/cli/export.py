"""A log as text, and the check of a log that somebody published."""

import argparse
from pathlib import Path

from table_assist.record.export import export_lines, read_log
from table_assist.record.published import PublishedError, published_lines, read_published
from table_assist.record.seal import SHOWN
from table_assist.record.store import Store, StoreError
from table_assist.settings.config import Config, load_config


def command(options: argparse.Namespace) -> int:
    """As ``table-assist export``; returns the exit code."""
    if options.check:
        return _check(options.log)
    config = load_config(options.config) if options.config else Config()
    entries = read_log(options.log)
    names = config.seats.names
    if options.format == "log":
        with Store(options.log, reads_only=True) as store:
            lines = list(published_lines(store.chain(), names))
    else:
        lines = list(export_lines(entries, options.format, names))
    for line in lines:
        print(line)
    return 0


def _check(path: Path) -> int:
    """Say what the file holds, or what is wrong with it."""
    try:
        with path.open(encoding="utf-8") as file:
            found = read_published(file)
    except PublishedError as error:
        print(f"{path}: {error}")
        return 1
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path} cannot be read: {error}") from error
    print(f"{path}: {len(found.entries)} entries, {len(found.seals)} hands; every seal fits")
    for each in found.seals:
        print(f"  hand {each.hand}: seal {each.seal[:SHOWN]}")
    return 0
