"""Tournaments of several sessions, and seasons: which sessions stand together."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from sqlalchemy import Engine, insert, select

from table_assist.club.acts import ActKind
from table_assist.club.hub.acts import note
from table_assist.club.hub.base import reading
from table_assist.club.hub.people import PeopleError, all_sessions
from table_assist.club.hub.schema import series


@dataclass(frozen=True, slots=True)
class Series:
    """Sessions that stand together.

    Attributes:
        sessions: those that were chosen; empty where the dates say which.
        since, until: sessions that begin from the one and before the other, seconds since the
            epoch; 0 where sessions were chosen.
    """

    id: int
    name: str
    sessions: frozenset[int]
    since: float
    until: float

    def of(self, rows: Iterable[Any]) -> list[int]:
        """Which of these sessions belong to it, in their order."""
        if self.sessions:
            return [row.id for row in rows if row.id in self.sessions]
        return [row.id for row in rows if self.since <= row.begun < self.until]


def begin_series(base: Engine, name: str, sessions: Collection[int], by: str) -> int:
    """A tournament of these sessions; its number.

    Raises:
        PeopleError: there is no such session.
    """
    known = {row.id for row in all_sessions(base)}
    if not sessions or not set(sessions) <= known:
        raise PeopleError("a tournament is made of the club's sessions", "赛事须由已有场次组成")
    return _keep(base, name, sorted(set(sessions)), 0.0, 0.0, by)


def begin_season(base: Engine, name: str, first: str, last: str, by: str) -> int:
    """All sessions that begin on these days, both counted; its number.

    Args:
        first, last: ``2026-01-31``, as the hub's machine counts days.

    Raises:
        PeopleError: these are no days, or the last is before the first.
    """
    try:
        begins, ends = date.fromisoformat(first), date.fromisoformat(last)
        until = datetime.combine(ends + timedelta(days=1), time()).timestamp()
        since = datetime.combine(begins, time()).timestamp()
    except (ValueError, OverflowError, OSError) as error:
        raise PeopleError(
            "a day is written as 2026-01-31, not {first} and {last}",
            "日期须写作 2026-01-31，而不是 {first} 和 {last}",
            first=f"{first[:20]!r}",
            last=f"{last[:20]!r}",
        ) from error
    if until <= since:
        raise PeopleError("{last} is before {first}", "{last} 早于 {first}", last=last, first=first)
    return _keep(base, name, [], since, until, by)


def all_series(base: Engine) -> list[Series]:
    """Those that stand, the newest first."""
    query = select(series).where(series.c.undone == "").order_by(series.c.id.desc())
    with reading(base) as connection:
        return [
            Series(row.id, row.name, frozenset(json.loads(row.sessions)), row.since, row.until)
            for row in connection.execute(query)
        ]


def _keep(base: Engine, name: str, sessions: list[int], since: float, until: float, by: str) -> int:
    given = {
        "name": name, "sessions": json.dumps(sessions), "since": since, "until": until, "by": by,
        "undone": "",
    }  # fmt: skip
    with base.begin() as connection:
        made = connection.execute(insert(series).values(**given)).inserted_primary_key
        assert made is not None
        note(connection, ActKind.SERIES, {"series": made[0], "name": name}, by)
    return int(made[0])
