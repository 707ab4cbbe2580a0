"""The whole hub as one file of JSON Lines, and made of it again; and what it stands on.

It is plain on purpose: whatever becomes of databases, each line says in which table it stood and
what it held. The file has the hub's secret key, without which no table would know the new hub: keep
it as you keep the database. Sessions of the staff are not in it.
"""

import os
import shutil
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import Engine, delete, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError

from table_assist.club.hub.database import (
    HUB,
    TABLE_IN,
    HubError,
    about,
    alarms,
    metadata,
    now_s,
    open_base,
    reading,
    reason,
    staff,
    tables,
)
from table_assist.club.hub.ledger import Ledger
from table_assist.health.checks import Finding, State, found
from table_assist.languages.words import Words
from table_assist.parts import VERSION
from table_assist.record.log import compact_json, strict_json

ARCHIVE_FORMAT, ARCHIVE_VERSION = "table-assist club archive", 1
ARCHIVED = "archived"  # of `about`: when an archive was written the last time
ROWS_AT_ONCE = 1000  # rows that are read or written together
# Whose rows hold JSON, and in which column; what cannot be read would stop every page.
_OBJECTS = {
    "tables": "view", "orders": "order", "acts": "content", "plans": "tables", "series": "sessions",
    "heads": "heads",
}  # fmt: skip
_ARCHIVED = {table.name: table for table in metadata.sorted_tables if table is not staff}


def write_archive(base: Engine, path: Path) -> int:
    """Write everything as it is at one moment; the number of lines.

    Raises:
        HubError: the file is there already, or cannot be written.
    """
    try:
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(opened, "w", encoding="utf-8") as file:
            lines = 0
            for line in archive_lines(base):
                file.write(f"{line}\n")
                lines += 1
            file.flush()
            os.fsync(file.fileno())
        with base.begin() as connection:
            connection.execute(delete(about).where(about.c.name == ARCHIVED))
            given = {"name": ARCHIVED, "value": str(now_s(connection))}
            connection.execute(insert(about).values(**given))
    except OSError as error:
        raise HubError.told("archive_unwritten", path=path, strerror=error.strerror) from error
    return lines


def archive_lines(base: Engine) -> Iterator[str]:
    """The lines of an archive; when others were written is left out."""
    yield compact_json({"format": ARCHIVE_FORMAT, "version": ARCHIVE_VERSION, "program": VERSION})
    with reading(base) as connection:
        for name, table in _ARCHIVED.items():
            query = select(table).order_by(*table.primary_key.columns)
            if table is about:
                query = query.where(about.c.name != ARCHIVED)
            for row in connection.execution_options(yield_per=ROWS_AT_ONCE).execute(query):
                yield compact_json({"in": name, "row": dict(row._mapping)})


def rebuild(base: Engine, lines: Iterable[str]) -> int:
    """Fill an empty hub; the number of rows. All seals are checked before anything is kept.

    Raises:
        HubError: the hub is not empty, the file is no archive, or its entries were changed.
    """
    try:
        count = _fill(base, iter(lines))
    except UnicodeError as error:
        raise HubError.told("archive_no_text", error=error) from error
    faults = [log for log in Ledger(base).logs() if log.fault]
    if faults:
        with base.begin() as connection:
            for table in reversed(_ARCHIVED.values()):
                connection.execute(table.delete())
        name, fault = faults[0].name, faults[0].fault
        raise HubError.told("archive_changed", name=name, fault=fault)
    return count


def _fill(base: Engine, lines: Iterator[str]) -> int:
    """All or nothing; the number of rows."""
    numbered = enumerate(lines, start=1)
    _, head = next(numbered, (1, ""))
    if ARCHIVE_FORMAT not in head[: 2 * len(ARCHIVE_FORMAT)]:
        raise HubError("line 1: this is no archive of a club", "第 1 行：不是俱乐部存档")
    count = 0
    with base.begin() as connection:
        for table in _ARCHIVED.values():
            if connection.execute(select(func.count()).select_from(table)).scalar_one():
                raise HubError.told("not_empty")
        while some := list(islice(numbered, ROWS_AT_ONCE)):
            count += len(some)
            by_table: dict[str, list[dict[str, Any]]] = {}
            for number, line in some:
                name, values = _row(number, line)
                by_table.setdefault(name, []).append(values)
            try:
                for name, rows in by_table.items():
                    connection.execute(insert(_ARCHIVED[name]), rows)
            except (SQLAlchemyError, OverflowError, UnicodeEncodeError) as error:
                raise HubError.told(
                    "archive_refused", first=some[0][0], last=some[-1][0], said=reason(error)
                ) from error
        key = select(about.c.value).where(about.c.name == "key")
        if connection.execute(key).scalar() is None:
            raise HubError("the archive lacks the hub's key", "存档缺少俱乐部中心的密钥")
        # PostgreSQL does not learn from rows with numbers of their own which comes next.
        for name, table in _ARCHIVED.items() if connection.dialect.name == "postgresql" else ():
            (first, *_) = table.primary_key.columns
            if first.name == "id" and first.default is None:
                connection.execute(
                    text(
                        f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), "
                        f"COALESCE((SELECT MAX(id) FROM {name}), 0) + 1, false)"
                    )
                )
    return count


def _row(number: int, line: str) -> tuple[str, dict[str, Any]]:
    """A table's name, and a row of it."""
    try:
        row = strict_json.decode(line)
        name, values = row["in"], row["row"]
        if name == "orders" and "kind" not in values:  # of an archive before form 7
            values["kind"] = str(strict_json.decode(values["order"])["kind"])
        if name in _OBJECTS:
            strict_json.decode(values[_OBJECTS[name]])
        if set(values) != set(_ARCHIVED[name].c.keys()):
            raise KeyError(name)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise HubError.told("archive_row", number=number) from error
    return name, values


DAY_S = 86_400.0
LEAST_ROOM = 2_000_000_000  # bytes: some evenings of a hundred tables
CONNECT_WAIT_S = 4
CLOCKS_APART_S = 2.0  # clocks that differ by more are told
# A server's settings, lest its acknowledged data is lost with its power.
_KEEPS = ("fsync", "full_page_writes", "synchronous_commit")
# A role that is not the server's administrator sees that a standby is there, and not how.
_STANDBYS = """
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
    elif (path := Path(where)).exists():
        folder = path.resolve().parent
        free = shutil.disk_usage(folder).free
        name = "disk.club" if free >= LEAST_ROOM else "disk.club_little"
        yield found(name, free=f"{free / 1e9:.1f}", folder=folder)
    else:
        yield found("database.none", path=path)
        return
    try:
        base = open_base(where, look_only=True)
    except HubError as error:
        yield found("database.unread", trouble=error)
        return
    try:
        with reading(base) as connection:
            let_in = select(func.count()).select_from(tables).where(tables.c.state == TABLE_IN)
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
        if abs(apart := time.time() - each.now_s) > CLOCKS_APART_S:
            yield found("clocks.apart", apart=f"{apart:+.0f}", name=each.name)
    if len(hosts) == 1:
        yield found("standby.none")


def _seen(name: str, where: str) -> _Server | None:
    line: psycopg.Connection[Any]
    try:
        with psycopg.connect(where, connect_timeout=CONNECT_WAIT_S, autocommit=True) as line:
            row = line.execute(_STANDBYS).fetchone()
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
