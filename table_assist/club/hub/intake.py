"""Batches of entries come in: stored once, in order, or refused; many of them in one transaction.

A table's row is locked while its batch is looked at, so that any number of processes may do this.
What is answered as kept is committed.
"""

import json
import queue
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, Engine, and_, exists, func, insert, select, update
from sqlalchemy.exc import OperationalError

from table_assist.club.acts import ActKind, CountsFor
from table_assist.club.hub.database import (
    TABLE_IN,
    add_rows,
    among,
    calls,
    change_rows,
    entries,
    given_s,
    hub_key_in,
    logs,
    new_rows,
    now_s,
    orders,
    players,
    reason,
    refused,
    sessions,
    tables,
)
from table_assist.club.hub.desk import note, plain, raise_alarm
from table_assist.club.orders import ORDER_KIND, KeptOrder, Order, OrderKind, kept_order
from table_assist.club.wire import Batch, BatchAnswer, HubReply, Row, fits
from table_assist.record.log import compact_json, entry_from_json

MOST_BATCHES = 256  # batches of one transaction
FAULT_S = 10.0  # tables that were not taken come again sooner, or have gone to another hub
MOST_LOGS = 100  # that a table begins in a day
DAY_S = 86_400.0
ORDERS_AT_ONCE = 8
REFUSED = {
    HubReply.OUT: "stranger",
    HubReply.TURN: "repetition",
    HubReply.GAP: "gap",
    HubReply.CONFLICT: "conflict",
    HubReply.OLD: "old log",
}
_KEY = re.compile(r"[0-9a-f]{32}")  # of an order, and of a call


@dataclass(frozen=True, slots=True)
class Sent:
    """A batch whose signature was found good, by the public key that signed it."""

    table: str
    batch: Batch


class Collector:
    """One thread writes what many bring: they wait once for the disk."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._fault, self._fault_at = "", 0.0
        self._inbox: queue.SimpleQueue[tuple[Sent, Future[BatchAnswer]] | None]
        self._inbox = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="intake", daemon=True)
        self._thread.start()

    def bring(self, sent: Sent) -> "Future[BatchAnswer]":
        """Bring a batch; what is said to it, or a SQLAlchemyError: nothing of it was stored."""
        answer: Future[BatchAnswer] = Future()
        self._inbox.put((sent, answer))
        return answer

    @property
    def fault(self) -> str:
        """Why the database took nothing a moment ago; empty where it does."""
        return self._fault if time.monotonic() < self._fault_at + FAULT_S else ""

    def close(self) -> None:
        """Write what has come, and end."""
        self._inbox.put(None)
        self._thread.join()

    def _run(self) -> None:
        got: list[tuple[Sent, Future[BatchAnswer]] | None] = []
        while None not in got:
            got = [self._inbox.get()]
            while len(got) < MOST_BATCHES and not self._inbox.empty():
                got.append(self._inbox.get())
            if together := [each for each in got if each is not None]:
                self._write(together)

    def _write(self, together: "list[tuple[Sent, Future[BatchAnswer]]]") -> None:
        try:
            answers = take(self._engine, [sent for sent, _ in together])
        except Exception as error:  # a fault of ours must not leave them waiting
            if len(together) > 1 and not isinstance(error, OperationalError):
                for each in together:  # one of them spoils it for all
                    self._write([each])
                return
            self._fault, self._fault_at = reason(error), time.monotonic()
            for _, waiting in together:
                waiting.set_exception(error)
            return
        self._fault = ""
        for (_, waiting), answer in zip(together, answers, strict=True):
            waiting.set_result(answer)


def take(engine: Engine, sent: Sequence[Sent]) -> list[BatchAnswer]:
    """Take batches in; when this returns, what is answered as kept is committed.

    Raises:
        SQLAlchemyError: nothing was stored.
    """
    with engine.begin() as connection:
        return _Taking(connection, sent).answers()


def count_refused(engine: Engine, why: str, count: int = 1) -> None:
    """Count what was refused before it was looked at closer."""
    with engine.begin() as connection:
        _count(connection, {why: count})


# -- tables as a transaction sees them: each locked, with the log that goes on ---------------------


@dataclass(slots=True)
class _Log:
    id: int
    epoch: str
    first: str
    have: int
    seal: str


@dataclass(slots=True)
class _Table:
    """A table that is let in."""

    id: int
    key: str
    turn: int
    changed: int
    log: int | None  # the number of the log that goes on
    is_called: bool = False  # a referee's call is open
    is_ordered: bool = False  # there are orders that are no entries yet
    logs: dict[str, _Log] = field(default_factory=dict)  # those that were read, by epoch


class _Taking:
    """One transaction."""

    def __init__(self, connection: Connection, sent: Sequence[Sent]) -> None:
        self._connection = connection
        self._sent = sent
        keys = {each.table for each in sent}
        query = (
            select(tables.c.id, tables.c.key, tables.c.turn, tables.c.changed, tables.c.log)
            .where(among(connection, tables.c.key, keys), tables.c.state == TABLE_IN)
            .order_by(tables.c.id)
            .with_for_update()
        )
        found = {row.id: _Table(*row) for row in connection.execute(query)}
        # What is around them is read after the lock, or it were that of before it.
        called = exists().where(calls.c.table_id == tables.c.id, calls.c.done == 0)
        ordered = exists().where(orders.c.table_id == tables.c.id, orders.c.seq == 0)
        around = (
            select(
                tables.c.id.label("table"), called.label("called"), ordered.label("ordered"), logs
            )
            .select_from(tables.outerjoin(logs, logs.c.id == tables.c.log))
            .where(among(connection, tables.c.id, list(found)))
        )  # fmt: skip
        for row in connection.execute(around) if found else ():
            table = found[row.table]
            table.is_called, table.is_ordered = bool(row.called), bool(row.ordered)
            if row.id is not None:
                table.logs[row.epoch] = _Log(row.id, row.epoch, row.first, row.have, row.seal)
        self._tables = {table.key: table for table in found.values()}
        self._now = now_s(connection)
        self._new: list[dict[str, Any]] = []
        self._begun: list[tuple[_Table, _Log]] = []  # numbered -1, -2, … until they are written
        self._views: dict[int, Mapping[str, Any]] = {}  # the newest of each table
        self._refused: Counter[str] = Counter()

    def answers(self) -> list[BatchAnswer]:
        """The answer to each batch."""
        said = [self._one(each) for each in self._sent]
        self._write()
        waiting = self._waiting()
        return [
            replace(answer, orders=waiting.get(each.table, ()))
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
        if batch.epoch not in table.logs and table.log is not None:  # one that this table left?
            for row in self._connection.execute(select(logs).where(logs.c.table_id == table.id)):
                there = _Log(row.id, row.epoch, row.first, row.have, row.seal)
                table.logs.setdefault(row.epoch, there)
        log = table.logs.get(batch.epoch)
        if log is None:
            if not batch.rows and not batch.after:
                return self._kept(table, batch)
            if batch.after:
                self._alarm(table, "set back", f"{batch.after} → 0", alone=True)
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
        if batch.after > log.have:
            # It goes on after what a hub acknowledged: this database has lost it.
            self._alarm(table, "set back", f"{batch.after} → {log.have}", alone=True)
            return self._refuse(HubReply.GAP, batch.turn, log)
        known = batch.rows[: log.have - batch.after]
        new = batch.rows[len(known) :]
        if not self._are_stored(log, batch.after, known) or not fits(new, log.seal):
            return self._conflict(table, batch, log.have, log.seal)
        for seq, (seal, line) in enumerate(new, start=log.have + 1):
            self._new.append({"log": log.id, "seq": seq, "seal": seal, "line": line})
            if f'"{ORDER_KIND}"' in line:
                _hear(self._connection, table, line, batch.epoch)
            log.have, log.seal = seq, seal
        return self._kept(table, batch, log.have, log.seal)

    def _kept(self, table: _Table, batch: Batch, have: int = 0, seal: str = "") -> BatchAnswer:
        if batch.view is not None:
            self._views[table.id] = batch.view
        return BatchAnswer(HubReply.KEPT, batch.turn, have, seal)

    def _are_stored(self, log: _Log, after: int, rows: Sequence[Row]) -> bool:
        """Whether entries that came before are the same ones."""
        if not rows:
            return True
        here = {each["seq"]: each["seal"] for each in self._new if each["log"] == log.id}
        query = select(entries.c.seq, entries.c.seal).where(
            entries.c.log == log.id, entries.c.seq > after, entries.c.seq <= after + len(rows)
        )
        stored = {row.seq: row.seal for row in self._connection.execute(query)} | here
        return all(stored.get(seq) == seal for seq, (seal, _) in enumerate(rows, start=after + 1))

    def _begins_too_often(self, table: _Table) -> bool:
        """A log is begun where one was restored or a table paired anew: by people, a few a day."""
        if table.log is None:
            return False
        own = (logs.c.table_id == table.id) & (logs.c.begun > self._now - DAY_S)
        count = select(func.count()).select_from(logs).where(own)
        now = sum(each is table for each, _ in self._begun)
        return bool(self._connection.execute(count).scalar_one() + now >= MOST_LOGS)

    def _begin(self, table: _Table, batch: Batch) -> _Log:
        """A log in a new epoch takes the place of the one before."""
        first = batch.rows[0][0]
        for other in table.logs.values():
            if other.first == first:
                told = f"{other.epoch[:8]} ({other.have}) → {batch.epoch[:8]}"
                self._alarm(table, "restored", told)
        log = _Log(-1 - len(self._begun), batch.epoch, first, 0, "")
        self._begun.append((table, log))
        table.logs[batch.epoch], table.log = log, log.id
        return log

    def _refuse(self, said: HubReply, turn: int, log: _Log | None = None) -> BatchAnswer:
        self._refused[REFUSED[said]] += 1
        return BatchAnswer(said, turn, log.have if log else 0, log.seal if log else "")

    def _conflict(self, table: _Table, batch: Batch, have: int, seal: str) -> BatchAnswer:
        self._refused[REFUSED[HubReply.CONFLICT]] += 1
        told = f"{batch.epoch[:8]}: {batch.after + 1}–{batch.last} / {have}"
        self._alarm(table, "conflict", told)
        return BatchAnswer(HubReply.CONFLICT, batch.turn, have, seal)

    def _alarm(self, table: _Table, kind: str, told: str, *, alone: bool = False) -> None:
        raise_alarm(self._connection, table.id, kind, told, alone=alone)

    def _write(self) -> None:
        self._write_begun()
        add_rows(self._connection, entries, self._new)
        grown = {row["log"] for row in self._new}
        there = sorted({each.table for each in self._sent} & self._tables.keys())
        touched = [self._tables[key] for key in there]
        changed = [
            {"id": log.id, "have": log.have, "seal": log.seal}
            for table in touched
            for log in table.logs.values()
            if log.id in grown
        ]
        change_rows(self._connection, logs, changed)
        silent, shown = list[dict[str, Any]](), list[dict[str, Any]]()
        for each in touched:
            row = {"id": each.id, "turn": each.turn, "log": each.log, "seen": self._now}
            if (view := self._views.get(each.id)) is None:
                silent.append(row)
            else:
                newer = max(each.changed + 1, int(self._now * 1000))
                shown.append(row | {"view": compact_json(view), "changed": newer})
        change_rows(self._connection, tables, silent)
        change_rows(self._connection, tables, shown)
        self._write_calls()
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

    def _write_calls(self) -> None:
        """Open the calls for a referee that views name, and close those that they name no more."""
        called = {
            id: call
            for id, view in self._views.items()
            if isinstance(call := view.get("call"), dict) and _KEY.fullmatch(call.get("key", ""))
        }
        open_now = {table.id for table in self._tables.values() if table.is_called}
        if quiet := sorted((self._views.keys() - called.keys()) & open_now):
            # Until the table knows that its call is open again, it says nothing of it.
            again = select(orders.c.table_id).where(
                among(self._connection, orders.c.table_id, quiet),
                orders.c.kind == OrderKind.CALL_AGAIN,
                orders.c.seq == 0,
            )
            waits = and_(
                among(self._connection, calls.c.table_id, quiet),
                calls.c.done == 0,
                calls.c.table_id.not_in(again),
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

    def _waiting(self) -> dict[str, tuple[Order, ...]]:
        """Orders that are no entries yet, by the table's public key."""
        ordered = {table.id: key for key, table in self._tables.items() if table.is_ordered}
        epochs = {each.table: each.batch.epoch for each in self._sent}
        query = (
            select(orders.c.table_id, orders.c.order)
            .where(among(self._connection, orders.c.table_id, list(ordered)), orders.c.seq == 0)
            .order_by(orders.c.id)
        )
        found: dict[str, tuple[Order, ...]] = {}
        if not ordered:
            return found
        hub = hub_key_in(self._connection)
        for row in self._connection.execute(query):
            key = ordered[row.table_id]
            before = found.get(key, ())
            if len(before) < ORDERS_AT_ONCE:
                order = Order.of_row(json.loads(row.order))
                if order.is_by(hub.public, key):
                    order = order.for_log(epochs[key]).signed(hub, key)
                found[key] = (*before, order)
        return found


def _count(connection: Connection, counts: Mapping[str, int]) -> None:
    for why, count in sorted(counts.items()):
        connection.execute(new_rows(connection, refused).values(why=why, count=0))
        more = update(refused).where(refused.c.why == why)
        connection.execute(more.values(count=refused.c.count + count))


# -- what became of orders -------------------------------------------------------------------------


def _hear(connection: Connection, table: _Table, line: str, epoch: str) -> None:
    """A table's entry tells what became of an order."""
    kept = kept_order(entry_from_json(line))
    if kept is None or kept.order.kind is OrderKind.CALL or not _KEY.fullmatch(kept.order.key):
        return
    if not kept.order.is_for(epoch):
        told = f"{str(kept.order.content['log'])[:8]} → {epoch[:8]}"
        raise_alarm(connection, table.id, "another log", told)
        return
    if kept.order.kind is OrderKind.PROFILE and kept.refused:
        wanted, own = (str(each.get("hash", ""))[:8] for each in (kept.order.content, kept.answer))
        raise_alarm(connection, table.id, "profile", f"{own} ≠ {wanted}")
    heard = connection.execute(
        update(orders)
        .where(orders.c.key == kept.order.key, orders.c.table_id == table.id)
        .values(seq=kept.seq, refused=plain(kept.refused))
    )
    if not heard.rowcount and kept.order.is_by(hub_key_in(connection).public, table.key):
        _recover(connection, table.id, kept)


def _recover(connection: Connection, table: int, kept: KeptOrder) -> None:
    """The hub has signed this order and does not know it: its database was set back.

    The order is entered again, with the session and the players of whom it speaks; and somebody
    at the desk is told.
    """
    order = kept.order
    given = {
        "key": order.key, "table_id": table, "order": json.dumps(asdict(order)), "at": time.time(),
        "seq": kept.seq, "refused": plain(kept.refused), "kind": order.kind,
    }  # fmt: skip
    new = new_rows(connection, orders).values(**given).returning(orders.c.id)
    if connection.execute(new).scalar() is None:
        return
    raise_alarm(connection, table, "unknown order", f"{order.kind} {order.key[:8]}", alone=True)
    if order.kind not in (OrderKind.SEATS, OrderKind.STAND_IN) or kept.refused:
        return
    with suppress(KeyError, TypeError, ValueError):  # of a version that wrote it otherwise
        content = order.content
        number, round = int(content["session"]), int(content["round"])
        ids = content.get("players") or [content["by"]]
        names = content.get("names") or [content.get("name", "")]
        if not number:
            return
        session = {"id": number, "name": f"#{number}", "begun": given_s(number), "public": False}
        connection.execute(new_rows(connection, sessions).values(**session))
        for id, name in zip(ids, names, strict=False):
            player = {"id": id, "name": name or f"#{id}", "number": f"#{id}", "hidden": False}
            connection.execute(new_rows(connection, players).values(**player))
        for replaced, sits in _stand_ins(order):
            counts = sits in content.get("for_others", ())
            done = {
                "player": replaced, "by": sits, "first": round, "last": round,
                "counts_for": (CountsFor.REPLACED if counts else CountsFor.SITTER).value,
            }  # fmt: skip
            note(connection, ActKind.STAND_IN, done, order.by, number)


def _stand_ins(order: Order) -> Iterator[tuple[int, int]]:
    content = order.content
    if order.kind is OrderKind.STAND_IN:
        yield content.get("planned", content["player"]), content["by"]
    else:
        both = zip(content.get("planned", ()), content["players"], strict=False)
        yield from ((planned, sits) for planned, sits in both if planned != sits)
