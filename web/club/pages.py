"""The hub's first pages: the hall, the desk, where the staff comes in; heads and this API."""

from typing import Any

from flask import Blueprint, Flask, Response, current_app
from sqlalchemy import Engine

from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.signed_checkpoints import latest_heads
from table_assist.contract.view import words_view
from web.access.roles import Role, require
from web.answers import json_answer
from web.api.openapi import describe
from web.club.shared import csv_answer
from web.club.words import (
    CLOCK,
    DESK,
    FILES,
    HALL,
    PLAN,
    PROFILE,
    REFUSED,
    ROSTER,
    ROUNDS,
    SEATING,
    STANDINGS,
)
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
    return render("hall.html", words={**HALL, **CLOCK, **PROFILE, **PLAN}, view="hall")


@blueprint.get("/desk")
@require(Role.REFEREE)
def desk() -> str:
    """Where directors and referees work."""
    counted = {why: words_view(words) for why, words in REFUSED.items()}
    every = (HALL, DESK, SEATING, CLOCK, ROSTER, ROUNDS, PROFILE, STANDINGS, PLAN, FILES)
    words = {key: said for each in every for key, said in each.items()}
    return render("hall_desk.html", words=words, view="desk", counted=counted)


@blueprint.get("/enter")
@require(Role.TELEVISION)
def enter() -> str:
    """Where a link of the staff's leads; the link itself stands behind the #."""
    return render("hall_enter.html", words={**HALL, **DESK}, view="enter")


@blueprint.get("/api/heads")
@require(Role.TELEVISION)
def noted() -> Response:
    """How far every log had come in the latest minute, signed by the hub: for who notes it."""
    return json_answer(_heads())


@blueprint.get("/api/heads.csv")
@require(Role.TELEVISION)
def noted_csv() -> Response:
    """The same for a spreadsheet, without the signature."""
    found = _heads()
    rows = [(found["minute"], *each) for each in found["heads"]]
    return csv_answer(("minute", "table", "epoch", "entries", "seal"), rows)


@blueprint.get("/api/openapi.json")
@require(Role.TELEVISION)
def description() -> Response:
    """This API's description."""
    return json_answer(describe(current_app))


def _heads() -> dict[str, Any]:
    found = latest_heads(current_app.extensions["base"])
    if found is None:
        refuse(404, "Nothing is noted yet.", "尚无记录。")
    return found
