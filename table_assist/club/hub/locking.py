"""Tables as a transaction sees them: each locked, with the log that goes on."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, exists, select

from table_assist.club.hub.schema import IN, calls, logs, orders, tables
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
        is_called: a referee's call is open.
        is_ordered: there are orders that are no entries yet.
        logs: those that were read, by epoch.
    """

    id: int
    key: str
    turn: int
    changed: int
    log: int | None
    is_called: bool = False
    is_ordered: bool = False
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
    _read_around(connection, {table.id: table for table in found.values()})
    return found


def _read_around(connection: Connection, found: Mapping[int, TableRow]) -> None:
    """Read the values of locked tables; after the lock, or they were those from before it."""
    called = exists().where(calls.c.table_id == tables.c.id, calls.c.done == 0)
    ordered = exists().where(orders.c.table_id == tables.c.id, orders.c.seq == 0)
    query = (
        select(
            tables.c.id.label("table"), called.label("called"), ordered.label("ordered"), logs
        )
        .select_from(tables.outerjoin(logs, logs.c.id == tables.c.log))
        .where(among(connection, tables.c.id, list(found)))
    )  # fmt: skip
    for row in connection.execute(query) if found else ():
        table = found[row.table]
        table.is_called, table.is_ordered = bool(row.called), bool(row.ordered)
        if row.id is not None:
            table.logs[row.epoch] = _log(row)


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
