"""Whether a referee is called stands in a table's view."""

import re
from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Connection, and_, select, update

from table_assist.club.hub.alarms import new_rows, plain
from table_assist.club.hub.schema import calls, orders
from table_assist.club.hub.sets import among
from table_assist.club.orders import OrderKind

KEY = re.compile(r"[0-9a-f]{32}")  # of an order, and of a call


def note_calls(
    connection: Connection,
    views: Mapping[int, Mapping[str, Any]],
    open_now: Collection[int],
    now_s: float,
) -> None:
    """Open the calls that these views name, and close those that they name no more.

    Args:
        views: the newest of each table, by its number.
        open_now: the tables that have an open call.
    """
    called = {id: view["call"] for id, view in views.items() if _is_call(view)}
    quiet = sorted((views.keys() - called.keys()) & set(open_now))
    if quiet:
        # Until the table knows that its call is open again, it says nothing of it.
        again = select(orders.c.table_id).where(
            among(connection, orders.c.table_id, quiet),
            orders.c.kind == OrderKind.CALL_AGAIN,
            orders.c.seq == 0,
        )
        waits = and_(
            among(connection, calls.c.table_id, quiet),
            calls.c.done == 0,
            calls.c.table_id.not_in(again),
        )
        connection.execute(update(calls).where(waits).values(done=now_s))
    rows = [
        {
            "key": call["key"], "table_id": id, "at": now_s, "going": "",
            "reason": plain(call.get("reason", "")), "done": 0,
        }
        for id, call in called.items()
    ]  # fmt: skip
    if rows:
        connection.execute(new_rows(connection, calls), rows)


def _is_call(view: Mapping[str, Any]) -> bool:
    call = view.get("call")
    return isinstance(call, dict) and bool(KEY.fullmatch(call.get("key", "")))
