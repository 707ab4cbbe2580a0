"""The hub of a club: takes the logs of its tables in, and shows their standings."""

import argparse
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from table_assist.cli.door import end_asked, wait_for_end
from table_assist.cli.reach import Reach, reach_of, tls_folder
from table_assist.club.wire import ROOMY_BYTES
from table_assist.health.checks import Finding, finding_lines, found, is_well
from table_assist.languages.words import SaidError
from web.authority import CERTIFICATE, TlsError, lasts_until
from web.bridge import RequestWork
from web.sockets import PlaceLimits

if TYPE_CHECKING:
    from sqlalchemy import Engine


# A whole club may come from one address, and every batch waits for the disk in a thread of its own.
# Spectators have other threads, and few: a crowd at the pages must not keep the tables waiting.
LIMITS = PlaceLimits(total=4096, sender=2048)
WORK = RequestWork(
    open_threads=6, kept_threads=12, of_sender=1024, of_strangers=2048,
    door="/api/uplink", door_threads=8, of_door=2048, door_bytes=ROOMY_BYTES,
)  # fmt: skip


class NoClubError(SaidError):
    """A library that a hub needs is not installed."""


def command(options: argparse.Namespace) -> int:
    """As ``table-assist club``; returns the exit code."""
    try:
        from table_assist.club.hub.archive import rebuild, write_archive
        from table_assist.club.hub.database import open_base
        from table_assist.club.hub.desk import DIRECTOR, REFEREE, make_link, revoke_all
    except ImportError as error:
        raise NoClubError.told("needs_libraries", name=error.name) from error
    if options.do == "doctor":
        return examined(options)
    base = open_base(options.base)
    if options.everybody_out:
        revoke_all(base)
        print("All directors and referees are out; --director NAME makes a new link.")
        return 0
    if options.archive is not None:
        print(f"{write_archive(base, options.archive)} lines; the file has the hub's secret key")
        return 0
    if options.rebuild is not None:
        with options.rebuild.open(encoding="utf-8") as file:
            print(f"{rebuild(base, file)} rows; every seal fits")
        return 0
    for name, role in ((options.director, DIRECTOR), (options.referee, REFEREE)):
        if name:
            print(f"For {name}, once, within ten minutes: /enter#{make_link(base, name, role)}")
            return 0
    return _serve(base, reach_of(options))


def _serve(base: "Engine", reach: Reach) -> int:
    from table_assist.club.hub.files import PICTURES_EVERY_S, see_to_pictures
    from table_assist.club.hub.ledger import MINUTE_S, note_heads
    from web.club.app import close_club_app, create_club_app

    own = reach.tls.authority if reach.tls is not None else b""
    authority = ssl.DER_cert_to_PEM_cert(own) if own else ""
    app = create_club_app(base, reach.host, trust=reach.trust, authority=authority)
    key, ledger = app.extensions["hub_key"], app.extensions["ledger"]
    asked: set[str] = set()  # pictures
    ended = threading.Event()
    heads = ended, lambda: MINUTE_S - time.time() % MINUTE_S, partial(note_heads, base, key)
    pictures = ended, lambda: PICTURES_EVERY_S, partial(see_to_pictures, base, key, ledger, asked)
    again = [threading.Thread(target=_again, args=each, daemon=True) for each in (heads, pictures)]
    # The first who asks for standings would wait for all that was ever played.
    for each in (*again, threading.Thread(target=ledger.warm, name="ledger", daemon=True)):
        each.start()
    stop = end_asked()
    serving = reach.serve(app, limits=LIMITS, work=WORK)
    try:
        print(f"The club: {serving.url}  (Ctrl-C ends)", flush=True)
        for line in reach.told(serving):
            print(line, flush=True)
        wait_for_end(stop)
    finally:
        ended.set()
        for each in again:
            each.join()
        serving.close()
        close_club_app(app)
    return 0


def _again(ended: threading.Event, wait_s: Callable[[], float], do: Callable[[], object]) -> None:
    """Do it again and again, as far as the database answers."""
    from sqlalchemy.exc import SQLAlchemyError

    while not ended.wait(wait_s()):
        with suppress(SQLAlchemyError):
            do()


ENDS_SOON = timedelta(days=14)


def examined(options: argparse.Namespace) -> int:
    """As ``table-assist club doctor``; 1 where anything is bad."""
    from table_assist.club.hub.archive import examine

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
    return found("tls.soon" if until - now < ENDS_SOON else "tls.lasts", days=(until - now).days)
