"""The log on disk: one SQLite file, append only, every entry durable before it counts."""

import os
import sqlite3
import threading
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from types import TracebackType

from table_assist.languages.words import UserError
from table_assist.record.log import Entry, entries_from_json, entry_to_json
from table_assist.record.private import sync_file, sync_folder
from table_assist.record.seal import HandSeals, seal_after
from table_assist.record.sqlite import (
    DURABLE,
    IN_USE,
    SPOILED,
    code_of,
    copy_online,
    opened,
    plainly,
    refuse_programs,
    refused_as,
)

# Changes when a row can no longer be read as before; a newer file is never written to.
# 1: entries as JSON. 2: with the seal after each, and the last one's number and seal.
LOG_SCHEMA = 2
LOG_TABLES = {"entries", "head"}
MIGRATED_SUFFIX = ".format-{}"  # behind the name of the copy that is made before a log is migrated


class StoreError(UserError):
    """The log cannot be read or written; the message is one sentence with the file's name.

    Attributes:
        why: what the system says, without the file's name, which is nobody's business elsewhere.
    """

    def __init__(self, message: str, why: str = "") -> None:
        super().__init__(message)
        self.why = why or message


class InUseError(StoreError):
    """Another program has the log open."""


class NewerError(StoreError):
    """A newer program wrote the log."""


class DamagedError(StoreError):
    """The log is not what was written; the message says from where on.

    Attributes:
        whole: so many entries before it are.
    """

    def __init__(self, message: str, whole: int = 0) -> None:
        super().__init__(message)
        self.whole = whole


class Store:
    """An open log file. One thread writes it: the session's; `copy_to` may be called by any.

    Args:
        path: made where there is none; a log of an earlier format is migrated, and a copy of it
            stays beside it.
        reads_only: the log must be there, and stays as it is.

    Attributes:
        seals: of the hands, of what is on disk.

    Raises:
        StoreError: the file is no log, is newer than this program, or its folder is not writable.
        DamagedError: it was a log.
    """

    def __init__(self, path: Path, *, reads_only: bool = False) -> None:
        self.path = path
        self._reads_only = reads_only
        self.seals = HandSeals()
        self._seal = ""
        self._writing = threading.Lock()  # a copy holds whole transactions only
        try:
            if path.exists() and path.stat().st_size == 0:
                raise DamagedError(f"the log {path} is empty: its content is gone")
            if not (reads_only or path.exists()):
                _create(path)
            with path.open("rb") as file:
                header = file.read(72)
            is_alone = not path.with_name(f"{path.name}-wal").exists()
            self._is_half = is_alone and header[68:] == b"\0\0\0\1"
            # The file's read version: 2 with a -wal beside it
            is_used = reads_only and is_alone and header[18:19] == b"\2"
            is_sealed = is_used and not os.access(path.parent, os.W_OK)
            self._db = opened(path, "mode=ro&immutable=1" if is_sealed else "mode=rw")
            try:
                self._prepare(reads_only)
            except BaseException:
                self._db.close()
                raise
        except (OSError, sqlite3.Error) as error:
            if code_of(error) in SPOILED:
                raise DamagedError(f"the log {path} is damaged: {error}") from error
            kind = InUseError if code_of(error) in IN_USE else StoreError
            raise kind(f"the log {path} cannot be opened: {plainly(error)}") from error

    def _prepare(self, reads_only: bool) -> None:
        # Two programs following one table would number their entries alike.
        self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version > LOG_SCHEMA:
            raise NewerError(
                f"the log {self.path} has format {version}; this program knows up to {LOG_SCHEMA}"
            )
        refuse_programs(self._db)
        tables = {
            name
            for (name,) in self._db.execute("SELECT name FROM sqlite_master WHERE type='table'")
        }
        if tables - LOG_TABLES:
            raise StoreError(f"the file {self.path} is another program's database, not a log")
        if self._is_half and self._has_no_entries():
            raise StoreError(
                f"the log {self.path} is empty, for it was copied without {self.path.name}-wal, "
                "which has its entries: copy both, or move it away"
            )
        self._has_seals = "head" in tables
        if reads_only:
            return
        self._db.executescript(DURABLE)
        if "entries" not in tables:
            self._db.executescript(_LAYOUT)
        elif not self._has_seals:
            self._migrate()
        self._has_seals = True
        if self._db.execute("PRAGMA application_id").fetchone()[0] != _IN_USE:
            self._db.execute(f"PRAGMA application_id={_IN_USE}")  # in the -wal, which is there now
            self._db.execute("PRAGMA wal_checkpoint")

    def _has_no_entries(self) -> bool:
        return self._db.execute("SELECT 1 FROM entries LIMIT 1").fetchone() is None

    def _migrate(self) -> None:
        """From format 1: the seals are those that its entries always had."""
        kept = self.path.with_name(self.path.name + MIGRATED_SUFFIX.format(1))
        if not kept.exists():
            copy_online(self._db, kept)
        seal, sealed = "", []
        for seq, line, _ in self._rows():
            seal = seal_after(seal, line)
            sealed.append((seal, seq))
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("ALTER TABLE entries ADD COLUMN seal TEXT NOT NULL DEFAULT ''")
            self._db.executemany("UPDATE entries SET seal = ? WHERE seq = ?", sealed)
            self._db.execute(_HEAD)
            self._db.execute("INSERT INTO head VALUES (1, ?, ?)", (len(sealed), seal))
            self._db.execute(f"PRAGMA user_version={LOG_SCHEMA}")

    def _rows(self) -> list[tuple[int, str, str]]:
        columns = "seq, line, seal" if self._has_seals else "seq, line, ''"
        query = f"SELECT {columns} FROM entries ORDER BY seq"
        return [(int(seq), str(line), str(seal)) for seq, line, seal in self._db.execute(query)]

    def chain(self) -> list[tuple[str, str]]:
        """(seal, line) of each entry, oldest first, checked from the first to the last.

        Raises:
            DamagedError: a row was changed, or one is missing.
            StoreError: the file cannot be read.
        """
        with refused_as(lambda why: DamagedError(f"the log {self.path} cannot be read: {why}")):
            rows = self._rows()
            head = (0, "")
            if self._has_seals:
                head = self._db.execute("SELECT seq, seal FROM head").fetchone() or (-1, "")
        seal, found = "", []
        for place, (seq, line, kept) in enumerate(rows, start=1):
            if seq != place:
                raise DamagedError(
                    f"the log {self.path} lacks entry {place}: {seq} comes next", place - 1
                )
            seal = seal_after(seal, line)
            if self._has_seals and seal != kept:
                raise DamagedError(
                    f"entry {place} of the log {self.path} is not what was written", place - 1
                )
            found.append((seal, line))
        if self._has_seals and head != (len(found), seal):
            raise DamagedError(
                f"the log {self.path} ends with entry {len(found)} of {head[0]}", len(found)
            )
        return found

    def load(self) -> tuple[Entry, ...]:
        """All entries, oldest first, every seal checked.

        Raises:
            DamagedError: a row is damaged or a number is missing; nothing is skipped silently.
        """
        chain = self.chain()
        try:
            entries = entries_from_json([line for _, line in chain])
        except ValueError as error:
            raise DamagedError(f"the log {self.path} cannot be read: {error}") from error
        self.seals = HandSeals()
        for (seal, _), (place, entry) in zip(chain, enumerate(entries, start=1), strict=True):
            if entry.seq != place:
                raise DamagedError(
                    f"the log {self.path} lacks entry {place}: {entry.seq} comes next", place - 1
                )
            self.seals.note(entry, seal)
        self._seal = chain[-1][0] if chain else ""
        return entries

    def append(self, entries: Iterable[Entry]) -> None:
        """Write entries; when this returns they survive a power cut.

        Raises:
            StoreError: none of them was written.
        """
        # Of what is on disk: whoever only appends has not read it
        if not self._seal:
            row = self._db.execute("SELECT seal FROM head").fetchone()
            self._seal = row[0] if row else ""
        new, seal = tuple(entries), self._seal
        rows = []
        for entry in new:
            line = entry_to_json(entry)
            seal = seal_after(seal, line)
            rows.append((entry.seq, line, seal))
        if not rows:
            return
        unwritten = f"the log {self.path} cannot be written"
        with (
            self._writing,
            refused_as(lambda why: StoreError(f"{unwritten}: {why}", why)),
            self._db,
        ):
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT INTO entries VALUES (?, ?, ?)", rows)
            self._db.execute("UPDATE head SET seq = ?, seal = ?", (rows[-1][0], seal))
            since = "SELECT seq, line, seal FROM entries WHERE seq >= ? ORDER BY seq"
            if self._db.execute(since, (rows[0][0],)).fetchall() != rows:
                raise sqlite3.DatabaseError("what was written does not stand there")
        self._seal = seal
        for entry, (_, _, kept) in zip(new, rows, strict=True):
            self.seals.note(entry, kept)

    def holds_seal(self, seal: str) -> bool:
        """Whether an entry on disk has this seal. From any thread."""
        query = "SELECT 1 FROM entries WHERE seal = ? LIMIT 1"
        with self._writing:
            return self._db.execute(query, (seal,)).fetchone() is not None

    def rows_after(self, seq: int, most: int) -> list[tuple[int, str, str]]:
        """(number, line, seal) of the entries on disk after this one, oldest first. Any thread.

        Raises:
            StoreError: the file cannot be read.
        """
        query = "SELECT seq, line, seal FROM entries WHERE seq > ? ORDER BY seq LIMIT ?"
        unread = f"the log {self.path} cannot be read"
        with self._writing, refused_as(lambda why: StoreError(f"{unread}: {why}", why)):
            return self._db.execute(query, (seq, most)).fetchall()

    def copy_to(self, path: Path) -> None:
        """Write the rows as they are now, and checked, to a new file, while this is in use.

        From any thread. Nothing else that a stranger's file may hold goes along.

        Raises:
            StoreError: it cannot be copied, or is damaged.
        """
        with self._writing:
            chain = self.chain()
        rows = [(seq, line, seal) for seq, (seal, line) in enumerate(chain, start=1)]
        uncopied = f"the log {self.path} cannot be copied to {path}"
        with refused_as(lambda why: StoreError(f"{uncopied}: {why}")):
            _create(path)
            with closing(opened(path)) as copy, copy:
                copy.execute("BEGIN IMMEDIATE")
                copy.executemany("INSERT INTO entries VALUES (?, ?, ?)", rows)
                head = len(chain), chain[-1][0] if chain else ""
                copy.execute("UPDATE head SET seq = ?, seal = ?", head)

    def close(self) -> None:
        """Close the file; one without entries is as it was made."""
        with suppress(sqlite3.Error):
            if not self._reads_only and self._has_no_entries():
                self._db.execute("PRAGMA application_id=0")
                self._db.execute("PRAGMA journal_mode=DELETE")
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


# Stands in the file once a -wal is beside it: a file with it, without entries and alone, is a copy
# without its -wal, and not a log whose program was killed as it was opened first.
_IN_USE = 1

_HEAD = """
    CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL,
        seal TEXT NOT NULL)
"""
_LAYOUT = f"""
    BEGIN;
    CREATE TABLE entries (seq INTEGER PRIMARY KEY, line TEXT NOT NULL, seal TEXT NOT NULL);
    {_HEAD};
    INSERT INTO head VALUES (1, 0, '');
    PRAGMA user_version={LOG_SCHEMA};
    COMMIT;
"""


def _create(path: Path) -> None:
    """A log without entries appears whole: one of no bytes has lost its content."""
    made = [each for each in (path.parent, *path.parent.parents) if not each.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)
    with closing(opened(beside, "mode=rwc")) as new:
        new.executescript(_LAYOUT)
    sync_file(beside)
    beside.replace(path)
    for folder in (path.parent, *(each.parent for each in made)):
        sync_folder(folder)
