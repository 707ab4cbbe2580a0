"""The doctor of a club: its databases, clocks, certificate, standby and backups."""

import argparse
from datetime import UTC, datetime, timedelta
from pathlib import Path

from table_assist.cli.reach import tls_folder
from table_assist.health.finding import Finding, State, finding_lines, is_well
from table_assist.languages.words import Words
from web.serving.authority import CERTIFICATE, TlsError, lasts_until

SOON = timedelta(days=14)


def examined(options: argparse.Namespace) -> int:
    """As ``table-assist club doctor``; 1 where anything is bad."""
    from table_assist.club.hub.doctor import examine

    found = list[Finding]()
    for each in examine(options.base, options.backups):
        found.append(each)
        print("\n".join(finding_lines(each)), flush=True)
    file = options.certificate or (tls_folder() / CERTIFICATE if options.tls else None)
    if file is not None:
        found.append(certificate_finding(file, datetime.now(UTC)))
        print("\n".join(finding_lines(found[-1])), flush=True)
    return 0 if is_well(found) else 1


def certificate_finding(file: Path, now: datetime) -> Finding:
    """How long the certificate lasts that tables and browsers are shown."""
    try:
        until = lasts_until(file)
    except TlsError as error:
        return Finding("tls", State.BAD, Words("{error}.", "{error}。", error=error))
    days = (until - now).days
    state = State.BAD if until <= now else State.DOUBT if until - now < SOON else State.GOOD
    said = Words("The certificate lasts {days} days more.", "证书还有 {days} 天有效。", days=days)
    if state is State.BAD:
        said = Words(
            "The certificate has run out: no table believes it.", "证书已过期：牌桌不再信任。"
        )
    advice = Words("Renew it, and start the hub again.", "请更新证书并重新启动中心。")
    return Finding("tls", state, said, None if state is State.GOOD else advice)
