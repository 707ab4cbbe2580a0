"""The asker at the hub: a director, a referee, or anybody; the hub's own machine is a director."""

from flask import request
from sqlalchemy import Engine

from table_assist.club.hub.base import kept
from table_assist.club.hub.staff import DIRECTOR, person_of
from table_assist.trust.installation import new_secret
from web.access.roles import Role, Viewer

COOKIE = "club_session"


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
        cookie = request.cookies.get(COOKIE, "")
        person = person_of(self._base, cookie) if cookie else None
        if person is None:
            return None
        role = Role.ADMIN if person.role == DIRECTOR else Role.REFEREE
        return Viewer(role, None, person.name, f"staff {person.id}")

    def find(self, token: str) -> Viewer | None:
        """Nobody: the server's loop, which keeps places for those it knows, must not wait."""
        return None
