"""The hub as a Flask app without a state of its own: any number of processes serve one database."""

from functools import partial

from flask import Flask, Response, current_app
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import HTTPException

from table_assist.club.hub.base import close_base, hub_key
from table_assist.club.hub.collector import Collector
from table_assist.club.hub.people import PeopleError
from table_assist.club.hub.watch import Watch
from table_assist.club.open_line import PATH
from table_assist.club.seating import SeatingError
from table_assist.languages.words import SPACE, Words, joined
from web.access import guard
from web.access.roles import declared
from web.access.trust import DIRECT, Trust
from web.answers import bare_app, error_answer, refusal_answer
from web.club import (
    acts_api,
    clock_api,
    desk_api,
    files_api,
    live,
    once,
    pages,
    pictures_api,
    plan_api,
    player_pages,
    print_pages,
    roster_api,
    rounds_api,
    seals_page,
    seating_api,
    standings_pages,
    uplink_api,
    wall_pages,
)
from web.club.door import Door
from web.club.staff import Staff
from web.club.talk import talk
from web.refusal import RefusedRequest


def create_club_app(
    base: Engine, host: str = "127.0.0.1", *, trust: Trust = DIRECT, authority: str = ""
) -> Flask:
    """The hub of one club.

    Args:
        base: its database.
        host: the address it will be served on.
        trust: whom to believe about where requests come from.
        authority: certificates (PEM) by which tables trust its address; empty for the system's.
    """
    app = bare_app()
    key = hub_key(base)
    app.config["CLUB_AUTHORITY"] = authority
    collector = Collector(base)
    app.extensions |= {"base": base, "hub_key": key, "collector": collector}
    app.extensions["watch"] = Watch(base, lambda: collector.fault)
    app.extensions["sessions"] = Staff(base)
    app.register_error_handler(HTTPException, error_answer)
    for kind in (PeopleError, SeatingError):
        app.register_error_handler(kind, _cannot_be)
    app.register_error_handler(SQLAlchemyError, _no_database)
    guard.init_app(app, host, trust)
    once.init_app(app, base)
    uplink_api.init_app(app)
    app.extensions["door"] = Door(app)  # the server asks it first
    app.extensions["talk"] = (PATH, partial(talk, app))
    live.init_app(app, base)
    desk_api.init_app(app)
    pages.init_app(app, base)
    for each in (seating_api, roster_api, rounds_api, clock_api, acts_api, plan_api, files_api):
        each.init_app(app)
    for each in (standings_pages, player_pages, print_pages, wall_pages, seals_page, pictures_api):
        each.init_app(app)
    open_to_all = sorted(name for name, role in declared(app).items() if role is None)
    if open_to_all:
        raise RuntimeError(f"these endpoints declare no role: {', '.join(open_to_all)}")
    return app


def close_club_app(app: Flask) -> None:
    """End its threads, write what has come, let go of its database."""
    app.extensions["watch"].close()
    app.extensions["viewers"].close()
    app.extensions["collector"].close()
    close_base(app.extensions["base"])


def _cannot_be(error: PeopleError | SeatingError) -> Response:
    """The desk's wish cannot be done as things are."""
    return refusal_answer(error.words)


def _no_database(error: SQLAlchemyError) -> Response:
    """A full disk, or a database that is away."""
    uplink_api.say_no_database(error)
    wrong = current_app.extensions["watch"].wrong
    said = Words(
        "The club's database does not answer now. Look whether it was done before you try again.",
        "俱乐部数据库现在无法处理此操作。重试前请先查看是否已完成。",
    )
    return error_answer(RefusedRequest(503, joined((said, *wrong), SPACE)))
