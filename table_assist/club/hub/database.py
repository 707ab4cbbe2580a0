"""The hub's database: SQLite by default, PostgreSQL for a club that must not stand still.

Logs and their entries are only ever added to. What people decide (players, sessions, orders, calls)
carries who did it and when, and is undone by another row or mark, not by deletion.
"""

import json
import os
import secrets
import socket
import sqlite3
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

import psycopg
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Engine,
    Executable,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Row,
    Select,
    String,
    Table,
    Text,
    UniqueConstraint,
    any_,
    bindparam,
    cast,
    create_engine,
    event,
    func,
    insert,
    inspect,
    literal,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from table_assist.languages.words import SaidError
from table_assist.record.log import compact_json
from table_assist.record.sqlite import DURABLE
from table_assist.trust.installation import InstallationKey, key_of_secret, new_secret

HUB_LOCK_WAIT_S = 10  # for the lock of a file
FOLDING_S = 60  # a reader may think so long over what it has read
MIGRATING = 0x7461626C65  # PostgreSQL's advisory lock: of many processes one migrates
POOL = 6  # connections of a process
TABLES_FORM = 8  # of the tables
HUB = "table-assist "  # how a hub's connections are called: its machine and process behind it
# Of the servers of an address the one that may be written. A hub that was stopped in a transaction
# loses its locks; a machine that was cut off is given up.
SERVER: dict[str, Any] = {
    "target_session_attrs": "read-write",
    "connect_timeout": 4,
    "keepalives_idle": 5,
    "tcp_user_timeout": 15_000,
    "application_name": f"{HUB}{socket.gethostname()}:{os.getpid()}"[:63],
    "options": "-c statement_timeout=20s -c lock_timeout=4s "
    "-c idle_in_transaction_session_timeout=3s",
}


class HubError(SaidError):
    """The hub's database cannot be used."""


# -- numbers of players, sessions and acts ---------------------------------------------------------
# They are never given twice, even where a database was set back: signed orders in the tables' logs
# speak of people by number. A restored hub that counted would give those of a lost evening to
# other people, and to them its points.

LARGEST_WHOLE = (1 << 53) - 1  # what every reader of JSON holds exactly
NUMBER = BigInteger().with_variant(Integer(), "sqlite")
_BEGIN_S = 1_735_689_600  # 2025-01-01
_CHANCE_BITS = 22
_STEP = 1 << 12


def drawn(newest: int, now_s: float) -> int:
    """The next number: the second it was given, and chance; always more than the newest one.

    So the database orders them, whatever a clock says.

    >>> drawn(0, 1_800_000_000.0) >> 22
    64310400
    >>> 5 << 40 < drawn(5 << 40, 0.0) <= (5 << 40) + 4096
    True
    """
    at = (int(now_s) - _BEGIN_S << _CHANCE_BITS) + secrets.randbits(_CHANCE_BITS)
    return at if at > newest else newest + 1 + secrets.randbelow(_STEP)


def given_s(number: int) -> float:
    """When a number was given, seconds since the epoch."""
    return float((number >> _CHANCE_BITS) + _BEGIN_S)


def _numbered() -> Column[int]:
    """The column of such numbers; whoever adds a row gets the next one."""

    def following(context: Any) -> int:
        table: Table = column.table
        newest = context.connection.execute(select(func.max(table.c.id))).scalar()
        return drawn(newest or 0, time.time())

    column = Column("id", NUMBER, primary_key=True, autoincrement=False, default=following)
    return column


# -- the tables ------------------------------------------------------------------------------------

metadata = MetaData()
must = partial(Column[Any], nullable=False)

# Where a table stands: it has asked, was let in, or was sent out.
TABLE_ASKED, TABLE_IN, TABLE_OUT = "asked", "in", "out"

about = Table(
    "about",
    metadata,
    Column("name", String(40), primary_key=True),
    must("value", Text),
)
tables = Table(
    "tables",
    metadata,
    _numbered(),
    must("key", String(64), unique=True),
    must("name", String(80)),
    must("state", String(8)),
    must("code", String(16)),
    Column("log", Integer),  # the one that goes on; earlier ones are closed
    must("turn", BigInteger),
    must("seen", Float),  # seconds since the epoch, by the hub
    must("changed", BigInteger),  # another one whenever its view is; it grows
    must("view", Text),
)
logs = Table(
    "logs",
    metadata,
    Column("id", Integer, primary_key=True),
    must("table_id", ForeignKey("tables.id")),
    must("epoch", String(32)),
    must("first", String(64)),  # the first entry's seal: by it a log is known
    must("have", Integer),
    must("seal", String(64)),
    must("begun", Float),
    UniqueConstraint("table_id", "epoch", name="one_log_an_epoch"),
)
entries = Table(
    "entries",
    metadata,
    Column("log", ForeignKey("logs.id"), primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    must("seal", String(64)),
    must("line", Text),
)
alarms = Table(
    "alarms",
    metadata,
    Column("id", Integer, primary_key=True),
    must("table_id", ForeignKey("tables.id")),
    must("kind", String(16)),
    must("told", Text),  # with the numbers in it
    must("at", Float),
    must("done", String(80)),  # who has seen to it
    UniqueConstraint("table_id", "kind", "told", name="one_alarm_a_fault"),
)
refused = Table(
    "refused",
    metadata,
    Column("why", String(16), primary_key=True),
    must("count", BigInteger),
)
orders = Table(
    "orders",
    metadata,
    Column("id", Integer, primary_key=True),
    must("key", String(32), unique=True),
    must("table_id", ForeignKey("tables.id")),
    must("order", Text),  # signed, as JSON
    must("at", Float),
    must("seq", Integer),  # of the entry that it became; 0: not yet
    must("refused", Text),  # why the table did not carry it out
    must("kind", String(16), server_default=""),  # as the order says
    Index("orders_waiting", "table_id", "seq"),
)
calls = Table(
    "calls",
    metadata,
    Column("key", String(32), primary_key=True),
    must("table_id", ForeignKey("tables.id")),
    must("reason", Text),
    must("at", Float),
    must("going", String(80)),
    must("done", Float),  # 0: somebody waits
)
players = Table(
    "players",
    metadata,
    _numbered(),
    must("name", String(80)),
    must("number", String(40), unique=True),  # the club's own, of any kind
    must("hidden", Boolean),  # strangers see the number and not the name
)
sessions = Table(
    "sessions",
    metadata,
    _numbered(),
    must("name", String(80)),
    must("begun", Float),
    must("public", Boolean),  # standings are shown to everybody
)
series = Table(  # a tournament of several sessions, or a season
    "series",
    metadata,
    _numbered(),
    must("name", String(80)),
    must("sessions", Text),  # JSON: their numbers; none: by the two dates
    must("since", Float),
    must("until", Float),
    must("by", String(80)),
    must("undone", String(80)),
)
plans = Table(
    "plans",
    metadata,
    Column("session_id", ForeignKey("sessions.id"), primary_key=True, autoincrement=False),
    Column("round", Integer, primary_key=True, autoincrement=False),
    must("tables", Text),  # JSON: four players of each table, East first
    must("by", String(80)),
    must("seated", Float),  # when the tables were told; 0: not yet
)
corrections = Table(
    "corrections",
    metadata,
    Column("id", Integer, primary_key=True),
    must("session_id", ForeignKey("sessions.id")),
    must("player_id", ForeignKey("players.id")),
    must("points", Integer),
    must("reason", Text),
    must("by", String(80)),
    must("at", Float),
    must("undone", String(80)),
)
acts = Table(
    "acts",
    metadata,
    _numbered(),
    must("session_id", NUMBER),  # 0: of none
    must("kind", String(16)),
    must("content", Text),  # JSON, by the kind
    must("by", String(80)),
    must("at", Float),
    Column("undoes", ForeignKey("acts.id")),
    UniqueConstraint("undoes", name="undone_once"),
)
commands = Table(  # of the desk, that their pages gave keys
    "commands",
    metadata,
    Column("key", String(64), primary_key=True),  # sha256 of key, command and who gave it
    must("answer", Text),  # as JSON; empty: not kept
)
files = Table(
    "files",
    metadata,
    Column("id", Integer, primary_key=True),
    must("order_key", String(32), unique=True),  # that asked for it
    must("table_id", ForeignKey("tables.id")),
    must("hand", Integer),
    must("digest", String(64)),  # sha256
    must("size", Integer),
    must("have", Integer),  # bytes that have come, in their order
    must("at", Float),
)
pieces = Table(
    "pieces",
    metadata,
    Column("file", ForeignKey("files.id"), primary_key=True, autoincrement=False),
    Column("at", Integer, primary_key=True, autoincrement=False),
    must("content", Text),  # base64
)
pictures = Table(  # of won hands, as they are shown; the file is as it came
    "pictures",
    metadata,
    Column("id", Integer, primary_key=True),
    must("file", ForeignKey("files.id"), unique=True),
    must("table_id", ForeignKey("tables.id")),
    must("log", ForeignKey("logs.id")),
    must("entry", Integer),  # that showed the hand
    must("hand", Integer),
    must("content", Text),  # base64
    must("at", Float),
)
heads = Table(
    "heads",
    metadata,
    Column("minute", Integer, primary_key=True, autoincrement=False),
    must("heads", Text),  # JSON: (table's key, epoch, have, seal) of every log
    must("signature", Text),
)
staff = Table(
    "staff",
    metadata,
    Column("id", Integer, primary_key=True),
    must("hash", String(64), unique=True),  # sha256 of a link or of a cookie
    must("name", String(80)),
    must("role", String(16)),
    must("until", Float),
    must("is_link", Boolean),
)

# -- opening it ------------------------------------------------------------------------------------


def open_base(where: str, *, look_only: bool = False) -> Engine:
    """The database, brought to this program's form.

    Args:
        where: a file, or ``postgresql://…``, several hosts of a cluster with commas between them.
        look_only: leave its form as it is.

    Raises:
        HubError: it cannot be opened.
    """
    engine = _engine(where)
    try:
        with engine.connect() as connection:
            if not look_only:
                _migrate(connection)
    except (SQLAlchemyError, sqlite3.Error, psycopg.Error) as error:
        engine.dispose()
        raise HubError.told("unusable", said=reason(error)) from error
    except HubError:
        engine.dispose()
        raise
    return engine


def reason(error: Exception) -> str:
    """A database's error in one line."""
    said = str(getattr(error, "orig", None) or error).strip().splitlines()
    return said[0] if said else repr(error)


def _engine(where: str) -> Engine:
    if "://" not in where:
        given = {"timeout": HUB_LOCK_WAIT_S}
        engine = create_engine(f"sqlite:///{where}", connect_args=given, pool_size=POOL)
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    return create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(where, **SERVER),
        pool_size=POOL,
        max_overflow=POOL,
        pool_pre_ping=True,
    )


def _set_up_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions are begun below
    connection.executescript(DURABLE)
    connection.execute("PRAGMA foreign_keys=ON")


def _begin_sqlite(connection: Connection) -> None:
    """A writer waits here, and not in the middle of its transaction."""
    reads = connection.get_execution_options().get("reads")
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def _migrate(connection: Connection) -> None:
    """Make the tables that are not there; those of an earlier form have the form of today then."""
    is_server = connection.dialect.name == "postgresql"
    with connection.begin():
        if is_server:
            for limit in ("statement_timeout", "idle_in_transaction_session_timeout"):
                connection.execute(text(f"SET LOCAL {limit} = 0"))
            connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
        has_form = inspect(connection).has_table("alembic_version")  # which kept it until form 8
        known = text("SELECT version_num FROM alembic_version")
        form = int(connection.execute(known).scalar() or 0) if has_form else 0
        if form > TABLES_FORM:
            raise HubError.told("later_form", form=form, known=TABLES_FORM)
        if form == TABLES_FORM:
            return
        metadata.create_all(connection)
        if form:
            _renew(connection, form, is_server=is_server)
        if not has_form:
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
        connection.execute(text("DELETE FROM alembic_version"))
        connection.execute(
            text("INSERT INTO alembic_version VALUES (:form)"), {"form": str(TABLES_FORM)}
        )


def _renew(connection: Connection, form: int, *, is_server: bool) -> None:
    for column in (each for table in metadata.sorted_tables for each in table.c):
        if is_server and isinstance(column.type, BigInteger):  # SQLite has the room already
            change = f'ALTER TABLE {column.table.name} ALTER "{column.name}"'
            connection.execute(text(f"{change} TYPE BIGINT"))
            if column.default is not None:
                connection.execute(text(f"{change} DROP DEFAULT"))
    if form < 7:  # an order's kind stands beside it
        change = "ALTER TABLE orders ADD COLUMN kind VARCHAR(16) DEFAULT '' NOT NULL"
        connection.execute(text(change))
        for id, order in connection.execute(select(orders.c.id, orders.c.order)).all():
            own = update(orders).where(orders.c.id == id)
            connection.execute(own.values(kind=json.loads(order)["kind"]))
    if form < 3:  # corrections that stand are acts of the desk
        query = select(corrections).where(corrections.c.undone == "").order_by(corrections.c.id)
        for row in connection.execute(query).all():
            content = {
                "correction": row.id, "player": row.player_id, "points": row.points,
                "reason": row.reason,
            }  # fmt: skip
            given = {"session_id": row.session_id, "kind": "correct", "by": row.by, "at": row.at}
            connection.execute(insert(acts).values(content=compact_json(content), **given))


# -- reading and writing ---------------------------------------------------------------------------


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that sees one state and writes nothing."""
    with engine.connect() as connection:
        given: dict[str, Any] = {"reads": True}
        if engine.dialect.name == "postgresql":
            given |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        connection = connection.execution_options(**given)
        with connection.begin():
            if engine.dialect.name == "postgresql":
                idle = f"SET LOCAL idle_in_transaction_session_timeout = '{FOLDING_S}s'"
                connection.exec_driver_sql(idle)
            yield connection


def read(engine: Engine, query: Select[Any]) -> Sequence[Any]:
    """All rows of a query by itself."""
    with reading(engine) as connection:
        return connection.execute(query).all()


def read_one(engine: Engine, query: Select[Any]) -> Row[Any] | None:
    """The one row of it; None where there is none."""
    with reading(engine) as connection:
        return connection.execute(query).one_or_none()


def read_value(engine: Engine, query: Select[Any]) -> Any:
    """The first value of its first row; None where there is none."""
    with reading(engine) as connection:
        return connection.execute(query).scalar()


def now_s(connection: Connection) -> float:
    """Seconds since the epoch by the one clock of all hub processes: the database's."""
    if connection.dialect.name != "postgresql":
        return time.time()
    query = text("SELECT extract(epoch FROM clock_timestamp())::float8")
    return float(connection.execute(query).scalar_one())


def now_at(engine: Engine) -> float:
    """The same, for who has no transaction."""
    with reading(engine) as connection:
        return now_s(connection)


def kept(engine: Engine, name: str, first: str) -> str:
    """A value that all processes share; the first one that asks decides it."""
    query = select(about.c.value).where(about.c.name == name)
    found = read_value(engine, query)
    if found is None:
        try:
            with engine.begin() as connection:
                connection.execute(insert(about).values(name=name, value=first))
        except IntegrityError:
            pass  # another process was first
        found = read_value(engine, query)
    return str(found)


def hub_key(engine: Engine) -> InstallationKey:
    """The hub's own key: it signs answers, orders and heads."""
    return key_of_secret(kept(engine, "key", new_secret()))


def hub_key_in(connection: Connection) -> InstallationKey:
    """The same, in a transaction of a hub that has one."""
    query = select(about.c.value).where(about.c.name == "key")
    return key_of_secret(connection.execute(query).scalar_one())


def added(connection: Connection, table: Table, **values: Any) -> int:
    """Add a row; its number."""
    made = connection.execute(insert(table).values(**values)).inserted_primary_key
    assert made is not None
    return int(made[0])


def new_rows(connection: Connection, table: Any) -> Any:
    """An insert that leaves out what is there already."""
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table).on_conflict_do_nothing()
    return sqlite.insert(table).on_conflict_do_nothing()


# -- many rows at once: as JSON in one statement in PostgreSQL, one by one in SQLite ---------------

Rows = Sequence[Mapping[str, Any]]
_DIALECT = postgresql.dialect()  # type: ignore[no-untyped-call]


def among(connection: Connection, of: ColumnElement[Any], values: Collection[Any]) -> Any:
    """Whether a column is one of these; the same statement however many they are."""
    if connection.dialect.name == "postgresql":
        kind = postgresql.ARRAY(of.type)
        return of == any_(cast(literal(list(values), kind), kind))
    return of.in_(values)


def add_rows(connection: Connection, table: Table, rows: Rows) -> None:
    """Add rows, which all have the same columns."""
    if rows and connection.dialect.name == "postgresql":
        statement, _ = _statements(table, tuple(rows[0]))
        connection.execute(statement, {"rows": compact_json(rows)})
    elif rows:
        connection.execute(insert(table), list(rows))


def change_rows(connection: Connection, table: Table, rows: Rows) -> None:
    """Change the rows of these ids; each has `id` and the new values, all of the same columns."""
    if not rows:
        return
    names = tuple(rows[0])
    if connection.dialect.name == "postgresql":
        _, statement = _statements(table, names)
        connection.execute(statement, {"rows": compact_json(rows)})
        return
    given = update(table).where(table.c.id == bindparam("b_id"))
    given = given.values({name: bindparam(f"b_{name}") for name in names if name != "id"})
    connection.execute(given, [{f"b_{name}": row[name] for name in names} for row in rows])


@cache
def _statements(table: Table, names: tuple[str, ...]) -> tuple[Executable, Executable]:
    """To add such rows, and to change them."""
    kinds = ", ".join(f"{name} {table.c[name].type.compile(_DIALECT)}" for name in names)
    given = f"json_to_recordset(CAST(:rows AS json)) AS given ({kinds})"
    listed = ", ".join(names)
    values = ", ".join(f"{name} = given.{name}" for name in names if name != "id")
    return (
        text(f"INSERT INTO {table.name} ({listed}) SELECT {listed} FROM {given}"),
        text(f"UPDATE {table.name} SET {values} FROM {given} WHERE {table.name}.id = given.id"),
    )
