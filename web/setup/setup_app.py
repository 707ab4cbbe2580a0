"""The dashboard while no table is followed: setting up, repairing, restoring."""

from flask import Flask, redirect, request, url_for
from werkzeug.wrappers import Response

from table_assist.languages.words import Words
from table_assist.upkeep.setup.assistant import Assistant
from table_assist.upkeep.table_service import TableService
from table_assist.upkeep.trial.service import TrialDoor
from web.access.roles import Role, finish, is_here, require, viewer
from web.refusal import RefusedRequest
from web.setup import admin, metrics, setup, trial

# The pages for a phone on the way to being the table's camera; the rest is this machine's.
FOR_PHONES = (
    "/camera",
    "/api/camera",
    "/pair/",
    "/api/pair/ask",
    "/api/pair/state",
    "/api/pair/enter",
    "/api/me",
    "/static/",
    "/trust",
    "/authority.crt",
)
_ELSEWHERE = Words(
    "This table is being set up at its own machine; a phone may be its camera meanwhile.",
    "牌桌正在其电脑上设置；此时手机只能作摄像头。",
)


def _only_cameras_elsewhere() -> None:
    """An endpoint that may change everything is for the person at the machine itself."""
    if request.path != "/" and not request.path.startswith(FOR_PHONES) and not is_here():
        raise RefusedRequest(403, _ELSEWHERE)


def add_keeping(
    app: Flask,
    assistant: Assistant,
    table_service: TableService,
    trials: TrialDoor | None = None,
) -> Flask:
    """The dashboard, with the pages of setting up and keeping; they are all where no table is.

    Args:
        assistant: sets the table up.
        table_service: its health, figures and backups.
        trials: begins them; None where none can be.

    Raises:
        RuntimeError: as `finish`.
    """
    app.extensions |= {"setup": assistant, "admin": table_service, "trial": trials}
    metrics.init_app(app, table_service)
    for each in (setup, admin) if trials is None else (setup, admin, trial):
        app.register_blueprint(each.blueprint)
    if app.extensions["table"] is None:
        app.before_request(_only_cameras_elsewhere)
        app.add_url_rule("/", "home", home)
    finish(app)
    return app


@require(Role.TELEVISION)
def home() -> Response:
    """There is no table to show: the assistant is what there is, and a phone's own page."""
    if viewer().role is Role.CAMERA:
        return redirect(url_for("camera_page.page"))
    if not is_here():
        raise RefusedRequest(403, _ELSEWHERE)
    return redirect(url_for("setup.page"))
