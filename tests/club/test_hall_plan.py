"""Every table has a place of its own on the plan, and one word for how it does."""

from pathlib import Path

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update

from table_assist.club.acts import ActKind
from table_assist.club.hub.database import alarms, calls
from table_assist.club.hub.database import tables as hub_tables
from table_assist.club.hub.desk import HallTable, hall
from table_assist.club.hub.rounds import How, _cells, _how
from tests.club.test_acts import Evening
from tests.stages.visitor import Visitor

pytestmark = pytest.mark.usefixtures("counted")


def table(number: int, **view: object) -> HallTable:
    return HallTable(number, "", f"Table {number}", "in", 0.0, 0, view)


cells = st.tuples(st.integers(1, 5), st.integers(1, 5))


@given(st.integers(0, 12), st.dictionaries(st.integers(1, 12), cells))
def test_no_two_tables_stand_in_one_place(
    count: int, given_cells: dict[int, tuple[int, int]]
) -> None:
    tables = [table(n) for n in range(1, count + 1)]
    found = _cells(tables, given_cells)
    assert sorted(found) == [each.id for each in tables]
    assert len(set(found.values())) == count
    assert all(row >= 1 and column >= 1 for row, column in found.values())


def test_of_several_words_the_gravest_is_shown() -> None:
    marks = {How.ALARM: {1, 2}, How.CALLED: {2, 3}, How.OPEN: {4, 5}}
    assert _how(table(1), marks, 99.0) is How.OFFLINE
    assert _how(table(2), marks, 1.0) is How.ALARM
    assert _how(table(3, questions=1), marks, 1.0) is How.CALLED
    assert _how(table(4, phase="playing"), marks, 1.0) is How.PLAYING
    assert _how(table(5, phase="settled"), marks, 1.0) is How.OPEN
    assert _how(table(6, phase="playing", questions=2), marks, 1.0) is How.QUESTION
    assert _how(table(7, phase="settled"), marks, 1.0) is How.BETWEEN


@pytest.fixture
def evening(app: Flask, tmp_path: Path) -> Evening:
    return Evening(app, tmp_path, tables=3, players=12)


def plan(evening: Evening) -> dict[str, tuple[int, int, str]]:
    evening.app.extensions["hall_plan"].forget()
    rows = Visitor(evening.app, "10.0.0.9").get("/api/plan").get_json()["tables"]
    return {row["name"]: (row["row"], row["column"], row["how"]) for row in rows}


def test_a_table_is_moved_swapped_and_moved_back(evening: Evening) -> None:
    first, second, third = (each.id for each in hall(evening.base))
    at = {name: row[:2] for name, row in plan(evening).items()}
    assert at == {"Table 1": (1, 1), "Table 2": (1, 2), "Table 3": (2, 1)}
    evening.do("place", table=third, row=4, column=5)
    evening.do("place", table=first, row=1, column=2)  # where the second stands
    at = {name: row[:2] for name, row in plan(evening).items()}
    assert at == {"Table 1": (1, 2), "Table 2": (1, 1), "Table 3": (4, 5)}
    assert evening.undo(ActKind.PLACE) == 200
    assert len({row[:2] for row in plan(evening).values()}) == 3
    assert evening.director.give("/api/desk/place", table=99, row=1, column=1)[0] == 409
    assert evening.director.give("/api/desk/place", table=first, row=0, column=1)[0] == 400
    assert second


def test_the_plan_says_how_each_table_does(evening: Evening) -> None:
    first, second, third = (each.id for each in hall(evening.base))
    assert {row[2] for row in plan(evening).values()} == {"between"}
    evening.draw()
    evening.seat()
    evening.do("round/ask", session=1, round=1)
    assert {row[2] for row in plan(evening).values()} == {"open"}
    evening.up()
    evening.up()
    with evening.base.begin() as connection:
        one = {"table_id": first, "kind": "conflict", "told": "x", "at": 1.0, "done": ""}
        connection.execute(alarms.insert().values(**one))
        call = {"key": "0" * 32, "table_id": second, "reason": "", "at": 1.0, "going": ""}
        connection.execute(calls.insert().values(done=0, **call))
        connection.execute(update(hub_tables).where(hub_tables.c.id == third).values(seen=1.0))
    hows = {name: row[2] for name, row in plan(evening).items()}
    assert hows == {"Table 1": "alarm", "Table 2": "called", "Table 3": "offline"}
