"""The plan of the hall: where each table stands, and how it does."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, sqrt
from typing import Any

from sqlalchemy import Engine, select

from table_assist.club.acts import ActKind
from table_assist.club.hub.acts import all_acts, note
from table_assist.club.hub.base import now_s, reading
from table_assist.club.hub.desk import HallTable, hall
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.people import PeopleError
from table_assist.club.hub.rounds import QUIET_S, finished, stands
from table_assist.club.hub.schema import alarms, calls, orders
from table_assist.club.orders import OrderKind

Cell = tuple[int, int]  # row and column, from 1


class How(StrEnum):
    """How a table does; of several the first."""

    OFFLINE = "offline"
    ALARM = "alarm"
    CALLED = "called"
    QUESTION = "question"
    PLAYING = "playing"
    OPEN = "open"  # the round was asked to end, and this table does not agree
    BETWEEN = "between"


@dataclass(frozen=True, slots=True)
class PlacedTable:
    """A table on the plan."""

    table: int
    name: str
    cell: Cell
    how: How


def plan_of_hall(base: Engine, ledger: Ledger) -> list[PlacedTable]:
    """All tables; those that nobody placed fill free places in their order."""
    tables = hall(base)
    cells = _cells(tables, _given(base))
    with reading(base) as connection:
        now = now_s(connection)
        alarmed = set(
            connection.execute(select(alarms.c.table_id).where(alarms.c.done == "")).scalars()
        )
        calling = set(
            connection.execute(select(calls.c.table_id).where(calls.c.done == 0)).scalars()
        )
    still_open = _not_agreed(base, ledger)
    marks = {How.ALARM: alarmed, How.CALLED: calling, How.OPEN: still_open}
    return [
        PlacedTable(each.id, each.name, cells[each.id], _how(each, marks, now - each.seen))
        for each in tables
    ]


def place(base: Engine, table: int, cell: Cell, by: str) -> None:
    """A table stands here now; one that stood here goes where it stood.

    Raises:
        PeopleError: there is no such table.
    """
    tables = hall(base)
    cells = _cells(tables, _given(base))
    if table not in cells:
        raise PeopleError("there is no such table", "没有此牌桌")
    moved = {table: cell}
    moved |= {other: cells[table] for other, here in cells.items() if here == cell != cells[table]}
    with base.begin() as connection:
        for each, (row, column) in moved.items():
            content = {"table": each, "row": row, "column": column}
            note(connection, ActKind.PLACE, content, by)


def _given(base: Engine) -> dict[int, Cell]:
    """Where tables were put, the latest last."""
    found: dict[int, Cell] = {}
    for act in all_acts(base, [ActKind.PLACE]):
        if act.stands:
            table = act.content["table"]
            found.pop(table, None)
            found[table] = (act.content["row"], act.content["column"])
    return found


def _cells(tables: Iterable[HallTable], given: Mapping[int, Cell]) -> dict[int, Cell]:
    """Where each stands: no two in one place, the latest word first."""
    there = {each.id for each in tables}
    found: dict[int, Cell] = {}
    for table, cell in reversed(list(given.items())):
        if table in there and cell not in found.values():
            found[table] = cell
    width = max([ceil(sqrt(len(there)))] + [column for _, column in found.values()])
    taken, at = set(found.values()), 0
    for each in tables:
        while each.id not in found:
            cell = (at // width + 1, at % width + 1)
            at += 1
            if cell not in taken:
                found[each.id] = cell
    return found


def _how(each: HallTable, marks: Mapping[How, set[int]], quiet_s: float) -> How:
    of = {how for how, tables in marks.items() if each.id in tables}
    if quiet_s > QUIET_S:
        of.add(How.OFFLINE)
    if each.view.get("questions"):
        of.add(How.QUESTION)
    if each.view.get("phase") in ("playing", "showing"):
        of.add(How.PLAYING)
    return next((how for how in How if how in of), How.BETWEEN)


def _not_agreed(base: Engine, ledger: Ledger) -> set[int]:
    """The tables of the round that was asked last and is not finished."""
    query = (
        select(orders.c.order)
        .where(orders.c.kind == OrderKind.AGREE)
        .order_by(orders.c.id.desc())
        .limit(1)
    )
    with reading(base) as connection:
        asked = connection.execute(query).scalar()
    if asked is None:
        return set()
    content: dict[str, Any] = json.loads(asked)["content"]
    session, round = content["session"], content["round"]
    if round in finished(base, session):
        return set()
    try:
        return {each.table for each in stands(base, ledger, session, round) if each.why_not}
    except PeopleError:
        return set()  # its seats were taken back
