"""The hub as a Flask app without a state of its own: any number of processes serve one database."""

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import partial

from flask import Flask, Response, request
from sqlalchemy import Engine, delete, event, select, update
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import HTTPException

from table_assist.club.hub.database import commands, hub_key, kept, new_rows
from table_assist.club.hub.desk import DIRECTOR, PeopleError, person_of
from table_assist.club.hub.intake import Collector
from table_assist.club.hub.ledger import Chains, Ledger
from table_assist.club.seating import SeatingError
from table_assist.club.wire import ROOMY_BYTES
from table_assist.languages.words import SPACE, WordsError, joined, phrase
from table_assist.trust.installation import CODE_BYTES, new_secret
from web.access.roles import Role, Viewer, finish, viewer
from web.access.trust import DIRECT, Trust
from web.answers import error_answer, json_answer, refusal_answer
from web.api.bodies import key_given
from web.club import desk_api, files_api, hall_pages, seating_api, standings_pages, uplink_api
from web.club.hall_pages import Hall, HallPlan
from web.club.shared import CLUB_COOKIE, wrong_now
from web.club.uplink_api import talk
from web.pages.dispute_page import init_places
from web.pages.shell import app_of
from web.refusal import RefusedRequest, refuse


class Staff:
    """The dashboard's `Sessions`, kept in the hub's database: all processes know the same people.

    Attributes:
        key: from which the pages' tokens are made.
    """

    def __init__(self, base: Engine) -> None:
        self._base = base
        self.key = kept(base, "pages", new_secret()).encode()

    def viewer(self) -> Viewer | None:
        """The viewer that the request's cookie stands for; None without a valid one."""
        cookie = self.token(request.cookies)
        person = person_of(self._base, cookie) if cookie else None
        if person is None:
            return None
        role = Role.ADMIN if person.role == DIRECTOR else Role.REFEREE
        return Viewer(role, None, person.name, f"staff {person.id}")

    def token(self, cookies: Mapping[str, str]) -> str:
        """The cookie of the club's staff."""
        return cookies.get(CLUB_COOKIE, "")

    def find(self, token: str) -> Viewer | None:
        """Nobody: the server's loop, which keeps places for those it knows, must not wait."""
        return None


class Once:
    """Does commands."""

    def __init__(self, base: Engine) -> None:
        self._base = base

    def __call__(self, do: Callable[[], Response]) -> Response:
        """Do the request's command, or answer as the first time."""
        given = key_given()
        if not given:
            return do()
        who = viewer()
        parts = (who.device or who.name, request.path, given)
        key = hashlib.sha256("\n".join(parts).encode() + b"\n" + request.get_data()).hexdigest()
        own = commands.c.key == key
        with self._base.begin() as connection:
            new = new_rows(connection, commands).values(key=key, answer="")
            is_new = connection.execute(new.returning(commands.c.key)).scalar() is not None
            before = connection.execute(select(commands.c.answer).where(own)).scalar()
        if not is_new:
            if not before:
                refuse(
                    409,
                    "This was begun the first time; whether all of it was done, the list of acts "
                    "says.",
                    "第一次时已执行；是否全部完成，请查看操作列表。",
                )
            return json_answer(json.loads(str(before)) | {"before": True})
        try:
            answer = do()
        except (HTTPException, WordsError):  # refused: nothing was done
            with self._base.begin() as connection:
                connection.execute(delete(commands).where(own))
            raise
        with self._base.begin() as connection:
            given = answer.get_data(as_text=True)
            connection.execute(update(commands).where(own).values(answer=given))
        return answer


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
    served = uplink_api, hall_pages, standings_pages, desk_api, seating_api, files_api
    ledger = Ledger(base)
    app = app_of(
        (each.blueprint for each in served), host, trust,
        base=base, hub_key=hub_key(base), collector=Collector(base), ledger=ledger,
        sessions=Staff(base), once=Once(base), hall_plan=HallPlan(base, ledger),
        chains=Chains(base), viewers=Hall(base),  # the server ends them by this name
    )  # fmt: skip
    app.config |= {"CLUB_AUTHORITY": authority, "LINE_BYTES": ROOMY_BYTES + CODE_BYTES}
    app.extensions["talk"] = partial(talk, app)
    for kind in (PeopleError, SeatingError):
        app.register_error_handler(kind, lambda error: refusal_answer(error.words))
    app.register_error_handler(SQLAlchemyError, _no_database)
    init_places(app)
    finish(app)
    return app


def close_club_app(app: Flask) -> None:
    """End its threads, write what has come, let go of its database."""
    app.extensions["viewers"].close()
    app.extensions["collector"].close()
    # What a thread uses just now of the database closes when it is given back.
    event.listen(app.extensions["base"], "checkin", lambda _, record: record.invalidate())
    app.extensions["base"].dispose()


def _no_database(error: SQLAlchemyError) -> Response:
    """A full disk, or a database that is away."""
    uplink_api.say_no_database(error)
    said = phrase("app.clubs_database_does")
    return error_answer(RefusedRequest(503, joined((said, *wrong_now()), SPACE)))
