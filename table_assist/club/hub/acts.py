"""The list of what the desk did, in the database: added to, and never changed."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, Engine, insert, select

from table_assist.club.acts import ActKind, DeskAct
from table_assist.club.hub.alarms import new_rows
from table_assist.club.hub.base import now_s, reading
from table_assist.club.hub.once import claim
from table_assist.club.hub.schema import acts


def note(
    connection: Connection,
    kind: ActKind,
    content: Mapping[str, Any],
    by: str,
    session: int = 0,
) -> int:
    """Put an act on the list, in the transaction that carries it out; its number."""
    claim(connection)
    given = _row(connection, kind, content, by, session)
    made = connection.execute(insert(acts).values(**given)).inserted_primary_key
    assert made is not None
    return int(made[0])


def act(base: Engine, kind: ActKind, content: Mapping[str, Any], by: str, session: int = 0) -> int:
    """Decide something that is nothing but its act."""
    with base.begin() as connection:
        return note(connection, kind, content, by, session)


def all_acts(base: Engine, kinds: Iterable[ActKind] = ActKind) -> list[DeskAct]:
    """All acts, the oldest first, with those that were taken back."""
    wanted = {ActKind.UNDO, *kinds}
    query = select(acts).where(acts.c.kind.in_([kind.value for kind in wanted])).order_by(acts.c.id)
    with reading(base) as connection:
        rows = connection.execute(query).all()
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
    claim(connection)
    given = _row(connection, ActKind.UNDO, {"kind": done.kind.value}, by, done.session)
    new = new_rows(connection, acts).values(undoes=done.id, **given).returning(acts.c.id)
    return connection.execute(new).scalar() is not None


def _row(
    connection: Connection, kind: ActKind, content: Mapping[str, Any], by: str, session: int
) -> dict[str, Any]:
    return {
        "session_id": session, "kind": kind.value, "by": by, "at": now_s(connection),
        "content": json.dumps(content, ensure_ascii=False, separators=(",", ":")),
    }  # fmt: skip
