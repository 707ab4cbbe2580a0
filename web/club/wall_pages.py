"""The hall's television wall, results and great hands, and overlays for streams."""

from typing import Any

from flask import Blueprint, Flask, Response, current_app

from table_assist.club.career import DrawnHand, latest_results, won_hands
from table_assist.club.career import great as great_of
from table_assist.club.hub.desk import hall
from table_assist.club.hub.pictures import kept_pictures
from web.access.roles import Role, require
from web.answers import json_answer
from web.api.stream import asked_delay
from web.club.live import Hall
from web.club.past import FullError
from web.club.player_pages import drawn_view, won_view
from web.club.shared import base, csv_answer, ledger, names, shown_sessions
from web.club.words import CLOCK, HALL, PLAYER, WALL
from web.pages.shell import render
from web.refusal import refuse

blueprint = Blueprint("wall", __name__)
LATEST = 3  # great hands
RESULTS = 12  # that ended last: more do not end between two looks


def init_app(app: Flask) -> None:
    """Give the app the wall."""
    app.register_blueprint(blueprint)


@blueprint.get("/wall")
@require(Role.TELEVISION)
def wall() -> str:
    """The wall for a television: who plays whom, live scores, the clock and the last great hand."""
    return render("hall_wall.html", words={**HALL, **PLAYER, **CLOCK, **WALL}, view="wall")


@blueprint.get("/overlay/<number:table>")
@require(Role.TELEVISION)
def overlay(table: int) -> str:
    """A table's names and scores on a transparent ground; `?delay=20` seconds late."""
    if all(each.id != table for each in hall(base())):
        refuse(404, "There is no such table.", "没有此牌桌。")
    return render(
        "hall_overlay.html", words={**HALL, **WALL}, view="hall-overlay", table=table,
        delay=asked_delay(),
    )  # fmt: skip


@blueprint.get("/api/table/<number:table>")
@require(Role.TELEVISION)
def one_table(table: int) -> Response:
    """A table as spectators may see it; `?delay=20` seconds ago, once that much is kept."""
    delay = asked_delay()
    seen: Hall = current_app.extensions["viewers"]
    seen.begin()
    if not delay:
        seen.refresh()
    try:
        shown = seen.behind(table, delay)
    except FullError:
        refuse(503, "Too many tables are shown late already.", "延迟显示的牌桌已满。")
    return json_answer({"delay": delay, "table": shown})


@blueprint.get("/api/table/<number:table>.csv")
@require(Role.TELEVISION)
def one_table_csv(table: int) -> Response:
    """The same for a spreadsheet, as it is now."""
    seen: Hall = current_app.extensions["viewers"]
    seen.refresh()
    view = (seen.behind(table, 0) or {"view": {}})["view"]
    rows = zip(view.get("names", ()), view.get("scores", ()), strict=False)
    return csv_answer(("seat", "player", "points"), [(n, *row) for n, row in enumerate(rows)])


@blueprint.get("/api/great")
@require(Role.TELEVISION)
def great() -> Response:
    """The latest of the newest session's great hands: the dearest tenth of those won so far."""
    return json_answer({"hands": _great()})


@blueprint.get("/api/results")
@require(Role.TELEVISION)
def results() -> Response:
    """The hands of the newest session that ended last, and the last great one."""
    shown, known = shown_sessions(), names()
    last = latest_results(ledger().logs(), shown[0].id, RESULTS) if shown else []
    hands = [
        drawn_view(each, known) if isinstance(each, DrawnHand) else won_view(each, known, {})
        for each in last
    ]
    return json_answer({"hands": hands, "great": next(iter(_great()), None)})


@blueprint.get("/api/great.csv")
@require(Role.TELEVISION)
def great_csv() -> Response:
    """The same for a spreadsheet."""
    rows = [
        (view["table"], view["hand"], view["name"], view["points"], " ".join(view["tiles"]))
        for view in _great()
    ]
    return csv_answer(("table", "hand", "player", "points", "tiles"), rows)


def _great() -> list[dict[str, Any]]:
    """The latest first."""
    shown, known = shown_sessions(), names()
    if not shown:
        return []
    hands = great_of(won_hands(ledger().logs(), {shown[0].id}))
    latest, pictures = sorted(hands, key=lambda one: -one.won.t)[:LATEST], kept_pictures(base())
    return [won_view(each, known, pictures) for each in latest]
