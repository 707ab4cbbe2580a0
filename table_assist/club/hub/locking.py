"""Tables as a transaction sees them: each locked, with the log that goes on."""

from collections.abc import Collection
from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from table_assist.club.hub.schema import IN, logs, tables
from table_assist.club.hub.sets import among


@dataclass(slots=True)
class LogRow:
    """A log as the transaction sees it."""

    id: int
    epoch: str
    first: str
    have: int
    seal: str


@dataclass(slots=True)
class TableRow:
    """A table that is let in.

    Attributes:
        log: the number of the log that goes on.
        logs: those that were read, by epoch.
    """

    id: int
    key: str
    turn: int
    changed: int
    log: int | None
    logs: dict[str, LogRow] = field(default_factory=dict)


def lock_tables(
    connection: Connection, keys: Collection[str], *, skip_locked: bool = False
) -> dict[str, TableRow]:
    """Those of these tables that are let in, each locked, with the log that goes on."""
    query = (
        select(tables.c.id, tables.c.key, tables.c.turn, tables.c.changed, tables.c.log)
        .where(among(connection, tables.c.key, keys), tables.c.state == IN)
        .order_by(tables.c.id)
        .with_for_update(skip_locked=skip_locked)
    )
    found = {
        row.key: TableRow(row.id, row.key, row.turn, row.changed, row.log)
        for row in connection.execute(query)
    }
    by_log = {table.log: table for table in found.values() if table.log is not None}
    going = select(logs).where(among(connection, logs.c.id, list(by_log)))
    for row in connection.execute(going) if by_log else ():
        by_log[row.id].logs[row.epoch] = _log(row)
    return found


def read_other_logs(connection: Connection, table: TableRow) -> None:
    """The logs that this table left, too."""
    for row in connection.execute(select(logs).where(logs.c.table_id == table.id)):
        table.logs.setdefault(row.epoch, _log(row))


def held_elsewhere(connection: Connection, keys: Collection[str]) -> set[str]:
    """Which of these tables, that could not be locked, are let in all the same."""
    if not keys:
        return set()
    query = select(tables.c.key).where(among(connection, tables.c.key, keys), tables.c.state == IN)
    return set(connection.execute(query).scalars())


def _log(row: object) -> LogRow:
    return LogRow(row.id, row.epoch, row.first, row.have, row.seal)  # type: ignore[attr-defined]
