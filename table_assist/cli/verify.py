"""`table-assist verify`: whether a dispute's file is what it was, and what the rules say of it."""

import argparse

from table_assist.evidence.dispute.file import read_dispute
from table_assist.evidence.dispute.verify import verify


def command(options: argparse.Namespace) -> int:
    """As ``table-assist verify``; returns the exit code: 1 if anything is not as it should be."""
    findings = verify(read_dispute(options.file), options.seal)
    for finding in findings:
        text = finding.text.said(options.lang)
        print(f"{finding.mark}  {text}")
    return 0 if all(finding.ok for finding in findings) else 1
