"""Batches of entries come in: stored once, in order, or refused; many of them in one transaction.

A table's row is locked while its batch is looked at, so that any number of processes may do this.
What is answered as kept is committed.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine, and_, bindparam, func, insert, select, update

from table_assist.club.hub.alarms import new_rows, plain, raise_alarm
from table_assist.club.hub.base import hub_key_in, now_s
from table_assist.club.hub.recovering import recover
from table_assist.club.hub.schema import (
    IN,
    calls,
    entries,
    logs,
    orders,
    refused,
    tables,
)
from table_assist.club.told import KIND, Kind, Order, kept_order
from table_assist.club.wire import Answer, Batch, Row, Said, fits
from table_assist.record.log import entry_from_json

ORDERS_AT_ONCE = 8
MOST_LOGS, DAY_S = 100, 86_400.0  # that a table begins in a day
_KEY = re.compile(r"[0-9a-f]{32}")
REFUSED = {
    Said.OUT: "stranger",
    Said.TURN: "repetition",
    Said.GAP: "gap",
    Said.CONFLICT: "conflict",
    Said.OLD: "old log",
}


@dataclass(frozen=True, slots=True)
class Sent:
    """A batch whose signature was found good.

    Attributes:
        table: the public key that signed it.
    """

    table: str
    batch: Batch


@dataclass(slots=True)
class _Log:
    """A log as the transaction sees it."""

    id: int
    epoch: str
    first: str
    have: int
    seal: str


@dataclass(slots=True)
class _Table:
    id: int
    key: str
    turn: int
    changed: int
    log: int | None
    logs: dict[str, _Log] = field(default_factory=dict)


def take(engine: Engine, sent: Sequence[Sent]) -> list[Answer]:
    """Take batches in; when this returns, what is answered as kept is committed.

    Raises:
        SQLAlchemyError: nothing was stored.
    """
    with engine.begin() as connection:
        return _Taking(connection, sent, _tables(connection, sent)).answers()


def take_free(engine: Engine, sent: Sequence[Sent]) -> list[Answer | None]:
    """The same, without waiting for tables that another process holds: for those there is None.

    A process may be stopped in the middle of its transaction; only its own tables wait for it.

    Raises:
        SQLAlchemyError: nothing was stored.
    """
    with engine.begin() as connection:
        free = _tables(connection, sent, skip_locked=True)
        held = _held(connection, {each.table for each in sent} - free.keys())
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
        self, connection: Connection, sent: Sequence[Sent], tables: dict[str, _Table]
    ) -> None:
        self._connection = connection
        self._sent = sent
        self._now = now_s(connection)
        self._tables = tables
        self._new: list[dict[str, Any]] = []
        self._views: dict[int, Mapping[str, Any]] = {}
        self._refused: Counter[str] = Counter()

    def answers(self) -> list[Answer]:
        """What is said to each."""
        said = [self._one(each) for each in self._sent]
        self._write()
        waiting = self._waiting()
        return [
            Answer(answer.said, answer.turn, answer.have, answer.seal, waiting.get(each.table, ()))
            if answer.said in (Said.KEPT, Said.GAP)
            else answer
            for each, answer in zip(self._sent, said, strict=True)
        ]

    def _one(self, sent: Sent) -> Answer:
        table, batch = self._tables.get(sent.table), sent.batch
        if table is None:
            return self._refuse(Said.OUT, batch.turn)
        if batch.turn <= table.turn:
            return self._refuse(Said.TURN, table.turn)
        table.turn = batch.turn
        log = table.logs.get(batch.epoch)
        if log is None:
            if not batch.rows and not batch.after:
                return self._kept(table, batch)
            if batch.after:
                self._alarm_set_back(table, batch.after, 0)
                return self._refuse(Said.GAP, batch.turn)
            if not fits(batch.rows, ""):
                return self._conflict(table, batch, 0, "")
            if self._begins_too_often(table):
                self._alarm(table, "two logs", f"> {MOST_LOGS}")
                return self._refuse(Said.OLD, batch.turn)
            log = self._begin(table, batch)
        elif log.id != table.log:
            self._alarm(table, "two logs", f"{batch.epoch[:8]}")
            return self._refuse(Said.OLD, batch.turn, log)
        return self._go_on(table, log, batch)

    def _go_on(self, table: _Table, log: _Log, batch: Batch) -> Answer:
        if batch.after > log.have:
            self._alarm_set_back(table, batch.after, log.have)
            return self._refuse(Said.GAP, batch.turn, log)
        known = batch.rows[: log.have - batch.after]
        if not self._are_stored(log, batch.after, known):
            return self._conflict(table, batch, log.have, log.seal)
        new = batch.rows[len(known) :]
        if not fits(new, log.seal):
            return self._conflict(table, batch, log.have, log.seal)
        for seq, (seal, line) in enumerate(new, start=log.have + 1):
            self._new.append({"log": log.id, "seq": seq, "seal": seal, "line": line})
            if f'"{KIND}"' in line:
                self._hear(table, line)
            log.have, log.seal = seq, seal
        return self._kept(table, batch, log.have, log.seal)

    def _kept(self, table: _Table, batch: Batch, have: int = 0, seal: str = "") -> Answer:
        if batch.view is not None:
            self._see(table, batch.view)
        return Answer(Said.KEPT, batch.turn, have, seal)

    def _are_stored(self, log: _Log, after: int, rows: Sequence[Row]) -> bool:
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

    def _begins_too_often(self, table: _Table) -> bool:
        """A log is begun where one was restored or a table paired anew: by people, a few a day."""
        own = (logs.c.table_id == table.id) & (logs.c.begun > self._now - DAY_S)
        count = select(func.count()).select_from(logs).where(own)
        return bool(self._connection.execute(count).scalar_one() >= MOST_LOGS)

    def _begin(self, table: _Table, batch: Batch) -> _Log:
        """A log in a new epoch takes the place of the one before."""
        first = batch.rows[0][0]
        for other in table.logs.values():
            if other.first == first:
                self._alarm(
                    table,
                    "restored",
                    f"{other.epoch[:8]} ({other.have}) → {batch.epoch[:8]}",
                )
        given = {
            "table_id": table.id, "epoch": batch.epoch, "first": first, "have": 0, "seal": "",
            "begun": self._now,
        }  # fmt: skip
        made = self._connection.execute(insert(logs).values(**given)).inserted_primary_key
        assert made is not None
        log = _Log(int(made[0]), batch.epoch, first, 0, "")
        table.logs[batch.epoch], table.log = log, log.id
        return log

    def _refuse(self, said: Said, turn: int, log: _Log | None = None) -> Answer:
        self._refused[REFUSED[said]] += 1
        return Answer(said, turn, log.have if log else 0, log.seal if log else "")

    def _conflict(self, table: _Table, batch: Batch, have: int, seal: str) -> Answer:
        self._refused[REFUSED[Said.CONFLICT]] += 1
        self._alarm(
            table,
            "conflict",
            f"{batch.epoch[:8]}: {batch.after + 1}–{batch.last} / {have}",
        )
        return Answer(Said.CONFLICT, batch.turn, have, seal)

    def _alarm(self, table: _Table, kind: str, told: str) -> None:
        raise_alarm(self._connection, table.id, kind, told)

    def _alarm_set_back(self, table: _Table, knew: int, have: int) -> None:
        """A table goes on after what a hub acknowledged: this database has lost it."""
        told = f"{knew} → {have}"
        raise_alarm(self._connection, table.id, "set back", told, alone=True)

    def _hear(self, table: _Table, line: str) -> None:
        """An order has become an entry."""
        kept = kept_order(entry_from_json(line))
        if kept is None or kept.order.kind is Kind.CALL or not _KEY.fullmatch(kept.order.key):
            return
        if kept.order.kind is Kind.PROFILE and kept.refused:
            wanted, own = (
                str(each.get("hash", ""))[:8] for each in (kept.order.content, kept.answer)
            )
            self._alarm(table, "profile", f"{own} ≠ {wanted}")
        heard = self._connection.execute(
            update(orders)
            .where(orders.c.key == kept.order.key, orders.c.table_id == table.id)
            .values(seq=kept.seq, refused=plain(kept.refused))
        )
        if not heard.rowcount:
            hub = hub_key_in(self._connection).public
            recover(self._connection, hub, (table.id, table.key), kept)

    def _see(self, table: _Table, view: Mapping[str, Any]) -> None:
        """Only the newest view of a table counts, and what it says of a call."""
        self._views[table.id] = view

    def _write_calls(self) -> None:
        """Whether a referee is called stands in the view."""
        called = {id: view["call"] for id, view in self._views.items() if _is_call(view)}
        quiet = sorted(self._views.keys() - called.keys())
        if quiet:
            # Until the table knows that its call is open again, it says nothing of it.
            again = select(orders.c.table_id).where(
                orders.c.table_id.in_(quiet), orders.c.kind == Kind.CALL_AGAIN, orders.c.seq == 0
            )
            waits = and_(
                calls.c.table_id.in_(quiet), calls.c.done == 0, calls.c.table_id.not_in(again)
            )
            self._connection.execute(update(calls).where(waits).values(done=self._now))
        rows = [
            {
                "key": call["key"], "table_id": id, "at": self._now, "going": "",
                "reason": plain(call.get("reason", "")), "done": 0,
            }
            for id, call in called.items()
        ]  # fmt: skip
        if rows:
            self._connection.execute(new_rows(self._connection, calls), rows)

    def _write(self) -> None:
        if self._new:
            self._connection.execute(insert(entries), self._new)
        touched = [self._tables[key] for key in sorted({each.table for each in self._sent})
                   if key in self._tables]  # fmt: skip
        self._write_logs(touched)
        self._write_tables(touched)
        self._write_calls()
        _count(self._connection, self._refused)

    def _write_tables(self, touched: Iterable[_Table]) -> None:
        silent, shown = list[dict[str, Any]](), list[dict[str, Any]]()
        for each in touched:
            row = {"b_id": each.id, "b_turn": each.turn, "b_log": each.log, "b_seen": self._now}
            view = self._views.get(each.id)
            if view is None:
                silent.append(row)
            else:
                changed = max(each.changed + 1, int(self._now * 1000))
                shown.append(row | {"b_view": _json(view), "b_changed": changed})
        if silent:
            self._update(tables, ("turn", "log", "seen"), silent)
        if shown:
            self._update(tables, ("turn", "log", "seen", "view", "changed"), shown)

    def _write_logs(self, touched: Iterable[_Table]) -> None:
        grown = {row["log"] for row in self._new}
        rows = [
            {"b_id": log.id, "b_have": log.have, "b_seal": log.seal}
            for table in touched
            for log in table.logs.values()
            if log.id in grown
        ]
        if rows:
            self._update(logs, ("have", "seal"), rows)

    def _update(self, table: Any, names: Iterable[str], rows: list[dict[str, Any]]) -> None:
        """Rows of `b_id` and the new values."""
        values: dict[str, Any] = {name: bindparam(f"b_{name}") for name in names}
        self._connection.execute(
            update(table).where(table.c.id == bindparam("b_id")).values(**values), rows
        )

    def _waiting(self) -> dict[str, tuple[Order, ...]]:
        """Orders that are no entries yet, by the table's key."""
        keys = {table.id: key for key, table in self._tables.items()}
        query = (
            select(orders.c.table_id, orders.c.order)
            .where(orders.c.table_id.in_(list(keys)), orders.c.seq == 0)
            .order_by(orders.c.id)
        )
        found: dict[str, tuple[Order, ...]] = {}
        for row in self._connection.execute(query):
            key = keys[row.table_id]
            before = found.get(key, ())
            if len(before) < ORDERS_AT_ONCE:
                found[key] = (*before, Order.of_row(json.loads(row.order)))
        return found


def _is_call(view: Mapping[str, Any]) -> bool:
    call = view.get("call")
    return isinstance(call, dict) and bool(_KEY.fullmatch(call.get("key", "")))


def _json(view: Mapping[str, Any]) -> str:
    return json.dumps(view, ensure_ascii=False, separators=(",", ":"))


def _tables(
    connection: Connection, sent: Iterable[Sent], *, skip_locked: bool = False
) -> dict[str, _Table]:
    """The tables of these batches that are let in, each locked, with their logs."""
    keys = {each.table for each in sent}
    query = (
        select(tables.c.id, tables.c.key, tables.c.turn, tables.c.changed, tables.c.log)
        .where(tables.c.key.in_(keys), tables.c.state == IN)
        .order_by(tables.c.id)
        .with_for_update(skip_locked=skip_locked)
    )
    found = {
        row.key: _Table(row.id, row.key, row.turn, row.changed, row.log)
        for row in connection.execute(query)
    }
    by_id = {table.id: table for table in found.values()}
    of_them = select(logs).where(logs.c.table_id.in_(list(by_id)))
    for row in connection.execute(of_them):
        by_id[row.table_id].logs[row.epoch] = _Log(row.id, row.epoch, row.first, row.have, row.seal)
    return found


def _held(connection: Connection, keys: Collection[str]) -> set[str]:
    """Which of these tables are let in all the same."""
    query = select(tables.c.key).where(tables.c.key.in_(keys), tables.c.state == IN)
    return set(connection.execute(query).scalars()) if keys else set()


def _count(connection: Connection, counts: Mapping[str, int]) -> None:
    for why, count in sorted(counts.items()):
        connection.execute(new_rows(connection, refused).values(why=why, count=0))
        connection.execute(
            update(refused).where(refused.c.why == why).values(count=refused.c.count + count)
        )
