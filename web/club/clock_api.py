"""The hall's clock: for everybody to see, for directors to start, stop and lengthen."""

from flask import Blueprint, Flask, Response

from table_assist.club.hub.base import now_at
from table_assist.club.hub.clock import hall_clock, lengthen, pause, start
from table_assist.club.hub.numbers import MOST
from web.access.roles import Role, require, viewer
from web.answers import json_answer
from web.api.bodies import flag, takes, whole
from web.club.shared import base, hub_key

blueprint = Blueprint("clock", __name__)

MOST_MINUTES = 600


def init_app(app: Flask) -> None:
    """Give the app its clock."""
    app.register_blueprint(blueprint)


@blueprint.get("/api/clock")
@require(Role.TELEVISION)
def state() -> Response:
    """Seconds left now (below 0: it is over), whether it runs, and more seconds by table."""
    clock = hall_clock(base())
    return json_answer(
        {
            "is_set": clock.at > 0,
            "running": clock.running,
            "left_s": round(clock.left(now_at(base())), 1),
            "extra_s": {str(table): extra for table, extra in clock.extra_s.items()},
        }
    )


@blueprint.post("/api/desk/clock/start")
@require(Role.ADMIN)
@takes(whole("minutes", 1, MOST_MINUTES))
def begin(minutes: int) -> Response:
    """Start it at all tables with so many minutes."""
    start(base(), hub_key(), minutes, viewer().by)
    return json_answer({"done": True})


@blueprint.post("/api/desk/clock/run")
@require(Role.ADMIN)
@takes(flag("running"))
def run(*, running: bool) -> Response:
    """Stop it, or let it go on."""
    pause(base(), hub_key(), viewer().by, running=running)
    return json_answer({"done": True})


@blueprint.post("/api/desk/clock/extra")
@require(Role.ADMIN)
@takes(whole("table", 1, MOST), whole("minutes", 1, MOST_MINUTES))
def extra(table: int, minutes: int) -> Response:
    """Give one table more time."""
    lengthen(base(), hub_key(), table, minutes, viewer().by)
    return json_answer({"done": True})
