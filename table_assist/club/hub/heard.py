"""Orders on their way to tables, and what became of them there."""

import json
from collections.abc import Mapping

from sqlalchemy import Connection, select, update

from table_assist.club.hub.alarms import plain, raise_alarm
from table_assist.club.hub.base import hub_key_in
from table_assist.club.hub.called import KEY
from table_assist.club.hub.recovering import recover
from table_assist.club.hub.schema import orders
from table_assist.club.hub.sets import among
from table_assist.club.orders import Order, OrderKind, kept_order
from table_assist.record.log import entry_from_json

AT_ONCE = 8


def hear(connection: Connection, table: int, key: str, line: str) -> None:
    """A table's entry tells what became of an order.

    Args:
        table: its number.
        key: its public key.
    """
    kept = kept_order(entry_from_json(line))
    if kept is None or kept.order.kind is OrderKind.CALL or not KEY.fullmatch(kept.order.key):
        return
    if kept.order.kind is OrderKind.PROFILE and kept.refused:
        wanted, own = (str(each.get("hash", ""))[:8] for each in (kept.order.content, kept.answer))
        raise_alarm(connection, table, "profile", f"{own} ≠ {wanted}")
    heard = connection.execute(
        update(orders)
        .where(orders.c.key == kept.order.key, orders.c.table_id == table)
        .values(seq=kept.seq, refused=plain(kept.refused))
    )
    if not heard.rowcount:
        recover(connection, hub_key_in(connection).public, (table, key), kept)


def waiting(connection: Connection, tables: Mapping[int, str]) -> dict[str, tuple[Order, ...]]:
    """Orders that are no entries yet, by the table's public key.

    Args:
        tables: the public key of each, by its number.
    """
    query = (
        select(orders.c.table_id, orders.c.order)
        .where(among(connection, orders.c.table_id, list(tables)), orders.c.seq == 0)
        .order_by(orders.c.id)
    )
    found: dict[str, tuple[Order, ...]] = {}
    for row in connection.execute(query):
        key = tables[row.table_id]
        before = found.get(key, ())
        if len(before) < AT_ONCE:
            found[key] = (*before, Order.of_row(json.loads(row.order)))
    return found
