"""`table-assist verify`: whether a dispute's file is what it was, and what the rules say of it."""

import argparse

from table_assist.cli.door import one_line, print_red
from table_assist.evidence.dispute.file import read_dispute
from table_assist.evidence.dispute.verify import verify


def command(options: argparse.Namespace) -> int:
    """As ``table-assist verify``; returns the exit code: 1 if anything is not as it should be."""
    findings = verify(read_dispute(options.file), options.seal)
    for finding in findings:
        show = print if finding.ok else print_red
        show(one_line(f"{finding.mark}  {finding.text.said(options.lang)}"))
    return 0 if all(finding.ok for finding in findings) else 1
