"""The doctor of a club: its databases, clocks, certificate, standby and backups."""

import argparse
from datetime import UTC, datetime, timedelta
from pathlib import Path

from table_assist.cli.reach import tls_folder
from table_assist.health.finding import Finding, finding_lines, found, is_well
from web.serving.authority import CERTIFICATE, TlsError, lasts_until

SOON = timedelta(days=14)


def examined(options: argparse.Namespace) -> int:
    """As ``table-assist club doctor``; 1 where anything is bad."""
    from table_assist.club.hub.doctor import examine

    told = list[Finding]()
    for each in examine(options.base, options.backups):
        told.append(each)
        print("\n".join(finding_lines(each)), flush=True)
    file = options.certificate or (tls_folder() / CERTIFICATE if options.tls else None)
    if file is not None:
        told.append(certificate_finding(file, datetime.now(UTC)))
        print("\n".join(finding_lines(told[-1])), flush=True)
    return 0 if is_well(told) else 1


def certificate_finding(file: Path, now: datetime) -> Finding:
    """How long the certificate lasts that tables and browsers are shown."""
    try:
        until = lasts_until(file)
    except TlsError as error:
        return found("tls.unread", trouble=error)
    if until <= now:
        return found("tls.over")
    return found("tls.soon" if until - now < SOON else "tls.lasts", days=(until - now).days)
