"""Players, sessions, tournaments and corrections: what a director decides, and by whom it was."""

import csv
import io
import json
import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, Row, select, update

from table_assist.club.acts import ActKind
from table_assist.club.hub.database import (
    added,
    corrections,
    players,
    read,
    reading,
    series,
    sessions,
)
from table_assist.club.hub.desk import PeopleError, note
from table_assist.game.people import looks
from table_assist.languages.words import UNSHOWN, clean_name

MOST_PLAYERS = 5000
NAME_LETTERS = 80
Named = tuple[str, bool]  # a name, and whether it is hidden
_PEOPLE_HEADERS = {
    "name": "name",
    "姓名": "name",
    "number": "number",
    "编号": "number",
    "hidden": "hidden",
}


def read_players(text: str) -> list[tuple[str, str, bool]]:
    r"""(name, number, hidden) of each line of a CSV file with a header.

    >>> read_players("number,name\n7,Ada\n8,Bo\n")
    [('Ada', '7', False), ('Bo', '8', False)]
    """
    lines = text.lstrip("\ufeff").splitlines(keepends=True)
    before = [lines.pop(0)] if lines and lines[0].lower().startswith("sep=") else []
    # As the spreadsheet says, or as its header is divided.
    between = (
        (before[0].strip()[4:5] or ",") if before else max(",;\t", key=(lines or [""])[0].count)
    )
    rows = list(csv.reader(io.StringIO("".join(lines), newline=""), delimiter=between))
    titles = [each.strip() for each in (rows[0] if rows else [])]
    header = [_PEOPLE_HEADERS.get(each.lower(), "") for each in titles]
    if "name" not in header:
        raise PeopleError.told(
            "no_name_column", place=1 + len(before), titles=", ".join(map(repr, titles)) or "-"
        )
    found, seen = [], set[str]()
    for place, row in enumerate(rows[1:], start=2 + len(before)):
        if not any(cell.strip() for cell in row):
            continue
        cells = dict(zip(header, (cell.strip() for cell in row), strict=False))
        name, number = cells.get("name", ""), cells.get("number") or cells.get("name", "")
        if "" in (name and clean_name(name), number and clean_name(number)):
            raise PeopleError.told("unshown_name", place=place, unshown=UNSHOWN)
        if max(len(name), 2 * len(number)) > NAME_LETTERS:
            most = {"most_letters": NAME_LETTERS, "most_letters_2": NAME_LETTERS // 2}
            raise PeopleError.told("long_name", place=place, **most)
        if number in seen:
            raise PeopleError.told("number_twice", place=place, number=number)
        seen.add(number)
        found.append((name, number, cells.get("hidden", "").lower() in ("1", "yes", "true", "是")))
    if len(found) > MOST_PLAYERS:
        raise PeopleError.told("too_many", count=len(found), most_players=MOST_PLAYERS)
    return found


def take_players(base: Engine, text: str, by: str = "") -> tuple[int, int]:
    """Add the players of a CSV file, and rename those whose number is known: (new, known)."""
    found = read_players(text)
    with base.begin() as connection:
        known = {row.number: row for row in connection.execute(select(players))}
        new, changed = list[tuple[int, str]](), list[tuple[int, Named, Named]]()
        for name, number, hidden in found:
            values, row = {"name": name, "hidden": hidden}, known.get(number)
            if row is None:
                new.append((added(connection, players, number=number, **values), name))
            elif (row.name, row.hidden) != (name, hidden):
                connection.execute(update(players).where(players.c.id == row.id).values(**values))
                changed.append((row.id, (row.name, row.hidden), (name, hidden)))
        if new or changed:
            note(connection, ActKind.LIST, {"new": new, "changed": changed}, by)
    return len(new), len(found) - len(new)


class Person(NamedTuple):
    """A player of the club."""

    id: int
    name: str  # with the number where another is called alike
    number: str
    hidden: bool


def everybody(connection: Connection) -> list[Person]:
    """Everybody, by name; who has a namesake, by the looks, is told with the number.

    That a hidden player has somebody's name is told to nobody who may not see it.
    """
    columns = players.c.id, players.c.name, players.c.number, players.c.hidden
    rows = connection.execute(select(*columns).order_by(players.c.name, players.c.id)).all()
    alike = Counter(looks(row.name) for row in rows)
    shown = Counter((looks(row.name), bool(row.hidden)) for row in rows)
    found = []
    for id, name, number, hidden in rows:
        others = alike[looks(name)] if hidden else shown[looks(name), False]
        found.append(Person(id, f"{name} ({number})" if others > 1 else name, number, bool(hidden)))
    return found


def shown_name(row: Any) -> str:
    """The public name of a player: of a hidden one the number."""
    return str(row.number if row.hidden else row.name)


def all_players(base: Engine) -> list[Person]:
    """As `everybody`."""
    with reading(base) as connection:
        return everybody(connection)


def begin_session(base: Engine, name: str, by: str = "") -> int:
    """A new session or tournament, which only the staff sees yet; its number."""
    with base.begin() as connection:
        number = added(connection, sessions, name=name, begun=time.time(), public=False)
        note(connection, ActKind.BEGIN, {"session": number, "name": name}, by)
    return number


def all_sessions(base: Engine) -> Sequence[Row[Any]]:
    """All of them, the newest first."""
    return read(base, select(sessions).order_by(sessions.c.id.desc()))


def publish(base: Engine, session: int, by: str = "", *, public: bool) -> None:
    """Show a session's standings to everybody, or hold them back."""
    with base.begin() as connection:
        changed = connection.execute(
            update(sessions)
            .where(sessions.c.id == session, sessions.c.public != public)
            .values(public=public)
        )
        if changed.rowcount:
            note(connection, ActKind.PUBLISH, {"public": public}, by, session)


def correct(base: Engine, session: int, player: int, points: int, reason: str, by: str) -> None:
    """Add points to a player's standing; the reason and who did it stay on record."""
    with base.begin() as connection:
        there = [
            connection.execute(select(table.c.id).where(table.c.id == number)).one_or_none()
            for table, number in ((sessions, session), (players, player))
        ]
        if None in there:
            raise PeopleError.told("no_session", session=session, player=player)
        number = added(
            connection, corrections, session_id=session, player_id=player, points=points,
            reason=reason, by=by, at=time.time(), undone="",
        )  # fmt: skip
        content = {"correction": number, "player": player, "points": points, "reason": reason}
        note(connection, ActKind.CORRECT, content, by, session)


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
    """A tournament of these sessions; its number."""
    if not sessions:
        raise PeopleError("Choose at least one session.", "请至少选择一个场次。")
    if not set(sessions) <= {row.id for row in all_sessions(base)}:
        raise PeopleError("a tournament is made of the club's sessions", "赛事须由已有场次组成")
    return _keep_series(base, name, sorted(set(sessions)), 0.0, 0.0, by)


def begin_season(base: Engine, name: str, first: str, last: str, by: str) -> int:
    """All sessions that begin on these days, both counted; its number.

    Args:
        first, last: ``2026-01-31``, as the hub's machine counts days.
    """
    try:
        begins, ends = date.fromisoformat(first), date.fromisoformat(last)
        until = datetime.combine(ends + timedelta(days=1), datetime.min.time()).timestamp()
        since = datetime.combine(begins, datetime.min.time()).timestamp()
    except (ValueError, OverflowError, OSError) as error:
        raise PeopleError.told("no_day", first=f"{first[:20]!r}", last=f"{last[:20]!r}") from error
    if until <= since:
        raise PeopleError("{last} is before {first}", "{last} 早于 {first}", last=last, first=first)
    return _keep_series(base, name, [], since, until, by)


def all_series(base: Engine) -> list[Series]:
    """Those that stand, the newest first."""
    query = select(series).where(series.c.undone == "").order_by(series.c.id.desc())
    return [
        Series(row.id, row.name, frozenset(json.loads(row.sessions)), row.since, row.until)
        for row in read(base, query)
    ]


def _keep_series(
    base: Engine, name: str, sessions: list[int], since: float, until: float, by: str
) -> int:
    given = {"sessions": json.dumps(sessions), "since": since, "until": until, "by": by}
    with base.begin() as connection:
        number = added(connection, series, name=name, undone="", **given)
        note(connection, ActKind.SERIES, {"series": number, "name": name}, by)
    return number
