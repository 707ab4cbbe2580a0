"""Standings of the whole club, made of the logs that count; and what proves them.

An order of the club names its log, so what is played under it counts there alone: a copy of that
log counts from the next order on. A finished round counts as it was then. Each process folds a log
once, and then what is added to it.
"""

import hashlib
import json
import threading
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from table_assist.club.acts import ActKind
from table_assist.club.hub.database import (
    corrections,
    entries,
    heads,
    hub_key,
    logs,
    new_rows,
    read,
    read_one,
    reading,
    sessions,
    tables,
)
from table_assist.club.hub.desk import all_acts
from table_assist.club.hub.people import Person, everybody
from table_assist.club.hub.seats import roster_of
from table_assist.club.standing import Folding, PlayedStretch, StoredLog
from table_assist.languages.words import NOTHING, Words, phrase
from table_assist.record.log import entries_from_json
from table_assist.record.ratings import courses
from table_assist.record.seal import seal_after
from table_assist.trust.installation import InstallationKey, signer_of

ENTRIES_AT_ONCE = 5000  # entries
Round = tuple[int, int]  # session and round
# Of a finished round, by the number of each log: how many entries it had, and the round's digest.
Finished = dict[str, tuple[int, str]]
_LOG_COLUMNS = (
    logs.c.id, logs.c.table_id, logs.c.epoch, logs.c.first, logs.c.have, tables.c.name,
    tables.c.key,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LedgerPlace:
    """A player's line of a standing."""

    player: int
    name: str
    number: str
    hidden: bool
    points: int  # corrections included
    corrected: int  # the part of it that directors corrected
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
        for place, (seq, kept, line) in enumerate(rows, start=due):
            if self.fault:
                break
            self.seal = seal_after(self.seal, line)
            if seq != place:
                self.fault = Words("entry {place} is missing", "缺少第 {place} 条", place=place)
            elif self.seal != kept:
                self.fault = phrase("ledger.entry_is_not_what", seq=seq)
        return True


class Ledger:
    """Reads the logs; any thread.

    Attributes:
        version: grows whenever what the logs say has changed.
        late: tables at which a finished round would have changed since, and how: a digest.
    """

    def __init__(self, base: Engine) -> None:
        self._base = base
        self._hub = hub_key(base)
        self._read: dict[int, _Reading] = {}
        self._told: dict[int, StoredLog] = {}
        self._lock = threading.Lock()
        self.version = 0
        self.late: dict[tuple[int, Round], str] = {}
        self._ends: dict[tuple[int, int], tuple[PlayedStretch, ...]] = {}  # logs up to an entry

    def warm(self) -> None:
        """Fold what there is, as far as the database answers; who asks later waits for less."""
        with suppress(SQLAlchemyError):
            self.logs()

    def logs(self, *, frozen: bool = True) -> list[StoredLog]:
        """Every log that counts, by table.

        Args:
            frozen: finished rounds as they were then; else as the logs have them now.
        """
        acts = all_acts(self._base, [ActKind.FINISH]) if frozen else []
        ends = {
            (each.session, each.content["round"]): each.content["logs"]
            for each in acts
            if each.stands and "logs" in each.content
        }
        with self._lock, reading(self._base) as connection:
            query = (
                select(*_LOG_COLUMNS)
                .join(tables, tables.c.id == logs.c.table_id)
                .order_by(logs.c.table_id, logs.c.id)
            )
            rows = connection.execute(query).all()
            newest = {(row.table_id, row.first): row.id for row in rows}.values()
            found = {row.id: self._log(connection, row) for row in rows}
            if found != self._told:
                self.version += 1
            self._told = found
            self._read = {id: self._read[id] for id in found}
            counting = list[StoredLog]()
            self.late = {} if frozen else self.late
            for row in rows:
                kept = self._counting(connection, row, ends)
                if row.id in newest:
                    counting.append(kept)
                elif own := tuple(each for each in kept.told.stretches if each.session):
                    counting.append(replace(kept, told=replace(kept.told, stretches=own)))
            return counting

    def _counting(self, connection: Connection, row: Any, ends: dict[Round, Finished]) -> StoredLog:
        """The log with its finished rounds as they were then."""
        log = self._told[row.id]
        by_round = rounds_of(log)
        ended = {at: end for at, end in ends.items() if str(row.id) in end or at in by_round}
        for at, end in ended.items():
            have, digest = end.get(str(row.id), (0, ""))
            now = by_round.get(at, ())
            if digest and digest == digest_of(now):
                continue
            then = tuple(
                each for each in self._until(connection, row, have) if round_of(each) == at
            )
            if then != now:
                self.late[row.table_id, at] = digest_of(now)
            by_round[at] = then
        if not ended:
            return log
        stretches = tuple(chain.from_iterable(by_round.values()))
        return replace(log, told=replace(log.told, stretches=stretches))

    def _until(self, connection: Connection, row: Any, have: int) -> tuple[PlayedStretch, ...]:
        """What a log said when it had so many entries."""
        if (row.id, have) not in self._ends:
            read = self._new(row)
            for rows in _rows_after(connection, row.id, 0, whole=True):
                read.add([each for each in rows if each[0] <= have])
            self._ends[row.id, have] = read.folding.told.stretches
        return self._ends[row.id, have]

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
            fault = phrase("ledger.it_holds_of_entries", there=there, have=row.have)
        return StoredLog(row.id, row.table_id, row.name, row.have, read.folding.told, fault)

    def _new(self, row: Any) -> _Reading:
        hub, table, epoch = self._hub.public, row.key, row.epoch
        own = Folding(lambda order: order.is_by(hub, table) and order.is_for(epoch))
        return _Reading(epoch, own)

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
            people = {row.id: row for row in everybody(connection)}
        places = []
        for player, row in found.items():
            stranger = Person(player, f"#{player}", str(player), False)
            places.append(LedgerPlace(*people.get(player, stranger), *row))
        return sorted(places, key=lambda each: (-each.points, -each.wins, each.name))

    def reconciled(self) -> list[Sum]:
        """Everything that must add up, all of it read anew."""
        every = Ledger(self._base).logs()
        total = sum(sum(stretch.points) for log in every for stretch in log.told.stretches)
        rows = []
        for log in every:
            own = sum(sum(stretch.points) for stretch in log.told.stretches)
            hands = sum(stretch.hands for stretch in log.told.stretches)
            fault = log.fault
            if not fault and log.told.uneven:
                numbers = ", ".join(map(str, log.told.uneven))
                fault = phrase("ledger.entries_move_points", numbers=numbers)
            told = phrase("ledger.entries_every_seal_fits", have=log.have, hands=hands, total=own)
            rows.append(Sum(Words(log.name, log.name), not fault and own == 0, fault or told))
        told = phrase("ledger.logs_points_together", count=len(every), total=total)
        rows.append(Sum(Words("all tables", "所有牌桌"), total == 0, told))
        query = (
            select(sessions.c.name, func.count(), func.sum(corrections.c.points))
            .join(sessions, sessions.c.id == corrections.c.session_id)
            .where(corrections.c.undone == "")
            .group_by(sessions.c.name)
        )
        for name, count, total in sorted(map(tuple, read(self._base, query))):
            told = phrase("ledger.corrections_points_together", count=count, total=total)
            what = Words("corrections of {name}", "{name} 的更正", name=name)
            rows.append(Sum(what, total == 0, told))
        return rows


def round_of(stretch: PlayedStretch) -> Round:
    """The round that was played."""
    return stretch.session, stretch.round


def rounds_of(log: StoredLog) -> dict[Round, tuple[PlayedStretch, ...]]:
    """What a log holds, by round."""
    found: dict[Round, tuple[PlayedStretch, ...]] = {}
    for each in log.told.stretches:
        found[round_of(each)] = (*found.get(round_of(each), ()), each)
    return found


def digest_of(stretches: Iterable[PlayedStretch]) -> str:
    """By which it is seen that nothing of them has changed."""
    return hashlib.sha256(repr(tuple(stretches)).encode()).hexdigest()


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
        rows = connection.execute(part if whole else part.limit(ENTRIES_AT_ONCE)).all()
        if not rows:
            return
        yield [(row.seq, row.seal, row.line) for row in rows]
        seq = rows[-1].seq


@dataclass(frozen=True, slots=True)
class RatingStep:
    """A rating after a round."""

    session: int
    round: int
    shown: float


@dataclass(frozen=True, slots=True)
class Rated:
    """A player."""

    player: int
    shown: float  # in points of openskill, near 0 for who is new; 25 and more for the strong
    course: tuple[RatingStep, ...]  # round after round

    @property
    def games(self) -> int:
        """How many rounds it rests on."""
        return len(self.course)


def ratings(stretches: Iterable[PlayedStretch]) -> list[Rated]:
    """Of everybody who was seated by the club and played; the best first.

    Args:
        stretches: of all logs. They are taken by the numbers of session and round; in one round as
            their log has them. A table's clock orders nothing.
    """
    played = [each for each in stretches if each.session and each.hands]
    played.sort(key=lambda one: (one.session, one.round))
    steps: dict[int, list[RatingStep]] = {}
    shown = courses((each.players, each.points) for each in played)
    for each in played:
        for player in each.players:
            own = steps.setdefault(player, [])
            own.append(RatingStep(each.session, each.round, shown[player][len(own)]))
    found = [Rated(player, own[-1].shown, tuple(own)) for player, own in steps.items()]
    return sorted(found, key=lambda each: (-each.shown, each.player))


SEALS_BELIEVED_S = 60.0  # a log whose seals were reckoned is believed for so long
LEAST_SEAL, LONGEST_SEAL = 16, 64  # letters; to meet sixteen by trying takes 2**64 tries


class Says(StrEnum):
    """The hub's verdict on a seal."""

    AGREES = "agrees"
    OLD = "old"  # in a log that no longer counts: a newer one goes on from an earlier entry
    DIFFERS = "differs"
    UNKNOWN = "unknown"  # the hub has not got the entry (yet)


def is_seal(letters: str) -> bool:
    """Whether these can be the first letters of a seal."""
    return LEAST_SEAL <= len(letters) <= LONGEST_SEAL and set(letters) <= set("0123456789abcdef")


def compared(base: Engine, table: str, first: str, seq: int, seal: str) -> tuple[Says, int]:
    """The hub's verdict, and the number of the log that it is about; 0 for none.

    Args:
        table: its public key.
        first: how the seal of the log's first entry begins.
        seal: how the entry's seal begins, as the phone kept it.
    """
    query = (
        select(logs.c.id, entries.c.seal)
        .join(tables, tables.c.id == logs.c.table_id)
        .outerjoin(entries, (entries.c.log == logs.c.id) & (entries.c.seq == seq))
        .where(tables.c.key == table, logs.c.first.startswith(first, autoescape=True))
        .order_by(logs.c.id.desc())
    )
    with reading(base) as connection:
        found = [(row.id, row.seal) for row in connection.execute(query)]
    if not found:
        return Says.UNKNOWN, 0
    (newest, held), *older = found
    if held is not None and held.startswith(seal):
        return Says.AGREES, newest
    for log, other in older:
        if other is not None and other.startswith(seal):
            return Says.OLD, log
    return (Says.UNKNOWN if held is None else Says.DIFFERS), newest


class Chains:
    """Reckons the seals of logs anew from their lines, as they stand in the database; any thread.

    Args:
        now: a steady clock, seconds.
    """

    def __init__(self, base: Engine, now: Callable[[], float] = time.monotonic) -> None:
        self._base = base
        self._now = now
        self._lock = threading.Lock()
        self._sound: dict[int, tuple[float, int]] = {}  # when, and up to which entry

    def holds(self, log: int, seq: int) -> bool:
        """Whether every line of the log up to an entry makes the seal that stands beside it."""
        with self._lock:
            at, sound = self._sound.get(log, (-SEALS_BELIEVED_S, 0))
            if self._now() - at >= SEALS_BELIEVED_S or sound < seq:
                sound = self._reckoned(log)
                self._sound[log] = (self._now(), sound)
            return sound >= seq

    def _reckoned(self, log: int) -> int:
        """The last entry up to which all is sound."""
        sound, seal = 0, ""
        with reading(self._base) as connection:
            for rows in _rows_after(connection, log, 0):
                for seq, kept, line in rows:
                    seal = seal_after(seal, line)
                    if seq != sound + 1 or kept != seal:
                        return sound
                    sound = seq
        return sound


HEADS_PURPOSE = "club heads"
MINUTE_S = 60


def note_heads(base: Engine, key: InstallationKey, now_s: float | None = None) -> None:
    """Keep the heads of this minute, unless another process has."""
    minute = int((time.time() if now_s is None else now_s) // MINUTE_S)
    with base.begin() as connection:
        query = select(tables.c.key, logs.c.epoch, logs.c.have, logs.c.seal).join(
            tables, tables.c.id == logs.c.table_id
        )
        rows = sorted(
            [key, epoch, have, seal] for key, epoch, have, seal in connection.execute(query)
        )
        said = json.dumps(rows)
        signature = key.sign(HEADS_PURPOSE, f"{minute}\n{said}".encode()).decode()
        given = {"minute": minute, "heads": said, "signature": signature}
        connection.execute(new_rows(connection, heads).values(**given))


def latest_heads(base: Engine) -> dict[str, Any] | None:
    """The newest minute, as anybody may note it; None before the first."""
    row = read_one(base, select(heads).order_by(heads.c.minute.desc()).limit(1))
    if row is None:
        return None
    return {"minute": row.minute, "heads": json.loads(row.heads), "signature": row.signature}


def heads_hold(base: Engine, key: InstallationKey) -> tuple[int, Words]:
    """How many minutes were noted, and the first that the entries do not bear out; else nothing."""
    with reading(base) as connection:
        stored = {
            (row.key, row.epoch, row.seq): row.seal
            for row in connection.execute(
                select(tables.c.key, logs.c.epoch, entries.c.seq, entries.c.seal)
                .join(logs, logs.c.table_id == tables.c.id)
                .join(entries, entries.c.log == logs.c.id)
            )
        }
        count = 0
        for row in connection.execute(select(heads).order_by(heads.c.minute)):
            count += 1
            signed = f"{row.minute}\n{row.heads}".encode()
            if signer_of(row.signature.encode(), HEADS_PURPOSE, signed) != key.public:
                return count, phrase("ledger.heads_of_minute", minute=row.minute)
            for table, epoch, have, seal in json.loads(row.heads):
                if have and stored.get((table, epoch, have)) != seal:
                    return count, phrase("ledger.entry", have=have, minute=row.minute)
    return count, NOTHING
