"""The whole hub as one file of JSON Lines, and a hub made of such a file again.

It is plain on purpose: whatever becomes of databases, each line says in which table it stood and
what it held. The file has the hub's secret key, without which no table would know the new hub: keep
it as you keep the database. Sessions of the staff are not in it.
"""

import json
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

from sqlalchemy import Connection, Engine, delete, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError

from table_assist.club.hub.database import HubError, about, metadata, now_s, reading, reason, staff
from table_assist.club.hub.ledger import Ledger
from table_assist.parts import VERSION
from table_assist.record.log import compact_json

FORMAT, FORMAT_VERSION = "table-assist club archive", 1
ARCHIVED = "archived"  # of `about`: when an archive was written the last time
AT_ONCE = 1000  # rows that are read or written together
# Whose rows hold JSON, and in which column; what cannot be read would stop every page.
_OBJECTS = {
    "tables": "view", "orders": "order", "acts": "content", "plans": "tables", "series": "sessions",
    "heads": "heads",
}  # fmt: skip
_TABLES = {table.name: table for table in metadata.sorted_tables if table is not staff}


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


_JSON = json.JSONDecoder(parse_constant=_no_number)


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
    yield compact_json({"format": FORMAT, "version": FORMAT_VERSION, "program": VERSION})
    with reading(base) as connection:
        for name, table in _TABLES.items():
            query = select(table).order_by(*table.primary_key.columns)
            if table is about:
                query = query.where(about.c.name != ARCHIVED)
            for row in connection.execution_options(yield_per=AT_ONCE).execute(query):
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
            for table in reversed(_TABLES.values()):
                connection.execute(table.delete())
        name, fault = faults[0].name, faults[0].fault
        raise HubError.told("archive_changed", name=name, fault=fault)
    return count


def _fill(base: Engine, lines: Iterator[str]) -> int:
    """All or nothing; the number of rows."""
    numbered = enumerate(lines, start=1)
    _, head = next(numbered, (1, ""))
    if FORMAT not in head[: 2 * len(FORMAT)]:
        raise HubError("line 1: this is no archive of a club", "第 1 行：不是俱乐部存档")
    count = 0
    with base.begin() as connection:
        for table in _TABLES.values():
            if connection.execute(select(func.count()).select_from(table)).scalar_one():
                raise HubError.told("not_empty")
        while some := list(islice(numbered, AT_ONCE)):
            count += len(some)
            by_table: dict[str, list[dict[str, Any]]] = {}
            for number, line in some:
                name, values = _row(number, line)
                by_table.setdefault(name, []).append(values)
            try:
                for name, rows in by_table.items():
                    connection.execute(insert(_TABLES[name]), rows)
            except (SQLAlchemyError, OverflowError, UnicodeEncodeError) as error:
                raise HubError.told(
                    "archive_refused", first=some[0][0], last=some[-1][0], said=reason(error)
                ) from error
        key = select(about.c.value).where(about.c.name == "key")
        if connection.execute(key).scalar() is None:
            raise HubError("the archive lacks the hub's key", "存档缺少俱乐部中心的密钥")
        _go_on_counting(connection)
    return count


def _row(number: int, line: str) -> tuple[str, dict[str, Any]]:
    """A table's name, and a row of it."""
    try:
        row = _JSON.decode(line)
        name, values = row["in"], row["row"]
        if name == "orders" and "kind" not in values:  # of an archive before form 7
            values["kind"] = str(_JSON.decode(values["order"])["kind"])
        if name in _OBJECTS:
            _JSON.decode(values[_OBJECTS[name]])
        if set(values) != set(_TABLES[name].c.keys()):
            raise KeyError(name)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise HubError.told("archive_row", number=number) from error
    return name, values


def _go_on_counting(connection: Connection) -> None:
    """PostgreSQL does not learn from rows with numbers of their own which comes next."""
    if connection.dialect.name != "postgresql":
        return
    for name, table in _TABLES.items():
        (first, *_) = table.primary_key.columns
        if first.name == "id" and first.default is None:
            connection.execute(
                text(
                    f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), "
                    f"COALESCE((SELECT MAX(id) FROM {name}), 0) + 1, false)"
                )
            )
