"""Players and sessions that were added and never used: only those can be as if they never were.

Their numbers stand in logs and acts for good. One that was used once, though it was taken back,
stays, so that nothing on record speaks of somebody else later.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, Engine, delete, select, update

from table_assist.club.acts import ActKind, DeskAct
from table_assist.club.hub.acts import all_acts
from table_assist.club.hub.base import reading
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.people import PeopleError
from table_assist.club.hub.schema import corrections, plans, players, series

_AS_PLAYER = ("player", "by")


def check_unused(base: Engine, ledger: Ledger, done: DeskAct) -> None:
    """Whether what a list or a session has added was used since.

    Raises:
        PeopleError: it was.
    """
    since = [act for act in all_acts(base) if act.id > done.id]
    if done.kind is ActKind.BEGIN:
        if _is_used(base, ledger, since, done.content["session"]):
            name = done.content["name"]
            raise PeopleError(
                "something was done in {name}: hold its standings back instead",
                "{name} 中已有操作：请改为暂不公布",
                name=name,
            )
        return
    used = set(_used_players(base, ledger, since))
    names = [name for player, name in done.content["new"] if player in used]
    if names:
        who = ", ".join(names[:6]) + (" …" if len(names) > 6 else "")
        raise PeopleError(
            "{who}: entered, seated, corrected or changed since, and on record",
            "{who}：此后已参赛、入座、更正或更改，并已记录",
            who=who,
        )


def forget_players(connection: Connection, content: Mapping[str, Any]) -> None:
    """Take a list back: new players go; changed ones are as before, unless they changed since."""
    for player, before, after in content["changed"]:
        own = (players.c.id == player) & (players.c.name == after[0])
        own &= players.c.hidden.is_(after[1])
        connection.execute(update(players).where(own).values(name=before[0], hidden=before[1]))
    for player, _ in content["new"]:
        connection.execute(delete(players).where(players.c.id == player))


def _is_used(base: Engine, ledger: Ledger, since: list[DeskAct], session: int) -> bool:
    with reading(base) as connection:
        rows = [
            *connection.execute(select(plans.c.session_id)).scalars(),
            *connection.execute(select(corrections.c.session_id)).scalars(),
        ]
        together = connection.execute(select(series.c.sessions).where(series.c.undone == ""))
        rows += [each for text in together.scalars() for each in json.loads(text)]
    rows += [act.session for act in since]
    rows += [stretch.session for log in ledger.logs() for stretch in log.told.stretches]
    return session in rows


def _used_players(base: Engine, ledger: Ledger, since: list[DeskAct]) -> Iterator[int]:
    with reading(base) as connection:
        yield from connection.execute(select(corrections.c.player_id)).scalars()
        for text in connection.execute(select(plans.c.tables)).scalars():
            yield from (player for table in json.loads(text) for player in table)
    for log in ledger.logs():
        yield from (player for stretch in log.told.stretches for player in stretch.players)
    for act in since:
        content = act.content
        yield from (content[name] for name in _AS_PLAYER if type(content.get(name)) is int)
        yield from (each for each in content.get("players", ()) if type(each) is int)
        if act.stands:
            yield from (player for player, _, _ in content.get("changed", ()))
