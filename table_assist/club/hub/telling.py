"""The desk's messages to tables: each is an act and its orders, in one transaction."""

import json
from typing import Any

from sqlalchemy import Connection, Engine, select

from table_assist.club.acts import ActKind
from table_assist.club.hub.acts import note
from table_assist.club.hub.desk import check_table, hall, order_in
from table_assist.club.hub.people import PeopleError, all_players, shown_name, title_of
from table_assist.club.hub.recovering import known
from table_assist.club.hub.schema import orders
from table_assist.club.orders import OrderKind
from table_assist.trust.installation import InstallationKey


def tell_all(base: Engine, key: InstallationKey, words: str, by: str) -> None:
    """A message to every table."""
    to = [each.id for each in hall(base)]
    with base.begin() as connection:
        note(connection, ActKind.MESSAGE, {"words": words}, by)
        order_in(connection, key, to, OrderKind.MESSAGE, {"en": words, "zh": words}, by)


def rule(
    base: Engine,
    key: InstallationKey,
    table: int,
    seat: int,
    transfers: tuple[int, ...],
    reason: str,
    by: str,
) -> None:
    """A ruling, which the table's own log then holds.

    Raises:
        PeopleError: there is no such table.
    """
    content = {"table": table, "seat": seat, "transfers": list(transfers), "reason": reason}
    ruled = {"seat": seat, "transfers": list(transfers), "en": reason, "zh": reason}
    check_table(base, table)
    with base.begin() as connection:
        note(connection, ActKind.RULING, content, by)
        order_in(connection, key, [table], OrderKind.RULING, ruled, by)


def seat_four(
    base: Engine,
    key: InstallationKey,
    session: int,
    round: int,
    table: int,
    players: tuple[int, ...],
    by: str,
) -> None:
    """Four players sit at a table, from its next hand on.

    Raises:
        PeopleError: there is no such session or table, or they are not four players of the club.
    """
    check_table(base, table)
    people = {row.id: row for row in all_players(base)}
    title = title_of(base, session)
    if len(set(players)) != 4 or not set(players) <= people.keys() or not title:
        raise PeopleError(
            "it takes a session and four different players of the club", "须为俱乐部的四名不同选手"
        )
    content = {
        "session": session, "round": round, "players": list(players),
        "names": [shown_name(people[each]) for each in players],
        "known": known(title, [people[each] for each in players]),
    }  # fmt: skip
    with base.begin() as connection:
        done = {"round": round, "table": table, "before": seats_now(connection, table)}
        note(connection, ActKind.SEATS, {**done, "players": list(players)}, by, session)
        order_in(connection, key, [table], OrderKind.SEATS, content, by)


def seats_now(connection: Connection, table: int) -> dict[str, Any] | None:
    """The newest seats that the table was told; None where nobody is known there."""
    query = (
        select(orders.c.order)
        .where(orders.c.table_id == table, orders.c.kind == OrderKind.SEATS)
        .order_by(orders.c.id.desc())
        .limit(1)
    )
    found = connection.execute(query).scalar()
    content: dict[str, Any] = json.loads(found)["content"] if found else {}
    content.pop("next", None)  # that was for those who sat there before
    return content or None
