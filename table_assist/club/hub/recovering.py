"""Recovery of a hub that was set back, from its own signed orders in the tables' logs.

A table's log outlives the hub's database, and holds every order that was carried out, with the
hub's signature. An order that the hub does not know is entered again, with the session, the players
and the seats of which it speaks; and somebody at the desk is told.
"""

import json
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, insert, select, update

from table_assist.club.acts import ActKind, CountsFor
from table_assist.club.hub.acts import note
from table_assist.club.hub.alarms import new_rows, plain, raise_alarm
from table_assist.club.hub.numbers import given_s
from table_assist.club.hub.schema import orders, plans, players, sessions
from table_assist.club.orders import KeptOrder, Order, OrderKind

MOST_NUMBER = 40  # letters of a player's number


def known(title: str, people: Iterable[Any]) -> dict[str, Any]:
    """The session and the players of an order, so that both can be entered again.

    Args:
        people: rows of players; the name of a hidden one is not told.
    """
    rows = [
        [row.id, row.number if row.hidden else row.name, row.number, row.hidden] for row in people
    ]
    return {"session": title, "people": rows}


def recover(connection: Connection, hub: str, table: tuple[int, str], kept: KeptOrder) -> None:
    """Enter an order again that a table's log holds and the hub does not.

    Args:
        hub: its public key; an order that it did not sign for this table is left alone.
        table: its number and its public key.
    """
    id, key = table
    order = kept.order
    if not order.is_by(hub, key):
        return
    given = {
        "key": order.key, "table_id": id, "order": json.dumps(order.as_row()), "at": time.time(),
        "seq": kept.seq, "refused": plain(kept.refused), "kind": order.kind,
    }  # fmt: skip
    if not connection.execute(new_rows(connection, orders).values(**given)).rowcount:
        return
    raise_alarm(connection, id, "unknown order", f"{order.kind} {order.key[:8]}", alone=True)
    if not kept.refused:
        with suppress(KeyError, TypeError, ValueError):  # of a version that wrote it otherwise
            _enter(connection, id, order)


def _enter(connection: Connection, table: int, order: Order) -> None:
    content = order.content
    if order.kind is OrderKind.RULING:
        done = {"table": table, "seat": content["seat"], "transfers": content["transfers"]}
        note(connection, ActKind.RULING, done | {"reason": content["en"]}, order.by)
    if order.kind not in (OrderKind.SEATS, OrderKind.STAND_IN) or not content["session"]:
        return
    _session(connection, content)
    for each in _people(content):
        _player(connection, each)
    if order.kind is OrderKind.STAND_IN:
        _stands_in(connection, order, content.get("planned", content["player"]), content["by"])
        return
    sit = list(content["players"])
    done = {"round": content["round"], "table": table, "before": None, "players": sit}
    note(connection, ActKind.SEATS, done, order.by, content["session"])
    if "planned" in content:
        _plan(connection, content, order.by)
        for planned, sits in zip(content["planned"], sit, strict=True):
            if planned != sits:
                _stands_in(connection, order, planned, sits)


def _session(connection: Connection, content: Mapping[str, Any]) -> None:
    number = content["session"]
    title = content.get("known", {}).get("session", f"#{number}")
    given = {"id": number, "name": title, "begun": given_s(number), "public": False}
    connection.execute(new_rows(connection, sessions).values(**given))


def _people(content: Mapping[str, Any]) -> list[tuple[int, str, str, bool]]:
    """(id, name, number, hidden) of each; of an order of before with numbers that nobody has."""
    if "known" in content:
        return [(id, name, number, hide) for id, name, number, hide in content["known"]["people"]]
    ids = content.get("players") or [content["by"]]
    names = content.get("names") or [content.get("name", "")]
    return [(id, name or f"#{id}", f"#{id}", False) for id, name in zip(ids, names, strict=False)]


def _player(connection: Connection, player: tuple[int, str, str, bool]) -> None:
    id, name, number, hidden = player
    others = (players.c.number == number) & (players.c.id != id)
    if connection.execute(select(players.c.id).where(others)).first():
        number = f"{number[: MOST_NUMBER - 18]} #{id}"  # somebody was entered anew under it
    given = {"id": id, "name": name, "number": number, "hidden": hidden}
    connection.execute(new_rows(connection, players).values(**given))


def _stands_in(connection: Connection, order: Order, planned: int, sits: int) -> None:
    content = order.content
    counts = CountsFor.REPLACED if sits in content.get("for_others", ()) else CountsFor.SITTER
    done = {
        "player": planned, "by": sits, "first": content["round"], "last": content["round"],
        "counts_for": counts.value,
    }  # fmt: skip
    note(connection, ActKind.STAND_IN, done, order.by, content["session"])


def _plan(connection: Connection, content: Mapping[str, Any], by: str) -> None:
    """The round is seated: table after table, as their logs come."""
    own = (plans.c.session_id == content["session"]) & (plans.c.round == content["round"])
    found = connection.execute(select(plans.c.tables).where(own).with_for_update()).scalar()
    seats = [] if found is None else json.loads(found)
    if content["planned"] not in seats:
        seats.append(content["planned"])
    given = {"tables": json.dumps(seats), "seated": time.time()}
    if found is None:
        here = {"session_id": content["session"], "round": content["round"], "by": by}
        connection.execute(insert(plans).values(**here, **given))
    else:
        connection.execute(update(plans).where(own).values(**given))
