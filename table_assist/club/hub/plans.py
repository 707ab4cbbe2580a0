"""Plans of seats as a director accepted them, and telling the tables of a round."""

import json
import time
from dataclasses import dataclass

from sqlalchemy import Engine, delete, insert, select, update

from table_assist.club.hub.base import reading
from table_assist.club.hub.desk import give_order, hall
from table_assist.club.hub.people import PeopleError, all_players
from table_assist.club.hub.schema import plans
from table_assist.club.seating import prescribed
from table_assist.club.told import Kind
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
    seats = [sorted(player for table in each for player in table) for each in plan]
    if not seats or not set(seats[0]) <= known:
        raise PeopleError("the plan seats somebody who is no player", "座位表中有未登记的选手")
    for each in plan:
        prescribed(each, sorted(set(seats[0])))
    last = first + len(plan) - 1
    between = (plans.c.session_id == session) & plans.c.round.between(first, last)
    with base.begin() as connection:
        told = connection.execute(
            select(plans.c.round).where(between, plans.c.seated > 0)
        ).scalars()
        if (done := next(iter(told), None)) is not None:
            raise PeopleError(f"round {done} is seated already", f"第 {done} 轮已入座")
        connection.execute(delete(plans).where(between))
        for number, each in enumerate(plan, start=first):
            given = {
                "session_id": session, "round": number, "tables": json.dumps(each), "by": by,
                "seated": 0.0,
            }  # fmt: skip
            connection.execute(insert(plans).values(**given))


def seat(base: Engine, key: InstallationKey, session: int, round: int, by: str) -> int:
    """Tell the tables who plays at them in a round: the first of the plan the first by name.

    Returns:
        How many tables were told.

    Raises:
        PeopleError: there is no such round, or there are too few tables.
    """
    due = next((each for each in planned(base, session) if each.round == round), None)
    tables = hall(base)
    if due is None:
        raise PeopleError(f"round {round} is not planned", f"第 {round} 轮尚未排座")
    if len(tables) < len(due.tables):
        raise PeopleError(
            f"the round needs {len(due.tables)} tables; {len(tables)} are in the hall",
            f"本轮需要 {len(due.tables)} 张牌桌，现有 {len(tables)} 张",
        )
    names = {row.id: row.name for row in all_players(base)}
    for table, players in zip(tables, due.tables, strict=False):
        content = {
            "session": session, "round": round, "players": list(players),
            "names": [names[player] for player in players],
        }  # fmt: skip
        once = f"seats {session} {round}"
        give_order(base, key, [table.id], Kind.SEATS, content, by, once=once)
    with base.begin() as connection:
        connection.execute(
            update(plans)
            .where(plans.c.session_id == session, plans.c.round == round)
            .values(seated=time.time())
        )
    return len(due.tables)
