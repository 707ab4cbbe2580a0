"""Players, sessions and corrections: what a director decides, and by whom it was."""

import csv
import io
import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Engine, Row, insert, select, update

from table_assist.club.acts import ActKind
from table_assist.club.hub.acts import note
from table_assist.club.hub.base import reading
from table_assist.club.hub.schema import corrections, players, sessions
from table_assist.languages.words import WordsError

MOST_PLAYERS = 5000
MOST_LETTERS = 80
Named = tuple[str, bool]  # a name, and whether it is hidden
_HEADERS = {
    "name": "name",
    "姓名": "name",
    "number": "number",
    "编号": "number",
    "hidden": "hidden",
}


class PeopleError(WordsError):
    """A list of players cannot be read; the sentence has the line in it."""


def read_players(text: str) -> list[tuple[str, str, bool]]:
    r"""(name, number, hidden) of each line of a CSV file with a header.

    >>> read_players("number,name\n7,Ada\n8,Bo\n")
    [('Ada', '7', False), ('Bo', '8', False)]

    Raises:
        PeopleError: a line cannot be read.
    """
    rows = list(csv.reader(io.StringIO(text.lstrip("\ufeff"), newline="")))
    header = [_HEADERS.get(each.strip().lower(), "") for each in (rows[0] if rows else [])]
    if "name" not in header:
        raise PeopleError("line 1: a column must be called name", "第 1 行：须有一列名为“姓名”")
    found, seen = [], set[str]()
    for place, row in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in row):
            continue
        cells = dict(zip(header, (cell.strip() for cell in row), strict=False))
        name, number = cells.get("name", ""), cells.get("number") or cells.get("name", "")
        if not name or max(len(name), 2 * len(number)) > MOST_LETTERS or "\0" in name + number:
            raise PeopleError(
                "line {place}: a name has 1 to {most_letters} letters, a number up to "
                "{most_letters_2}",
                "第 {place} 行：姓名须为 1 至 {most_letters} 个字，编号最多 {most_letters_2} 个字",
                place=place,
                most_letters=MOST_LETTERS,
                most_letters_2=MOST_LETTERS // 2,
            )
        if number in seen:
            raise PeopleError(
                "line {place}: {number} stands there twice; give players numbers",
                "第 {place} 行：{number} 重复；请给选手编号",
                place=place,
                number=number,
            )
        seen.add(number)
        found.append((name, number, cells.get("hidden", "").lower() in ("1", "yes", "true", "是")))
    if len(found) > MOST_PLAYERS:
        raise PeopleError(
            "{count} players are more than {most_players}",
            "选手 {count} 人，超过 {most_players} 人",
            count=len(found),
            most_players=MOST_PLAYERS,
        )
    return found


def take_players(base: Engine, text: str, by: str = "") -> tuple[int, int]:
    """Add the players of a CSV file, and rename those whose number is known: (new, known).

    Raises:
        PeopleError: nothing was taken.
    """
    found = read_players(text)
    with base.begin() as connection:
        known = {row.number: row for row in connection.execute(select(players))}
        new, changed = list[tuple[int, str]](), list[tuple[int, Named, Named]]()
        for name, number, hidden in found:
            values, row = {"name": name, "hidden": hidden}, known.get(number)
            if row is None:
                adding = insert(players).values(number=number, **values)
                made = connection.execute(adding).inserted_primary_key
                assert made is not None
                new.append((int(made[0]), name))
            elif (row.name, row.hidden) != (name, hidden):
                connection.execute(update(players).where(players.c.id == row.id).values(**values))
                changed.append((row.id, (row.name, row.hidden), (name, hidden)))
        if new or changed:
            note(connection, ActKind.LIST, {"new": new, "changed": changed}, by)
    return len(new), len(found) - len(new)


def shown_name(row: Any) -> str:
    """The public name of a player: of a hidden one the number."""
    return str(row.number if row.hidden else row.name)


def all_players(base: Engine) -> Sequence[Row[Any]]:
    """Everybody, by name."""
    with reading(base) as connection:
        return connection.execute(select(players).order_by(players.c.name, players.c.id)).all()


def begin_session(base: Engine, name: str, by: str = "") -> int:
    """A new session or tournament, which only the staff sees yet; its number."""
    with base.begin() as connection:
        given = {"name": name, "begun": time.time(), "public": False}
        made = connection.execute(insert(sessions).values(**given)).inserted_primary_key
        assert made is not None
        note(connection, ActKind.BEGIN, {"session": made[0], "name": name}, by)
    return int(made[0])


def all_sessions(base: Engine) -> Sequence[Row[Any]]:
    """All of them, the newest first."""
    with reading(base) as connection:
        return connection.execute(select(sessions).order_by(sessions.c.id.desc())).all()


def title_of(base: Engine, session: int) -> str:
    """The session's title; empty where there is none."""
    return next((str(row.name) for row in all_sessions(base) if row.id == session), "")


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
    """Add points to a player's standing; the reason and who did it stay on record.

    Raises:
        PeopleError: there is no such session or player.
    """
    with base.begin() as connection:
        there = [
            connection.execute(select(table.c.id).where(table.c.id == number)).one_or_none()
            for table, number in ((sessions, session), (players, player))
        ]
        if None in there:
            raise PeopleError(
                "there is no session {session} with a player {player}",
                "没有第 {session} 场或选手 {player}",
                session=session,
                player=player,
            )
        given = {
            "session_id": session, "player_id": player, "points": points, "reason": reason,
            "by": by, "at": time.time(), "undone": "",
        }  # fmt: skip
        made = connection.execute(insert(corrections).values(**given)).inserted_primary_key
        assert made is not None
        content = {
            "correction": made[0], "player": player, "points": points, "reason": reason,
        }  # fmt: skip
        note(connection, ActKind.CORRECT, content, by, session)
