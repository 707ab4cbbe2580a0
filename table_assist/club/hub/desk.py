"""The hub's decisions about tables: membership, orders, who sees to an alarm."""

import hashlib
import json
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, Row, delete, func, insert, select, update

from table_assist.club.acts import ActKind
from table_assist.club.hub.acts import note
from table_assist.club.hub.awaited import await_code, taken_name
from table_assist.club.hub.base import reading
from table_assist.club.hub.once import claim
from table_assist.club.hub.people import PeopleError
from table_assist.club.hub.schema import (
    ASKED,
    IN,
    OUT,
    alarms,
    calls,
    logs,
    orders,
    refused,
    tables,
)
from table_assist.club.orders import Order, OrderKind
from table_assist.trust.installation import InstallationKey

MOST_ASKED = 50  # tables that wait to be let in
ASKED_S = 3600.0  # and for how long
REPLACED = -1  # the entry's number of an order that a newer one made needless


@dataclass(frozen=True, slots=True)
class HallTable:
    """A table as the hall sees it.

    Attributes:
        seen: when it last spoke, seconds since the epoch; 0: never.
        have: entries of its log that the hub holds.
        view: what spectators may see.
    """

    id: int
    key: str
    name: str
    state: str
    seen: float
    have: int
    view: Mapping[str, Any]


def hall(engine: Engine) -> list[HallTable]:
    """All tables that were let in, by name."""
    query = (
        select(tables, func.coalesce(logs.c.have, 0).label("have"))
        .outerjoin(logs, logs.c.id == tables.c.log)
        .where(tables.c.state == IN)
        .order_by(tables.c.name, tables.c.id)
    )
    with reading(engine) as connection:
        rows = connection.execute(query).all()
    return [
        HallTable(row.id, row.key, row.name, row.state, row.seen, row.have, json.loads(row.view))
        for row in rows
    ]


def tables_behind(engine: Engine) -> list[tuple[str, int]]:
    """(name, entries) of each table whose log is on its way: so many are not here yet."""
    own = tables.c.view.like('%"behind"%')
    query = select(tables.c.name, tables.c.view).where(tables.c.state == IN, own)
    with reading(engine) as connection:
        rows = connection.execute(query.order_by(tables.c.name)).all()
    found = [(row.name, json.loads(row.view).get("behind", 0)) for row in rows]
    return [(name, entries) for name, entries in found if entries > 0]


def check_table(engine: Engine, table: int) -> None:
    """Go on only with a table that is in.

    Raises:
        PeopleError: there is no such table.
    """
    with reading(engine) as connection:
        own = select(tables.c.id).where(tables.c.id == table, tables.c.state == IN)
        if connection.execute(own).one_or_none() is None:
            raise PeopleError("there is no such table", "没有此牌桌")


# -- pairing ---------------------------------------------------------------------------------------


def ask_in(engine: Engine, key: str, code: str) -> str:
    """A table asks to be let in; the code with which it was, empty where it waits or is full."""
    now = time.time()
    with engine.begin() as connection:
        row = connection.execute(
            select(tables.c.state, tables.c.code).where(tables.c.key == key)
        ).one_or_none()
        if row is not None and row.state == IN and row.code == code:
            return code
        name = taken_name(connection, code)
        if name is not None:
            _let_in_at_once(connection, key, code, name, now)
            return code
        old = (tables.c.state == ASKED) & (tables.c.seen < now - ASKED_S)
        connection.execute(delete(tables).where(old))
        asked = connection.execute(
            select(func.count()).select_from(tables).where(tables.c.state == ASKED)
        ).scalar_one()
        if row is None and asked < MOST_ASKED:
            connection.execute(insert(tables).values(**new_table(key, "", ASKED, code, now)))
        elif row is not None and row.state != IN:
            connection.execute(
                update(tables).where(tables.c.key == key).values(state=ASKED, code=code, seen=now)
            )
        elif row is not None:  # it is in, and pairs again: a person types the new code
            connection.execute(
                update(tables).where(tables.c.key == key).values(code=f"?{code}", seen=now)
            )
    return ""


def new_table(key: str, name: str, state: str, code: str, now: float) -> dict[str, Any]:
    """The row of a table of which nothing is known yet."""
    return {
        "key": key, "name": name, "state": state, "code": code, "turn": 0, "seen": now,
        "changed": 0, "view": "{}",
    }  # fmt: skip


def _let_in_at_once(connection: Connection, key: str, code: str, name: str, now: float) -> None:
    own = tables.c.key == key
    given = {"state": IN, "code": code, "name": name, "seen": now}
    if connection.execute(update(tables).where(own).values(**given)).rowcount == 0:
        connection.execute(insert(tables).values(**new_table(key, name, IN, code, now)))
    table = connection.execute(select(tables.c.id).where(own)).scalar_one()
    note(connection, ActKind.LET_IN, {"table": table}, "")


def let_in(engine: Engine, code: str, name: str, by: str = "") -> bool:
    """A director has typed the code that a table shows; False where none shows it (yet).

    Whichever table shows it within five minutes is let in then.
    """
    with engine.begin() as connection:
        found = connection.execute(
            update(tables)
            .where(tables.c.code.in_((code, f"?{code}")), tables.c.state.in_((ASKED, IN)))
            .values(state=IN, code=code, name=name)
            .returning(tables.c.id)
        ).scalar()
        if found is None:
            await_code(connection, code, name)
        else:
            note(connection, ActKind.LET_IN, {"table": found}, by)
    return found is not None


def send_out(engine: Engine, table: int, by: str = "") -> None:
    """Revoke a table; what it sent stays."""
    with engine.begin() as connection:
        connection.execute(update(tables).where(tables.c.id == table).values(state=OUT, code=""))
        note(connection, ActKind.SEND_OUT, {"table": table}, by)


def waiting_tables(engine: Engine) -> int:
    """How many tables ask to be let in now."""
    with reading(engine) as connection:
        query = select(func.count()).select_from(tables)
        asks = (tables.c.state == ASKED) | tables.c.code.startswith("?")
        return int(connection.execute(query.where(asks)).scalar_one())


# -- orders ----------------------------------------------------------------------------------------


def give_order(
    engine: Engine,
    key: InstallationKey,
    to: Sequence[int],
    kind: OrderKind,
    content: Mapping[str, Any],
    by: str,
    *,
    once: str = "",
) -> None:
    """Have tables do something; each takes it from the answer to its next batch.

    Args:
        to: tables.
        once: of this very order: given again under it, nothing happens.
    """
    with engine.begin() as connection:
        order_in(connection, key, to, kind, content, by, once=once)


def order_in(
    connection: Connection,
    key: InstallationKey,
    to: Sequence[int],
    kind: OrderKind,
    content: Mapping[str, Any],
    by: str,
    *,
    once: str = "",
) -> None:
    """As `give_order`, in the transaction of what it is ordered for."""
    claim(connection)
    rows = connection.execute(select(tables.c.id, tables.c.key).where(tables.c.id.in_(to)))
    for row in rows.all():
        own = _own_key(once, row.id) if once else secrets.token_hex(16)
        found = select(orders.c.id).where(orders.c.key == own)
        if connection.execute(found).one_or_none() is not None:
            continue
        order = Order(own, kind, content, by).signed(key, row.key)
        given = {
            "key": own, "table_id": row.id, "order": json.dumps(order.as_row()),
            "at": time.time(), "seq": 0, "refused": "", "kind": kind,
        }  # fmt: skip
        connection.execute(insert(orders).values(**given))


def forget_waiting(connection: Connection, to: Sequence[int], kind: OrderKind) -> None:
    """Orders of a kind that no table has taken yet are needless now."""
    waiting = (orders.c.seq == 0) & orders.c.table_id.in_(to) & (orders.c.kind == kind)
    connection.execute(update(orders).where(waiting).values(seq=REPLACED))


def given_orders(engine: Engine, most: int = 40) -> Sequence[Row[Any]]:
    """The latest orders, with what became of them."""
    with reading(engine) as connection:
        query = (
            select(orders, tables.c.name)
            .join(tables, tables.c.id == orders.c.table_id)
            .order_by(orders.c.id.desc())
            .limit(most)
        )
        return connection.execute(query).all()


def _own_key(once: str, table: int) -> str:
    return hashlib.sha256(f"{once}\n{table}".encode()).hexdigest()[:32]


# -- alarms and calls ------------------------------------------------------------------------------


def open_alarms(engine: Engine) -> Sequence[Row[Any]]:
    """Alarms that nobody has seen to, oldest first."""
    with reading(engine) as connection:
        query = (
            select(alarms, tables.c.name)
            .join(tables, tables.c.id == alarms.c.table_id)
            .where(alarms.c.done == "")
            .order_by(alarms.c.id)
        )
        return connection.execute(query).all()


def see_to(engine: Engine, alarm: int, by: str) -> None:
    """Somebody has seen to an alarm; it stays on record."""
    with engine.begin() as connection:
        seen = connection.execute(
            update(alarms).where(alarms.c.id == alarm, alarms.c.done == "").values(done=by)
        )
        if seen.rowcount:
            note(connection, ActKind.ALARM, {"alarm": alarm}, by)


def refused_so_far(engine: Engine) -> dict[str, int]:
    """How many batches were refused, by why."""
    with reading(engine) as connection:
        rows = connection.execute(select(refused.c.why, refused.c["count"])).all()
    return {why: count for why, count in rows}


def open_calls(engine: Engine) -> Sequence[Row[Any]]:
    """Tables that wait for a referee, the longest first."""
    with reading(engine) as connection:
        query = (
            select(calls, tables.c.name)
            .join(tables, tables.c.id == calls.c.table_id)
            .where(calls.c.done == 0)
            .order_by(calls.c.at)
        )
        return connection.execute(query).all()


def go_to(engine: Engine, call: str, by: str) -> bool:
    """A referee goes; False where another one does already."""
    with engine.begin() as connection:
        found = connection.execute(
            update(calls)
            .where(calls.c.key == call, calls.c.going == "", calls.c.done == 0)
            .values(going=by)
            .returning(calls.c.table_id)
        ).scalar()
        if found is not None:
            note(connection, ActKind.GO, {"call": call, "table": found}, by)
    return found is not None


def end_call(engine: Engine, key: InstallationKey, call: str, by: str) -> None:
    """The referee is done; the table is told, and its log says so."""
    with engine.begin() as connection:
        own = (calls.c.key == call) & (calls.c.done == 0)
        row = connection.execute(select(calls.c.table_id, calls.c.going).where(own)).one_or_none()
        ended = connection.execute(update(calls).where(own).values(done=time.time()))
        if row is None or not ended.rowcount:
            return
        forget_waiting(connection, [row.table_id], OrderKind.CALL_AGAIN)
        content = {"call": call, "table": row.table_id, "going": row.going}
        note(connection, ActKind.DONE, content, by)
        order_in(connection, key, [row.table_id], OrderKind.CALL_OVER, {"call": call}, by)
