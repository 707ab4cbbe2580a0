"""What the table keeps of the people who come again, in one small SQLite file beside the log.

The log cannot forget; this can. Points and hands are not in it: they are always what the logs say
(`tally`). Who was deleted is a stranger from then on: of the deletion only a hash of the name and
the time stay, so that what was played before does not come back with the name.
"""

import hashlib
import logging
import sqlite3
import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from table_assist.record.private import make_private

logger = logging.getLogger(__name__)
SUFFIX = ".regulars.sqlite"
FORMAT = 1
MOST_NAME = 40
COLOURS = 8
LANGUAGES = ("", "en", "zh")
_LAYOUT = f"""
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS regulars (
        key TEXT PRIMARY KEY, name TEXT NOT NULL, since REAL NOT NULL, colour INTEGER NOT NULL,
        language TEXT NOT NULL, large INTEGER NOT NULL, strong INTEGER NOT NULL,
        still INTEGER NOT NULL, voice INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS forgotten (hash TEXT PRIMARY KEY, t REAL NOT NULL);
    PRAGMA user_version={FORMAT};
    COMMIT;
"""


@dataclass(frozen=True, slots=True)
class Regular:
    """Somebody who comes to the table again, by the name that is said when sitting down.

    Attributes:
        since: hands that ended later count, seconds since the epoch; 0: all.
        colour: of the own line, 1 to `COLOURS`; 0: the seat's.
        language: of the phone's pages, ``en`` or ``zh``; empty: as the browser says.
        large: the letters.
        strong: more contrast.
        still: nothing moves.
        voice: what happens is said aloud.
    """

    name: str
    since: float = 0.0
    colour: int = 0
    language: str = ""
    large: bool = False
    strong: bool = False
    still: bool = False
    voice: bool = False

    @property
    def key(self) -> str:
        """By which the name is known, however it is written."""
        return key_of(self.name)


def key_of(name: str) -> str:
    """By which a name is known.

    >>> key_of(" ANA ") == key_of("ana")
    True
    """
    return unicodedata.normalize("NFKC", name).strip().casefold()


class Regulars:
    """All that is kept; any thread.

    Args:
        path: made where there is none; None keeps them with the program.

    Raises:
        sqlite3.Error, OSError: the file cannot be used.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._lock = threading.Lock()
        if path is not None:
            make_private(path)
        self._base = sqlite3.connect(path or ":memory:", check_same_thread=False)
        self._base.executescript(_LAYOUT)

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._base:
            yield self._base

    def all(self) -> tuple[Regular, ...]:
        """Everybody, by name."""
        with self._lock:
            rows = self._base.execute(
                "SELECT name, since, colour, language, large, strong, still, voice "
                "FROM regulars ORDER BY key"
            ).fetchall()
        return tuple(
            Regular(name, since, colour, language, *(bool(each) for each in switches))
            for name, since, colour, language, *switches in rows
        )

    def find(self, name: str) -> Regular | None:
        """Who is called so; None for a stranger."""
        return next((each for each in self.all() if each.key == key_of(name)), None)

    def keep(self, wanted: Regular) -> Regular:
        """Keep somebody, or what was chosen anew; ``since`` stays as it was."""
        with self._changing() as base:
            gone = base.execute("SELECT t FROM forgotten WHERE hash = ?", (_hash(wanted.key),))
            since = (gone.fetchone() or (0.0,))[0]
            base.execute(
                "INSERT INTO regulars VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (key) DO UPDATE SET name = excluded.name, colour = excluded.colour, "
                "language = excluded.language, large = excluded.large, strong = excluded.strong, "
                "still = excluded.still, voice = excluded.voice",
                (
                    wanted.key, wanted.name, since, wanted.colour, wanted.language, wanted.large,
                    wanted.strong, wanted.still, wanted.voice,
                ),
            )  # fmt: skip
        found = self.find(wanted.name)
        assert found is not None
        return found

    def forget(self, name: str, now: float) -> bool:
        """Delete somebody; what was played until now is not counted again. False for a stranger."""
        with self._changing() as base:
            key = key_of(name)
            gone = base.execute("DELETE FROM regulars WHERE key = ?", (key,)).rowcount
            if gone:
                base.execute("INSERT OR REPLACE INTO forgotten VALUES (?, ?)", (_hash(key), now))
        if gone:
            with self._lock:
                self._base.execute("VACUUM")  # what is deleted is not left on the disk
        return bool(gone)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._base.close()


def open_regulars(path: Path) -> Regulars:
    """Those of a file; of one that cannot be used nothing, as nothing here may stop play."""
    try:
        return Regulars(path)
    except (sqlite3.Error, OSError) as error:
        logger.warning("%s cannot be used, so nobody is remembered: %s", path, error)
        return Regulars()


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
