"""The dashboard while no table is followed: setting up, repairing, restoring."""

from flask import Flask, redirect, url_for
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from web.access import guard
from web.access.roles import Role, require
from web.answers import error_answer
from web.setup import admin, metrics, setup
from web.setup.metrics import FiguresSource
from web.setup.setup_source import AdminSource, SetupSource


def create_setup_app(
    assistant: SetupSource, keeper: AdminSource, figures: FiguresSource, host: str = "127.0.0.1"
) -> Flask:
    """The pages that need no table.

    Args:
        assistant: sets the table up.
        keeper: its health and backups.
        figures: for monitoring.
        host: the address the app will be served on.
    """
    app = Flask("web")
    guard.init_app(app, host)
    add_keeping(app, assistant, keeper, figures)
    app.register_error_handler(HTTPException, error_answer)
    app.add_url_rule("/", "home", home)
    return app


def add_keeping(
    app: Flask, assistant: SetupSource, keeper: AdminSource, figures: FiguresSource
) -> None:
    """Give a table's dashboard the pages of setting up and keeping."""
    setup.init_app(app, assistant)
    admin.init_app(app, keeper)
    metrics.init_app(app, figures)


@require(Role.ADMIN)
def home() -> Response:
    """There is no table to show: the assistant is what there is."""
    return redirect(url_for("setup.page"))
