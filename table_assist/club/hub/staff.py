"""Directors and referees: whoever can log in to the hub's machine makes links that let them in.

A link lasts ten minutes and opens once; the cookie that it gives lasts a day. Only hashes are kept.
"""

import hashlib
import secrets
import time
from dataclasses import dataclass

from sqlalchemy import Engine, delete, insert, select

from table_assist.club.hub.base import reading
from table_assist.club.hub.schema import staff

LINK_S, COOKIE_S = 600.0, 86_400.0
DIRECTOR, REFEREE = "director", "referee"


@dataclass(frozen=True, slots=True)
class StaffMember:
    """Somebody who was let in.

    Attributes:
        id: of the session.
    """

    id: int
    name: str
    role: str


def make_link(base: Engine, name: str, role: str) -> str:
    """A secret that opens the hub once."""
    return _give(base, name, role, LINK_S, is_link=True)


def open_link(base: Engine, link: str) -> str | None:
    """The cookie for a link, which is used up; None where it opens nothing."""
    with base.begin() as connection:
        found = connection.execute(
            delete(staff)
            .where(
                staff.c.hash == _hash(link), staff.c.is_link.is_(True), staff.c.until > time.time()
            )
            .returning(staff.c.name, staff.c.role)
        ).one_or_none()
    return None if found is None else _give(base, found.name, found.role, COOKIE_S, is_link=False)


def person_of(base: Engine, cookie: str) -> StaffMember | None:
    """The person who holds the cookie; None where nobody does any more."""
    query = select(staff.c.id, staff.c.name, staff.c.role).where(
        staff.c.hash == _hash(cookie), staff.c.is_link.is_(False), staff.c.until > time.time()
    )
    with reading(base) as connection:
        found = connection.execute(query).one_or_none()
    return None if found is None else StaffMember(found.id, found.name, found.role)


def revoke_all(base: Engine) -> None:
    """Everybody is out, and every link opens nothing."""
    with base.begin() as connection:
        connection.execute(delete(staff))


def _give(base: Engine, name: str, role: str, lasts_s: float, *, is_link: bool) -> str:
    token, now = secrets.token_urlsafe(32), time.time()
    given = {
        "hash": _hash(token), "name": name, "role": role, "until": now + lasts_s,
        "is_link": is_link,
    }  # fmt: skip
    with base.begin() as connection:
        connection.execute(delete(staff).where(staff.c.until < now))
        connection.execute(insert(staff).values(**given))
    return token


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
