"""The dashboard: a Flask app over whatever publishes snapshots."""

from pathlib import Path

from flask import Flask

from table_assist.club.uplink import ClubService
from table_assist.live.live_table import LiveTable
from table_assist.phones.service import CameraService
from table_assist.regulars.kept import Regulars, RegularsService
from table_assist.settings.config import MoneyConfig
from web import language
from web.access import guard
from web.access.pairing_sessions import PairingSessions
from web.access.roles import finish
from web.access.trust import DIRECT, Trust
from web.api import api, camera_api, clock_api, pairing_api, photo_api, stream
from web.pages import (
    camera_page,
    club_page,
    dispute_page,
    evening_page,
    house_page,
    pages,
    referee,
    regulars_page,
    replay,
    trust_page,
)
from web.view import secrecy

__all__ = ["LiveTable", "create_app", "finish"]


def create_app(
    source: LiveTable,
    host: str = "127.0.0.1",
    *,
    devices: Path | None = None,
    trust: Trust = DIRECT,
    cameras: CameraService | None = None,
    club: ClubService | None = None,
    regulars: RegularsService | None = None,
    money: MoneyConfig | None = None,
) -> Flask:
    """The dashboard of one table.

    Args:
        source: the session; called from many threads.
        host: the address the app will be served on; requests under other names are refused.
        devices: the file that keeps who was let in; None forgets them with the program.
        trust: whom to believe about where requests come from.
        cameras: the phones that watch the table; None where none do.
        club: of a table that may belong to one.
        regulars: the people who come again; None forgets them with the program.
        money: what a point is worth; None where nothing is agreed.

    Raises:
        RuntimeError: an endpoint does not say which role it asks for.
    """
    app = Flask(__name__)
    language.init_app(app)
    app.config["TABLE_HOST"] = host
    sessions = PairingSessions(devices, people=lambda: source.snapshot.state.people)
    app.extensions["sessions"] = sessions
    if cameras is not None:
        cameras.phones.is_admitted = sessions.is_open
    guard.init_app(app, host, trust)
    secrecy.init_app(app)
    api.init_app(app, source)
    pairing_api.init_app(app)
    camera_api.init_app(app, cameras)
    clock_api.init_app(app)
    stream.init_app(app, source)
    dispute_page.init_places(app)
    app.extensions["money"] = money or MoneyConfig()
    app.extensions["regulars"] = regulars or RegularsService(Regulars())
    served = [photo_api, replay, referee, pages, evening_page, regulars_page]
    served += [camera_page, trust_page, dispute_page, house_page]
    if club is not None:
        app.extensions["club"] = club
        served.append(club_page)
    for each in served:
        app.register_blueprint(each.blueprint)
    finish(app)
    return app
