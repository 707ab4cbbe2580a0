"""The hub's decisions, each an act on its list: tables, staff, orders, clock, calls, alarms."""

import hashlib
import json
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, Engine, Row, delete, func, insert, select, update

from table_assist.club.acts import ActKind, DeskAct, HallClock, clock_of
from table_assist.club.calling import Admission
from table_assist.club.hub.database import (
    TABLE_ASKED,
    TABLE_IN,
    TABLE_OUT,
    acts,
    added,
    alarms,
    calls,
    logs,
    new_rows,
    now_at,
    now_s,
    orders,
    read,
    read_one,
    read_value,
    refused,
    staff,
    tables,
)
from table_assist.club.orders import Order, OrderKind
from table_assist.languages.words import WordsError
from table_assist.record.log import compact_json
from table_assist.trust.installation import InstallationKey, hash_of

MOST_OF_KIND = 5  # open alarms of a table: a newer one takes the place of the oldest
# Points rest on these: the desk sees them first. Kinds are the hub's; a table's text makes none.
GRAVE = ("restored", "another log", "late", "conflict", "set back", "unknown order")
MOST_LETTERS = 400


class PeopleError(WordsError):
    """The desk's wish cannot be done as things are."""


def note(
    connection: Connection, kind: ActKind, content: Mapping[str, Any], by: str, session: int = 0
) -> int:
    """Put an act on the list, in the transaction that carries it out; its number."""
    return added(connection, acts, **_row(connection, kind, content, by, session))


def act(base: Engine, kind: ActKind, content: Mapping[str, Any], by: str, session: int = 0) -> int:
    """Decide something that is nothing but its act."""
    with base.begin() as connection:
        return note(connection, kind, content, by, session)


def all_acts(base: Engine, kinds: Iterable[ActKind] = ActKind) -> list[DeskAct]:
    """All acts, the oldest first, with those that were taken back."""
    wanted = {ActKind.UNDO, *kinds}
    query = select(acts).where(acts.c.kind.in_([kind.value for kind in wanted])).order_by(acts.c.id)
    rows = read(base, query)
    undone = {row.undoes: row.by for row in rows if row.undoes is not None}
    return [
        DeskAct(
            row.id, row.session_id, ActKind(row.kind), json.loads(row.content), row.by, row.at,
            row.undoes, undone.get(row.id, ""),
        )
        for row in rows
    ]  # fmt: skip


def note_undo(connection: Connection, done: DeskAct, by: str) -> bool:
    """Take an act back, in the transaction that reverts it; False where somebody has already."""
    given = _row(connection, ActKind.UNDO, {"kind": done.kind.value}, by, done.session)
    new = new_rows(connection, acts).values(undoes=done.id, **given).returning(acts.c.id)
    return connection.execute(new).scalar() is not None


def _row(
    connection: Connection, kind: ActKind, content: Mapping[str, Any], by: str, session: int
) -> dict[str, Any]:
    return {
        "session_id": session, "kind": kind.value, "by": by, "at": now_s(connection),
        "content": compact_json(content),
    }  # fmt: skip


def raise_alarm(
    connection: Connection, table: int, kind: str, told: str, *, alone: bool = False
) -> None:
    """Something that a table sent is not what it should be; the same alarm stands once.

    Args:
        alone: one of its kind says it for all tables.
    """
    given = {"table_id": table, "kind": kind, "told": plain(told), "at": time.time()}
    of_kind = (alarms.c.kind == kind) & (alarms.c.done == "")
    if not alone:
        of_kind &= alarms.c.table_id == table
    standing = connection.execute(select(alarms.c.id).where(of_kind).order_by(alarms.c.at)).all()
    if alone and standing:
        return
    new = new_rows(connection, alarms).values(done="", **given).returning(alarms.c.id)
    if connection.execute(new).scalar() is not None and len(standing) >= MOST_OF_KIND:
        connection.execute(delete(alarms).where(alarms.c.id == standing[0].id))


def plain(text: str) -> str:
    """A table's text as any database takes it: PostgreSQL knows no NUL."""
    return text.replace("\0", "")[:MOST_LETTERS]


MOST_ASKED = 50  # tables that wait to be let in
ORDER_REPLACED = -1  # the entry's number of an order that a newer one made needless


@dataclass(frozen=True, slots=True)
class HallTable:
    """A table as the hall sees it."""

    id: int
    key: str
    name: str
    state: str
    seen: float  # when it last spoke, seconds since the epoch; 0: never
    have: int  # entries of its log that the hub holds
    view: Mapping[str, Any]  # what spectators may see


def hall(base: Engine) -> list[HallTable]:
    """All tables that were let in, by name."""
    query = (
        select(tables, func.coalesce(logs.c.have, 0).label("have"))
        .outerjoin(logs, logs.c.id == tables.c.log)
        .where(tables.c.state == TABLE_IN)
        .order_by(tables.c.name, tables.c.id)
    )
    rows = read(base, query)
    return [
        HallTable(row.id, row.key, row.name, row.state, row.seen, row.have, json.loads(row.view))
        for row in rows
    ]


def check_table(base: Engine, table: int) -> None:
    """Go on only with a table that is in."""
    own = select(tables.c.id).where(tables.c.id == table, tables.c.state == TABLE_IN)
    if read_one(base, own) is None:
        raise PeopleError("there is no such table", "没有此牌桌")


# -- pairing ---------------------------------------------------------------------------------------


def ask_in(base: Engine, key: str, code: str) -> str:
    """A table asks to be let in; the code with which it was, empty where it waits."""
    now = time.time()
    with base.begin() as connection:
        row = connection.execute(
            select(tables.c.state, tables.c.code).where(tables.c.key == key)
        ).one_or_none()
        if row is not None and row.state == TABLE_IN and row.code == code:
            return code
        if row is None:  # whoever has asked for the longest gives way, and asks again
            waits = select(tables.c.id).where(tables.c.state == TABLE_ASKED)
            latest = waits.order_by(tables.c.seen.desc()).limit(MOST_ASKED - 1)
            is_old = tables.c.id.not_in(latest) & (tables.c.name == "")  # and never was let in
            old = (tables.c.state == TABLE_ASKED) & is_old
            connection.execute(delete(tables).where(old))
            connection.execute(insert(tables).values(**new_table(key, "", TABLE_ASKED, code, now)))
        elif row.state != TABLE_IN:
            connection.execute(
                update(tables)
                .where(tables.c.key == key)
                .values(state=TABLE_ASKED, code=code, seen=now)
            )
        else:  # it is in, and pairs again: a person types the new code
            connection.execute(
                update(tables).where(tables.c.key == key).values(code=f"?{code}", seen=now)
            )
    return ""


def new_table(key: str, name: str, state: str, code: str, now: float) -> dict[str, Any]:
    """The row of a table of which nothing is known yet."""
    return {
        "key": key, "name": name, "state": state, "code": code, "turn": 0, "seen": now,
        "changed": 0, "view": "{}",
    }  # fmt: skip


def let_in(base: Engine, code: str, name: str, by: str = "") -> bool:
    """A director has typed the code that a table shows; False where none shows it (yet)."""
    with base.begin() as connection:
        found = connection.execute(
            update(tables)
            .where(
                tables.c.code.in_((code, f"?{code}")), tables.c.state.in_((TABLE_ASKED, TABLE_IN))
            )
            .values(state=TABLE_IN, code=code, name=name)
            .returning(tables.c.id)
        ).scalar()
        if found is not None:
            note(connection, ActKind.LET_IN, {"table": found}, by)
    return found is not None


def send_out(base: Engine, table: int, by: str = "") -> None:
    """Revoke a table; what it sent stays."""
    with base.begin() as connection:
        connection.execute(
            update(tables).where(tables.c.id == table).values(state=TABLE_OUT, code="")
        )
        note(connection, ActKind.SEND_OUT, {"table": table}, by)


def waiting_tables(base: Engine) -> int:
    """How many tables ask to be let in now."""
    asks = (tables.c.state == TABLE_ASKED) | tables.c.code.startswith("?")
    return int(read_value(base, select(func.count()).select_from(tables).where(asks)))


# -- orders ----------------------------------------------------------------------------------------


def order_in(
    connection: Connection,
    key: InstallationKey,
    to: Sequence[int],
    kind: OrderKind,
    content: Mapping[str, Any],
    by: str,
    *,
    once: str = "",
) -> None:
    """Have tables do something; each takes it from the answer to its next batch.

    Args:
        once: of this very order: given again under it, nothing happens.
    """
    rows = connection.execute(select(tables.c.id, tables.c.key).where(tables.c.id.in_(to)))
    for row in rows.all():
        said = hashlib.sha256(f"{once}\n{row.id}".encode()).hexdigest()[:32]
        own = said if once else secrets.token_hex(16)
        found = select(orders.c.id).where(orders.c.key == own)
        if connection.execute(found).one_or_none() is not None:
            continue
        order = Order(own, kind, content, by).signed(key, row.key)
        given = {
            "key": own, "table_id": row.id, "order": json.dumps(asdict(order)),
            "at": time.time(), "seq": 0, "refused": "", "kind": kind,
        }  # fmt: skip
        connection.execute(insert(orders).values(**given))


def forget_waiting(connection: Connection, to: Sequence[int], kind: OrderKind) -> None:
    """Orders of a kind that no table has taken yet are needless now."""
    waiting = (orders.c.seq == 0) & orders.c.table_id.in_(to) & (orders.c.kind == kind)
    connection.execute(update(orders).where(waiting).values(seq=ORDER_REPLACED))


def given_orders(base: Engine) -> Sequence[Row[Any]]:
    """The latest orders, with what became of them."""
    query = (
        select(orders, tables.c.name)
        .join(tables, tables.c.id == orders.c.table_id)
        .order_by(orders.c.id.desc())
        .limit(40)
    )
    return read(base, query)


# -- alarms and calls ------------------------------------------------------------------------------


def waited_for(connection: Connection) -> tuple[set[int], set[int]]:
    """Tables of which an alarm is open, and those that have called a referee."""
    alarmed = select(alarms.c.table_id).where(alarms.c.done == "")
    calling = select(calls.c.table_id).where(calls.c.done == 0)
    return (
        set(connection.execute(alarmed).scalars()),
        set(connection.execute(calling).scalars()),
    )


def open_alarms(base: Engine) -> Sequence[Row[Any]]:
    """Alarms that nobody has seen to: the grave ones first, the newest before the others."""
    query = (
        select(alarms, tables.c.name)
        .join(tables, tables.c.id == alarms.c.table_id)
        .where(alarms.c.done == "")
        .order_by(alarms.c.kind.not_in(GRAVE), alarms.c.at.desc(), alarms.c.id.desc())
    )
    return read(base, query)


def see_to(base: Engine, alarm: int, by: str) -> None:
    """Somebody has seen to an alarm; it stays on record."""
    with base.begin() as connection:
        seen = connection.execute(
            update(alarms).where(alarms.c.id == alarm, alarms.c.done == "").values(done=by)
        )
        if seen.rowcount:
            note(connection, ActKind.ALARM, {"alarm": alarm}, by)


def refused_so_far(base: Engine) -> dict[str, int]:
    """How many batches were refused, by why."""
    return {why: count for why, count in read(base, select(refused.c.why, refused.c["count"]))}


def open_calls(base: Engine) -> Sequence[Row[Any]]:
    """Tables that wait for a referee, the longest first."""
    query = (
        select(calls, tables.c.name)
        .join(tables, tables.c.id == calls.c.table_id)
        .where(calls.c.done == 0)
        .order_by(calls.c.at)
    )
    return read(base, query)


def go_to(base: Engine, call: str, by: str) -> None:
    """Say that one goes to a table."""
    with base.begin() as connection:
        found = connection.execute(
            update(calls)
            .where(calls.c.key == call, calls.c.going == "", calls.c.done == 0)
            .values(going=by)
            .returning(calls.c.table_id)
        ).scalar()
        if found is None:
            raise PeopleError(
                "Somebody goes already, or the call is over.", "已有人前往，或呼叫已结束。"
            )
        note(connection, ActKind.GO, {"call": call, "table": found}, by)


def end_call(base: Engine, key: InstallationKey, call: str, by: str) -> None:
    """The referee is done; the table is told, and its log says so."""
    with base.begin() as connection:
        own = (calls.c.key == call) & (calls.c.done == 0)
        row = connection.execute(select(calls.c.table_id, calls.c.going).where(own)).one_or_none()
        ended = connection.execute(update(calls).where(own).values(done=time.time()))
        if row is None or not ended.rowcount:
            return
        forget_waiting(connection, [row.table_id], OrderKind.CALL_AGAIN)
        content = {"call": call, "table": row.table_id, "going": row.going}
        note(connection, ActKind.DONE, content, by)
        order_in(connection, key, [row.table_id], OrderKind.CALL_OVER, {"call": call}, by)


def tell_all(base: Engine, key: InstallationKey, words: str, by: str) -> None:
    """A message to every table."""
    to = [each.id for each in hall(base)]
    with base.begin() as connection:
        note(connection, ActKind.MESSAGE, {"words": words}, by)
        order_in(connection, key, to, OrderKind.MESSAGE, {"en": words, "zh": words}, by)


def rule(
    base: Engine,
    key: InstallationKey,
    table: int,
    seat: int,
    transfers: tuple[int, ...],
    reason: str,
    by: str,
) -> None:
    """A ruling, which the table's own log then holds."""
    content = {"table": table, "seat": seat, "transfers": list(transfers), "reason": reason}
    ruled = {"seat": seat, "transfers": list(transfers), "en": reason, "zh": reason}
    check_table(base, table)
    with base.begin() as connection:
        note(connection, ActKind.RULING, content, by)
        order_in(connection, key, [table], OrderKind.RULING, ruled, by)


def hall_clock(base: Engine) -> HallClock:
    """As it is now."""
    return clock_of(all_acts(base, (ActKind.CLOCK, ActKind.EXTRA)))


def start(base: Engine, key: InstallationKey, minutes: int, by: str) -> None:
    """All tables have so many minutes from now on; extra time of before is over."""
    content = {"left_s": 60 * minutes, "running": True, "starts": True}
    act(base, ActKind.CLOCK, content, by)
    tell_clock(base, key, by)


def pause(base: Engine, key: InstallationKey, by: str, *, running: bool) -> None:
    """Stop the clock, or let it go on."""
    clock = hall_clock(base)
    if clock.running == running:
        said = ("the clock runs already", "计时已在进行") if running else _CLOCK_STANDS
        raise PeopleError(*said)
    content = {"left_s": round(clock.left(now_at(base))), "running": running, "starts": False}
    act(base, ActKind.CLOCK, content, by)
    tell_clock(base, key, by)


def lengthen(base: Engine, key: InstallationKey, table: int, minutes: int, by: str) -> None:
    """One table has more time."""
    check_table(base, table)
    act(base, ActKind.EXTRA, {"table": table, "seconds": 60 * minutes}, by)
    tell_clock(base, key, by, [table])


def tell_clock(
    base: Engine, key: InstallationKey, by: str, to: Sequence[int] | None = None
) -> None:
    """Tell tables (all of them by default) what the clock says; only the newest word waits."""
    clock, now = hall_clock(base), now_at(base)
    told = [each.id for each in hall(base)] if to is None else to
    with base.begin() as connection:
        forget_waiting(connection, told, OrderKind.CLOCK)
        for table in told:
            order_in(connection, key, [table], OrderKind.CLOCK, clock.order(now, table), by)


_CLOCK_STANDS = ("the clock stands already", "计时已停止")


BY = "club"


def admit_again(base: Engine, was: Admission, now_s: float) -> bool:
    """Whether the table is in now; one that was let go stays out."""
    own = tables.c.key == was.table
    with base.begin() as connection:
        row = connection.execute(select(tables.c.state).where(own)).one_or_none()
        if row is not None and row.state in (TABLE_IN, TABLE_OUT):
            return bool(row.state == TABLE_IN)
        given = {"state": TABLE_IN, "code": was.code, "name": was.name, "seen": now_s}
        if row is None:
            new = new_table(was.table, was.name, TABLE_IN, was.code, now_s)
            connection.execute(insert(tables).values(**new))
        else:
            connection.execute(update(tables).where(own).values(**given))
        table = connection.execute(select(tables.c.id).where(own)).scalar_one()
        note(connection, ActKind.LET_IN, {"table": table}, BY)
        raise_alarm(connection, table, "in again", was.name)
    return True


def admission(base: Engine, table: str, code: str) -> Admission:
    """Of a table that is in."""
    name = read_value(base, select(tables.c.name).where(tables.c.key == table))
    return Admission(code, name or "", table)


LINK_S, DESK_COOKIE_S = 600.0, 86_400.0
DIRECTOR, REFEREE = "director", "referee"


@dataclass(frozen=True, slots=True)
class StaffMember:
    """Somebody who was let in."""

    id: int  # of the session
    name: str
    role: str


def make_link(base: Engine, name: str, role: str) -> str:
    """A secret that opens the hub once."""
    return _give(base, name, role, LINK_S, is_link=True)


def open_link(base: Engine, link: str) -> str | None:
    """The cookie for a link, which is used up; None where it opens nothing."""
    with base.begin() as connection:
        found = connection.execute(
            delete(staff)
            .where(
                staff.c.hash == hash_of(link),
                staff.c.is_link.is_(True),
                staff.c.until > time.time(),
            )
            .returning(staff.c.name, staff.c.role)
        ).one_or_none()
    return (
        None if found is None else _give(base, found.name, found.role, DESK_COOKIE_S, is_link=False)
    )


def person_of(base: Engine, cookie: str) -> StaffMember | None:
    """The person who holds the cookie; None where nobody does any more."""
    query = select(staff.c.id, staff.c.name, staff.c.role).where(
        staff.c.hash == hash_of(cookie), staff.c.is_link.is_(False), staff.c.until > time.time()
    )
    found = read_one(base, query)
    return None if found is None else StaffMember(found.id, found.name, found.role)


def revoke_all(base: Engine) -> None:
    """Everybody is out, and every link opens nothing."""
    with base.begin() as connection:
        connection.execute(delete(staff))


def _give(base: Engine, name: str, role: str, lasts_s: float, *, is_link: bool) -> str:
    token, now = secrets.token_urlsafe(32), time.time()
    given = {
        "hash": hash_of(token), "name": name, "role": role, "until": now + lasts_s,
        "is_link": is_link,
    }  # fmt: skip
    with base.begin() as connection:
        connection.execute(delete(staff).where(staff.c.until < now))
        connection.execute(insert(staff).values(**given))
    return token
