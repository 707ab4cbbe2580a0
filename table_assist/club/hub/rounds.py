"""A round ends when every table agrees with its log; rule profiles; the plan of the hall.

What a table answers is an entry of its own log. The hub has it only if it has all before it, so the
answer itself shows that nothing is missing; what was entered after it is looked at.
"""

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, sqrt
from typing import Any

from sqlalchemy import Connection, Engine, Row, select

from table_assist.club.acts import ActKind, DeskAct
from table_assist.club.hub.database import (
    TABLE_IN,
    entries,
    logs,
    now_s,
    orders,
    read_value,
    reading,
    tables,
)
from table_assist.club.hub.desk import (
    HallTable,
    PeopleError,
    act,
    all_acts,
    hall,
    note,
    order_in,
    raise_alarm,
    waited_for,
)
from table_assist.club.hub.ledger import Ledger, digest_of, rounds_of
from table_assist.club.hub.seats import finished, seats_of
from table_assist.club.orders import ORDER_KIND, KeptOrder, OrderKind, kept_order
from table_assist.club.standing import StoredLog
from table_assist.game.events import Attested
from table_assist.languages.words import Words, phrase
from table_assist.record.log import entry_from_json
from table_assist.rules.profile import ProfileError, parse_profile, plain_profile
from table_assist.rules.registry import rule_sets
from table_assist.trust.installation import InstallationKey


@dataclass(frozen=True, slots=True)
class NamedProfile:
    """A rule profile: what its rules come to, and what people call it."""

    hash: str
    names: Words


def profile_of(base: Engine, session: int) -> NamedProfile | None:
    """The session's profile; None where the director has named none."""
    acts = all_acts(base, [ActKind.PROFILE])
    own = [act.content for act in acts if act.stands and act.session == session]
    return NamedProfile(own[-1]["hash"], Words(own[-1]["en"], own[-1]["zh"])) if own else None


def known_profiles(base: Engine) -> list[NamedProfile]:
    """The tables' own, and the documents' as they are."""
    found = {}
    for rules in rule_sets():
        plain = plain_profile(rules)
        found[plain.hash] = NamedProfile(plain.hash, rules.names)
    for table in hall(base):
        hash, names = house_of(table.view), table.view.get("rules", {})
        if hash and hash not in found:
            own = Words(
                "{get} {sign}",
                "{get} {sign}",
                get=Words(names.get("en", ""), names.get("zh", "")),
                sign=f"({table.name}, {hash[:8]})",
            )
            found[hash] = NamedProfile(hash, own)
    return list(found.values())


def profile_of_file(text: str) -> NamedProfile:
    """The profile of a table's file."""
    try:
        profile = parse_profile(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, ProfileError, RecursionError) as error:
        raise PeopleError("{error}", "规则档无法使用：{error}", error=error) from error
    return NamedProfile(profile.hash, Words(profile.name, profile.name))


def name_profile(
    base: Engine, key: InstallationKey, session: int, wanted: NamedProfile, by: str
) -> None:
    """All hands of a session are to be played by it; every table compares it with its own."""
    content = {"hash": wanted.hash, "en": wanted.names.en, "zh": wanted.names.zh}
    to = [table.id for table in hall(base)]
    with base.begin() as connection:
        number = note(connection, ActKind.PROFILE, content, by, session)
        order_in(connection, key, to, OrderKind.PROFILE, content, by, once=f"act {number}")


def house_of(view: Mapping[str, object]) -> str:
    """By which profile a table plays, as it says; empty where it does not."""
    return str(view.get("house") or view.get("profile") or "")


ROUND_QUIET_S = 15.0


@dataclass(frozen=True, slots=True)
class TableStand:
    """Where a table of a round stands."""

    table: int
    name: str
    # what keeps the round open there; empty where the table agrees with its log
    why_not: tuple[Words, ...]
    # epoch, number and seal of its log when it was asked; empty before
    head: tuple[str, int, str] = ("", 0, "")


def ask(base: Engine, key: InstallationKey, session: int, round: int, by: str) -> int:
    """Ask every table of a round where it stands; how many."""
    to = _tables_of(base, session, round)
    with base.begin() as connection:
        order_in(connection, key, to, OrderKind.AGREE, {"session": session, "round": round}, by)
    return len(to)


def stands(base: Engine, ledger: Ledger, session: int, round: int) -> list[TableStand]:
    """Where each table of a round stands now."""
    to, wanted = _tables_of(base, session, round), profile_of(base, session)
    by_id = {log.id: log for log in ledger.logs()}
    here = {"session": session, "round": round}
    with reading(base) as connection:
        looking = _Looking(connection, here, "" if wanted is None else wanted.hash, to)
    return [looking.at(table, by_id) for table in to]


def finish(
    base: Engine, ledger: Ledger, session: int, round: int, reason: str, by: str
) -> list[TableStand]:
    """End a round, if every table agrees or there is a reason to do so all the same.

    Returns:
        The tables that do not agree; with none of them, or with a reason, the round is finished.
    """
    if round in finished(base, session):
        raise PeopleError("round {round} is finished already", "第 {round} 轮已结束", round=round)
    every = stands(base, ledger, session, round)
    odd = [each for each in every if each.why_not]
    if odd and not reason:
        return odd
    points = points_of(ledger, session, round)
    content = {
        "round": round,
        "reason": reason if odd else "",
        "logs": {
            str(log.id): (log.have, digest_of(own))
            for log in ledger.logs(frozen=False)
            if (own := rounds_of(log).get((session, round)))
        },
        "against": {each.name: "; ".join(why.en for why in each.why_not) for each in odd},
        "tables": {
            str(each.table): {"head": each.head, "points": points.get(each.table, {})}
            for each in every
        },
    }
    act(base, ActKind.FINISH, content, by, session)
    return odd


def points_of(ledger: Ledger, session: int, round: int) -> dict[int, dict[str, int]]:
    """The points of a round as the logs have them now, by table and player."""
    found: dict[int, Counter[str]] = {}
    for log in ledger.logs(frozen=False):
        for stretch in log.told.stretches:
            if (stretch.session, stretch.round) == (session, round):
                row = found.setdefault(log.table, Counter())
                for player, points in zip(stretch.players, stretch.points, strict=True):
                    row[str(player)] += points
    return {table: dict(row) for table, row in found.items()}


def alarm_late(base: Engine, ledger: Ledger) -> None:
    """What came to a finished round is an alarm, and changes nothing by itself."""
    ledger.logs()
    for (table, (session, round)), digest in sorted(ledger.late.items()):
        with base.begin() as connection:
            raise_alarm(connection, table, "late", f"{session}/{round}: {digest[:8]}")


def changed_since(ledger: Ledger, done: DeskAct) -> list[int]:
    """The tables at which points of a finished round have moved since."""
    now = points_of(ledger, done.session, done.content["round"])
    return [
        int(table)
        for table, row in done.content["tables"].items()
        if row["points"] != now.get(int(table), {})
    ]


def _tables_of(base: Engine, session: int, round: int) -> list[int]:
    found = [each.table for each in seats_of(base, session) if each.round == round]
    if not found:
        raise PeopleError.told("no_seats", round=round)
    return found


class _Looking:
    """The state of a round's tables, read at one moment."""

    def __init__(
        self, connection: Connection, here: Mapping[str, int], profile: str, to: list[int]
    ) -> None:
        self._here, self._profile = here, profile
        self._asked: dict[int, Row[Any]] = {}
        self._answers: dict[int, KeptOrder] = {}
        self._went_on: set[int] = set()
        self._now = now_s(connection)
        query = (
            select(tables, logs.c.epoch, logs.c.have)
            .outerjoin(logs, logs.c.id == tables.c.log)
            .where(tables.c.id.in_(to))
        )
        self._tables: dict[int, Row[Any]] = {row.id: row for row in connection.execute(query)}
        self._alarmed, self._calling = waited_for(connection)
        is_asking = (orders.c.kind == OrderKind.AGREE) & orders.c.table_id.in_(to)
        for row in connection.execute(select(orders).where(is_asking).order_by(orders.c.id)):
            if json.loads(row.order)["content"] == self._here:
                self._asked[row.table_id] = row
        for table, asked in self._asked.items():
            if asked.seq <= 0:
                continue
            own = (entries.c.log == self._tables[table].log) & (entries.c.seq >= asked.seq)
            lines = select(entries.c.line).where(own).order_by(entries.c.seq)
            heard = [entry_from_json(line) for line in connection.execute(lines).scalars()]
            kept = kept_order(heard[0]) if heard else None
            if kept is None or kept.order.key != asked.key:
                continue
            self._answers[table] = kept
            events = [entry.event for entry in heard]
            if not all(isinstance(each, Attested) and each.kind == ORDER_KIND for each in events):
                self._went_on.add(table)

    def at(self, table: int, by_id: Mapping[int, StoredLog]) -> TableStand:
        """Where a table stands."""
        row, kept = self._tables[table], self._answers.get(table)
        why = (*self._around(row), *self._of_answer(row, kept, by_id.get(row.log)))
        if kept is None:
            return TableStand(table, row.name, why)
        answer = kept.answer
        head = (str(answer.get("epoch")), kept.seq, str(answer.get("seal")))
        return TableStand(table, row.name, why, head)

    def _around(self, row: Row[Any]) -> Iterator[Words]:
        quiet_s = round(self._now - row.seen)
        if row.state != TABLE_IN:
            yield Words("it was let go", "已移除")
        elif quiet_s > ROUND_QUIET_S:
            yield Words("not heard of for {quiet_s} s", "{quiet_s} 秒未通信", quiet_s=quiet_s)
        if row.id in self._alarmed:
            yield Words("an alarm is open", "有未处理的警报")
        if row.id in self._calling:
            yield Words("a referee is called", "正在呼叫裁判")
        house = house_of(json.loads(row.view))
        if self._profile and house and house != self._profile:
            yield phrase("rounds.it_plays_by_another", sign=house[:8])

    def _of_answer(
        self, row: Row[Any], kept: KeptOrder | None, log: StoredLog | None
    ) -> Iterator[Words]:
        if row.id not in self._asked:
            yield Words("it was not asked yet", "尚未询问")
        elif kept is None:
            view = json.loads(row.view)
            if view.get("phase") in ("playing", "showing"):
                hand = view.get("hand")
                yield Words("it still plays hand {hand}", "仍在打第 {hand} 局", hand=hand)
            else:
                yield Words("it has not answered yet", "尚未应答")
        elif log is None or kept.answer.get("epoch") != row.epoch:
            yield Words("its log is another one now: ask again", "日志已更换：请重新询问")
        else:
            if kept.answer.get("running"):
                yield phrase("rounds.it_was_playing_hand", hand=kept.answer.get("hand"))
            elif row.id in self._went_on:
                yield Words(
                    "it went on after it was asked: ask again", "询问后又有新记录：请重新询问"
                )
            elif kept.answer.get("scores") != list(log.told.scores):
                own, here = kept.answer.get("scores"), list(log.told.scores)
                yield phrase("rounds.its_points", own=own, here=here)
            if log.fault:
                yield log.fault
            if log.told.uneven:
                yield Words("points do not add up to 0", "分数合计不为 0")
            if kept.answer.get("questions"):
                yield Words("a question is open", "有未回答的问题")
            for stretch in log.told.stretches:
                if {"session": stretch.session, "round": stretch.round} == self._here:
                    for hash, hands in stretch.profiles.items():
                        if self._profile and hash != self._profile:
                            yield phrase("rounds.hands_were_played", hands=hands, hash=hash[:8])


Cell = tuple[int, int]  # row and column, from 1


class How(StrEnum):
    """How a table does; of several the first."""

    OFFLINE = "offline"
    ALARM = "alarm"
    CALLED = "called"
    QUESTION = "question"
    PLAYING = "playing"
    OPEN = "open"  # the round was asked to end, and this table does not agree
    BETWEEN = "between"


def plan_of_hall(base: Engine, ledger: Ledger) -> list[dict[str, Any]]:
    """All tables, each with its place; those that nobody placed fill free ones in their order."""
    tables = hall(base)
    cells = _cells(tables, _given(base))
    with reading(base) as connection:
        now = now_s(connection)
        alarmed, calling = waited_for(connection)
    marks = {How.ALARM: alarmed, How.CALLED: calling, How.OPEN: _not_agreed(base, ledger)}
    return [
        {"table": each.id, "name": each.name, "row": cells[each.id][0],
         "column": cells[each.id][1], "how": _how(each, marks, now - each.seen).value}
        for each in tables
    ]  # fmt: skip


def place(base: Engine, table: int, cell: Cell, by: str) -> None:
    """A table stands here now; one that stood here goes where it stood."""
    cells = _cells(hall(base), _given(base))
    if table not in cells:
        raise PeopleError("there is no such table", "没有此牌桌")
    moved = {table: cell}
    moved |= {other: cells[table] for other, here in cells.items() if here == cell != cells[table]}
    with base.begin() as connection:
        for each, (row, column) in moved.items():
            note(connection, ActKind.PLACE, {"table": each, "row": row, "column": column}, by)


def _given(base: Engine) -> dict[int, Cell]:
    """Where tables were put, the latest last."""
    found: dict[int, Cell] = {}
    for each in all_acts(base, [ActKind.PLACE]):
        if each.stands:
            table = each.content["table"]
            found.pop(table, None)
            found[table] = (each.content["row"], each.content["column"])
    return found


def _cells(tables: Iterable[HallTable], given: Mapping[int, Cell]) -> dict[int, Cell]:
    """Where each stands: no two in one place, the latest word first."""
    there = {each.id for each in tables}
    found: dict[int, Cell] = {}
    for table, cell in reversed(list(given.items())):
        if table in there and cell not in found.values():
            found[table] = cell
    width = max([ceil(sqrt(len(there)))] + [column for _, column in found.values()])
    taken, at = set(found.values()), 0
    for each in tables:
        while each.id not in found:
            cell = (at // width + 1, at % width + 1)
            at += 1
            if cell not in taken:
                found[each.id] = cell
    return found


def _how(each: HallTable, marks: Mapping[How, set[int]], quiet_s: float) -> How:
    of = {how for how, tables in marks.items() if each.id in tables}
    if quiet_s > ROUND_QUIET_S:
        of.add(How.OFFLINE)
    if each.view.get("questions"):
        of.add(How.QUESTION)
    if each.view.get("phase") in ("playing", "showing"):
        of.add(How.PLAYING)
    return next((how for how in How if how in of), How.BETWEEN)


def _not_agreed(base: Engine, ledger: Ledger) -> set[int]:
    """The tables of the round that was asked last and is not finished."""
    query = (
        select(orders.c.order)
        .where(orders.c.kind == OrderKind.AGREE)
        .order_by(orders.c.id.desc())
        .limit(1)
    )
    asked = read_value(base, query)
    if asked is None:
        return set()
    content: dict[str, Any] = json.loads(asked)["content"]
    session, round = content["session"], content["round"]
    if round in finished(base, session):
        return set()
    try:
        return {each.table for each in stands(base, ledger, session, round) if each.why_not}
    except PeopleError:
        return set()  # its seats were taken back
