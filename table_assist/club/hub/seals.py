"""A seal that a phone kept, compared with the entries that the hub holds now."""

import threading
import time
from collections.abc import Callable
from enum import StrEnum

from sqlalchemy import Engine, select

from table_assist.club.hub.base import reading
from table_assist.club.hub.schema import entries, logs, tables
from table_assist.record.seal import seal_after

AGAIN_S = 60.0  # a log whose seals were reckoned is believed for so long
AT_ONCE = 5000  # entries
LEAST, MOST = 16, 64  # letters; to meet sixteen by trying takes 2**64 tries


class Says(StrEnum):
    """The hub's verdict on a seal."""

    AGREES = "agrees"
    OLD = "old"  # in a log that no longer counts: a newer one goes on from an earlier entry
    DIFFERS = "differs"
    UNKNOWN = "unknown"  # the hub has not got the entry (yet)


def is_seal(letters: str) -> bool:
    """Whether these can be the first letters of a seal."""
    return LEAST <= len(letters) <= MOST and set(letters) <= set("0123456789abcdef")


def compared(base: Engine, table: str, first: str, seq: int, seal: str) -> tuple[Says, int]:
    """The hub's verdict, and the number of the log that it is about; 0 for none.

    Args:
        table: its public key.
        first: how the seal of the log's first entry begins.
        seal: how the entry's seal begins, as the phone kept it.
    """
    query = (
        select(logs.c.id, entries.c.seal)
        .join(tables, tables.c.id == logs.c.table_id)
        .outerjoin(entries, (entries.c.log == logs.c.id) & (entries.c.seq == seq))
        .where(tables.c.key == table, logs.c.first.startswith(first, autoescape=True))
        .order_by(logs.c.id.desc())
    )
    with reading(base) as connection:
        found = [(row.id, row.seal) for row in connection.execute(query)]
    if not found:
        return Says.UNKNOWN, 0
    (newest, held), *older = found
    if held is not None and held.startswith(seal):
        return Says.AGREES, newest
    for log, other in older:
        if other is not None and other.startswith(seal):
            return Says.OLD, log
    return (Says.UNKNOWN if held is None else Says.DIFFERS), newest


class Chains:
    """Reckons the seals of logs anew from their lines, as they stand in the database; any thread.

    Args:
        now: a steady clock, seconds.
    """

    def __init__(self, base: Engine, now: Callable[[], float] = time.monotonic) -> None:
        self._base = base
        self._now = now
        self._lock = threading.Lock()
        self._sound: dict[int, tuple[float, int]] = {}  # when, and up to which entry

    def holds(self, log: int, seq: int) -> bool:
        """Whether every line of the log up to an entry makes the seal that stands beside it."""
        with self._lock:
            at, sound = self._sound.get(log, (-AGAIN_S, 0))
            if self._now() - at >= AGAIN_S or sound < seq:
                sound = self._reckoned(log)
                self._sound[log] = (self._now(), sound)
            return sound >= seq

    def _reckoned(self, log: int) -> int:
        """The last entry up to which all is sound."""
        sound, seal = 0, ""
        own = select(entries).where(entries.c.log == log).order_by(entries.c.seq).limit(AT_ONCE)
        with reading(self._base) as connection:
            while rows := connection.execute(own.where(entries.c.seq > sound)).all():
                for row in rows:
                    seal = seal_after(seal, row.line)
                    if row.seq != sound + 1 or row.seal != seal:
                        return sound
                    sound = row.seq
        return sound
