"""The dashboard while no table is followed: setting up, repairing, restoring."""

from dataclasses import dataclass
from pathlib import Path

from flask import Flask, redirect, request, url_for
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from table_assist.languages.words import Words
from table_assist.phones.service import CameraService
from table_assist.upkeep.setup.assistant import Assistant
from table_assist.upkeep.table_service import TableService
from table_assist.upkeep.trial.service import TrialDoor
from web.access import guard
from web.access.pairing_sessions import PairingSessions
from web.access.roles import Role, is_here, require, viewer
from web.access.trust import DIRECT, Trust
from web.answers import bare_app, error_answer
from web.api import camera_api, pairing_api
from web.pages import camera_page, house_page, trust_page
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


@dataclass(frozen=True, slots=True)
class Reachable:
    """From where the pages of setting up can be reached: by phones, too, as the table's cameras.

    Attributes:
        cameras: None where phones cannot come.
        devices: the file that keeps who was let in.
    """

    host: str = "127.0.0.1"
    trust: Trust = DIRECT
    cameras: CameraService | None = None
    devices: Path | None = None


def create_setup_app(
    assistant: Assistant,
    table_service: TableService,
    reachable: Reachable | None = None,
    trials: TrialDoor | None = None,
) -> Flask:
    """The pages that need no table.

    Args:
        assistant: sets the table up.
        table_service: its health, figures and backups.
        reachable: from where; None: from this machine alone.
        trials: begins them; None where none can be.
    """
    reachable = reachable or Reachable()
    app = bare_app()
    app.config["TABLE_HOST"] = reachable.host
    sessions = PairingSessions(reachable.devices)
    app.extensions["sessions"] = sessions
    guard.init_app(app, reachable.host, reachable.trust)
    app.before_request(_only_cameras_elsewhere)
    add_keeping(app, assistant, table_service, trials)
    if reachable.cameras is not None:
        reachable.cameras.phones.is_admitted = sessions.is_open
    pairing_api.init_app(app)
    camera_api.init_app(app, reachable.cameras)
    for each in (camera_page, trust_page, house_page):
        app.register_blueprint(each.blueprint)
    app.register_error_handler(HTTPException, error_answer)
    app.add_url_rule("/", "home", home)
    return app


def _only_cameras_elsewhere() -> None:
    """An endpoint that may change everything is for the person at the machine itself."""
    if request.path != "/" and not request.path.startswith(FOR_PHONES) and not is_here():
        raise RefusedRequest(403, _ELSEWHERE)


def add_keeping(
    app: Flask,
    assistant: Assistant,
    table_service: TableService,
    trials: TrialDoor | None = None,
) -> None:
    """Give a table's dashboard the pages of setting up and keeping."""
    app.extensions |= {"setup": assistant, "admin": table_service, "trial": trials}
    metrics.init_app(app, table_service)
    for each in (setup, admin) if trials is None else (setup, admin, trial):
        app.register_blueprint(each.blueprint)


@require(Role.TELEVISION)
def home() -> Response:
    """There is no table to show: the assistant is what there is, and a phone's own page."""
    if viewer().role is Role.CAMERA:
        return redirect(url_for("camera_page.page"))
    if not is_here():
        raise RefusedRequest(403, _ELSEWHERE)
    return redirect(url_for("setup.page"))
