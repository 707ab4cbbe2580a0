"""Standings of the whole club, made of the logs that count; and the report that proves them.

Of logs that begin with the same entry (one was restored from a copy of the other) the newest
counts. What a log says is folded once and kept in memory until the log grows.
"""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, select

from table_assist.club.hub.base import reading
from table_assist.club.hub.schema import corrections, entries, logs, players, sessions, tables
from table_assist.club.standing import Told, told_by
from table_assist.record.log import entries_from_json
from table_assist.record.seal import seal_after


@dataclass(frozen=True, slots=True)
class Log:
    """A log that counts.

    Attributes:
        fault: what is wrong with its entries, in one sentence; empty for nothing.
    """

    id: int
    table: int
    name: str
    have: int
    told: Told
    fault: str


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


class Ledger:
    """Reads the logs; any thread."""

    def __init__(self, base: Engine) -> None:
        self._base = base
        self._folded: dict[int, Log] = {}
        self._lock = threading.Lock()

    def logs(self) -> list[Log]:
        """Every log that counts, by table."""
        with self._lock, reading(self._base) as connection:
            query = (
                select(logs.c.id, logs.c.table_id, logs.c.first, logs.c.have, tables.c.name)
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
                    told = told_by(entries_from_json([line for _, _, line in rows]))
                    fault = _fault(rows, row.have)
                    known = Log(row.id, row.table_id, row.name, row.have, told, fault)
                    self._folded[row.id] = known
                found.append(known)
            self._folded = {log.id: log for log in found}
        return found

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

    def reconciled(self) -> list[tuple[str, bool, str]]:
        """(what, whether it holds, figures) of everything that must add up, all of it read anew."""
        every = Ledger(self._base).logs()
        rows = [_of_log(log) for log in every]
        total = sum(sum(stretch.points) for log in every for stretch in log.told.stretches)
        rows.append(("all tables", total == 0, f"{len(every)} logs, {total} points together"))
        with reading(self._base) as connection:
            query = select(corrections.c.session_id, corrections.c.points, sessions.c.name).join(
                sessions, sessions.c.id == corrections.c.session_id
            )
            of: dict[tuple[int, str], list[int]] = {}
            for session, points, name in connection.execute(
                query.where(corrections.c.undone == "")
            ):
                of.setdefault((session, name), []).append(points)
        rows += [
            (
                f"corrections of {name}",
                sum(points) == 0,
                f"{len(points)} corrections, {sum(points)} points together",
            )
            for (_, name), points in sorted(of.items())
        ]
        return rows


def _of_log(log: Log) -> tuple[str, bool, str]:
    total = sum(sum(stretch.points) for stretch in log.told.stretches)
    hands = sum(stretch.hands for stretch in log.told.stretches)
    fault = log.fault or (
        f"entries {', '.join(map(str, log.told.uneven))} move points that do not add up to 0"
        if log.told.uneven
        else ""
    )
    said = fault or f"{log.have} entries, every seal fits; {hands} hands, {total} points together"
    return log.name or f"table {log.table}", not fault and total == 0, said


def _fault(rows: Sequence[tuple[int, str, str]], have: int) -> str:
    seal = ""
    for place, (seq, kept, line) in enumerate(rows, start=1):
        if seq != place:
            return f"entry {place} is missing"
        seal = seal_after(seal, line)
        if seal != kept:
            return f"entry {seq} is not what the table sent"
    return "" if len(rows) == have else f"it holds {len(rows)} of {have} entries"


def rounds_of(every: Iterable[Log], session: int) -> list[int]:
    """The rounds of a session that were begun, in order."""
    return sorted(
        {each.round for log in every for each in log.told.stretches if each.session == session}
    )
