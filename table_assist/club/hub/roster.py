"""The players of a session: entered, late, absent, replaced; and the message to tables about it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, select

from table_assist.club.acts import ActKind, CountsFor, Roster
from table_assist.club.hub.acts import act, all_acts
from table_assist.club.hub.base import reading
from table_assist.club.hub.desk import order_in
from table_assist.club.hub.people import (
    PeopleError,
    all_players,
    all_sessions,
    shown_name,
    title_of,
)
from table_assist.club.hub.recovering import known
from table_assist.club.hub.schema import orders
from table_assist.club.orders import OrderKind
from table_assist.trust.installation import InstallationKey

KINDS = (ActKind.ENTER, ActKind.ABSENT, ActKind.HERE, ActKind.STAND_IN)


def roster_of(base: Engine, session: int) -> Roster:
    """The players of a session, and their substitutes."""
    return Roster(all_acts(base, KINDS), session, [row.id for row in all_players(base)])


def enter(base: Engine, session: int, players: Sequence[int], first: int, by: str) -> None:
    """Players belong to a session from a round on; before anybody was entered all do.

    Raises:
        PeopleError: there is no such session or player.
    """
    _check(base, session, players)
    act(base, ActKind.ENTER, {"players": list(players), "first": first}, by, session)


def miss(base: Engine, session: int, player: int, first: int, last: int, by: str) -> None:
    """A player is not there from one round to another; 0: until further notice.

    Raises:
        PeopleError: there is no such session or player, or the last round is before the first.
    """
    _check(base, session, [player])
    _check_rounds(first, last)
    content = {"player": player, "first": first, "last": last}
    act(base, ActKind.ABSENT, content, by, session)


def stand_in(
    base: Engine,
    key: InstallationKey,
    session: int,
    player: int,
    sits: int,
    rounds: tuple[int, int],
    counts_for: CountsFor,
    by: str,
) -> None:
    """Somebody plays for a player; at a table that sits already, from its next hand on.

    Args:
        sits: who plays instead.
        rounds: the first and the last; 0: until further notice.

    Raises:
        PeopleError: there is no such session or player, or that one sits elsewhere.
    """
    first, last = rounds
    _check(base, session, [player, sits])
    _check_rounds(first, last)
    if player == sits:
        raise PeopleError("nobody stands in for themselves", "不能由本人替补")
    for seats in seats_of(base, session):
        if seats.round >= first and sits in seats.sitting:
            raise PeopleError(
                "who stands in sits already in round {round}",
                "替补选手在第 {round} 轮已入座",
                round=seats.round,
            )
    content = {
        "player": player, "by": sits, "first": first, "last": last, "counts_for": counts_for.value,
    }  # fmt: skip
    act(base, ActKind.STAND_IN, content, by, session)
    follow(base, key, session, by)


def come_back(
    base: Engine, key: InstallationKey, session: int, player: int, first: int, by: str
) -> None:
    """A player is there (again) from a round on, and sits in person.

    Raises:
        PeopleError: there is no such session or player.
    """
    _check(base, session, [player])
    act(base, ActKind.HERE, {"player": player, "first": first}, by, session)
    follow(base, key, session, by)


# -- tables that sit already -----------------------------------------------------------------------


@dataclass(slots=True)
class Seats:
    """The players at a table in a round, as the table was told.

    Attributes:
        planned: whose places these are.
        sitting: who sits there, in the same order.
    """

    table: int
    round: int
    planned: list[int]
    sitting: list[int]


def seats_of(base: Engine, session: int) -> list[Seats]:
    """The seats that tables were told in a session, the newest word of each table and round."""
    with reading(base) as connection:
        return _seats_of(connection, session)


def _seats_of(connection: Connection, session: int) -> list[Seats]:
    found: dict[tuple[int, int], Seats] = {}
    query = select(orders.c.id, orders.c.table_id, orders.c.order, orders.c.refused)
    wanted = orders.c.kind.in_((OrderKind.SEATS, OrderKind.STAND_IN))
    for row in connection.execute(query.where(wanted).order_by(orders.c.id)):
        order: dict[str, Any] = json.loads(row.order)
        content = order["content"]
        if row.refused:
            continue
        if (instead_of := content.get("instead_of", [0, 0]))[0] == session:
            found.pop((row.table_id, instead_of[1]), None)
        if content["session"] != session:
            continue
        place = (row.table_id, content["round"])
        if order["kind"] == OrderKind.SEATS:
            planned = content.get("planned", content["players"])
            found[place] = Seats(*place, list(planned), list(content["players"]))
        elif place in found:
            old, new = content["player"], content["by"]
            found[place].sitting = [new if n == old else n for n in found[place].sitting]
    return list(found.values())


def follow(base: Engine, key: InstallationKey, session: int, by: str) -> int:
    """Tell each table of the latest round who stands in there now; how many were told."""
    roster = roster_of(base, session)
    people, title = {row.id: row for row in all_players(base)}, title_of(base, session)
    told = 0
    with base.begin() as connection:
        seats = _seats_of(connection, session)
        latest = max((each.round for each in seats), default=0)
        for each in seats:
            if each.round != latest:
                continue
            for player, now in zip(each.planned, each.sitting, strict=True):
                wanted = roster.sits_for(player, latest)
                if wanted is None or wanted == now:
                    continue  # who is absent without anybody instead sits there on paper
                both = [people[each] for each in (player, wanted) if each in people]
                content = {
                    "session": session, "round": latest, "player": now, "by": wanted,
                    "name": shown_name(people[wanted]) if wanted in people else "",
                    "planned": player, "for_others": roster.for_others([wanted], latest),
                    "known": known(title, both),
                }  # fmt: skip
                order_in(connection, key, [each.table], OrderKind.STAND_IN, content, by)
                told += 1
    return told


def _check(base: Engine, session: int, players: Sequence[int]) -> None:
    known = {row.id for row in all_players(base)}
    if not any(row.id == session for row in all_sessions(base)) or not set(players) <= known:
        raise PeopleError("there is no such session or player", "没有此场次或选手")


def _check_rounds(first: int, last: int) -> None:
    if last and last < first:
        raise PeopleError(
            "the last round, {last}, is before the first, {first}",
            "最后一轮（{last}）早于第一轮（{first}）",
            last=last,
            first=first,
        )
