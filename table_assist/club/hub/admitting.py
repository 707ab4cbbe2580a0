"""A table that was let in after the backup is in again, by the hub's own signature."""

from sqlalchemy import Engine, insert, select, update

from table_assist.club.acts import ActKind
from table_assist.club.admission import Admission
from table_assist.club.hub.acts import note
from table_assist.club.hub.alarms import raise_alarm
from table_assist.club.hub.base import reading
from table_assist.club.hub.desk import new_table
from table_assist.club.hub.schema import IN, OUT, tables

BY = "club"


def admit_again(engine: Engine, was: Admission, now_s: float) -> bool:
    """Whether the table is in now; one that was let go stays out."""
    own = tables.c.key == was.table
    with engine.begin() as connection:
        row = connection.execute(select(tables.c.state).where(own)).one_or_none()
        if row is not None and row.state in (IN, OUT):
            return bool(row.state == IN)
        given = {"state": IN, "code": was.code, "name": was.name, "seen": now_s}
        if row is None:
            new = new_table(was.table, was.name, IN, was.code, now_s)
            connection.execute(insert(tables).values(**new))
        else:
            connection.execute(update(tables).where(own).values(**given))
        table = connection.execute(select(tables.c.id).where(own)).scalar_one()
        note(connection, ActKind.LET_IN, {"table": table}, BY)
        raise_alarm(connection, table, "in again", was.name)
    return True


def admission(engine: Engine, table: str, code: str) -> Admission:
    """Of a table that is in."""
    with reading(engine) as connection:
        name = connection.execute(select(tables.c.name).where(tables.c.key == table)).scalar()
    return Admission(code, name or "", table)
