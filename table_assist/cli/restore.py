"""A backup, looked into or put back."""

import argparse
import time

from table_assist.record.private import keep_new_files_private
from table_assist.upkeep.backup.backup import contents_lines
from table_assist.upkeep.backup.packing import verify
from table_assist.upkeep.backup.restore import restore, restored_lines


def command(options: argparse.Namespace) -> int:
    """As ``table-assist restore``; returns the exit code."""
    keep_new_files_private()
    if options.to is None:
        lines = contents_lines(verify(options.file))
    else:
        done = restore(
            options.file, options.to, now_s=time.time(), force=options.force, take=options.take
        )
        lines = restored_lines(done)
    for line in lines:
        print(line)
    return 0
