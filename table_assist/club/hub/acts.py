"""The list of what the desk did, added to and never changed; alarms, for somebody to see to."""

import json
import time
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, Engine, delete, select

from table_assist.club.acts import ActKind, DeskAct
from table_assist.club.hub.database import acts, added, alarms, new_rows, now_s, read
from table_assist.languages.words import WordsError
from table_assist.record.log import compact_json

MOST_OF_KIND = 5  # open alarms of a table: a newer one takes the place of the oldest
# Points rest on these: the desk sees them first. Kinds are the hub's; a table's text makes none.
GRAVE = ("restored", "another log", "late", "conflict", "set back", "unknown order")
MOST_LETTERS = 400


class PeopleError(WordsError):
    """The desk's wish cannot be done as things are."""


def note(
    connection: Connection, kind: ActKind, content: Mapping[str, Any], by: str, session: int = 0
) -> int:
    """Put an act on the list, in the transaction that carries it out; its number."""
    return added(connection, acts, **_row(connection, kind, content, by, session))


def act(base: Engine, kind: ActKind, content: Mapping[str, Any], by: str, session: int = 0) -> int:
    """Decide something that is nothing but its act."""
    with base.begin() as connection:
        return note(connection, kind, content, by, session)


def all_acts(base: Engine, kinds: Iterable[ActKind] = ActKind) -> list[DeskAct]:
    """All acts, the oldest first, with those that were taken back."""
    wanted = {ActKind.UNDO, *kinds}
    query = select(acts).where(acts.c.kind.in_([kind.value for kind in wanted])).order_by(acts.c.id)
    rows = read(base, query)
    undone = {row.undoes: row.by for row in rows if row.undoes is not None}
    return [
        DeskAct(
            row.id, row.session_id, ActKind(row.kind), json.loads(row.content), row.by, row.at,
            row.undoes, undone.get(row.id, ""),
        )
        for row in rows
    ]  # fmt: skip


def note_undo(connection: Connection, done: DeskAct, by: str) -> bool:
    """Take an act back, in the transaction that reverts it; False where somebody has already."""
    given = _row(connection, ActKind.UNDO, {"kind": done.kind.value}, by, done.session)
    new = new_rows(connection, acts).values(undoes=done.id, **given).returning(acts.c.id)
    return connection.execute(new).scalar() is not None


def _row(
    connection: Connection, kind: ActKind, content: Mapping[str, Any], by: str, session: int
) -> dict[str, Any]:
    return {
        "session_id": session, "kind": kind.value, "by": by, "at": now_s(connection),
        "content": compact_json(content),
    }  # fmt: skip


def raise_alarm(
    connection: Connection, table: int, kind: str, told: str, *, alone: bool = False
) -> None:
    """Something that a table sent is not what it should be; the same alarm stands once.

    Args:
        alone: one of its kind says it for all tables.
    """
    given = {"table_id": table, "kind": kind, "told": plain(told), "at": time.time()}
    of_kind = (alarms.c.kind == kind) & (alarms.c.done == "")
    if not alone:
        of_kind &= alarms.c.table_id == table
    standing = connection.execute(select(alarms.c.id).where(of_kind).order_by(alarms.c.at)).all()
    if alone and standing:
        return
    new = new_rows(connection, alarms).values(done="", **given).returning(alarms.c.id)
    if connection.execute(new).scalar() is not None and len(standing) >= MOST_OF_KIND:
        connection.execute(delete(alarms).where(alarms.c.id == standing[0].id))


def plain(text: str) -> str:
    """A table's text as any database takes it: PostgreSQL knows no NUL."""
    return text.replace("\0", "")[:MOST_LETTERS]
