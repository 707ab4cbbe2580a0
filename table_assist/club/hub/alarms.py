"""Alarms: something that a table sent is not what it should be."""

import time
from typing import Any

from sqlalchemy import Connection, func, select
from sqlalchemy.dialects import postgresql, sqlite

from table_assist.club.hub.schema import alarms

MOST_OPEN = 20  # of one table: more of them would hide the others' on the desk
MOST_LETTERS = 400


def raise_alarm(
    connection: Connection, table: int, kind: str, told: str, *, alone: bool = False
) -> None:
    """Somebody must see to it; the same alarm stands once.

    Args:
        alone: one of its kind says it for all tables.
    """
    own = alarms.c.kind == kind if alone else alarms.c.table_id == table
    count = select(func.count()).select_from(alarms).where(own, alarms.c.done == "")
    if connection.execute(count).scalar_one() < (1 if alone else MOST_OPEN):
        given = {
            "table_id": table, "kind": kind, "told": plain(told), "at": time.time(), "done": "",
        }  # fmt: skip
        connection.execute(new_rows(connection, alarms).values(**given))


def plain(text: str) -> str:
    """A table's text as any database takes it: PostgreSQL knows no NUL."""
    return text.replace("\0", "")[:MOST_LETTERS]


def new_rows(connection: Connection, table: Any) -> Any:
    """An insert that leaves out what is there already."""
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table).on_conflict_do_nothing()
    return sqlite.insert(table).on_conflict_do_nothing()
