"""The rows of the hub's database as they stand: for archives and for auditors."""

from sqlalchemy import Engine, select

from table_assist.club.hub.database import entries, logs, reading, tables


def stored_logs(base: Engine) -> list[tuple[int, str, str, int]]:
    """(id, table's key, epoch, entries) of every log, the oldest first."""
    query = (
        select(logs.c.id, tables.c.key, logs.c.epoch, logs.c.have)
        .join(tables, tables.c.id == logs.c.table_id)
        .order_by(logs.c.id)
    )
    with reading(base) as connection:
        return [(row.id, row.key, row.epoch, row.have) for row in connection.execute(query)]


def stored_rows(base: Engine, log: int) -> list[tuple[int, str, str]]:
    """(number, seal, line) of each entry of a log, in order."""
    query = (
        select(entries.c.seq, entries.c.seal, entries.c.line)
        .where(entries.c.log == log)
        .order_by(entries.c.seq)
    )
    with reading(base) as connection:
        return [(seq, seal, line) for seq, seal, line in connection.execute(query)]
