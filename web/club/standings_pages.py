"""Standings of sessions, tournaments and seasons, and ratings: pages, JSON, CSV."""

from typing import Any

from flask import Blueprint, Flask, Response, current_app

from table_assist.club.hub.ledger import LedgerPlace
from table_assist.club.hub.numbers import MOST
from table_assist.club.hub.people import all_players
from table_assist.club.hub.ratings import Rated, ratings
from table_assist.club.hub.series import begin_season, begin_series
from web.access.roles import Role, require, viewer
from web.answers import json_answer
from web.api.bodies import takes, text, wholes
from web.club.shared import (
    base,
    behind,
    csv_answer,
    foreign,
    foreign_in_series,
    ledger,
    name_of,
    notes,
    series_standing,
    session_standing,
    shown_series,
    shown_sessions,
)
from web.club.words import HALL, PROFILE, STANDINGS
from web.pages.shell import render
from web.refusal import refuse

blueprint = Blueprint("standings", __name__)
COLUMNS = ("place", "player", "points", "corrected", "hands", "wins", "best")


def init_app(app: Flask) -> None:
    """Give the app its pages."""
    app.register_blueprint(blueprint)


@blueprint.get("/standings")
@require(Role.TELEVISION)
def page() -> str:
    """Standings of a session, a tournament or a season; `?session=1`, `?series=1`."""
    return render("hall_standings.html", words={**HALL, **STANDINGS, **PROFILE}, view="standings")


@blueprint.get("/ratings")
@require(Role.TELEVISION)
def ratings_page() -> str:
    """Everybody's rating."""
    return render("hall_ratings.html", words={**HALL, **STANDINGS}, view="ratings")


@blueprint.get("/api/sessions")
@require(Role.TELEVISION)
def sessions() -> Response:
    """The sessions whose standings one may see, the newest first."""
    found = [{"id": row.id, "name": row.name, "public": row.public} for row in shown_sessions()]
    return json_answer({"sessions": found})


@blueprint.get("/api/sessions.csv")
@require(Role.TELEVISION)
def sessions_csv() -> Response:
    """The same for a spreadsheet."""
    rows = [(row.id, row.name, int(row.public)) for row in shown_sessions()]
    return csv_answer(("session", "name", "public"), rows)


@blueprint.get("/api/standings/<number:session>")
@require(Role.TELEVISION)
def session_json(session: int) -> Response:
    """A session's players, the best first: points, hands and wins, as the tables' logs say."""
    name, places = session_standing(session)
    shown = {"session": session, "name": name, "foreign": foreign(session)}
    return json_answer({**shown, **_shown(places)})


@blueprint.get("/api/standings/<number:session>.csv")
@require(Role.TELEVISION)
def session_csv(session: int) -> Response:
    """The same for a spreadsheet."""
    rows = _rows(session_standing(session)[1])
    return csv_answer(COLUMNS, [*rows, *_notes(foreign(session))])


@blueprint.get("/api/series")
@require(Role.TELEVISION)
def all_of_them() -> Response:
    """Tournaments and seasons, the newest first, each with the sessions that one may see."""
    found = [
        {"id": each.id, "name": each.name, "sessions": of, "since": each.since, "until": each.until}
        for each, of in shown_series()
    ]
    return json_answer({"series": found})


@blueprint.get("/api/series.csv")
@require(Role.TELEVISION)
def all_of_them_csv() -> Response:
    """The same for a spreadsheet."""
    rows = [(each.id, each.name, " ".join(map(str, of))) for each, of in shown_series()]
    return csv_answer(("series", "name", "sessions"), rows)


@blueprint.get("/api/series/<number:series>")
@require(Role.TELEVISION)
def series_json(series: int) -> Response:
    """The players of a tournament or season, over all its sessions, the best first."""
    name, places = series_standing(series)
    shown = {"series": series, "name": name, "foreign": foreign_in_series(series)}
    return json_answer({**shown, **_shown(places)})


@blueprint.get("/api/series/<number:series>.csv")
@require(Role.TELEVISION)
def series_csv(series: int) -> Response:
    """The same for a spreadsheet."""
    rows = _rows(series_standing(series)[1])
    return csv_answer(COLUMNS, [*rows, *_notes(foreign_in_series(series))])


@blueprint.get("/api/ratings")
@require(Role.TELEVISION)
def ratings_json() -> Response:
    """Everybody's rating by openskill over all published sessions, the best first."""
    rows = [
        {"player": each.player, "name": name, "rating": round(each.shown, 2), "games": each.games}
        for each, name in _named()
    ]
    return json_answer({"players": rows})


@blueprint.get("/api/ratings.csv")
@require(Role.TELEVISION)
def ratings_csv() -> Response:
    """The same for a spreadsheet."""
    rows = [
        (place, name, round(each.shown, 2), each.games)
        for place, (each, name) in enumerate(_named(), start=1)
    ]
    return csv_answer(("place", "player", "rating", "games"), rows)


@blueprint.post("/api/desk/series")
@require(Role.ADMIN)
@takes(
    text("name", 80),
    wholes("sessions", 0, 500, MOST),
)
def tournament(name: str, sessions: list[int]) -> Response:
    """Have sessions stand together as a tournament."""
    if not sessions:
        refuse(409, "Choose at least one session.", "请至少选择一个场次。")
    return json_answer({"series": begin_series(base(), name, sessions, viewer().by)})


@blueprint.post("/api/desk/season")
@require(Role.ADMIN)
@takes(text("name", 80), text("first", 20), text("last", 20))
def season(name: str, first: str, last: str) -> Response:
    """Have all sessions that begin on these days stand together as a season."""
    return json_answer({"series": begin_season(base(), name, first, last, viewer().by)})


def rated_now() -> list[Rated]:
    """Ratings over the published sessions, the best first."""
    public = {row.id for row in shown_sessions() if row.public}
    memory: dict[object, list[Rated]] = current_app.extensions.setdefault("rated", {})
    key = (ledger().version, frozenset(public))  # read first: the stretches may be newer
    found = memory.get(key)
    if found is None:
        found = ratings(ledger().stretches(public))
        memory.clear()
        memory[key] = found
    return found


def _named() -> list[tuple[Rated, str]]:
    people = {row.id: name_of(row) for row in all_players(base())}
    return [(each, people[each.player]) for each in rated_now() if each.player in people]


def _notes(odd: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """The notes beside them, in the players' column."""
    return [("", words.en) for words in notes(odd)]


def _shown(places: list[LedgerPlace]) -> dict[str, object]:
    """The players, and what their points add up to: 0 where every correction is balanced."""
    rows = [
        {
            "player": each.player, "name": name_of(each), "points": each.points,
            "corrected": each.corrected, "hands": each.hands, "wins": each.wins,
            "best": each.best,
        }
        for each in places
    ]  # fmt: skip
    total = sum(each.points for each in places)
    return {"sum": total, "players": rows, "behind": behind()}


def _rows(places: list[LedgerPlace]) -> list[tuple[object, ...]]:
    return [
        (
            place, name_of(each), each.points, each.corrected, each.hands, each.wins, each.best,
        )
        for place, each in enumerate(places, start=1)
    ]  # fmt: skip
