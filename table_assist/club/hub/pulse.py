"""Hub processes of one database hear of each other: one that stops is told at the others' desks.

Each writes a sign of life. One is missing when the same sign is read again and again: so nobody is
missing because the database was away.
"""

import secrets
from collections.abc import Iterable

from sqlalchemy import Connection, Engine, delete, select, update

from table_assist.club.hub.alarms import new_rows
from table_assist.club.hub.base import now_s
from table_assist.club.hub.schema import about
from table_assist.languages.words import Words

MISSING = 2  # times that a sign of life is read and is the old one
ALIVE_S = 15.0
FORGOTTEN_S = 86_400.0
HUB, _MOST = "hub ", 40


class Pulse:
    """Of one hub process; one thread at a time.

    Args:
        name: of this one, as people know it: ``club1:8000``.
    """

    def __init__(self, base: Engine, name: str) -> None:
        self._base = base
        self._own = f"{HUB}{name}"[:_MOST]
        self._seen: dict[str, tuple[str, int]] = {}

    def beat(self) -> None:
        """Give a sign of life, and look at the others'.

        Raises:
            SQLAlchemyError: the database is away.
        """
        with self._base.begin() as connection:
            now = now_s(connection)
            sign = {"name": self._own, "value": f"{now:.3f} {secrets.token_hex(4)}"}
            connection.execute(new_rows(connection, about).values(**sign))
            connection.execute(update(about).where(about.c.name == self._own).values(**sign))
            there = {name: value for name, value in _signs(connection) if name != self._own}
            old = [name for name in there if _given_s(there[name]) < now - FORGOTTEN_S]
            connection.execute(delete(about).where(about.c.name.in_(old)))
        self._seen = {name: self._read(name, value, now) for name, value in there.items()}

    def _read(self, name: str, sign: str, now: float) -> tuple[str, int]:
        """A sign, and how often it was read; 0 where it is an old one of before this process."""
        before, times = self._seen.get(name, ("", 0))
        if sign == before:
            return sign, times + 1 if times else 0
        return sign, 1 if before or _given_s(sign) > now - ALIVE_S else 0

    def end(self) -> None:
        """This hub is stopped by its people: nobody is to miss it."""
        with self._base.begin() as connection:
            connection.execute(delete(about).where(about.c.name == self._own))

    @property
    def missing(self) -> tuple[Words, ...]:
        """The others that gave no sign of life."""
        return tuple(
            Words(
                "The hub {removeprefix} has stopped: tables go to the others. Start it again.",
                "中心 {removeprefix} 已停止：牌桌改用其他中心。请重新启动它。",
                removeprefix=name.removeprefix(HUB),
            )
            for name, (_, times) in sorted(self._seen.items())
            if times > MISSING
        )


def alive(connection: Connection) -> list[str]:
    """The hub processes of this database that gave a sign of life just now."""
    since = now_s(connection) - ALIVE_S
    signs = sorted(_signs(connection))
    return [name.removeprefix(HUB) for name, sign in signs if _given_s(sign) > since]


def _given_s(sign: str) -> float:
    """When it was given, by the database's clock."""
    return float(sign.split()[0])


def _signs(connection: Connection) -> Iterable[tuple[str, str]]:
    query = select(about.c.name, about.c.value).where(about.c.name.startswith(HUB))
    return [(name, value) for name, value in connection.execute(query)]
