"""Batches of entries come in: stored once, in order, or refused; many of them in one transaction.

A table's row is locked while its batch is looked at, so that any number of processes may do this.
What is answered as kept is committed.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, func, insert, select, update

from table_assist.club.hub.alarms import new_rows, raise_alarm
from table_assist.club.hub.base import now_s
from table_assist.club.hub.called import note_calls
from table_assist.club.hub.heard import hear, waiting
from table_assist.club.hub.locking import (
    LogRow,
    TableRow,
    held_elsewhere,
    lock_tables,
    read_other_logs,
)
from table_assist.club.hub.schema import entries, logs, refused, tables
from table_assist.club.hub.sets import add_rows, change_rows
from table_assist.club.orders import KIND
from table_assist.club.wire import Batch, BatchAnswer, HubReply, Row, fits
from table_assist.record.log import compact_json

MOST_LOGS, DAY_S = 100, 86_400.0  # that a table begins in a day
REFUSED = {
    HubReply.OUT: "stranger",
    HubReply.TURN: "repetition",
    HubReply.GAP: "gap",
    HubReply.CONFLICT: "conflict",
    HubReply.OLD: "old log",
}


@dataclass(frozen=True, slots=True)
class Sent:
    """A batch whose signature was found good.

    Attributes:
        table: the public key that signed it.
    """

    table: str
    batch: Batch


def take(engine: Engine, sent: Sequence[Sent]) -> list[BatchAnswer]:
    """Take batches in; when this returns, what is answered as kept is committed.

    Raises:
        SQLAlchemyError: nothing was stored.
    """
    with engine.begin() as connection:
        there = lock_tables(connection, {each.table for each in sent})
        return _Taking(connection, sent, there).answers()


def take_free(engine: Engine, sent: Sequence[Sent]) -> list[BatchAnswer | None]:
    """The same, without waiting for tables that another process holds: for those there is None.

    A process may be stopped in the middle of its transaction; only its own tables wait for it.

    Raises:
        SQLAlchemyError: nothing was stored.
    """
    with engine.begin() as connection:
        keys = {each.table for each in sent}
        free = lock_tables(connection, keys, skip_locked=True)
        held = held_elsewhere(connection, keys - free.keys())
        rest = [each for each in sent if each.table not in held]
        answers = iter(_Taking(connection, rest, free).answers())
        return [None if each.table in held else next(answers) for each in sent]


def count_refused(engine: Engine, why: str, count: int = 1) -> None:
    """Count what was refused before it was looked at closer."""
    with engine.begin() as connection:
        _count(connection, {why: count})


class _Taking:
    """One transaction."""

    def __init__(
        self, connection: Connection, sent: Sequence[Sent], tables: dict[str, TableRow]
    ) -> None:
        self._connection = connection
        self._sent = sent
        self._now = now_s(connection)
        self._tables = tables
        self._new: list[dict[str, Any]] = []
        self._begun: list[tuple[TableRow, LogRow]] = []  # numbered -1, -2, … until they are written
        self._views: dict[int, Mapping[str, Any]] = {}
        self._refused: Counter[str] = Counter()

    def answers(self) -> list[BatchAnswer]:
        """The answer to each batch."""
        said = [self._one(each) for each in self._sent]
        self._write()
        ordered = {table.id: key for key, table in self._tables.items() if table.is_ordered}
        orders = waiting(self._connection, ordered) if ordered else {}
        return [
            BatchAnswer(
                answer.said, answer.turn, answer.have, answer.seal, orders.get(each.table, ())
            )
            if answer.said in (HubReply.KEPT, HubReply.GAP)
            else answer
            for each, answer in zip(self._sent, said, strict=True)
        ]

    def _one(self, sent: Sent) -> BatchAnswer:
        table, batch = self._tables.get(sent.table), sent.batch
        if table is None:
            return self._refuse(HubReply.OUT, batch.turn)
        if batch.turn <= table.turn:
            return self._refuse(HubReply.TURN, table.turn)
        table.turn = batch.turn
        if batch.epoch not in table.logs and table.log is not None:
            read_other_logs(self._connection, table)
        log = table.logs.get(batch.epoch)
        if log is None:
            if not batch.rows and not batch.after:
                return self._kept(table, batch)
            if batch.after:
                self._alarm_set_back(table, batch.after, 0)
                return self._refuse(HubReply.GAP, batch.turn)
            if not fits(batch.rows, ""):
                return self._conflict(table, batch, 0, "")
            if self._begins_too_often(table):
                self._alarm(table, "two logs", f"> {MOST_LOGS}")
                return self._refuse(HubReply.OLD, batch.turn)
            log = self._begin(table, batch)
        elif log.id != table.log:
            self._alarm(table, "two logs", f"{batch.epoch[:8]}")
            return self._refuse(HubReply.OLD, batch.turn, log)
        return self._go_on(table, log, batch)

    def _go_on(self, table: TableRow, log: LogRow, batch: Batch) -> BatchAnswer:
        if batch.after > log.have:
            self._alarm_set_back(table, batch.after, log.have)
            return self._refuse(HubReply.GAP, batch.turn, log)
        known = batch.rows[: log.have - batch.after]
        if not self._are_stored(log, batch.after, known):
            return self._conflict(table, batch, log.have, log.seal)
        new = batch.rows[len(known) :]
        if not fits(new, log.seal):
            return self._conflict(table, batch, log.have, log.seal)
        for seq, (seal, line) in enumerate(new, start=log.have + 1):
            self._new.append({"log": log.id, "seq": seq, "seal": seal, "line": line})
            if f'"{KIND}"' in line:
                hear(self._connection, table.id, table.key, line)
            log.have, log.seal = seq, seal
        return self._kept(table, batch, log.have, log.seal)

    def _kept(self, table: TableRow, batch: Batch, have: int = 0, seal: str = "") -> BatchAnswer:
        if batch.view is not None:
            self._see(table, batch.view)
        return BatchAnswer(HubReply.KEPT, batch.turn, have, seal)

    def _are_stored(self, log: LogRow, after: int, rows: Sequence[Row]) -> bool:
        """Whether entries that came before are the same ones."""
        if not rows:
            return True
        last = after + len(rows)
        here = {each["seq"]: each["seal"] for each in self._new if each["log"] == log.id}
        query = select(entries.c.seq, entries.c.seal).where(
            entries.c.log == log.id, entries.c.seq > after, entries.c.seq <= last
        )
        stored = {row.seq: row.seal for row in self._connection.execute(query)} | here
        return all(stored.get(seq) == seal for seq, (seal, _) in enumerate(rows, start=after + 1))

    def _begins_too_often(self, table: TableRow) -> bool:
        """A log is begun where one was restored or a table paired anew: by people, a few a day."""
        if table.log is None:
            return False
        own = (logs.c.table_id == table.id) & (logs.c.begun > self._now - DAY_S)
        count = select(func.count()).select_from(logs).where(own)
        now = sum(each is table for each, _ in self._begun)
        return bool(self._connection.execute(count).scalar_one() + now >= MOST_LOGS)

    def _begin(self, table: TableRow, batch: Batch) -> LogRow:
        """A log in a new epoch takes the place of the one before."""
        first = batch.rows[0][0]
        for other in table.logs.values():
            if other.first == first:
                self._alarm(
                    table,
                    "restored",
                    f"{other.epoch[:8]} ({other.have}) → {batch.epoch[:8]}",
                )
        log = LogRow(-1 - len(self._begun), batch.epoch, first, 0, "")
        self._begun.append((table, log))
        table.logs[batch.epoch], table.log = log, log.id
        return log

    def _refuse(self, said: HubReply, turn: int, log: LogRow | None = None) -> BatchAnswer:
        self._refused[REFUSED[said]] += 1
        return BatchAnswer(said, turn, log.have if log else 0, log.seal if log else "")

    def _conflict(self, table: TableRow, batch: Batch, have: int, seal: str) -> BatchAnswer:
        self._refused[REFUSED[HubReply.CONFLICT]] += 1
        self._alarm(
            table,
            "conflict",
            f"{batch.epoch[:8]}: {batch.after + 1}–{batch.last} / {have}",
        )
        return BatchAnswer(HubReply.CONFLICT, batch.turn, have, seal)

    def _alarm(self, table: TableRow, kind: str, told: str) -> None:
        raise_alarm(self._connection, table.id, kind, told)

    def _alarm_set_back(self, table: TableRow, knew: int, have: int) -> None:
        """A table goes on after what a hub acknowledged: this database has lost it."""
        told = f"{knew} → {have}"
        raise_alarm(self._connection, table.id, "set back", told, alone=True)

    def _see(self, table: TableRow, view: Mapping[str, Any]) -> None:
        """Only the newest view of a table counts, and what it says of a call."""
        self._views[table.id] = view

    def _write(self) -> None:
        self._write_begun()
        add_rows(self._connection, entries, self._new)
        touched = [self._tables[key] for key in sorted({each.table for each in self._sent})
                   if key in self._tables]  # fmt: skip
        self._write_logs(touched)
        self._write_tables(touched)
        open_now = {table.id for table in self._tables.values() if table.is_called}
        note_calls(self._connection, self._views, open_now, self._now)
        _count(self._connection, self._refused)

    def _write_begun(self) -> None:
        """The new logs in one statement: at the begin of an evening every table has one."""
        if not self._begun:
            return
        rows = [
            {
                "table_id": table.id, "epoch": log.epoch, "first": log.first, "have": 0,
                "seal": "", "begun": self._now,
            }
            for table, log in self._begun
        ]  # fmt: skip
        query = insert(logs).returning(logs.c.id, sort_by_parameter_order=True)
        numbers = self._connection.execute(query, rows).scalars()
        given = dict(zip((log.id for _, log in self._begun), numbers, strict=True))
        for row in self._new:
            row["log"] = given.get(row["log"], row["log"])
        for table, log in self._begun:
            log.id = given[log.id]
            if table.log in given:
                table.log = given[table.log]

    def _write_tables(self, touched: Iterable[TableRow]) -> None:
        silent, shown = list[dict[str, Any]](), list[dict[str, Any]]()
        for each in touched:
            row = {"id": each.id, "turn": each.turn, "log": each.log, "seen": self._now}
            view = self._views.get(each.id)
            if view is None:
                silent.append(row)
            else:
                changed = max(each.changed + 1, int(self._now * 1000))
                shown.append(row | {"view": compact_json(view), "changed": changed})
        change_rows(self._connection, tables, silent)
        change_rows(self._connection, tables, shown)

    def _write_logs(self, touched: Iterable[TableRow]) -> None:
        grown = {row["log"] for row in self._new}
        rows = [
            {"id": log.id, "have": log.have, "seal": log.seal}
            for table in touched
            for log in table.logs.values()
            if log.id in grown
        ]
        change_rows(self._connection, logs, rows)


def _count(connection: Connection, counts: Mapping[str, int]) -> None:
    for why, count in sorted(counts.items()):
        connection.execute(new_rows(connection, refused).values(why=why, count=0))
        connection.execute(
            update(refused).where(refused.c.why == why).values(count=refused.c.count + count)
        )
