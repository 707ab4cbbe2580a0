"""Plans of seats as a director accepted them, and telling the tables of a round."""

import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, delete, insert, select, update

from table_assist.club.acts import ActKind, DeskAct, Roster
from table_assist.club.hub.acts import note
from table_assist.club.hub.base import reading
from table_assist.club.hub.desk import hall, order_in
from table_assist.club.hub.people import PeopleError, all_players, shown_name, title_of
from table_assist.club.hub.recovering import known
from table_assist.club.hub.roster import roster_of
from table_assist.club.hub.rounds import finished
from table_assist.club.hub.schema import plans
from table_assist.club.hub.telling import seats_now
from table_assist.club.news import Next, as_words
from table_assist.club.orders import OrderKind
from table_assist.club.seating import prescribed
from table_assist.club.winds import Plan, Round
from table_assist.trust.installation import InstallationKey


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A round that was accepted.

    Attributes:
        seated: the tables were told.
    """

    round: int
    tables: Round
    seated: bool


def planned(base: Engine, session: int) -> tuple[PlannedRound, ...]:
    """The rounds of a session, in order."""
    query = select(plans).where(plans.c.session_id == session).order_by(plans.c.round)
    with reading(base) as connection:
        rows = connection.execute(query).all()
    return tuple(
        PlannedRound(
            row.round,
            tuple((a, b, c, d) for a, b, c, d in json.loads(row.tables)),
            bool(row.seated),
        )
        for row in rows
    )


def accept(base: Engine, session: int, first: int, plan: Plan, by: str) -> None:
    """Keep a plan from a round on; what was planned for these rounds and not seated is replaced.

    Raises:
        SeatingError: somebody does not sit once a round.
        PeopleError: one of its rounds is seated, or there is no such player.
    """
    known = {row.id for row in all_players(base)}
    seats = [{player for table in each for player in table} for each in plan]
    if not seats or not set().union(*seats) <= known:
        raise PeopleError("the plan seats somebody who is no player", "座位表中有未登记的选手")
    for each, players in zip(plan, seats, strict=True):
        prescribed(each, sorted(players))
    last = first + len(plan) - 1
    between = (plans.c.session_id == session) & plans.c.round.between(first, last)
    with base.begin() as connection:
        _refuse_seated(connection, between)
        query = select(plans.c.round, plans.c.tables).where(between).order_by(plans.c.round)
        before = [list(row) for row in connection.execute(query)]
        content = {"first": first, "rounds": len(plan), "before": before}
        note(connection, ActKind.PLAN, content, by, session)
        connection.execute(delete(plans).where(between))
        for number, each in enumerate(plan, start=first):
            given = {
                "session_id": session, "round": number, "tables": json.dumps(each), "by": by,
                "seated": 0.0,
            }  # fmt: skip
            connection.execute(insert(plans).values(**given))


def replan(connection: Connection, done: DeskAct) -> None:
    """Plan again whatever was planned before an act of planning.

    Raises:
        PeopleError: one of the rounds is seated.
    """
    first, rounds = done.content["first"], done.content["rounds"]
    between = (plans.c.session_id == done.session) & plans.c.round.between(
        first, first + rounds - 1
    )
    _refuse_seated(connection, between)
    connection.execute(delete(plans).where(between))
    for round, rows in done.content["before"]:
        given = {
            "session_id": done.session, "round": round, "tables": rows, "by": done.by,
            "seated": 0.0,
        }  # fmt: skip
        connection.execute(insert(plans).values(**given))


def _refuse_seated(connection: Connection, between: ColumnElement[bool]) -> None:
    query = select(plans.c.round).where(between, plans.c.seated > 0).order_by(plans.c.round)
    if (done := connection.execute(query).scalars().first()) is not None:
        raise PeopleError("round {done} is seated already", "第 {done} 轮已入座", done=done)


def seat(base: Engine, key: InstallationKey, session: int, round: int, by: str) -> int:
    """Tell the tables who plays at them in a round: the first of the plan the first by name.

    Who stands in for somebody sits in that place.

    Returns:
        How many tables were told.

    Raises:
        PeopleError: there is no such round, the one before is not finished, there are too few
            tables, or somebody is not there.
    """
    every, over = planned(base, session), finished(base, session)
    due = next((each for each in every if each.round == round), None)
    tables = hall(base)
    if due is None:
        raise PeopleError("round {round} is not planned", "第 {round} 轮尚未排座", round=round)
    for each in every:
        if each.seated and each.round < round and each.round not in over:
            raise PeopleError(
                "round {round} is not finished: finish it first",
                "第 {round} 轮尚未结束：请先结束该轮",
                round=each.round,
            )
    if len(tables) < len(due.tables):
        raise PeopleError(
            "the round needs {count} tables; {count_2} are in the hall",
            "本轮需要 {count} 张牌桌，现有 {count_2} 张",
            count=len(due.tables),
            count_2=len(tables),
        )
    people = all_players(base)
    names = {row.id: row.name for row in people}
    by_id = {row.id: row for row in people}
    shown = {row.id: shown_name(row) for row in people}
    title = title_of(base, session)
    roster = roster_of(base, session)
    sitting = sitting_in(roster, due, names)
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
                "known": known(title, [by_id[each] for each in {*before, *players}]),
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
    return [each.as_row() for each in places if each.player in sit]


def sitting_in(roster: Roster, due: PlannedRound, names: Mapping[int, str]) -> list[list[int]]:
    """The players at each table of a round, substitutes in their places, in the order of the plan.

    Raises:
        PeopleError: somebody is not there and nobody stands in, or would have to sit twice.
    """
    found = [[roster.sits_for(player, due.round) for player in table] for table in due.tables]
    absent = [
        names[player]
        for table, row in zip(due.tables, found, strict=True)
        for player, sits in zip(table, row, strict=True)
        if sits is None
    ]
    if absent:
        who = ", ".join(absent)
        raise PeopleError(
            "not there in round {round}: {who}; name who stands in, or draw the round anew",
            "第 {round} 轮缺席：{who}；请指定替补，或重新排座",
            round=due.round,
            who=who,
        )
    rows = [[sits for sits in row if sits is not None] for row in found]
    twice = [player for player, n in Counter(p for row in rows for p in row).items() if n > 1]
    if twice:
        who = ", ".join(names[player] for player in twice)
        raise PeopleError(
            "{who} would sit twice in round {round}: draw the round anew, or name another",
            "{who} 在第 {round} 轮会重复入座：请重新排座或另选替补",
            who=who,
            round=due.round,
        )
    return rows
