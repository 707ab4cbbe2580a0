"""The dashboard: a Flask app over whatever publishes snapshots."""

from pathlib import Path

from flask import Flask

from table_assist.club.uplink import ClubService
from table_assist.live.camera_service import CameraService
from table_assist.live.live_table import LiveTable
from table_assist.record.regulars import Regulars, RegularsService
from table_assist.settings.config import MoneyConfig
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
from web.pages.shell import app_of
from web.view import secrecy

__all__ = ["LiveTable", "create_app", "finish"]


def create_app(
    source: LiveTable | None,
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
        source: the session; called from many threads. None: no table is followed, and of the pages
            there are those for phones that come as its cameras.
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
    served = [camera_page, trust_page, house_page]
    sessions = PairingSessions(devices)
    if source is not None:
        sessions = PairingSessions(devices, people=lambda: source.snapshot.state.people)
        served += [api, photo_api, replay, referee, pages, evening_page, regulars_page]
        served += [dispute_page, club_page] if club else [dispute_page]
    app = app_of(
        (each.blueprint for each in served), host, trust, table=source, sessions=sessions,
        money=money or MoneyConfig(), regulars=regulars or RegularsService(Regulars()), club=club,
    )  # fmt: skip
    app.config["TABLE_HOST"] = host
    if cameras is not None:
        cameras.phones.is_admitted = sessions.is_open
    pairing_api.init_app(app)
    camera_api.init_app(app, cameras)
    if source is not None:
        secrecy.init_app(app)
        clock_api.init_app(app)
        stream.init_app(app, source)
        dispute_page.init_places(app)
    finish(app)
    return app
