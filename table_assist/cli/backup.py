"""Everything of a table in one file."""

import argparse
import time
from pathlib import Path

from table_assist.record.private import keep_new_files_private
from table_assist.upkeep.backup.backup import BY_HAND, backup_lines, backup_name, make_backup


def command(options: argparse.Namespace) -> int:
    """As ``table-assist backup``; returns the exit code."""
    keep_new_files_private()
    now_s = time.time()
    out = options.file or Path(backup_name(options.config, BY_HAND, now_s))
    for line in backup_lines(
        make_backup(options.config, out, now_s=now_s, evidence=options.evidence)
    ):
        print(line)
    return 0
