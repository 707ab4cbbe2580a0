"""PDF of standings, seats and a player's certificate; what draws them is loaded when asked for."""

from typing import Any

from flask import Blueprint, Flask, Response

from table_assist.club.hub.ledger import LedgerPlace
from web.access.roles import Role, require
from web.club.player_pages import career_of, sessions_of
from web.club.seating_api import rounds_of
from web.club.shared import (
    foreign,
    foreign_in_series,
    name_of,
    names,
    notes,
    pdf_answer,
    series_standing,
    session_standing,
)
from web.language import printed_language
from web.refusal import refuse

blueprint = Blueprint("print", __name__)


def init_app(app: Flask) -> None:
    """Give the app what it prints."""
    app.register_blueprint(blueprint)


@blueprint.get("/api/standings/<number:session>.pdf")
@require(Role.TELEVISION)
def session_pdf(session: int) -> Response:
    """A session's standings, to print."""
    return _standing(*session_standing(session), f"standings-{session}", foreign(session))


@blueprint.get("/api/series/<number:series>.pdf")
@require(Role.TELEVISION)
def series_pdf(series: int) -> Response:
    """The standings of a tournament or season, to print."""
    return _standing(*series_standing(series), f"series-{series}", foreign_in_series(series))


@blueprint.get("/api/seating/<number:session>.pdf")
@require(Role.TELEVISION)
def seats_pdf(session: int) -> Response:
    """The seats of every round, to print."""
    from web.club.printed import seating_pdf

    name, rounds = rounds_of(session)
    told = [
        (each["round"], [(table["table"], table["players"]) for table in each["tables"]])
        for each in rounds
    ]
    return pdf_answer(seating_pdf(name, told, printed_language()), f"seats-{session}")


@blueprint.get("/api/player/<number:player>/<number:session>.pdf")
@require(Role.TELEVISION)
def certificate(player: int, session: int) -> Response:
    """A player's certificate for one session, with every round."""
    from web.club.printed import certificate_pdf

    done = next((each for each in sessions_of(player) if each["session"] == session), None)
    name = names().get(player)
    if done is None or name is None:
        refuse(404, "This player has no such result (yet).", "该选手没有此成绩（或尚未公布）。")
    rounds = [
        (each.round, each.table, each.points, each.hands, each.wins)
        for each in career_of(player).rounds
        if each.session == session
    ]
    content = certificate_pdf(name, done, rounds, printed_language())
    return pdf_answer(content, f"certificate-{player}-{session}")


def _standing(
    name: str, places: list[LedgerPlace], file: str, odd: list[dict[str, Any]]
) -> Response:
    from web.club.printed import standings_pdf

    rows = [(name_of(each), each.points, each.hands, each.wins, each.best) for each in places]
    language = printed_language()
    said = [words.zh if language == "zh" else words.en for words in notes(odd)]
    return pdf_answer(standings_pdf(name, rows, language, said), file)
