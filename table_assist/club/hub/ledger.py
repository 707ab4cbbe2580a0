"""Standings of the whole club, made of the logs that count; and the report that proves them.

Of logs that begin with the same entry (one was restored from a copy of the other) the newest
counts. Each process folds a log once, and then what is added to it.
"""

import threading
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import SQLAlchemyError

from table_assist.club.hub.base import hub_key, reading
from table_assist.club.hub.roster import roster_of
from table_assist.club.hub.schema import corrections, entries, logs, players, sessions, tables
from table_assist.club.standing import Folding, PlayedStretch, ToldStanding
from table_assist.languages.words import NOTHING, Words
from table_assist.record.log import entries_from_json
from table_assist.record.seal import seal_after

AT_ONCE = 5000  # entries
_COLUMNS = (
    logs.c.id, logs.c.table_id, logs.c.epoch, logs.c.first, logs.c.have, tables.c.name,
    tables.c.key,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StoredLog:
    """A log that counts.

    Attributes:
        fault: what is wrong with its entries; nothing where all is well.
    """

    id: int
    table: int
    name: str
    have: int
    told: ToldStanding
    fault: Words


@dataclass(frozen=True, slots=True)
class LedgerPlace:
    """A player's line of a standing.

    Attributes:
        points: corrections included.
        corrected: the part of it that directors corrected.
    """

    player: int
    name: str
    number: str
    hidden: bool
    points: int
    corrected: int
    hands: int
    wins: int
    best: int


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum that must be zero, and whether it is."""

    what: Words
    holds: bool
    told: Words


@dataclass(slots=True)
class _Reading:
    """A log as far as it was read."""

    epoch: str
    folding: Folding
    seal: str = ""
    fault: Words = NOTHING

    def add(self, rows: list[tuple[int, str, str]]) -> bool:
        """False where the log must be read anew."""
        due = self.folding.seq + 1
        if not self.folding.add(entries_from_json([line for _, _, line in rows])):
            return False
        if not self.fault:
            self.fault, self.seal = _fault(rows, due, self.seal)
        return True


class Ledger:
    """Reads the logs; any thread.

    Attributes:
        version: grows whenever what the logs say has changed.
    """

    def __init__(self, base: Engine) -> None:
        self._base = base
        self._hub = hub_key(base)
        self._read: dict[int, _Reading] = {}
        self._told: dict[int, StoredLog] = {}
        self._lock = threading.Lock()
        self.version = 0

    def warm(self) -> None:
        """Fold what there is, as far as the database answers; who asks later waits for less."""
        with suppress(SQLAlchemyError):
            self.logs()

    def logs(self) -> list[StoredLog]:
        """Every log that counts, by table."""
        with self._lock, reading(self._base) as connection:
            query = (
                select(*_COLUMNS)
                .join(tables, tables.c.id == logs.c.table_id)
                .order_by(logs.c.table_id, logs.c.id)
            )
            newest = {(row.table_id, row.first): row for row in connection.execute(query)}
            found = {row.id: self._log(connection, row) for row in newest.values()}
            if found != self._told:
                self.version += 1
            self._told = found
            self._read = {id: self._read[id] for id in found}
            return list(found.values())

    def _log(self, connection: Connection, row: Any) -> StoredLog:
        known, read = self._told.get(row.id), self._read.get(row.id)
        if read is None or read.epoch != row.epoch or read.folding.seq > row.have:
            known, read = None, self._new(row)  # new, or the database was set back
            self._read[row.id] = read
        if known is not None and (known.have, known.name) == (row.have, row.name):
            return known
        if not all(map(read.add, _rows_after(connection, row.id, read.folding.seq))):
            read = self._read[row.id] = self._new(row)
            for rows in _rows_after(connection, row.id, 0, whole=True):
                read.add(rows)
        fault, there = read.fault, read.folding.seq
        if not fault and there != row.have:
            fault = Words(
                "it holds {there} of {have} entries",
                "只有 {have} 条中的 {there} 条",
                there=there,
                have=row.have,
            )
        return StoredLog(row.id, row.table_id, row.name, row.have, read.folding.told, fault)

    def _new(self, row: Any) -> _Reading:
        hub, table = self._hub.public, row.key
        return _Reading(row.epoch, Folding(lambda order: order.is_by(hub, table)))

    def stretches(self, of: Collection[int]) -> list[PlayedStretch]:
        """All that was played in these sessions."""
        return [
            stretch
            for log in self.logs()
            for stretch in log.told.stretches
            if stretch.session in of
        ]

    def standing(self, *of: int) -> list[LedgerPlace]:
        """The players of one session, or of several together, the best first."""
        found: dict[int, list[int]] = {}
        rosters = {session: roster_of(self._base, session) for session in of}
        for stretch in self.stretches(of):
            for person, sitting in enumerate(stretch.players):
                player = rosters[stretch.session].credited(sitting, stretch.round)
                row = found.setdefault(player, [0, 0, 0, 0, 0])
                row[0] += stretch.points[person]
                row[2] += stretch.hands
                row[3] += stretch.wins[person]
                row[4] = max(row[4], stretch.best[person])
        with reading(self._base) as connection:
            query = select(corrections.c.player_id, corrections.c.points).where(
                corrections.c.session_id.in_(of), corrections.c.undone == ""
            )
            for player, points in connection.execute(query):
                row = found.setdefault(player, [0, 0, 0, 0, 0])
                row[0] += points
                row[1] += points
            people = {row.id: row for row in connection.execute(select(players))}
        places = [
            LedgerPlace(
                player, people[player].name, people[player].number, people[player].hidden, *row
            )
            if player in people
            else LedgerPlace(player, f"#{player}", str(player), False, *row)
            for player, row in found.items()
        ]
        return sorted(places, key=lambda each: (-each.points, -each.wins, each.name))

    def reconciled(self) -> list[Sum]:
        """Everything that must add up, all of it read anew."""
        every = Ledger(self._base).logs()
        total = sum(sum(stretch.points) for log in every for stretch in log.told.stretches)
        told = Words(
            "{count} logs, {total} points together",
            "{count} 份日志，合计 {total} 分",
            count=len(every),
            total=total,
        )
        rows = [*map(_of_log, every), Sum(Words("all tables", "所有牌桌"), total == 0, told)]
        with reading(self._base) as connection:
            query = (
                select(sessions.c.name, corrections.c.points)
                .join(sessions, sessions.c.id == corrections.c.session_id)
                .where(corrections.c.undone == "")
            )
            of: dict[str, list[int]] = {}
            for name, points in connection.execute(query):
                of.setdefault(name, []).append(points)
        return rows + [_of_corrections(name, points) for name, points in sorted(of.items())]


def _of_corrections(name: str, points: list[int]) -> Sum:
    total = sum(points)
    told = Words(
        "{count} corrections, {total} points together",
        "{count} 项更正，合计 {total} 分",
        count=len(points),
        total=total,
    )
    return Sum(Words("corrections of {name}", "{name} 的更正", name=name), total == 0, told)


def _of_log(log: StoredLog) -> Sum:
    total = sum(sum(stretch.points) for stretch in log.told.stretches)
    hands = sum(stretch.hands for stretch in log.told.stretches)
    fault = log.fault
    if not fault and log.told.uneven:
        numbers = ", ".join(map(str, log.told.uneven))
        fault = Words(
            "entries {numbers} move points that do not add up to 0",
            "第 {numbers} 条的分数合计不为 0",
            numbers=numbers,
        )
    told = Words(
        "{have} entries, every seal fits; {hands} hands, {total} points together",
        "{have} 条记录，封印全部相符；{hands} 局，合计 {total} 分",
        have=log.have,
        hands=hands,
        total=total,
    )
    return Sum(Words(log.name, log.name), not fault and total == 0, fault or told)


def _rows_after(
    connection: Connection, log: int, seq: int, *, whole: bool = False
) -> Iterable[list[tuple[int, str, str]]]:
    """The rows after an entry: part by part, or in one (a correction may reach anywhere)."""
    own = (
        select(entries.c.seq, entries.c.seal, entries.c.line)
        .where(entries.c.log == log)
        .order_by(entries.c.seq)
    )
    while True:
        part = own.where(entries.c.seq > seq)
        rows = connection.execute(part if whole else part.limit(AT_ONCE)).all()
        if not rows:
            return
        yield [(row.seq, row.seal, row.line) for row in rows]
        seq = rows[-1].seq


def _fault(rows: list[tuple[int, str, str]], due: int, seal: str) -> tuple[Words, str]:
    """The fault of rows that begin with a number, after this seal; the last row's seal."""
    for place, (seq, kept, line) in enumerate(rows, start=due):
        if seq != place:
            return Words("entry {place} is missing", "缺少第 {place} 条", place=place), seal
        seal = seal_after(seal, line)
        if seal != kept:
            return Words(
                "entry {seq} is not what the table sent", "第 {seq} 条与牌桌上传的不同", seq=seq
            ), seal
    return NOTHING, seal
