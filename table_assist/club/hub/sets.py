"""Many rows at once: as JSON in one statement in PostgreSQL, one after the other in SQLite."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
    Table,
    any_,
    bindparam,
    cast,
    literal,
    text,
    update,
)
from sqlalchemy import insert as insert_into
from sqlalchemy.dialects.postgresql import ARRAY, dialect

from table_assist.record.log import compact_json

Row = Mapping[str, Any]
_DIALECT = dialect()  # type: ignore[no-untyped-call]


def among(connection: Connection, of: ColumnElement[Any], values: Collection[Any]) -> Any:
    """Whether a column is one of these; the same statement however many they are."""
    if connection.dialect.name == "postgresql":
        return of == any_(cast(literal(list(values), ARRAY(of.type)), ARRAY(of.type)))
    return of.in_(values)


def add_rows(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Add rows, which all have the same columns."""
    if not rows:
        return
    names = tuple(rows[0])
    if connection.dialect.name == "postgresql":
        connection.execute(_added(table, names), {"rows": compact_json(rows)})
    else:
        connection.execute(insert_into(table), list(rows))


def change_rows(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Change the rows of these ids; each has `id` and the new values, all of the same columns."""
    if not rows:
        return
    names = tuple(rows[0])
    if connection.dialect.name == "postgresql":
        connection.execute(_changed(table, names), {"rows": compact_json(rows)})
        return
    given = update(table).where(table.c.id == bindparam("b_id"))
    given = given.values({name: bindparam(f"b_{name}") for name in names if name != "id"})
    connection.execute(given, [{f"b_{name}": row[name] for name in names} for row in rows])


@cache
def _added(table: Table, names: tuple[str, ...]) -> Executable:
    listed = ", ".join(names)
    return text(f"INSERT INTO {table.name} ({listed}) SELECT {listed} FROM {_given(table, names)}")


@cache
def _changed(table: Table, names: tuple[str, ...]) -> Executable:
    values = ", ".join(f"{name} = given.{name}" for name in names if name != "id")
    of = f"FROM {_given(table, names)} WHERE {table.name}.id = given.id"
    return text(f"UPDATE {table.name} SET {values} {of}")


def _given(table: Table, names: tuple[str, ...]) -> str:
    kinds = ", ".join(f"{name} {table.c[name].type.compile(_DIALECT)}" for name in names)
    return f"json_to_recordset(CAST(:rows AS json)) AS given ({kinds})"
