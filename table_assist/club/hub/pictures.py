"""Pictures of the club's best hands: asked for, checked against the table's log, kept small.

A hub asks tables whose owners allow it, for few hands. What came is kept twice: as it came, so that
anybody can hold it against the log's digest, and made anew, which is what is shown.
"""

import base64
import json
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, Row, delete, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from table_assist.club.acts import ActKind
from table_assist.club.career import WonHand, best_of_each, great, won_hands
from table_assist.club.hub.acts import note
from table_assist.club.hub.alarms import raise_alarm
from table_assist.club.hub.base import reading
from table_assist.club.hub.desk import hall, order_in
from table_assist.club.hub.files import content_of, forget_file
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.people import PeopleError, all_sessions
from table_assist.club.hub.redrawn import redrawn
from table_assist.club.hub.schema import entries, files, logs, orders, pictures, tables
from table_assist.club.orders import KeptOrder, OrderKind, kept_order
from table_assist.club.win_photo import Shown, vouched_for
from table_assist.record.log import entry_from_json
from table_assist.trust.installation import InstallationKey

EVERY_S = 15.0
AT_ONCE = 20  # pictures that are asked for together
MOST_A_DAY = 100  # of one table, whatever its log says of great hands
DAY_S = 86_400.0
MOST_HAND = 1_000_000  # its number is the table's word
BY = "club"


def wanted(ledger: Ledger, sessions: Iterable[Row[Any]]) -> list[WonHand]:
    """The hands of which the club wants pictures: the best of each player, and the great ones.

    Args:
        sessions: those that everybody may see, the newest first.
    """
    shown = [row.id for row in sessions]
    every = won_hands(ledger.logs(), set(shown))
    hands = [each for each in every if each.won.shown and 0 < each.won.hand <= MOST_HAND]
    newest = [each for each in hands if each.session == shown[0]] if shown else []
    found = {(each.log, each.won.shown): each for each in best_of_each(hands) + great(newest)}
    return list(found.values())


def ask_pictures(base: Engine, key: InstallationKey, ledger: Ledger, asked: set[str]) -> None:
    """Ask for those that nobody has asked for.

    Args:
        asked: what this process knows to have been asked for; it is added to.
    """
    givers = {each.id for each in hall(base) if each.view.get("pictures") is True}
    if not givers:
        return
    of = {log.id: log.table for log in ledger.logs()}
    public = [row for row in all_sessions(base) if row.public]
    due = {
        f"picture {hand.log} {hand.won.shown}": hand
        for hand in wanted(ledger, public)
        if of.get(hand.log) in givers
    }
    new = [once for once in due if once not in asked]
    if not new:
        return
    with base.begin() as connection:
        full = _asked_enough(connection)
        new = [once for once in new if of[due[once].log] not in full][:AT_ONCE]
        for once in new:
            hand = due[once]
            content = {"hand": hand.won.hand, "entry": hand.won.shown}
            order_in(connection, key, [of[hand.log]], OrderKind.PICTURE, content, BY, once=once)
    asked.update(new)


def _asked_enough(connection: Connection) -> set[int]:
    """Tables that were asked for as many as a day allows."""
    own = (orders.c.kind == OrderKind.PICTURE) & (orders.c.at > time.time() - DAY_S)
    counted = select(orders.c.table_id).where(own).group_by(orders.c.table_id)
    return set(connection.execute(counted.having(func.count() >= MOST_A_DAY)).scalars())


@dataclass(frozen=True, slots=True)
class _Came:
    """A picture that has come, and what the table's log says of it."""

    file: Row[Any]
    log: int
    kept: KeptOrder

    @property
    def entry(self) -> int:
        """By the hub's own order: what the table's log says of it, the table may have made up."""
        return int(json.loads(self.file.order)["content"]["entry"])

    @property
    def turns(self) -> int:
        said = self.kept.answer.get("turns")
        return said if type(said) is int and 0 <= said < 4 else 0


def take_pictures(base: Engine) -> int:
    """Check those that have come, and keep them; how many were kept.

    One that its log does not vouch for, or that is no picture, is forgotten with an alarm.
    """
    count = 0
    for came in _come(base):
        content = content_of(base, came.file.id)
        small = redrawn(content, came.turns) if _is_vouched(base, came, content) else b""
        with base.begin() as connection:
            if small:
                count += _keep(connection, came, small)
            else:
                _refuse(connection, came, "picture" if small is None else "other picture")
    return count


def _come(base: Engine) -> list[_Came]:
    """Whole pictures whose orders are entries, and of which nothing was decided."""
    query = (
        select(files, orders.c.seq, orders.c.order)
        .join(orders, orders.c.key == files.c.order_key)
        .outerjoin(pictures, pictures.c.file == files.c.id)
        .where(pictures.c.id.is_(None), files.c.have == files.c.size)
        .where(orders.c.kind == OrderKind.PICTURE, orders.c.seq > 0)
    )
    found = []
    with reading(base) as connection:
        for file in connection.execute(query).all():
            rows = connection.execute(
                select(entries.c.log, entries.c.line)
                .join(logs, logs.c.id == entries.c.log)
                .where(logs.c.table_id == file.table_id, entries.c.seq == file.seq)
                .order_by(logs.c.id)
            )
            kept = [(row.log, kept_order(entry_from_json(row.line))) for row in rows]
            found += [
                _Came(file, log, each)
                for log, each in kept
                if each is not None and each.order.key == file.order_key
            ][-1:]
    return found


def _is_vouched(base: Engine, came: _Came, content: bytes) -> bool:
    """Whether the log knew this very picture when the hand was shown."""
    answer = came.kept.answer
    parts = [answer.get(name) for name in ("jpeg", "readings")]
    if any(not isinstance(each, str) or len(each) != 64 for each in parts):
        return False
    query = (
        select(entries.c.line)
        .where(entries.c.log == came.log, entries.c.line.like('%"picture"%'))
        .where(entries.c.seq > came.entry, entries.c.seq <= came.kept.seq)
        .order_by(entries.c.seq)
    )
    with reading(base) as connection:
        said = [entry_from_json(line) for line in connection.execute(query).scalars()]
    try:
        return Shown(content, str(parts[0]), str(parts[1])).digest == vouched_for(said, came.entry)
    except ValueError:  # no hexadecimal letters
        return False


def _keep(connection: Connection, came: _Came, small: bytes) -> bool:
    """Unless another process has."""
    own = select(pictures.c.id).where(pictures.c.file == came.file.id)
    if connection.execute(own).one_or_none() is not None:
        return False
    given = {
        "file": came.file.id, "table_id": came.file.table_id, "log": came.log, "entry": came.entry,
        "hand": came.file.hand, "content": base64.b64encode(small).decode(), "at": time.time(),
    }  # fmt: skip
    connection.execute(insert(pictures).values(**given))
    return True


def _refuse(connection: Connection, came: _Came, why: str) -> None:
    raise_alarm(connection, came.file.table_id, why, f"#{came.file.hand}")
    forget_file(connection, came.file.id)


# -- what is shown ---------------------------------------------------------------------------------


def kept_pictures(base: Engine) -> Mapping[tuple[int, int], int]:
    """The picture of each hand that has one, by the log and the entry that showed the hand."""
    with reading(base) as connection:
        rows = connection.execute(select(pictures.c.log, pictures.c.entry, pictures.c.id)).all()
    return {(log, entry): id for log, entry, id in rows}


def picture_row(base: Engine, picture: int) -> Row[Any] | None:
    """One of them; None where there is none (any more)."""
    with reading(base) as connection:
        return connection.execute(select(pictures).where(pictures.c.id == picture)).one_or_none()


def listed_pictures(base: Engine, most: int = 50) -> list[dict[str, Any]]:
    """The latest, for the desk."""
    query = (
        select(pictures.c.id, pictures.c.hand, pictures.c.at, tables.c.name)
        .join(tables, tables.c.id == pictures.c.table_id)
        .order_by(pictures.c.id.desc())
        .limit(most)
    )
    with reading(base) as connection:
        rows = connection.execute(query).all()
    return [{"picture": id, "table": name, "hand": n, "at": at} for id, n, at, name in rows]


def remove_picture(base: Engine, picture: int, by: str) -> None:
    """Delete a picture for good. Taken back, the table is asked for it again.

    Raises:
        PeopleError: there is none.
    """
    with base.begin() as connection:
        own = pictures.c.id == picture
        row = connection.execute(select(pictures).where(own)).one_or_none()
        if row is None:
            raise PeopleError(
                "there is no picture {picture}", "没有第 {picture} 张照片", picture=picture
            )
        connection.execute(delete(pictures).where(own))
        forget_file(connection, row.file)
        content = {"table": row.table_id, "hand": row.hand, "entry": row.entry}
        note(connection, ActKind.PICTURE, content, by)


class Pictures:
    """Asks and takes in a thread of its own."""

    def __init__(self, base: Engine, key: InstallationKey, ledger: Ledger) -> None:
        self._base, self._key, self._ledger = base, key, ledger
        self._asked: set[str] = set()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pictures", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(EVERY_S):
            try:
                ask_pictures(self._base, self._key, self._ledger, self._asked)
                take_pictures(self._base)
            except SQLAlchemyError:
                continue  # the database is away: it is tried again
