"""The hub's database: SQLite by default, PostgreSQL for a club that must not stand still."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, insert, select, text
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from table_assist.club.hub.fence import Fence
from table_assist.club.hub.schema import about, metadata
from table_assist.languages.words import SaidError
from table_assist.trust.installation import InstallationKey, key_of_secret, new_secret

WAIT_S = 10  # for the lock of a file
SERVER_S = 4  # for a server that does not answer
FOLDING_S = 60  # a reader may think so long over what it has read
MIGRATING = 0x7461626C65  # PostgreSQL's advisory lock: of many processes one migrates
POOL = 6  # connections of a process


class HubError(SaidError):
    """The hub's database cannot be used."""


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
        said = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise HubError(
            "the club's database cannot be used: {said}", "俱乐部数据库无法使用：{said}", said=said
        ) from error
    except HubError:
        engine.dispose()
        raise
    return engine


def close_base(engine: Engine) -> None:
    """Let go of the database; what a thread uses just now closes when it is given back."""
    event.listen(engine, "checkin", lambda _, record: record.invalidate())
    engine.dispose()


def _engine(where: str) -> Engine:
    if "://" not in where:
        given = {"timeout": WAIT_S}
        engine = create_engine(f"sqlite:///{where}", connect_args=given, pool_size=POOL)
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    fence = Fence(where, SERVER_S)
    engine = create_engine(
        "postgresql+psycopg://",
        creator=fence.connect,
        pool_size=POOL,
        max_overflow=POOL,
        pool_pre_ping=True,
        execution_options={"fence": fence},
    )
    fence.guard(engine)
    return engine


def fence_of(engine: Engine) -> Fence | None:
    """The connector to the database's servers; None where it is a file."""
    found: Fence | None = engine.get_execution_options().get("fence")
    return found


def _set_up_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions are begun below
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _begin_sqlite(connection: Connection) -> None:
    """A writer waits here, and not in the middle of its transaction."""
    reads = connection.get_execution_options().get("reads")
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


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


# -- its form --------------------------------------------------------------------------------------


def _migrate(connection: Connection, to: str = "head") -> None:
    """Bring the tables to this program's form, step by step."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("version_locations", str(Path(__file__).with_name("versions")))
    config.set_main_option("path_separator", "os")
    steps = ScriptDirectory.from_config(config)
    with connection.begin():
        if connection.dialect.name == "postgresql":
            for limit in ("statement_timeout", "idle_in_transaction_session_timeout"):
                connection.execute(text(f"SET LOCAL {limit} = 0"))
            connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
        known = {script.revision for script in steps.walk_revisions()}
        found = MigrationContext.configure(connection).get_current_heads()
        if set(found) - known:
            raise HubError(
                "the club's database has form {names}; this program knows up to {get_current_head}",
                "俱乐部数据库的格式为 {names}，本程序只支持到 {get_current_head}",
                names=", ".join(found),
                get_current_head=steps.get_current_head(),
            )
        with EnvironmentContext(
            config, steps, fn=lambda revision, _: steps._upgrade_revs(to, revision)
        ) as running:
            running.configure(connection=connection, target_metadata=metadata)
            running.run_migrations()


# -- what it says of itself ------------------------------------------------------------------------


def kept(engine: Engine, name: str, first: str) -> str:
    """A value that all processes share; the first one that asks decides it."""
    query = select(about.c.value).where(about.c.name == name)
    with reading(engine) as connection:
        found = connection.execute(query).scalar()
    if found is None:
        try:
            with engine.begin() as connection:
                connection.execute(insert(about).values(name=name, value=first))
        except IntegrityError:
            pass  # another process was first
        with reading(engine) as connection:
            found = connection.execute(query).scalar_one()
    return str(found)


def hub_key(engine: Engine) -> InstallationKey:
    """The hub's own key: it signs answers, orders and heads."""
    return key_of_secret(kept(engine, "key", new_secret()))


def hub_key_in(connection: Connection) -> InstallationKey:
    """The same, in a transaction of a hub that has one."""
    query = select(about.c.value).where(about.c.name == "key")
    return key_of_secret(connection.execute(query).scalar_one())
