"""A round is finished when every table agrees with its log; a session has one rule profile."""

from flask import Blueprint, Flask, Response, current_app

from table_assist.club.acts import DeskAct
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.numbers import MOST
from table_assist.club.hub.people import PeopleError, all_sessions
from table_assist.club.hub.plans import planned
from table_assist.club.hub.profiles import (
    known_profiles,
    name_profile,
    profile_of,
    profile_of_file,
)
from table_assist.club.hub.roster import seats_of
from table_assist.club.hub.rounds import TableStand, ask, changed_since, finish, finished, stands
from table_assist.contract.view import words_view
from web.access.roles import Role, require, viewer
from web.answers import json_answer
from web.api.bodies import takes, text, whole
from web.club.acts_api import names_of
from web.club.shared import base, foreign, hub_key
from web.refusal import refuse

blueprint = Blueprint("rounds", __name__)

MOST_ROUND = 999
MOST_FILE = 20_000


def init_app(app: Flask) -> None:
    """Give the app its rounds."""
    app.register_blueprint(blueprint)


@blueprint.get("/api/desk/rounds/<number:session>")
@require(Role.REFEREE)
def rounds(session: int) -> Response:
    """The latest round that sits, table by table, and how earlier ones ended."""
    engine, over = base(), finished(base(), session)
    seated = {each.round for each in seats_of(engine, session)}
    seated |= {each.round for each in planned(engine, session) if each.seated}
    latest = max(seated, default=0)
    tables = []
    if latest and latest not in over:
        try:
            tables = stands(engine, _ledger(), session, latest)
        except PeopleError:
            tables = []  # its seats were taken back
    return json_answer(
        {
            "round": latest,
            "tables": [_stand(each) for each in tables],
            "finished": [_end(over[round]) for round in sorted(over, reverse=True)],
        }
    )


@blueprint.post("/api/desk/round/ask")
@require(Role.ADMIN)
@takes(whole("session", 1, MOST), whole("round", 1, MOST_ROUND))
def asks(session: int, round: int) -> Response:
    """Ask every table of a round where it and its log stand."""
    asked = ask(base(), hub_key(), session, round, viewer().by)
    return json_answer({"asked": asked})


@blueprint.post("/api/desk/round/finish")
@require(Role.ADMIN)
@takes(whole("session", 1, MOST), whole("round", 1, MOST_ROUND), text("reason", 200, least=0))
def finishes(session: int, round: int, reason: str) -> Response:
    """End a round: where every table agrees; else only with a reason, which stays on record."""
    given = reason.strip()
    odd = finish(base(), _ledger(), session, round, given, viewer().by)
    if odd and not given:
        names = ", ".join(each.name for each in odd)
        refuse(409, "Not every table agrees: {names}.", "并非各桌一致：{names}。", names=names)
    return json_answer({"done": True})


@blueprint.get("/api/desk/profiles/<number:session>")
@require(Role.REFEREE)
def profiles(session: int) -> Response:
    """By which rule profile a session is played, which there are, and hands played by another."""
    engine = base()
    wanted = profile_of(engine, session)
    return json_answer(
        {
            "wanted": wanted and {"hash": wanted.hash, "names": words_view(wanted.names)},
            "known": [
                {"id": each.hash, "names": words_view(each.names)}
                for each in known_profiles(engine)
            ],
            "foreign": foreign(session),
        }
    )


@blueprint.post("/api/desk/profile")
@require(Role.ADMIN)
@takes(whole("session", 1, MOST), text("hash", 64, least=0), text("file", MOST_FILE, least=0))
def profile(session: int, hash: str, file: str) -> Response:
    """Name the rule profile of a session: one that is known, or a table's file; tables compare."""
    engine = base()
    if not any(row.id == session for row in all_sessions(engine)):
        refuse(404, "There is no such session.", "没有此场次。")
    wanted = profile_of_file(file) if file.strip() else None
    wanted = wanted or next((each for each in known_profiles(engine) if each.hash == hash), None)
    if wanted is None:
        refuse(404, "There is no such rule profile.", "没有此规则档。")
    name_profile(engine, hub_key(), session, wanted, viewer().by)
    return json_answer({"done": True})


def _stand(each: TableStand) -> dict[str, object]:
    epoch, seq, seal = each.head
    return {
        "table": each.table, "name": each.name, "agrees": not each.why_not,
        "why_not": [words_view(why) for why in each.why_not],
        "head": {"epoch": epoch, "seq": seq, "seal": seal},
    }  # fmt: skip


def _end(done: DeskAct) -> dict[str, object]:
    names = names_of(base())
    return {
        "round": done.content["round"], "by": done.by, "at": done.at,
        "reason": done.content["reason"], "against": done.content["against"],
        "changed": [names.table(table) for table in changed_since(_ledger(), done)],
    }  # fmt: skip


def _ledger() -> Ledger:
    found: Ledger = current_app.extensions["ledger"]
    return found
