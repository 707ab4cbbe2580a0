"""A command of the desk that comes again under its key is not done again.

The key is kept in the transaction of the command itself: either both are committed or neither is.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from sqlalchemy import Connection, Engine, insert, select, update

from table_assist.club.hub.base import reading
from table_assist.club.hub.schema import commands

_due: ContextVar[str] = ContextVar("command", default="")


@contextmanager
def under(key: str) -> Iterator[None]:
    """All that is written meanwhile is done under this key, or refused with IntegrityError."""
    before = _due.set(key)
    try:
        yield
    finally:
        _due.reset(before)


def claim(connection: Connection) -> None:
    """Keep the key of the command that this transaction carries out."""
    if key := _due.get():
        connection.execute(insert(commands).values(key=key, answer=""))
        _due.set("")  # the rest of it is the same command


def answer_of(base: Engine, key: str) -> str | None:
    """The answer under a key; empty where that is not known; None: it was not done."""
    with reading(base) as connection:
        found = connection.execute(select(commands.c.answer).where(commands.c.key == key)).scalar()
    return None if found is None else str(found)


def keep_answer(base: Engine, key: str, answer: str) -> None:
    """For whoever asks again."""
    with base.begin() as connection:
        connection.execute(update(commands).where(commands.c.key == key).values(answer=answer))
