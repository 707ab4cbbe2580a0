"""The people who come again, kept in one small SQLite file beside the log.

The log cannot forget; this can. Points and hands are not in it: they are always what the logs say
(`tally`). Who was deleted is a stranger from then on: of the deletion only a hash of the name and
the time stay, so that what was played before does not come back with the name.

A name can be said by anybody. What proves somebody is a secret on the own phone, whose hash is
kept here; who is kept without one, as in older files, is proved by nothing.
"""

import logging
import secrets
import sqlite3
import threading
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from table_assist.languages.catalogue import catalogues
from table_assist.record.private import make_private
from table_assist.record.store import refuse_programs
from table_assist.trust.installation import hash_of

logger = logging.getLogger(__name__)
SUFFIX = ".regulars.sqlite"
FORMAT = 2  # 1 had no proofs
COLOURS = 8
LANGUAGES = ("", "en", "zh", *catalogues())
_LAYOUT = f"""
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS regulars (
        key TEXT PRIMARY KEY, name TEXT NOT NULL, since REAL NOT NULL, colour INTEGER NOT NULL,
        language TEXT NOT NULL, large INTEGER NOT NULL, strong INTEGER NOT NULL,
        still INTEGER NOT NULL, voice INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS forgotten (hash TEXT PRIMARY KEY, t REAL NOT NULL);
    CREATE TABLE IF NOT EXISTS proofs (hash TEXT PRIMARY KEY, key TEXT NOT NULL);
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
        self._lock, self._meeting = threading.Lock(), threading.Lock()
        if path is not None:
            make_private(path)
        self._base = sqlite3.connect(path or ":memory:", check_same_thread=False)
        refuse_programs(self._base)
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
        """The person of this name; None for a stranger."""
        return next((each for each in self.all() if each.key == key_of(name)), None)

    def keep(self, wanted: Regular) -> Regular:
        """Keep somebody, or what was chosen anew; ``since`` stays as it was, or is the given."""
        with self._changing() as base:
            since = max(wanted.since, _gone_s(base, wanted.key))
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

    def meet(self, wanted: Regular) -> str | None:
        """Keep a stranger: the secret that proves who it is; None where the name is another's."""
        with self._meeting:  # of two who say the same name at once, one is met
            if self.find(wanted.name) is not None:
                return None
            self.keep(wanted)
            secret = secrets.token_urlsafe(32)
            with self._changing() as base:
                base.execute("INSERT INTO proofs VALUES (?, ?)", (hash_of(secret), wanted.key))
            return secret

    def proved(self, by: Iterable[str]) -> frozenset[str]:
        """The keys of those whom the secrets prove."""
        hashes = {hash_of(secret) for secret in by}
        with self._lock:
            rows = self._base.execute("SELECT hash, key FROM proofs").fetchall()
        return frozenset(key for hashed, key in rows if hashed in hashes)

    def phones(self, name: str) -> int:
        """How many phones are proved to be somebody's."""
        with self._lock:
            query = "SELECT count(*) FROM proofs WHERE key = ?"
            return int(self._base.execute(query, (key_of(name),)).fetchone()[0])

    def only(self, name: str, by: Iterable[str]) -> None:
        """No secret but these proves any longer who is called so."""
        stay = {hash_of(secret) for secret in by}
        with self._changing() as base:
            query = "SELECT hash FROM proofs WHERE key = ?"
            found = base.execute(query, (key_of(name),)).fetchall()
            gone = [row for row in found if row[0] not in stay]
            base.executemany("DELETE FROM proofs WHERE hash = ?", gone)

    def gone_s(self, name: str) -> float:
        """Until when nothing that was played under a name counts, as it was deleted; 0: never."""
        with self._lock:
            return _gone_s(self._base, key_of(name))

    def forget(self, name: str, now: float) -> bool:
        """Delete somebody; what was played until now is not counted again. False for a stranger."""
        with self._changing() as base:
            key = key_of(name)
            gone = base.execute("DELETE FROM regulars WHERE key = ?", (key,)).rowcount
            base.execute("DELETE FROM proofs WHERE key = ?", (key,))
            if gone:
                base.execute("INSERT OR REPLACE INTO forgotten VALUES (?, ?)", (hash_of(key), now))
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


def _gone_s(base: sqlite3.Connection, key: str) -> float:
    row = base.execute("SELECT t FROM forgotten WHERE hash = ?", (hash_of(key),)).fetchone()
    return 0.0 if row is None else float(row[0])
