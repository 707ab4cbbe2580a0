"""The hub's pages, and what anybody may read: the hall, standings, as JSON and CSV."""

import csv
import io
from typing import Any

from flask import Blueprint, Flask, Response, current_app
from sqlalchemy import Engine

from table_assist.club.hub.heads import latest_heads
from table_assist.club.hub.ledger import Ledger, Place
from table_assist.club.hub.people import all_players, all_sessions
from table_assist.club.hub.ratings import ratings
from table_assist.contract.view import words_view
from web.access.roles import Role, require, viewer
from web.answers import json_answer
from web.api.openapi import describe
from web.club.words import CLOCK, DESK, HALL, REFUSED, ROSTER, SEATING
from web.pages.shell import render
from web.refusal import refuse

blueprint = Blueprint("hall", __name__)


def init_app(app: Flask, base: Engine) -> None:
    """Give the app its pages."""
    app.extensions["ledger"] = Ledger(base)
    app.register_blueprint(blueprint)


@blueprint.get("/")
@require(Role.TELEVISION)
def hall() -> str:
    """All tables live, and the standings that are published."""
    return render("hall.html", words={**HALL, **CLOCK}, view="hall")


@blueprint.get("/desk")
@require(Role.REFEREE)
def desk() -> str:
    """Where directors and referees work."""
    counted = {why: words_view(words) for why, words in REFUSED.items()}
    words = {**HALL, **DESK, **SEATING, **CLOCK, **ROSTER}
    return render("hall_desk.html", words=words, view="desk", counted=counted)


@blueprint.get("/enter")
@require(Role.TELEVISION)
def enter() -> str:
    """Where a link of the staff's leads; the link itself stands behind the #."""
    return render("hall_enter.html", words={**HALL, **DESK}, view="enter")


@blueprint.get("/api/sessions")
@require(Role.TELEVISION)
def sessions() -> Response:
    """The sessions whose standings one may see, the newest first."""
    rows = all_sessions(current_app.extensions["base"])
    found = [
        {"id": row.id, "name": row.name, "public": row.public}
        for row in rows
        if row.public or _is_staff()
    ]
    return json_answer({"sessions": found})


@blueprint.get("/api/standings/<int:session>")
@require(Role.TELEVISION)
def standings(session: int) -> Response:
    """A session's players, the best first: points, hands and wins, as the tables' logs say."""
    rows = [
        {
            "player": each.player, "name": _name(each), "points": each.points,
            "corrected": each.corrected, "hands": each.hands, "wins": each.wins,
            "best": each.best,
        }
        for each in _standing(session)
    ]  # fmt: skip
    return json_answer({"session": session, "players": rows})


@blueprint.get("/api/standings/<int:session>.csv")
@require(Role.TELEVISION)
def standings_csv(session: int) -> Response:
    """The same for a spreadsheet."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(("place", "player", "points", "hands", "wins", "best"))
    for place, each in enumerate(_standing(session), start=1):
        name = _name(each)
        harmless = f"'{name}" if name[:1] in "=+-@\t" else name  # to a spreadsheet no formula
        out.writerow((place, harmless, each.points, each.hands, each.wins, each.best))
    return Response(text.getvalue(), 200, {"Cache-Control": "no-store"}, mimetype="text/csv")


@blueprint.get("/api/ratings")
@require(Role.TELEVISION)
def rated() -> Response:
    """Everybody's rating by openskill over all published sessions, the best first."""
    base = current_app.extensions["base"]
    shown = {row.id for row in all_sessions(base) if row.public}
    people = {row.id: row for row in all_players(base)}
    ledger: Ledger = current_app.extensions["ledger"]
    every = [each for log in ledger.logs() for each in log.told.stretches if each.session in shown]
    rows = [
        {
            "name": people[each.player].number if _is_hidden(people[each.player])
            else people[each.player].name,
            "rating": round(each.shown, 2), "games": each.games,
        }
        for each in ratings(every)
        if each.player in people
    ]  # fmt: skip
    return json_answer({"players": rows})


@blueprint.get("/api/heads")
@require(Role.TELEVISION)
def noted() -> Response:
    """How far every log had come in the latest minute, signed by the hub: for who notes it."""
    found = latest_heads(current_app.extensions["base"])
    if found is None:
        refuse(404, "Nothing is noted yet.", "尚无记录。")
    return json_answer(found)


@blueprint.get("/api/openapi.json")
@require(Role.TELEVISION)
def description() -> Response:
    """This API's description."""
    return json_answer(describe(current_app))


def _standing(session: int) -> list[Place]:
    rows = {row.id: row for row in all_sessions(current_app.extensions["base"])}
    if session not in rows or not (rows[session].public or _is_staff()):
        refuse(404, "There are no such standings (yet).", "没有此排名（或尚未公布）。")
    ledger: Ledger = current_app.extensions["ledger"]
    return ledger.standing(session)


def _name(place: Place) -> str:
    return place.number if _is_hidden(place) else place.name


def _is_hidden(person: Any) -> bool:
    return bool(person.hidden) and not _is_staff()


def _is_staff() -> bool:
    return viewer().may(Role.REFEREE)
