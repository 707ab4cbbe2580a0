"""Taking back what the desk did: the act counts no more, and what followed from it is reverted.

What is nothing but its act (an absence, a place in the plan) is reverted by the fold alone.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, Engine, delete, select, update

from table_assist.club.acts import ActKind, DeskAct
from table_assist.club.hub.database import (
    TABLE_IN,
    TABLE_OUT,
    alarms,
    calls,
    corrections,
    plans,
    players,
    reading,
    series,
    sessions,
    tables,
)
from table_assist.club.hub.desk import PeopleError, all_acts, hall, note_undo, order_in, tell_clock
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.seats import ROSTER, follow, replan
from table_assist.club.orders import OrderKind
from table_assist.trust.installation import InstallationKey


def undo(base: Engine, key: InstallationKey, ledger: Ledger, act: int, by: str) -> DeskAct:
    """Take an act back; that this was done is an act itself."""
    done = next((each for each in all_acts(base) if each.id == act), None)
    if done is None or done.kind is ActKind.UNDO:
        raise PeopleError("there is no such act to take back", "没有可撤销的此项操作")
    undoing = _Undoing(base, key, done, by)
    undoing.check(ledger)
    with base.begin() as connection:
        if not note_undo(connection, done, by):
            raise PeopleError("{kind} was taken back already", "此项已撤销", kind=done.kind)
        undoing.revert(connection)
    undoing.follow()
    return done


_NO_ROUND = {"session": 0, "round": 0, "players": [0, 0, 0, 0], "names": []}


class _Undoing:
    def __init__(self, base: Engine, key: InstallationKey, done: DeskAct, by: str) -> None:
        self._base, self._key, self._done, self._by = base, key, done, by
        self._content = done.content
        self._tables = [each.id for each in hall(base)]
        self._seated = set[int]()  # the tables that sit by the act
        if done.kind is ActKind.SEATS:
            self._seated = {done.content["table"]}
        elif done.kind is ActKind.ROUND:
            self._seated = set(map(int, done.content["tables"]))

    def check(self, ledger: Ledger) -> None:
        """Go on only if nothing was played on it."""
        if self._done.kind in (ActKind.LIST, ActKind.BEGIN):
            _check_unused(self._base, ledger, self._done)
        for log in ledger.logs() if self._seated else ():
            for stretch in log.told.stretches:
                here = (self._done.session, self._content["round"])
                sits_there = log.table in self._seated and (stretch.session, stretch.round) == here
                if sits_there and stretch.hands:
                    raise PeopleError.told("has_played", name=log.name)

    def follow(self) -> None:
        """Tables learn who sits there now, and what the clock says."""
        if self._done.kind in (ActKind.CLOCK, ActKind.EXTRA):
            tell_clock(self._base, self._key, self._by)
        if self._done.kind in ROSTER:
            follow(self._base, self._key, self._done.session, self._by)

    def revert(self, connection: Connection) -> None:
        """Undo the consequences."""
        content = self._content
        marks: dict[ActKind, tuple[Any, int, dict[str, object]]] = {
            ActKind.PUBLISH: (sessions, self._done.session, {"public": not content.get("public")}),
            ActKind.CORRECT: (corrections, content.get("correction", 0), {"undone": self._by}),
            ActKind.SERIES: (series, content.get("series", 0), {"undone": self._by}),
            ActKind.LET_IN: (tables, content.get("table", 0), {"state": TABLE_OUT, "code": ""}),
            ActKind.SEND_OUT: (
                tables,
                content.get("table", 0),
                {"state": TABLE_IN},
            ),  # by the key it had
            ActKind.ALARM: (alarms, content.get("alarm", 0), {"done": ""}),
        }
        if self._done.kind in marks:
            table, number, values = marks[self._done.kind]
            connection.execute(update(table).where(table.c.id == number).values(**values))
            return
        match self._done.kind:
            case ActKind.BEGIN:
                connection.execute(delete(sessions).where(sessions.c.id == content["session"]))
            case ActKind.LIST:
                # Take a list back: new players go; changed ones are as before, unless they
                # changed since
                for player, before, after in content["changed"]:
                    own = (players.c.id == player) & (players.c.name == after[0])
                    own &= players.c.hidden.is_(after[1])
                    connection.execute(
                        update(players).where(own).values(name=before[0], hidden=before[1])
                    )
                for player, _ in content["new"]:
                    connection.execute(delete(players).where(players.c.id == player))
            case ActKind.PLAN:
                again = (content["first"], content["rounds"], content["before"])
                replan(connection, self._done.session, *again, self._done.by)
            case ActKind.ROUND:  # nobody is known at its tables until they are seated again
                of_round = plans.c.round == content["round"]
                own = (plans.c.session_id == self._done.session) & of_round
                connection.execute(update(plans).where(own).values(seated=0.0))
                self._seat(connection, _NO_ROUND)
            case ActKind.SEATS:
                self._seat(connection, content["before"] or _NO_ROUND)
            case ActKind.GO | ActKind.DONE:
                self._call(connection)
            case _:
                self._tell(connection)

    def _call(self, connection: Connection) -> None:
        """Nobody goes to the call; or it is open again, here at once and in the table's log."""
        table, own = self._content["table"], calls.c.key == self._content["call"]
        if self._done.kind is ActKind.GO:
            own &= (calls.c.done == 0) & (calls.c.going == self._done.by)
            if not connection.execute(update(calls).where(own).values(going="")).rowcount:
                raise PeopleError("the call is over", "呼叫已结束")
            return
        waits = (calls.c.table_id == table) & (calls.c.done == 0)
        if connection.execute(select(calls.c.key).where(waits)).first() is not None:
            raise PeopleError("the table has called again", "该桌已重新呼叫")
        connection.execute(update(calls).where(own).values(done=0.0))
        self._order(connection, [table], OrderKind.CALL_AGAIN, {"call": self._content["call"]})

    def _tell(self, connection: Connection) -> None:
        """What tables were told is told otherwise."""
        content = self._content
        if self._done.kind is ActKind.MESSAGE:
            words = content["words"]
            said = {"en": f"taken back: {words}", "zh": f"撤回：{words}"}
            self._order(connection, self._tables, OrderKind.MESSAGE, said)
        elif self._done.kind is ActKind.RULING:  # everybody gets back what it moved
            ruling = {
                "seat": content["seat"], "transfers": [-points for points in content["transfers"]],
                "en": f"ruling taken back: {content['reason']}",
                "zh": f"撤回裁定：{content['reason']}",
            }  # fmt: skip
            self._order(connection, [content["table"]], OrderKind.RULING, ruling)
        elif self._done.kind is ActKind.PICTURE:  # it was deleted for good: it is asked for again
            wanted = {name: content[name] for name in ("hand", "entry")}
            self._order(connection, [content["table"]], OrderKind.PICTURE, wanted)

    def _seat(self, connection: Connection, seats: Mapping[str, Any]) -> None:
        told = {**seats, "instead_of": [self._done.session, self._content["round"]]}
        self._order(connection, sorted(self._seated), OrderKind.SEATS, told)

    def _order(
        self, connection: Connection, to: list[int], kind: OrderKind, content: Mapping[str, Any]
    ) -> None:
        order_in(connection, self._key, to, kind, content, self._by, once=f"undo {self._done.id}")


def _check_unused(base: Engine, ledger: Ledger, done: DeskAct) -> None:
    """Whether what a list or a session has added was used since."""
    since = [act for act in all_acts(base) if act.id > done.id]
    if done.kind is ActKind.BEGIN:
        session = done.content["session"]
        with reading(base) as connection:
            rows = [
                *connection.execute(select(plans.c.session_id)).scalars(),
                *connection.execute(select(corrections.c.session_id)).scalars(),
            ]
            together = connection.execute(select(series.c.sessions).where(series.c.undone == ""))
            rows += [each for text in together.scalars() for each in json.loads(text)]
        rows += [act.session for act in since]
        rows += [stretch.session for log in ledger.logs() for stretch in log.told.stretches]
        if session in rows:
            raise PeopleError.told("session_used", name=done.content["name"])
        return
    used = set(_used_players(base, ledger, since))
    names = [name for player, name in done.content["new"] if player in used]
    if names:
        who = ", ".join(names[:6]) + (" …" if len(names) > 6 else "")
        raise PeopleError.told("used_since", who=who)


def _used_players(base: Engine, ledger: Ledger, since: list[DeskAct]) -> Iterator[int]:
    with reading(base) as connection:
        yield from connection.execute(select(corrections.c.player_id)).scalars()
        for text in connection.execute(select(plans.c.tables)).scalars():
            yield from (player for table in json.loads(text) for player in table)
    for log in ledger.logs():
        yield from (player for stretch in log.told.stretches for player in stretch.players)
    for act in since:
        content = act.content
        yield from (content[name] for name in ("player", "by") if type(content.get(name)) is int)
        yield from (each for each in content.get("players", ()) if type(each) is int)
        if act.stands:
            yield from (player for player, _, _ in content.get("changed", ()))
