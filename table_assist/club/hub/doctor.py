"""`table-assist club doctor`: one sentence for each thing that a hub stands on, and what to do."""

import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import Engine, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from table_assist.club.hub.archive import ARCHIVED
from table_assist.club.hub.database import (
    HUB,
    IN,
    HubError,
    about,
    alarms,
    now_s,
    open_base,
    reading,
    reason,
    tables,
)
from table_assist.health.finding import Finding, State, found
from table_assist.languages.words import Words

DAY_S = 86_400.0
ROOM = 2_000_000_000  # bytes: some evenings of a hundred tables
WAIT_S = 4
APART_S = 2.0  # clocks that differ by more are told
# A server's settings, lest its acknowledged data is lost with its power.
_KEEPS = ("fsync", "full_page_writes", "synchronous_commit")
# A role that is not the server's administrator sees that a standby is there, and not how.
_SEEN = """
SELECT pg_is_in_recovery(), current_setting('synchronous_standby_names') <> '',
  (SELECT count(*) FROM pg_stat_replication WHERE coalesce(sync_state, 'sync') <> 'async'),
  (SELECT count(*) FROM pg_stat_wal_receiver WHERE coalesce(status, 'streaming') = 'streaming'),
  extract(epoch FROM clock_timestamp())::float8
"""


def examine(where: str, backups: Path | None) -> Iterator[Finding]:
    """Look at everything; it is told as it is found.

    Args:
        where: the hub's database, as for `open_base`.
        backups: where backups lie that were not made by ``--archive``.
    """
    if "://" in where:
        yield from _servers(where)
    else:
        yield _file(Path(where))
        if not Path(where).exists():
            return
    try:
        base = open_base(where, look_only=True)
    except HubError as error:
        yield found("database.unread", trouble=error)
        return
    try:
        with reading(base) as connection:
            let_in = select(func.count()).select_from(tables).where(tables.c.state == IN)
            many = connection.execute(let_in).scalar_one()
            open_now = select(func.count()).select_from(alarms).where(alarms.c.done == "")
            waiting = connection.execute(open_now).scalar_one()
            hubs = None
            if base.dialect.name == "postgresql":
                # This process is among them.
                own = text(
                    "SELECT DISTINCT application_name FROM pg_stat_activity WHERE datname = "
                    "current_database() AND starts_with(application_name, :hub) "
                    "AND application_name <> current_setting('application_name') ORDER BY 1"
                )
                hubs = connection.execute(own, {"hub": HUB}).scalars().all()
        yield found("database.used", many=many)
        if waiting:
            yield found("alarms.wait", waiting=waiting)
        if hubs is not None:
            names = ", ".join(each.removeprefix(HUB) for each in hubs) or Words("none", "无")
            told = found("hubs.connected", count=len(hubs), names=names)
            yield told if hubs else replace(told, state=State.DOUBT)
        yield _backup(base, backups)
    except SQLAlchemyError as error:
        yield found("database.broken", trouble=reason(error))
    finally:
        base.dispose()


@dataclass(frozen=True, slots=True)
class _Server:
    """A server as it was seen; `settings` are the wrong ones of `_KEEPS`, with what is set."""

    name: str
    is_standby: bool
    wants_standby: bool
    standbys: int
    follows: int
    now_s: float
    settings: tuple[tuple[str, str], ...]


def _servers(where: str) -> Iterator[Finding]:
    given = conninfo_to_dict(where)
    hosts = str(given.get("host") or "localhost").split(",")
    ports = str(given.get("port") or "5432").split(",")
    seen = list[_Server]()
    for place, host in enumerate(hosts):
        port = ports[place % len(ports)]
        server = _seen(f"{host}:{port}", make_conninfo(where, host=host, port=port))
        if server is None:
            yield found("servers.silent", name=f"{host}:{port}")
        else:
            seen.append(server)
    written = [each for each in seen if not each.is_standby]
    if not written:
        yield found("servers.none_written")
    elif len(written) > 1:
        yield found("servers.several_written", names=", ".join(each.name for each in written))
    for each in seen:
        for setting, is_set in each.settings:
            yield found(f"servers.{setting}", name=each.name, found=is_set)
        if each.is_standby:
            yield found("standby.follows" if each.follows else "standby.alone", name=each.name)
        elif not each.wants_standby:
            yield found("primary.alone", name=each.name)
        else:
            yield found("primary.safe" if each.standbys else "servers.waits", name=each.name)
        if abs(apart := time.time() - each.now_s) > APART_S:
            yield found("clocks.apart", apart=f"{apart:+.0f}", name=each.name)
    if len(hosts) == 1:
        yield found("standby.none")


def _seen(name: str, where: str) -> _Server | None:
    line: psycopg.Connection[Any]
    try:
        with psycopg.connect(where, connect_timeout=WAIT_S, autocommit=True) as line:
            row = line.execute(_SEEN).fetchone()
            assert row is not None
            is_standby, wants_standby, standbys, follows, at_s = row
            settings = []
            for setting in _KEEPS:
                is_set = line.execute("SELECT current_setting(%s)", (setting,)).fetchone()
                if is_set is not None and is_set[0] != "on":
                    settings.append((setting, str(is_set[0])))
    except psycopg.Error:
        return None
    here = (is_standby, wants_standby, standbys, follows, at_s)
    return _Server(name, *here, tuple(settings))


def _file(path: Path) -> Finding:
    if not path.exists():
        return found("database.none", path=path)
    folder = path.resolve().parent
    free = shutil.disk_usage(folder).free
    name = "disk.club" if free >= ROOM else "disk.club_little"
    return found(name, free=f"{free / 1e9:.1f}", folder=folder)


def _backup(base: Engine, folder: Path | None) -> Finding:
    """The newest backup that is known."""
    with reading(base) as connection:
        query = select(about.c.value).where(about.c.name == ARCHIVED)
        newest = float(connection.execute(query).scalar() or 0.0)
        now = now_s(connection)
    if folder is not None:
        newest = max([newest, *(each.stat().st_mtime for each in folder.glob("*"))])
    if not newest:
        return found("backup.club_never")
    days = (now - newest) / DAY_S
    return found("backup.club_old" if days > 1 else "backup.club", days=f"{days:.1f}")
