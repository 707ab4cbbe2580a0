"""The trial's page: one step at a time, on one person's phone or here; then the report."""

from functools import partial

from flask import Blueprint, Response, send_file

from table_assist.languages.words import Words
from table_assist.upkeep.table_service import RefusedError
from table_assist.upkeep.trial.script import ALL_ACTS, SAYS
from table_assist.upkeep.trial.service import TrialDoor
from web.access.roles import Role, require
from web.answers import json_answer, of_app
from web.api.bodies import choice, takes, texts, whole
from web.language import page_words
from web.refusal import refuse
from web.setup.setup import administers, refusing, render

blueprint = Blueprint("trial", __name__)
_trials = partial(of_app, TrialDoor, "trial")
MOST_STEPS = 10_000
_NONE = Words("No trial is being laid.", "没有进行中的试局。")


@blueprint.get("/trial")
@require(Role.SEAT)
def page() -> str:
    """The page; what is on it comes from `state`."""
    return render("trial.html", page_words("frame", "trial"), "trial", acts=ALL_ACTS)


@blueprint.get("/api/trial")
@require(Role.SEAT)
@refusing
def state() -> Response:
    """The current step, or the report."""
    desk = _trials().desk
    return json_answer({"mode": "off"} if desk is None else desk.view())


@blueprint.post("/api/trial/do")
@require(Role.SEAT)
@refusing
@takes(choice("what", *SAYS), whole("step", 0, MOST_STEPS))
def do(what: str, step: int) -> Response:
    """Do as the person says of a step."""
    if (desk := _trials().desk) is None:
        raise RefusedError(_NONE)
    if (why := desk.do(what, step)) is not None:
        raise RefusedError(why)
    return json_answer(desk.view())


@blueprint.post("/api/trial/begin")
@administers
@takes(texts("acts", len(ALL_ACTS)))
def begin(acts: list[str]) -> Response:
    """Leave the table for a trial of these acts."""
    _trials().begin([act for act in ALL_ACTS if act in acts])
    return json_answer({"ok": True})


@blueprint.post("/api/trial/leave")
@administers
@takes()
def leave() -> Response:
    """Follow the table again."""
    _trials().leave()
    return json_answer({"ok": True})


@blueprint.get("/trial/<name>")
@require(Role.SEAT)
def report_file(name: str) -> Response:
    """The report, as one HTML file or as JSON."""
    desk = _trials().desk
    path = None if desk is None else desk.report_file(name)
    if path is None:
        refuse(404, "There is no report yet.", "还没有报告。")
    return send_file(path.absolute())
