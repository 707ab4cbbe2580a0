"""The trial's page: one step at a time, on one person's phone or here; then the report."""

from pathlib import Path
from typing import Protocol

from flask import Blueprint, Flask, Response, current_app, send_file

from table_assist.contract.view import View
from table_assist.languages.words import Words
from web.access.roles import Role, require
from web.answers import json_answer
from web.api.bodies import choice, takes, texts, whole
from web.page_words import page_words
from web.refusal import refuse
from web.setup.setup import refusing, render
from web.setup.setup_source import RefusedError

blueprint = Blueprint("trial", __name__)
MOST_STEPS = 10_000
SAYS = ("done", "otherwise", "skip", "back", "pause", "go_on", "end", "admit")
ACTS = ("hand", "trouble")


class TrialSource(Protocol):
    """The trial as its page sees it; every member may be used from any thread."""

    def view(self) -> View:
        """The current step or the report; ``mode`` is ``off`` where none is laid."""
        ...

    def do(self, what: str, step: int) -> Words | None:
        """Do as the person says of a step; None when it was done, else why not."""
        ...

    def begin(self, acts: list[str]) -> None:
        """Leave the table for a trial.

        Raises:
            RefusedError: it cannot be left now.
        """
        ...

    def leave(self) -> None:
        """Follow the table again."""
        ...

    def report_file(self, name: str) -> Path | None:
        """A file of the report; None where there is none."""
        ...


def init_app(app: Flask, source: TrialSource) -> None:
    """Give the app its trial."""
    app.extensions["trial"] = source
    app.register_blueprint(blueprint)


@blueprint.get("/trial")
@require(Role.SEAT)
def page() -> str:
    """The page; what is on it comes from `state`."""
    return render("trial.html", page_words("frame", "trial"), "trial", acts=ACTS)


@blueprint.get("/api/trial")
@require(Role.SEAT)
@refusing
def state() -> Response:
    """The current step, or the report."""
    return json_answer(_source().view())


@blueprint.post("/api/trial/do")
@require(Role.SEAT)
@refusing
@takes(choice("what", *SAYS), whole("step", 0, MOST_STEPS))
def do(what: str, step: int) -> Response:
    """Do as the person says of a step."""
    why = _source().do(what, step)
    if why is not None:
        raise RefusedError(why)
    return json_answer(_source().view())


@blueprint.post("/api/trial/begin")
@require(Role.ADMIN)
@refusing
@takes(texts("acts", len(ACTS)))
def begin(acts: list[str]) -> Response:
    """Leave the table for a trial of these acts."""
    _source().begin([act for act in ACTS if act in acts])
    return json_answer({"ok": True})


@blueprint.post("/api/trial/leave")
@require(Role.ADMIN)
@refusing
@takes()
def leave() -> Response:
    """Follow the table again."""
    _source().leave()
    return json_answer({"ok": True})


@blueprint.get("/trial/<name>")
@require(Role.SEAT)
def report_file(name: str) -> Response:
    """The report, as one HTML file or as JSON."""
    path = _source().report_file(name)
    if path is None:
        refuse(404, "There is no report yet.", "还没有报告。")
    return send_file(path.absolute())


def _source() -> TrialSource:
    source: TrialSource = current_app.extensions["trial"]
    return source
