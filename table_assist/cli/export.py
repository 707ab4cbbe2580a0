"""A log as text or as a page, and the check of a log that somebody published."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from table_assist.cli.door import print_exactly
from table_assist.record.dispute.file import log_names
from table_assist.record.export import export_lines, payment_lines, read_log
from table_assist.record.seal import (
    SHOWN_LETTERS,
    Published,
    PublishedError,
    published_lines,
    read_published,
)
from table_assist.record.store import Store, StoreError
from table_assist.settings.config import Config, load_config

_PUBLISHED = b"{"  # how a published log begins, and no SQLite file


def command(options: argparse.Namespace) -> int:
    """As ``table-assist export``; returns the exit code."""
    if options.check:
        # Say what the file holds, or what is wrong with it
        path = options.log
        try:
            found = _published(path)
        except StoreError as error:
            if not isinstance(error.__cause__, PublishedError):
                raise
            print(error)
            return 1
        print(f"{path}: {len(found.entries)} entries, {len(found.seals)} hands; every seal fits")
        for each in found.seals:
            print(f"  hand {each.hand}: seal {each.seal[:SHOWN_LETTERS]}")
        return 0
    for line in _lines(options):
        print_exactly(line)
    return 0


def _lines(options: argparse.Namespace) -> Iterator[str]:
    path = options.log
    if not path.is_file():
        raise StoreError(f"there is no log {path}")
    with path.open("rb") as file:
        is_published = file.read(len(_PUBLISHED)) == _PUBLISHED
    if is_published:
        found = _published(path)
        entries, said = found.entries, found.names
    else:
        entries, said = read_log(path), ()
    config = load_config(options.config) if options.config else Config()
    a, b, c, d = config.seats.names
    names = said or log_names(entries, (a, b, c, d))
    match options.format:
        case "log":
            with Store(options.log, reads_only=True) as store:
                yield from published_lines(store.chain(), names)
        case "html":
            # Drawing pages takes longer to start than an export.
            from web.pages.replay import replay_file

            yield replay_file(entries, names, options.lang)
        case "payments":
            yield from payment_lines(entries, names, config.money.amount)
        case form:
            yield from export_lines(entries, form, names)


def _published(path: Path) -> Published:
    try:
        with path.open(encoding="utf-8") as file:
            return read_published(file)
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path} cannot be read: {error}") from error
    except PublishedError as error:
        raise StoreError(f"{path}: {error}") from error
