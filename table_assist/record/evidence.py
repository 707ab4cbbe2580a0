"""Pictures of what was decided or doubted, in one SQLite file beside the log.

The log is the truth; this only shows it. So nothing here may stop play: when the disk is full a
picture is lost, and that is told.
"""

import hashlib
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from table_assist.languages.words import SaidError
from table_assist.record.private import make_private
from table_assist.record.sqlite import DURABLE, opened, plainly, refuse_programs, refused_as


@dataclass(frozen=True, slots=True)
class Evidence:
    """The camera's picture when something was decided or doubted.

    Attributes:
        id: as the snapshot names it.
        t: when the picture was taken, seconds since the epoch.
        jpeg: the whole picture, nothing drawn on it.
        readings: what was read from it, as JSON text.
        crop: the part that is in question, as JPEG; empty for none.
        crop_px: where in the picture that is, x0, y0, x1, y1; None where it is not known any more.
    """

    id: str
    t: float
    jpeg: bytes
    readings: str = "{}"
    crop: bytes = b""
    crop_px: tuple[int, int, int, int] | None = None

    @property
    def digest(self) -> str:
        """The sha256 of picture, readings and crop, as the log vouches for them."""
        return digest_of(self.jpeg, self.readings, self.crop)


def digest_of(jpeg: bytes, readings: str, crop: bytes) -> str:
    """The sha256 of the three's own."""
    parts = (jpeg, readings.encode(), crop)
    return digest_of_hashes(*(hashlib.sha256(each).hexdigest() for each in parts))


def digest_of_hashes(jpeg: str, readings: str, crop: str) -> str:
    """As `digest_of`, from their sha256."""
    return hashlib.sha256(bytes.fromhex(jpeg + readings + crop)).hexdigest()


MOST_EVIDENCE_BYTES = 1_000_000_000  # several evenings at 4K; some thirty at 1080p
MOST_DAYS = 90
DAY_S = 86_400.0
AGED_EVERY_S = 3600.0
EVIDENCE_SUFFIX = ".evidence.sqlite"
EVIDENCE_FORMAT = 1
EVIDENCE_TABLES = {"pictures", "moments", "held"}
# The most that SQLite's own journal may keep on disk between two pictures.
JOURNAL_BYTES = 8_000_000
_LAYOUT = f"""
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS pictures (
        id INTEGER PRIMARY KEY, t REAL NOT NULL, hand INTEGER NOT NULL,
        jpeg BLOB NOT NULL, readings TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS pictures_hand ON pictures (hand);
    CREATE TABLE IF NOT EXISTS moments (
        seq INTEGER PRIMARY KEY, hand INTEGER NOT NULL, question TEXT NOT NULL,
        picture INTEGER NOT NULL REFERENCES pictures (id), crop BLOB NOT NULL);
    CREATE INDEX IF NOT EXISTS moments_hand ON moments (hand);
    CREATE TABLE IF NOT EXISTS held (hand INTEGER PRIMARY KEY);
    PRAGMA user_version={EVIDENCE_FORMAT};
    COMMIT;
"""


@dataclass(frozen=True, slots=True)
class EvidenceMoment:
    """An entry of the log that is worth a picture.

    Attributes:
        seq: of the entry.
        hand: in which it was made.
        question: the id of the question that it asks; empty for other entries.
    """

    seq: int
    hand: int
    question: str = ""

    @property
    def id(self) -> str:
        """Under which its evidence is kept."""
        return f"e{self.seq}"


@dataclass(frozen=True, slots=True)
class KeptHand:
    """A hand of which there are pictures.

    Attributes:
        first_t, last_t: of its pictures, seconds since the epoch.
        is_held: for a dispute.
    """

    hand: int
    first_t: float
    last_t: float
    pictures: int
    bytes: int
    is_held: bool


class EvidenceError(SaidError):
    """The evidence cannot be kept or read; the message is one sentence with the file's name."""


_UNREAD = ("the evidence {path} cannot be read: {error}", "证据 {path} 无法读取：{error}")
_STAY = ("pictures in {path} stay: {error}", "{path} 中的画面仍在：{error}")


class EvidenceStore:
    """An open file of evidence. Any thread may use it.

    What is too much, or too old, is thrown away with the oldest hand's pictures first; those of the
    hand that is running and of hands that are held, because something in them is disputed, stay.
    What is deleted is overwritten on disk.

    Args:
        path: made if there is none; for its owner alone.
        most_bytes: of pictures and crops.
        most_days: how old they may be.

    Raises:
        EvidenceError: the file cannot be opened, or is something else.
    """

    def __init__(
        self, path: Path, most_bytes: int = MOST_EVIDENCE_BYTES, most_days: int = MOST_DAYS
    ) -> None:
        self.path = path
        self._most_bytes = most_bytes
        self._most_days = most_days
        self._aged_t = 0.0
        self._lock = threading.Lock()
        with refused_as(lambda why: EvidenceError.told("unopened", path=path, error=why)):
            make_private(path)
            self._db = opened(path)
            refuse_programs(self._db)
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            rows = self._db.execute("SELECT name FROM sqlite_master WHERE type='table'").fetchall()
            # An earlier program made its tables one by one: a power cut has left some without a
            # format.
            if version > EVIDENCE_FORMAT or (
                version == 0 and {name for (name,) in rows} - EVIDENCE_TABLES
            ):
                self._db.close()
                raise EvidenceError.told("no_evidence", path=path)
            # The log vouches for a picture once it is kept: then it has to be on disk.
            self._db.executescript(DURABLE)
            self._db.execute("PRAGMA secure_delete=ON")
            self._db.execute(f"PRAGMA journal_size_limit={JOURNAL_BYTES}")
            self._db.executescript(_LAYOUT)
            self._bytes = self._count_bytes()

    def keep(
        self,
        moments: Sequence[tuple[EvidenceMoment, bytes]],
        *,
        t: float,
        jpeg: bytes,
        readings: str,
    ) -> None:
        """Keep one picture for some moments, each with its crop, which may be empty.

        Raises:
            EvidenceError: the disk is full, or nothing may be thrown away for it: none is kept.
        """
        size = len(jpeg) + sum(len(crop) for _, crop in moments)
        hand = max(moment.hand for moment, _ in moments)
        with self._lock:
            with self._asking(
                "the evidence {path} is not kept: {error}", "证据 {path} 未能保存：{error}"
            ):
                self._db.execute("BEGIN IMMEDIATE")
                if self._bytes + size > self._most_bytes:  # another program may have deleted some
                    self._bytes = self._count_bytes()
                freed = self._forget_old(t, hand) + self._make_room(size, hand)
                added = self._db.execute(
                    "INSERT INTO pictures (t, hand, jpeg, readings) VALUES (?, ?, ?, ?)",
                    (t, hand, jpeg, readings),
                )
                self._db.executemany(
                    "INSERT OR REPLACE INTO moments VALUES (?, ?, ?, ?, ?)",
                    [(m.seq, m.hand, m.question, added.lastrowid, crop) for m, crop in moments],
                )
            self._bytes += size - freed

    @contextmanager
    def _asking(self, en: str, zh: str, **given: object) -> Iterator[None]:
        """Whoever holds the lock asks the file; what is begun is written whole, or not at all.

        Raises:
            EvidenceError: says these words.
        """
        try:
            with self._db:
                yield
        except (EvidenceError, sqlite3.Error) as error:
            raise EvidenceError(en, zh, path=self.path, error=plainly(error), **given) from error

    def _make_room(self, size: int, running: int) -> int:
        """Throw away the oldest hands' pictures until there is room. Returns the bytes freed."""
        freed = 0
        while self._bytes - freed + size > self._most_bytes:
            row = self._db.execute(
                "SELECT min(hand) FROM pictures WHERE hand <> ? AND hand NOT IN"
                " (SELECT hand FROM held)",
                (running,),
            ).fetchone()
            if row[0] is None:
                raise EvidenceError.told("full", most_bytes=self._most_bytes)
            freed += self._delete_hand(int(row[0]))
        return freed

    def _forget_old(self, t: float, running: int) -> int:
        """Throw away the pictures of hands that are too old, once an hour. Returns bytes freed."""
        if t - self._aged_t < AGED_EVERY_S:
            return 0
        self._aged_t = t
        rows = self._db.execute(
            "SELECT hand FROM pictures WHERE hand <> ? AND hand NOT IN (SELECT hand FROM held)"
            " GROUP BY hand HAVING max(t) < ?",
            (running, t - self._most_days * DAY_S),
        ).fetchall()
        return sum(self._delete_hand(int(hand)) for (hand,) in rows)

    def _delete_hand(self, hand: int) -> int:
        freed = 0
        for table, column in (("moments", "crop"), ("pictures", "jpeg")):
            query = f"SELECT coalesce(sum(length({column})), 0) FROM {table} WHERE hand = ?"
            freed += int(self._db.execute(query, (hand,)).fetchone()[0])
            self._db.execute(f"DELETE FROM {table} WHERE hand = ?", (hand,))
        return freed

    def _count_bytes(self, only: str = "") -> int:
        return int(
            self._db.execute(
                f"SELECT (SELECT coalesce(sum(length(jpeg)), 0) FROM pictures {only})"
                f" + (SELECT coalesce(sum(length(crop)), 0) FROM moments {only})"
            ).fetchone()[0]
        )

    def hands(self) -> tuple[KeptHand, ...]:
        """Every hand of which there are pictures, oldest first.

        Raises:
            EvidenceError: the file cannot be read.
        """
        with self._lock, self._asking(*_UNREAD):
            rows = self._db.execute(
                "SELECT hand, min(t), max(t), count(*), sum(length(jpeg)),"
                " hand IN (SELECT hand FROM held) FROM pictures GROUP BY hand ORDER BY min(t)"
            ).fetchall()
        return tuple(
            KeptHand(hand, first, last, count, size, bool(held))
            for hand, first, last, count, size, held in rows
        )

    def forget(self, hands: Iterable[int]) -> int:
        """Delete hands' pictures for good, held ones too. Returns the bytes freed.

        Raises:
            EvidenceError: the file cannot be written: none is deleted.
        """
        with self._lock:
            with self._asking(*_STAY):
                self._db.execute("BEGIN IMMEDIATE")
                freed = sum(self._delete_hand(hand) for hand in hands)
            with self._asking(*_STAY):
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # nothing is left in it
            self._bytes -= freed
            return freed

    def forget_after(self, seq: int) -> int:
        """Forget the pictures of entries behind this one; how many entries lose theirs.

        A picture may be on disk before its entry is. After a power cut, or with an older log put
        back, the entry is not there, and another will have its number.

        Raises:
            EvidenceError: the file cannot be written: none is forgotten.
        """
        with self._lock:
            with self._asking(*_STAY):
                self._db.execute("BEGIN IMMEDIATE")
                done = self._db.execute("DELETE FROM moments WHERE seq > ?", (seq,)).rowcount
                if done:
                    self._db.execute(
                        "DELETE FROM pictures WHERE id NOT IN (SELECT picture FROM moments)"
                    )
            with self._asking(*_STAY):
                self._bytes = self._count_bytes()
        return done

    @property
    def held_share(self) -> float:
        """How much of the room held hands fill, 0 to 1.

        Raises:
            EvidenceError: the file cannot be read.
        """
        with self._lock, self._asking(*_UNREAD):
            held = self._count_bytes("WHERE hand IN (SELECT hand FROM held)")
        return held / self._most_bytes

    def hold(self, hand: int, *, held: bool = True) -> None:
        """Keep a hand's evidence however old it is, because something in it is disputed.

        Raises:
            EvidenceError: it cannot be written.
        """
        query = "INSERT OR IGNORE INTO held VALUES (?)" if held else "DELETE FROM held WHERE hand=?"
        with (
            self._lock,
            self._asking(
                "hand {hand} cannot be held: {error}", "第 {hand} 局无法保留：{error}", hand=hand
            ),
        ):
            self._db.execute(query, (hand,))

    def get(self, id: str) -> Evidence | None:
        """The evidence of a moment; None if there is none (any more).

        Raises:
            EvidenceError: the file cannot be read.
        """
        seq = id.removeprefix("e")
        if not (id.startswith("e") and seq.isascii() and seq.isdigit() and len(seq) < 16):
            return None
        with self._lock, self._asking(*_UNREAD):
            row = self._db.execute(
                "SELECT p.t, p.jpeg, p.readings, m.crop FROM moments m"
                " JOIN pictures p ON p.id = m.picture WHERE m.seq = ?",
                (int(seq),),
            ).fetchone()
        return None if row is None else Evidence(id, row[0], row[1], row[2], row[3])

    def moments(self, hand: int) -> tuple[EvidenceMoment, ...]:
        """The moments of a hand with evidence, oldest first.

        Raises:
            EvidenceError: the file cannot be read.
        """
        with self._lock, self._asking(*_UNREAD):
            rows: Iterable[tuple[int, int, str]] = self._db.execute(
                "SELECT seq, hand, question FROM moments WHERE hand = ? ORDER BY seq", (hand,)
            ).fetchall()
        return tuple(EvidenceMoment(*row) for row in rows)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()


NIGHT = timedelta(hours=6)  # what is played after midnight belongs to the evening before


@dataclass(frozen=True, slots=True)
class EveningPictures:
    """One evening's pictures.

    Attributes:
        day: as ``2026-11-22``, in the table's zone.
        held: how many of the hands are held for a dispute.
    """

    day: str
    hands: tuple[int, ...]
    pictures: int
    bytes: int
    held: int


def evenings(hands: Iterable[KeptHand]) -> tuple[EveningPictures, ...]:
    """The evenings of which there are pictures, oldest first."""
    by_day: dict[str, list[KeptHand]] = {}
    for hand in hands:
        by_day.setdefault(day_of(hand.first_t), []).append(hand)
    return tuple(
        EveningPictures(
            day,
            tuple(each.hand for each in there),
            sum(each.pictures for each in there),
            sum(each.bytes for each in there),
            sum(each.is_held for each in there),
        )
        for day, there in sorted(by_day.items())
    )


def date_of_evening(t: float) -> date:
    """To which evening a time belongs, in the table's zone; an evening is its first hand's."""
    return (datetime.fromtimestamp(t) - NIGHT).date()


def zone_said() -> str:
    """Behind a date: that the machine knows no zone of its own, and so not the table's."""
    return " UTC" if time.localtime().tm_zone == "UTC" else ""


def day_of(t: float) -> str:
    """As `date_of_evening`, in letters."""
    return date_of_evening(t).isoformat()
