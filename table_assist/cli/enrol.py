"""Making a tile set known."""

import argparse

from table_assist.cli.door import progress
from table_assist.languages.words import Words
from table_assist.upkeep.setup.enrol import Enrolment, enrol, forget, list_sets
from table_assist.vision.reading.own_set import OwnSetError
from web.access.guard import only_here


def command(options: argparse.Namespace) -> int:
    """As ``table-assist enrol``; returns the exit code."""
    if options.list:
        list_sets(print)
        return 0
    if not options.name:
        raise OwnSetError.told("unnamed")
    if options.forget:
        forget(options.name, _said)
        return 0
    only_here(options.host)
    wanted = Enrolment(
        options.name,
        pictures=tuple(options.pictures),
        labelled=options.labelled,
        accept=options.yes,
        replace=options.replace,
        again=options.again,
        host=options.host,
        port=options.port,
    )
    try:
        enrol(wanted, _said)
    except KeyboardInterrupt:
        progress("Given up; nothing was learnt.")
        return 1
    return 0


def _said(words: Words) -> None:
    print(words.en, flush=True)
