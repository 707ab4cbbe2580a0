"""Taking back what the desk did: the act counts no more, and what followed from it is reverted.

What is nothing but its act (an absence, a place in the plan) is reverted by the fold alone.
"""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, Engine, delete, select, update

from table_assist.club.acts import ActKind, DeskAct
from table_assist.club.hub.acts import all_acts, note_undo
from table_assist.club.hub.clock import tell_clock
from table_assist.club.hub.desk import hall, order_in
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.people import PeopleError
from table_assist.club.hub.plans import replan
from table_assist.club.hub.roster import follow
from table_assist.club.hub.schema import (
    IN,
    OUT,
    alarms,
    calls,
    corrections,
    plans,
    series,
    sessions,
    tables,
)
from table_assist.club.hub.unused import check_unused, forget_players
from table_assist.club.orders import OrderKind
from table_assist.trust.installation import InstallationKey

ROSTER = frozenset({ActKind.ENTER, ActKind.ABSENT, ActKind.HERE, ActKind.STAND_IN})


def undo(base: Engine, key: InstallationKey, ledger: Ledger, act: int, by: str) -> DeskAct:
    """Take an act back; that this was done is an act itself.

    Raises:
        PeopleError: there is no such act, it was taken back, or too much has followed from it.
    """
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


class _Undoing:
    def __init__(self, base: Engine, key: InstallationKey, done: DeskAct, by: str) -> None:
        self._base, self._key, self._done, self._by = base, key, done, by
        self._content = done.content
        self._tables = [each.id for each in hall(base)]

    def check(self, ledger: Ledger) -> None:
        """Go on only if nothing was played on it."""
        if self._done.kind in (ActKind.LIST, ActKind.BEGIN):
            check_unused(self._base, ledger, self._done)
        seated = _seated_by(self._done)
        if not seated:
            return
        for log in ledger.logs():
            for stretch in log.told.stretches:
                here = (self._done.session, self._content["round"])
                sits_there = log.table in seated and (stretch.session, stretch.round) == here
                if sits_there and stretch.hands:
                    raise PeopleError(
                        "{name} has played on these seats: seat it anew instead",
                        "{name} 已按此座位打过牌：请改为重新安排座位",
                        name=log.name,
                    )

    def revert(self, connection: Connection) -> None:
        """Undo the consequences, in reverse order."""
        revert = _REVERTS.get(self._done.kind)
        if revert is not None:
            revert(self, connection)

    def follow(self) -> None:
        """Tables learn who sits there now, and what the clock says."""
        if self._done.kind in (ActKind.CLOCK, ActKind.EXTRA):
            tell_clock(self._base, self._key, self._by)
        if self._done.kind in ROSTER:
            follow(self._base, self._key, self._done.session, self._by)

    def correct(self, connection: Connection) -> None:
        """The correction counts no more."""
        own = corrections.c.id == self._content["correction"]
        connection.execute(update(corrections).where(own).values(undone=self._by))

    def publish(self, connection: Connection) -> None:
        """As it was before."""
        own = sessions.c.id == self._done.session
        public = not self._content["public"]
        connection.execute(update(sessions).where(own).values(public=public))

    def seats(self, connection: Connection) -> None:
        """The table is told who sat there before; or that nobody is known."""
        self._seat(connection, [self._content["table"]], self._content["before"] or _NOBODY)

    def round(self, connection: Connection) -> None:
        """The round is not seated; nobody is known at its tables until they are seated again."""
        own = (plans.c.session_id == self._done.session) & (plans.c.round == self._content["round"])
        connection.execute(update(plans).where(own).values(seated=0.0))
        self._seat(connection, sorted(_seated_by(self._done)), _NOBODY)

    def plan(self, connection: Connection) -> None:
        """The earlier plan stands again."""
        replan(connection, self._done)

    def message(self, connection: Connection) -> None:
        """Tell the readers that it does not count."""
        words = self._content["words"]
        content = {"en": f"taken back: {words}", "zh": f"撤回：{words}"}
        self._order(connection, self._tables, OrderKind.MESSAGE, content)

    def ruling(self, connection: Connection) -> None:
        """Another ruling gives everybody back what the first moved."""
        reason = self._content["reason"]
        content = {
            "seat": self._content["seat"],
            "transfers": [-points for points in self._content["transfers"]],
            "en": f"ruling taken back: {reason}", "zh": f"撤回裁定：{reason}",
        }  # fmt: skip
        self._order(connection, [self._content["table"]], OrderKind.RULING, content)

    def let_in(self, connection: Connection) -> None:
        """The table is let go."""
        own = tables.c.id == self._content["table"]
        connection.execute(update(tables).where(own).values(state=OUT, code=""))

    def send_out(self, connection: Connection) -> None:
        """The table belongs to the club again, by the key it had."""
        own = tables.c.id == self._content["table"]
        connection.execute(update(tables).where(own).values(state=IN))

    def alarm(self, connection: Connection) -> None:
        """Nobody has seen to it."""
        own = alarms.c.id == self._content["alarm"]
        connection.execute(update(alarms).where(own).values(done=""))

    def players(self, connection: Connection) -> None:
        """New ones are gone; changed ones are called what they were, unless they changed since."""
        forget_players(connection, self._content)

    def begin(self, connection: Connection) -> None:
        """The session is gone: nothing was done in it."""
        connection.execute(delete(sessions).where(sessions.c.id == self._content["session"]))

    def series(self, connection: Connection) -> None:
        """It is shown no more; its sessions stay."""
        own = series.c.id == self._content["series"]
        connection.execute(update(series).where(own).values(undone=self._by))

    def go(self, connection: Connection) -> None:
        """Nobody goes to the call, if it is open still."""
        own = (calls.c.key == self._content["call"]) & (calls.c.done == 0)
        own &= calls.c.going == self._done.by
        if not connection.execute(update(calls).where(own).values(going="")).rowcount:
            raise PeopleError("the call is over", "呼叫已结束")

    def done(self, connection: Connection) -> None:
        """The call is open again, here at once and in the table's log by an entry of its own."""
        table, call = self._content["table"], self._content["call"]
        waits = (calls.c.table_id == table) & (calls.c.done == 0)
        if connection.execute(select(calls.c.key).where(waits)).first() is not None:
            raise PeopleError("the table has called again", "该桌已重新呼叫")
        connection.execute(update(calls).where(calls.c.key == call).values(done=0.0))
        self._order(connection, [table], OrderKind.CALL_AGAIN, {"call": call})

    def picture(self, connection: Connection) -> None:
        """It was deleted for good: the table is asked for it again."""
        content = {name: self._content[name] for name in ("hand", "entry")}
        self._order(connection, [self._content["table"]], OrderKind.PICTURE, content)

    def _seat(self, connection: Connection, to: list[int], seats: Mapping[str, Any]) -> None:
        instead_of = [self._done.session, self._content["round"]]
        self._order(connection, to, OrderKind.SEATS, {**seats, "instead_of": instead_of})

    def _order(
        self, connection: Connection, to: list[int], kind: OrderKind, content: Mapping[str, Any]
    ) -> None:
        once = f"undo {self._done.id}"
        order_in(connection, self._key, to, kind, content, self._by, once=once)


_NOBODY = {"session": 0, "round": 0, "players": [0, 0, 0, 0], "names": []}
_REVERTS: dict[ActKind, Callable[[_Undoing, Connection], None]] = {
    ActKind.CORRECT: _Undoing.correct,
    ActKind.PUBLISH: _Undoing.publish,
    ActKind.SEATS: _Undoing.seats,
    ActKind.ROUND: _Undoing.round,
    ActKind.PLAN: _Undoing.plan,
    ActKind.MESSAGE: _Undoing.message,
    ActKind.RULING: _Undoing.ruling,
    ActKind.LET_IN: _Undoing.let_in,
    ActKind.SEND_OUT: _Undoing.send_out,
    ActKind.ALARM: _Undoing.alarm,
    ActKind.PICTURE: _Undoing.picture,
    ActKind.LIST: _Undoing.players,
    ActKind.BEGIN: _Undoing.begin,
    ActKind.SERIES: _Undoing.series,
    ActKind.GO: _Undoing.go,
    ActKind.DONE: _Undoing.done,
}


def _seated_by(done: DeskAct) -> set[int]:
    """The tables that sit by an act."""
    if done.kind is ActKind.SEATS:
        return {done.content["table"]}
    return {int(table) for table in done.content["tables"]} if done.kind is ActKind.ROUND else set()
