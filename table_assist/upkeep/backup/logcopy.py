"""A whole copy of a log that another program may be writing at this very moment."""

import hashlib
import sqlite3
import time
from pathlib import Path

from table_assist.record.log import Entry
from table_assist.record.store import Store, StoreError

TRIES = 20
WAIT_S = 0.05
WAL = "-wal"
# The header of a write-ahead log; its salts change when it is begun anew.
WAL_HEADER = 32


def copy_log(log: Path, target: Path) -> None:
    """Copy the log to a new file without opening or locking the original.

    A running table holds the log for itself alone, so SQLite itself may not read it from another
    program. Its two files are read instead, until the first was the same before and after the
    second: nothing moved between them then. What the write-ahead log ends with half-written is
    left out by its checksums, as after a power cut.

    Raises:
        StoreError: there is none, it cannot be read, or it never stood still.
    """
    if not log.is_file():
        raise StoreError(f"there is no log {log}")
    beside = target.with_name(target.name + WAL)
    try:
        for _ in range(TRIES):
            if _copy_if_still(log, target, beside):
                break
            time.sleep(WAIT_S)
        else:
            raise StoreError(f"the log {log} is written to without a pause: try again")
        # Take the write-ahead log into the file, and see that it is sound
        database = sqlite3.connect(target, isolation_level=None)
        try:
            found = database.execute("PRAGMA integrity_check").fetchone()[0]
            if found != "ok":
                raise StoreError(f"the log {log} is damaged: {found}")
            database.execute("PRAGMA journal_mode=DELETE")
        finally:
            database.close()
    except OSError as error:
        raise StoreError(f"the log {log} cannot be copied: {error.strerror}") from error
    except sqlite3.Error as error:
        raise StoreError(f"the log {log} cannot be copied: {error}") from error
    finally:
        beside.unlink(missing_ok=True)


def copy_database(source: Path, target: Path) -> None:
    """Copy a database that others may read and write meanwhile, by SQLite's online backup.

    Raises:
        StoreError: it cannot be copied.
    """
    try:
        database = sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)
        copy = sqlite3.connect(target, isolation_level=None)
        try:
            database.backup(copy)
        finally:
            copy.close()
            database.close()
    except sqlite3.Error as error:
        raise StoreError(f"{source} cannot be copied: {error}") from error


def read_copy(copy: Path) -> tuple[Entry, ...]:
    """The entries of a copied log.

    Raises:
        StoreError: it is no log, it is damaged or has a gap.
    """
    with Store(copy, reads_only=True) as store:
        return store.load()


def schema_of(log: Path) -> int | None:
    """The log's format, read from its first bytes without opening it; None where there is none.

    Source: SQLite's file format, 1.3: the user version is 4 bytes at offset 60, big endian.
    """
    try:
        with log.open("rb") as file:
            head = file.read(64)
    except OSError:
        return None
    if len(head) < 64 or not head.startswith(b"SQLite format 3\0"):
        return None
    return int.from_bytes(head[60:64], "big")


def is_in_use(log: Path) -> bool:
    """Whether another program has the log open for itself; the file is not touched by asking."""
    address = f"{log.resolve().as_uri()}?mode=ro"
    try:
        database = sqlite3.connect(address, uri=True, timeout=0.2)
        try:
            database.execute("SELECT count(*) FROM sqlite_master")
        finally:
            database.close()
    except sqlite3.Error as error:
        return "locked" in str(error)
    return False


def _copy_if_still(log: Path, target: Path, beside: Path) -> bool:
    wal = log.with_name(log.name + WAL)
    before = log.read_bytes()
    written = _read(wal)
    again = _read(wal)[:WAL_HEADER]
    if _digest(log.read_bytes()) != _digest(before) or again != written[:WAL_HEADER]:
        return False
    target.write_bytes(before)
    beside.write_bytes(written)
    return True


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()
