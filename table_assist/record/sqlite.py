"""SQLite files of the table: opened, copied, and why not, in one way for all of them."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from table_assist.record.private import sync_file

LOCK_WAIT_S = 1.0
# What `code_of` an error may be: another program has the database open; it is none, or damaged.
IN_USE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
SPOILED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
# What is committed afterwards survives a power cut.
DURABLE = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"


def opened(
    path: Path | None, how: str = "mode=rw", wait_s: float = LOCK_WAIT_S
) -> sqlite3.Connection:
    """A database for any thread, in which a transaction is one that was begun.

    Args:
        path: None keeps it with the program.
        how: as SQLite's address of a file says it; ``mode=rwc`` makes one, ``mode=ro`` only reads.
        wait_s: for another program that has it locked.
    """
    return sqlite3.connect(
        ":memory:" if path is None else f"{path.resolve().as_uri()}?{how}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=wait_s,
    )


def refuse_programs(database: sqlite3.Connection) -> None:
    """Somebody's file is data: what would run when rows are read or written is not opened.

    Raises:
        sqlite3.DatabaseError: it holds a trigger or a view.
    """
    database.execute("PRAGMA trusted_schema=OFF")
    query = "SELECT type FROM sqlite_master WHERE type IN ('trigger', 'view')"
    if found := database.execute(query).fetchone():
        raise sqlite3.DatabaseError(f"it holds a {found[0]}, which no file of this program does")


def copy_online(database: sqlite3.Connection, target: Path) -> None:
    """Copy all of it to a new file, while others read and write it."""
    with closing(opened(target, "mode=rwc")) as copy:
        database.backup(copy)
    sync_file(target)


@contextmanager
def refused_as(refusal: Callable[[str], Exception]) -> Iterator[None]:
    """What the disk or SQLite refuses in it is raised as this error, which is given why."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise refusal(plainly(error)) from error


def plainly(error: Exception) -> str:
    """Why, without a file's name."""
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return "another program has it open" if code_of(error) in IN_USE else str(error)


def code_of(error: Exception) -> int:
    """SQLite's primary result code; 0 where it is another's error."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
