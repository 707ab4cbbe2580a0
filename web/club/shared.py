"""The common parts of the hub's pages and answers: the database, a viewer's rights, CSV."""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import signature
from typing import Any

from flask import Blueprint, Response, current_app
from sqlalchemy import Engine, select

from table_assist.club.hub.database import LARGEST_WHOLE, TABLE_IN, read, tables
from table_assist.club.hub.ledger import Ledger, LedgerPlace
from table_assist.club.hub.people import Series, all_players, all_series, all_sessions
from table_assist.club.hub.rounds import profile_of
from table_assist.languages.words import Words, phrase
from table_assist.record.export import spreadsheet
from table_assist.trust.installation import InstallationKey
from web.access.roles import Role, require, viewer
from web.answers import file_answer, json_answer, of_app
from web.api.bodies import Field, takes, whole
from web.language import page_words
from web.refusal import refuse

Names = dict[int, str]
Told = dict[str, Any]
Rows = Iterable[Sequence[object]]
Listed = tuple[Told, Rows]  # as a page shows it, and as a spreadsheet
CLUB_COOKIE = "club_session"
MOST_ROUND = 999
# What commands speak of.
SESSION, PLAYER, TABLE = (whole(each, 1, LARGEST_WHOLE) for each in ("session", "player", "table"))
ROUND_FIELD, FIRST_FIELD = whole("round", 1, MOST_ROUND), whole("first", 1, MOST_ROUND)
LAST_FIELD = whole("last", 0, MOST_ROUND)  # 0: until further notice


def command(
    blueprint: Blueprint, path: str, role: Role, *fields: Field
) -> Callable[[Callable[..., Told | None]], Callable[..., Response]]:
    """A command of the staff's under /api/desk; answered with what it tells, or that it is done."""

    def declare(view: Callable[..., Told | None]) -> Callable[..., Response]:
        @wraps(view)
        def answered(**given: Any) -> Response:
            return json_answer(view(**given) or {"done": True})

        taking = require(role)(takes(*fields)(answered))
        return blueprint.post(f"/api/desk/{path}")(taking)

    return declare


def does(
    blueprint: Blueprint,
    path: str,
    role: Role,
    do: Callable[..., object],
    *fields: Field,
    tells: str = "",
) -> None:
    """A command that one of the hub's own functions carries out: with the hub's base and key.

    Args:
        tells: under which name what it returns is answered; empty: that it is done.
    """
    wanted = signature(do).parameters

    @wraps(do)
    def done(**given: Any) -> Told | None:
        around = {"base": base(), "key": hub_key(), "ledger": ledger(), "by": viewer().by}
        told = do(**{name: each for name, each in around.items() if name in wanted}, **given)
        return {tells: told} if tells else None

    command(blueprint, path, role, *fields)(done)


def shown(
    blueprint: Blueprint, path: str, role: Role
) -> Callable[[Callable[..., Told]], Callable[..., Response]]:
    """What anybody of a role may have as JSON."""

    def declare(view: Callable[..., Told]) -> Callable[..., Response]:
        @wraps(view)
        def answered(**given: Any) -> Response:
            return json_answer(view(**given))

        return blueprint.get(path)(require(role)(answered))

    return declare


def listed(
    blueprint: Blueprint, path: str, *head: str
) -> Callable[[Callable[..., Listed]], Callable[..., Listed]]:
    """What anybody may have as JSON, and under ``.csv`` as rows for a spreadsheet."""

    def declare(
        view: Callable[..., Listed],
    ) -> Callable[..., Listed]:
        @wraps(view)
        def told(**given: Any) -> Response:
            return json_answer(view(**given)[0])

        def csv(**given: Any) -> Response:
            """The same for a spreadsheet."""
            return csv_answer(head, view(**given)[1])

        csv.__name__ = f"{view.__name__}_csv"
        blueprint.get(path)(require(Role.TELEVISION)(told))
        blueprint.get(f"{path}.csv")(require(Role.TELEVISION)(csv))
        return view

    return declare


def base() -> Engine:
    """The hub's database."""
    return of_app(Engine, "base")


def hub_key() -> InstallationKey:
    """It signs answers and orders."""
    return of_app(InstallationKey, "hub_key")


def ledger() -> Ledger:
    """The ledger of the logs."""
    return of_app(Ledger, "ledger")


def wrong_now() -> list[Words]:
    """Why the database takes nothing from the tables now; nothing while it does."""
    if not (fault := current_app.extensions["collector"].fault):
        return []
    return [phrase("shared.database_does_not_take", fault=fault)]


def is_staff() -> bool:
    """Whether the viewer sees what is held back and who is hidden."""
    return viewer().may(Role.REFEREE)


def name_of(person: Any) -> str:
    """A player's name; of a hidden one strangers see the number."""
    return str(person.number if person.hidden and not is_staff() else person.name)


def names() -> Names:
    """Every player's name, as this viewer may see it."""
    return {row.id: name_of(row) for row in all_players(base())}


def shown_sessions() -> Sequence[Any]:
    """The sessions whose standings the viewer may see, the newest first."""
    return [row for row in all_sessions(base()) if row.public or is_staff()]


def shown_series() -> list[tuple[Series, list[int]]]:
    """Tournaments and seasons with those of their sessions that the viewer may see."""
    rows = shown_sessions()
    found = [(each, each.of(rows)) for each in all_series(base())]
    return [(each, sessions) for each, sessions in found if sessions or is_staff()]


def session_standing(session: int) -> tuple[str, list[LedgerPlace], list[Told]]:
    """A session's name, its players, and the hands that do not belong."""
    for row in shown_sessions():
        if row.id == session:
            return row.name, ledger().standing(session), foreign(session)
    refuse(404, "There are no such standings (yet).", "没有此排名（或尚未公布）。")


def series_standing(number: int) -> tuple[str, list[LedgerPlace], list[Told]]:
    """The same of a tournament or season."""
    for each, sessions in shown_series():
        if each.id == number:
            return each.name, ledger().standing(*sessions), foreign(*sessions)
    refuse(404, "There is no such tournament or season (yet).", "没有此赛事或赛季（或尚未公布）。")


def foreign(*sessions: int) -> list[Told]:
    """Hands that were played by another rule profile than their session's; they are counted."""
    return [
        {"table": log.name, "hands": hands, "sign": hash[:8]}
        for session in sessions
        if (wanted := profile_of(base(), session)) is not None
        for log in ledger().logs()
        for stretch in log.told.stretches
        if stretch.session == session
        for hash, hands in stretch.profiles.items()
        if hash != wanted.hash
    ]


def behind() -> list[Told]:
    """Tables whose logs are on their way: standings lack what is in so many entries."""
    own = (tables.c.state == TABLE_IN) & tables.c.view.like('%"behind"%')
    rows = read(base(), select(tables.c.name, tables.c.view).where(own).order_by(tables.c.name))
    found = [{"table": row.name, "entries": json.loads(row.view).get("behind", 0)} for row in rows]
    return [each for each in found if each["entries"] > 0]


def notes(odd: list[Told]) -> list[Words]:
    """The notes beside standings: these foreign hands, and tables that are behind."""
    said = [(page_words("profile")["profile_foreign"], each) for each in odd]
    said += [(page_words("hall")["hall_behind"], each) for each in behind()]
    return [words.filled(**each) for words, each in said]


def picked(rows: Iterable[object], *names: str) -> list[Told]:
    """Of each row what is called so."""
    return [{name: getattr(row, name) for name in names} for row in rows]


def csv_answer(head: Sequence[str], rows: Rows) -> Response:
    """A table for a spreadsheet; what people wrote is no formula there."""
    return file_answer(spreadsheet([head, *rows]), "text/csv")
