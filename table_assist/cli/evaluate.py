"""How right the reader is on labelled pictures."""

import argparse

from table_assist.vision.enrolment.files import find_set
from table_assist.vision.evaluate.command import evaluation_lines
from table_assist.vision.reading.read import open_reader


def command(options: argparse.Namespace) -> int:
    """As ``table-assist evaluate``; returns the exit code."""
    for line in evaluation_lines(
        options.folder,
        open_reader(own_set=find_set(options.set)),
        empty=options.empty,
        partial=options.partial,
        spoil=options.spoil,
        gallery=options.gallery,
        as_json=options.json,
    ):
        print(line)
    return 0
