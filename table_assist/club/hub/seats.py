"""Who sits where: rosters, plans of seats as a director accepted them, and telling the tables."""

import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, Engine, delete, insert, select, update

from table_assist.club.acts import ActKind, CountsFor, DeskAct, Roster
from table_assist.club.hub.database import orders, plans, read, reading
from table_assist.club.hub.desk import PeopleError, act, all_acts, check_table, hall, note, order_in
from table_assist.club.hub.people import all_players, all_sessions, shown_name
from table_assist.club.orders import Next, OrderKind, as_words
from table_assist.club.seating import Plan, Round, prescribed
from table_assist.trust.installation import InstallationKey

ROSTER = (ActKind.ENTER, ActKind.ABSENT, ActKind.HERE, ActKind.STAND_IN)


def roster_of(base: Engine, session: int) -> Roster:
    """The players of a session, and their substitutes."""
    return Roster(all_acts(base, ROSTER), session, [row.id for row in all_players(base)])


def enter(base: Engine, session: int, players: Sequence[int], first: int, by: str) -> None:
    """Players belong to a session from a round on; before anybody was entered all do."""
    _check(base, session, players)
    act(base, ActKind.ENTER, {"players": list(players), "first": first}, by, session)


def miss(base: Engine, session: int, player: int, first: int, last: int, by: str) -> None:
    """A player is not there from one round to another; 0: until further notice."""
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
    """
    first, last = rounds
    _check(base, session, [player, sits])
    _check_rounds(first, last)
    if player == sits:
        raise PeopleError("nobody stands in for themselves", "不能由本人替补")
    for seats in seats_of(base, session):
        if seats.round >= first and sits in seats.sitting:
            raise PeopleError.told("sits_already", round=seats.round)
    content = {
        "player": player, "by": sits, "first": first, "last": last, "counts_for": counts_for.value,
    }  # fmt: skip
    act(base, ActKind.STAND_IN, content, by, session)
    follow(base, key, session, by)


def come_back(
    base: Engine, key: InstallationKey, session: int, player: int, first: int, by: str
) -> None:
    """A player is there (again) from a round on, and sits in person."""
    _check(base, session, [player])
    act(base, ActKind.HERE, {"player": player, "first": first}, by, session)
    follow(base, key, session, by)


# -- tables that sit already -----------------------------------------------------------------------


@dataclass(slots=True)
class Seats:
    """The players at a table in a round, as the table was told."""

    table: int
    round: int
    planned: list[int]  # whose places these are
    sitting: list[int]  # who sits there, in the same order


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
    people = {row.id: row for row in all_players(base)}
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
                content = {
                    "session": session, "round": latest, "player": now, "by": wanted,
                    "name": shown_name(people[wanted]) if wanted in people else "",
                    "planned": player, "for_others": roster.for_others([wanted], latest),
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
        raise PeopleError.told("rounds_reversed", last=last, first=first)


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A round that was accepted."""

    round: int
    tables: Round
    seated: bool  # the tables were told


def planned(base: Engine, session: int) -> tuple[PlannedRound, ...]:
    """The rounds of a session, in order."""
    rows = read(base, select(plans).where(plans.c.session_id == session).order_by(plans.c.round))
    return tuple(
        PlannedRound(
            row.round,
            tuple((a, b, c, d) for a, b, c, d in json.loads(row.tables)),
            bool(row.seated),
        )
        for row in rows
    )


def accept(base: Engine, session: int, first: int, plan: Plan, by: str) -> None:
    """Keep a plan from a round on; what was planned for these rounds and not seated is replaced."""
    known = {row.id for row in all_players(base)}
    seats = [{player for table in each for player in table} for each in plan]
    if not seats or not set().union(*seats) <= known:
        raise PeopleError("the plan seats somebody who is no player", "座位表中有未登记的选手")
    for each, players in zip(plan, seats, strict=True):
        prescribed(each, sorted(players))
    rows = [(number, json.dumps(each)) for number, each in enumerate(plan, start=first)]
    with base.begin() as connection:
        before = replan(connection, session, first, len(plan), rows, by)
        content = {"first": first, "rounds": len(plan), "before": before}
        note(connection, ActKind.PLAN, content, by, session)


def replan(
    connection: Connection, session: int, first: int, rounds: int, rows: Iterable[Any], by: str
) -> list[list[Any]]:
    """Plan so many rounds anew, if none of them is seated; what was planned for them before.

    Args:
        rows: (round, tables as JSON) of each.
    """
    last = first + rounds - 1
    between = (plans.c.session_id == session) & plans.c.round.between(first, last)
    there = connection.execute(select(plans).where(between).order_by(plans.c.round)).all()
    if done := next((row.round for row in there if row.seated), None):
        raise PeopleError("round {done} is seated already", "第 {done} 轮已入座", done=done)
    connection.execute(delete(plans).where(between))
    for round, tables in rows:
        given = {"session_id": session, "round": round, "tables": tables, "by": by, "seated": 0.0}
        connection.execute(insert(plans).values(**given))
    return [[row.round, row.tables] for row in there]


def seat(base: Engine, key: InstallationKey, session: int, round: int, by: str) -> int:
    """Tell the tables who plays at them in a round: the first of the plan the first by name.

    Who stands in for somebody sits in that place.

    Returns:
        How many tables were told.
    """
    every, over = planned(base, session), finished(base, session)
    due = next((each for each in every if each.round == round), None)
    tables = hall(base)
    if due is None:
        raise PeopleError("round {round} is not planned", "第 {round} 轮尚未排座", round=round)
    for each in every:
        if each.seated and each.round < round and each.round not in over:
            raise PeopleError.told("unfinished", round=each.round)
    if len(tables) < len(due.tables):
        raise PeopleError.told("too_few_tables", count=len(due.tables), count_2=len(tables))
    people = all_players(base)
    names = {row.id: row.name for row in people}
    shown = {row.id: shown_name(row) for row in people}
    roster = roster_of(base, session)
    # Substitutes sit in the places of those who stay away.
    found = [[roster.sits_for(player, due.round) for player in table] for table in due.tables]
    absent = [
        names[player]
        for table, row in zip(due.tables, found, strict=True)
        for player, sits in zip(table, row, strict=True)
        if sits is None
    ]
    if absent:
        raise PeopleError.told("absent", round=due.round, who=", ".join(absent))
    sitting = [[sits for sits in row if sits is not None] for row in found]
    twice = [player for player, n in Counter(p for row in sitting for p in row).items() if n > 1]
    if twice:
        who = ", ".join(names[player] for player in twice)
        raise PeopleError.told("sits_twice", who=who, round=due.round)
    seats = {str(table.id): row for table, row in zip(tables, sitting, strict=False)}
    places = [
        Next(player, shown[player], table.name, seat)
        for table, row in zip(tables, sitting, strict=False)
        for seat, player in enumerate(row)
    ]
    with base.begin() as connection:
        begun = connection.execute(
            update(plans)
            .where(plans.c.session_id == session, plans.c.round == round, plans.c.seated == 0)
            .values(seated=time.time())
        )
        if not begun.rowcount:
            return len(due.tables)  # it was seated already
        number = note(connection, ActKind.ROUND, {"round": round, "tables": seats}, by, session)
        for table, before, players in zip(tables, due.tables, sitting, strict=False):
            content = {
                "session": session, "round": round, "players": players, "planned": list(before),
                "names": [shown[player] for player in players],
                "for_others": roster.for_others(players, round),
                "next": _who_leave(connection, session, table.id, places),
            }  # fmt: skip
            once = f"act {number}"
            order_in(connection, key, [table.id], OrderKind.SEATS, content, by, once=once)
        for table in tables[len(due.tables) :]:  # nobody plays there in this round
            leave = _who_leave(connection, session, table.id, places)
            if leave:
                content = {**as_words(leave), "next": leave}
                order_in(connection, key, [table.id], OrderKind.MESSAGE, content, by)
    return len(due.tables)


def _who_leave(
    connection: Connection, session: int, table: int, places: Iterable[Next]
) -> list[dict[str, Any]]:
    """Where those who sit at a table now, in this session, sit in the round that begins."""
    now = seats_now(connection, table)
    if now is None or now.get("session") != session:
        return []
    sit = set(now["players"])
    return [asdict(each) for each in places if each.player in sit]


def finished(base: Engine, session: int) -> dict[int, DeskAct]:
    """The rounds that are finished, by the act that did it."""
    acts = all_acts(base, [ActKind.FINISH])
    return {each.content["round"]: each for each in acts if each.stands and each.session == session}


def seat_four(
    base: Engine,
    key: InstallationKey,
    session: int,
    round: int,
    table: int,
    players: tuple[int, ...],
    by: str,
) -> None:
    """Four players sit at a table, from its next hand on."""
    check_table(base, table)
    people = {row.id: row for row in all_players(base)}
    is_session = any(row.id == session for row in all_sessions(base))
    if len(set(players)) != 4 or not set(players) <= people.keys() or not is_session:
        raise PeopleError.told("not_four")
    content = {
        "session": session, "round": round, "players": list(players),
        "names": [shown_name(people[each]) for each in players],
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
