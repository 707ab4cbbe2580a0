"""The plan of the hall: for everybody to see, for directors to arrange."""

import threading
import time
from typing import Any

from flask import Blueprint, Flask, Response, current_app
from sqlalchemy import Engine

from table_assist.club.hub.hall_plan import place, plan_of_hall
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.numbers import MOST
from web.access.roles import Role, require, viewer
from web.answers import json_answer
from web.api.bodies import takes, whole
from web.club.shared import csv_answer

blueprint = Blueprint("plan", __name__)

MOST_CELLS = 60  # rows, and columns
KEPT_S = 1.0  # however many look


def init_app(app: Flask) -> None:
    """Give the app its plan."""
    base: Engine = app.extensions["base"]
    app.extensions["hall_plan"] = HallPlan(base, app.extensions["ledger"])
    app.register_blueprint(blueprint)


class HallPlan:
    """The plan as one process knows it, asked for once a second at most; any thread."""

    def __init__(self, base: Engine, ledger: Ledger) -> None:
        self._base, self._ledger = base, ledger
        self._lock = threading.Lock()
        self._rows: list[dict[str, Any]] = []
        self._until = 0.0

    def rows(self) -> list[dict[str, Any]]:
        """Every table with its place and how it does."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._rows = [
                    {
                        "table": each.table, "name": each.name, "row": each.cell[0],
                        "column": each.cell[1], "how": each.how.value,
                    }
                    for each in plan_of_hall(self._base, self._ledger)
                ]  # fmt: skip
                self._until = time.monotonic() + KEPT_S
            return self._rows

    def forget(self) -> None:
        """Look again the next time."""
        self._until = 0.0


@blueprint.get("/api/plan")
@require(Role.TELEVISION)
def plan() -> Response:
    """Where each table stands, and how it does."""
    return json_answer({"tables": _plan().rows()})


@blueprint.get("/api/plan.csv")
@require(Role.TELEVISION)
def plan_csv() -> Response:
    """The same for a spreadsheet."""
    head = ("table", "name", "row", "column", "how")
    return csv_answer(head, [[row[name] for name in head] for row in _plan().rows()])


@blueprint.post("/api/desk/place")
@require(Role.ADMIN)
@takes(whole("table", 1, MOST), whole("row", 1, MOST_CELLS), whole("column", 1, MOST_CELLS))
def places(table: int, row: int, column: int) -> Response:
    """Put a table in its place; one that stands there goes where it stood."""
    place(current_app.extensions["base"], table, (row, column), viewer().by)
    _plan().forget()
    return json_answer({"done": True})


def _plan() -> HallPlan:
    found: HallPlan = current_app.extensions["hall_plan"]
    return found
