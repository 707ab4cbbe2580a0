"""Standings of the whole club, made of the logs that count; and the report that proves them.

Of logs that begin with the same entry (one was restored from a copy of the other) the newest
counts. What a log says is folded once and kept in memory until the log grows.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, select

from table_assist.club.hub.base import hub_key, reading
from table_assist.club.hub.schema import corrections, entries, logs, players, sessions, tables
from table_assist.club.standing import Told, told_by
from table_assist.record.log import entries_from_json
from table_assist.record.seal import seal_after
from table_assist.words import NOTHING, Words

_COLUMNS = (
    logs.c.id, logs.c.table_id, logs.c.first, logs.c.have, tables.c.name, tables.c.key,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Log:
    """A log that counts.

    Attributes:
        fault: what is wrong with its entries; nothing where all is well.
    """

    id: int
    table: int
    name: str
    have: int
    told: Told
    fault: Words


@dataclass(frozen=True, slots=True)
class Place:
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
    """What must add up to zero, and whether it does."""

    what: Words
    holds: bool
    told: Words


class Ledger:
    """Reads the logs; any thread."""

    def __init__(self, base: Engine) -> None:
        self._base = base
        self._hub = hub_key(base)
        self._folded: dict[int, Log] = {}
        self._lock = threading.Lock()

    def logs(self) -> list[Log]:
        """Every log that counts, by table."""
        with self._lock, reading(self._base) as connection:
            query = (
                select(*_COLUMNS)
                .join(tables, tables.c.id == logs.c.table_id)
                .order_by(logs.c.table_id, logs.c.id)
            )
            newest = {(row.table_id, row.first): row for row in connection.execute(query)}
            found = []
            for row in newest.values():
                known = self._folded.get(row.id)
                if known is None or (known.have, known.name) != (row.have, row.name):
                    own = (
                        select(entries.c.seq, entries.c.seal, entries.c.line)
                        .where(entries.c.log == row.id)
                        .order_by(entries.c.seq)
                    )
                    rows = [(seq, seal, line) for seq, seal, line in connection.execute(own)]
                    told = self._told([line for _, _, line in rows], row.key)
                    fault = _fault(rows, row.have)
                    known = Log(row.id, row.table_id, row.name, row.have, told, fault)
                    self._folded[row.id] = known
                found.append(known)
            self._folded = {log.id: log for log in found}
        return found

    def _told(self, lines: list[str], table: str) -> Told:
        hub = self._hub.public
        return told_by(entries_from_json(lines), lambda order: order.is_by(hub, table))

    def standing(self, session: int) -> list[Place]:
        """The players of a session, the best first."""
        found: dict[int, list[int]] = {}
        for log in self.logs():
            for stretch in log.told.stretches:
                if stretch.session == session:
                    for person, player in enumerate(stretch.players):
                        row = found.setdefault(player, [0, 0, 0, 0, 0])
                        row[0] += stretch.points[person]
                        row[2] += stretch.hands
                        row[3] += stretch.wins[person]
                        row[4] = max(row[4], stretch.best[person])
        with reading(self._base) as connection:
            query = select(corrections.c.player_id, corrections.c.points).where(
                corrections.c.session_id == session, corrections.c.undone == ""
            )
            for player, points in connection.execute(query):
                row = found.setdefault(player, [0, 0, 0, 0, 0])
                row[0] += points
                row[1] += points
            people = {row.id: row for row in connection.execute(select(players))}
        places = [
            Place(player, people[player].name, people[player].number, people[player].hidden, *row)
            if player in people
            else Place(player, f"#{player}", str(player), False, *row)
            for player, row in found.items()
        ]
        return sorted(places, key=lambda each: (-each.points, -each.wins, each.name))

    def reconciled(self) -> list[Sum]:
        """Everything that must add up, all of it read anew."""
        every = Ledger(self._base).logs()
        total = sum(sum(stretch.points) for log in every for stretch in log.told.stretches)
        told = Words(
            f"{len(every)} logs, {total} points together", f"{len(every)} 份日志，合计 {total} 分"
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
        f"{len(points)} corrections, {total} points together",
        f"{len(points)} 项更正，合计 {total} 分",
    )
    return Sum(Words(f"corrections of {name}", f"{name} 的更正"), total == 0, told)


def _of_log(log: Log) -> Sum:
    total = sum(sum(stretch.points) for stretch in log.told.stretches)
    hands = sum(stretch.hands for stretch in log.told.stretches)
    fault = log.fault
    if not fault and log.told.uneven:
        numbers = ", ".join(map(str, log.told.uneven))
        fault = Words(
            f"entries {numbers} move points that do not add up to 0",
            f"第 {numbers} 条的分数合计不为 0",
        )
    told = Words(
        f"{log.have} entries, every seal fits; {hands} hands, {total} points together",
        f"{log.have} 条记录，封印全部相符；{hands} 局，合计 {total} 分",
    )
    return Sum(Words(log.name, log.name), not fault and total == 0, fault or told)


def _fault(rows: Sequence[tuple[int, str, str]], have: int) -> Words:
    seal = ""
    for place, (seq, kept, line) in enumerate(rows, start=1):
        if seq != place:
            return Words(f"entry {place} is missing", f"缺少第 {place} 条")
        seal = seal_after(seal, line)
        if seal != kept:
            return Words(f"entry {seq} is not what the table sent", f"第 {seq} 条与牌桌上传的不同")
    if len(rows) == have:
        return NOTHING
    return Words(f"it holds {len(rows)} of {have} entries", f"只有 {have} 条中的 {len(rows)} 条")
