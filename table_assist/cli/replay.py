"""Following a recording again."""

import argparse

from table_assist.live.replay_folder import replay_folder
from table_assist.vision.enrolment.files import find_set
from table_assist.vision.reading.read import open_reader


def command(options: argparse.Namespace) -> int:
    """As ``table-assist replay``; returns the exit code."""
    compared = replay_folder(
        options.folder,
        lambda config: open_reader(own_set=find_set(config.eyes.set)),
        anyway=options.anyway,
    )
    for line in [compared.to_json()] if options.json else compared.lines():
        print(line)
    return 0 if compared.is_same else 1
