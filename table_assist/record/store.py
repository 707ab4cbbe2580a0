"""The log on disk: one SQLite file, append only, every entry durable before it counts."""

import sqlite3
import threading
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from table_assist.record.log import (
    Entry,
    entries_from_json,
    entry_to_json,
)

# Changes when a row can no longer be read as before; a newer file is never written to.
SCHEMA = 1
LOCK_WAIT_S = 1.0
IN_USE = "another program has it open"


class StoreError(Exception):
    """The log cannot be read or written; the message is one sentence with the file's name.

    Attributes:
        why: what the system says, without the file's name, which is nobody's business elsewhere.
    """

    def __init__(self, message: str, why: str = "") -> None:
        super().__init__(message)
        self.why = why or message


class Store:
    """An open log file. One thread writes it: the session's; `copy_to` may be called by any.

    Raises:
        StoreError: the file is no log, is newer than this program, or its folder is not writable.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writing = threading.Lock()  # a copy holds whole transactions only
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(
                path, isolation_level=None, check_same_thread=False, timeout=LOCK_WAIT_S
            )
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"the log {path} cannot be opened: {_plainly(error)}") from error

    def _prepare(self) -> None:
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA:
            self._db.close()
            raise StoreError(
                f"the log {self.path} has format {version}; this program knows up to {SCHEMA}"
            )
        tables = {
            name
            for (name,) in self._db.execute("SELECT name FROM sqlite_master WHERE type='table'")
        }
        if tables - {"entries"}:
            self._db.close()
            raise StoreError(f"the file {self.path} is another program's database, not a log")
        # Two programs following one table would number their entries alike.
        self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS entries (seq INTEGER PRIMARY KEY, line TEXT NOT NULL)"
        )
        self._db.execute(f"PRAGMA user_version={SCHEMA}")

    def load(self) -> tuple[Entry, ...]:
        """All entries, oldest first.

        Raises:
            StoreError: a row is damaged or a number is missing; nothing is skipped silently.
        """
        try:
            rows = self._db.execute("SELECT seq, line FROM entries ORDER BY seq").fetchall()
            entries = entries_from_json([line for _, line in rows])
        except (sqlite3.Error, ValueError) as error:
            raise StoreError(f"the log {self.path} cannot be read: {error}") from error
        for expected, entry in enumerate(entries, start=1):
            if entry.seq != expected:
                raise StoreError(
                    f"the log {self.path} lacks entry {expected}: {entry.seq} comes next"
                )
        return entries

    def append(self, entries: Iterable[Entry]) -> None:
        """Write entries; when this returns they survive a power cut.

        Raises:
            StoreError: none of them was written.
        """
        rows = [(entry.seq, entry_to_json(entry)) for entry in entries]
        with self._writing:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.executemany("INSERT INTO entries VALUES (?, ?)", rows)
                self._db.execute("COMMIT")
            except sqlite3.Error as error:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise StoreError(
                    f"the log {self.path} cannot be written: {_plainly(error)}", _plainly(error)
                ) from error

    def copy_to(self, path: Path) -> None:
        """Copy the log as it is now to a new file, while it is in use. From any thread.

        Raises:
            StoreError: it cannot be copied.
        """
        try:
            copy = sqlite3.connect(path, isolation_level=None)
            try:
                with self._writing:
                    self._db.backup(copy)
                copy.execute("PRAGMA journal_mode=DELETE")  # one file, whole by itself
            finally:
                copy.close()
        except sqlite3.Error as error:
            raise StoreError(
                f"the log {self.path} cannot be copied to {path}: {_plainly(error)}"
            ) from error

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _plainly(error: OSError | sqlite3.Error) -> str:
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    if "locked" in str(error):
        return IN_USE
    return str(error)
