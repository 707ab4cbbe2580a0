"""Files and pictures of hands: asked for, taken piece by piece, checked, kept.

Of won hands' pictures the hub asks tables whose owners allow it, for few hands. What came is kept
twice: as it came, so that anybody can hold it against the log's digest, and made anew, which is
what is shown.
"""

import base64
import hashlib
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, Row, delete, func, insert, select, update

from table_assist.club.acts import ActKind
from table_assist.club.hub.database import (
    TABLE_IN,
    entries,
    files,
    logs,
    orders,
    pictures,
    pieces,
    read,
    reading,
    tables,
)
from table_assist.club.hub.desk import PeopleError, check_table, hall, note, order_in, raise_alarm
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.people import all_sessions
from table_assist.club.orders import KeptOrder, OrderKind, kept_order
from table_assist.club.sending import SENT, Shown, vouched_for
from table_assist.club.standing import WonHand, best_of_each, great, won_hands
from table_assist.languages.words import WordsError
from table_assist.record.dispute.apart import yield_to_table
from table_assist.record.log import entry_from_json
from table_assist.trust.installation import InstallationKey
from table_assist.vision.pictures.picture import PictureError
from table_assist.vision.pictures.small import MOST_SMALL_BYTES, small_jpeg

# A table's picture, decoded and made anew in a process of its own: whatever it holds harms none.
#
# `python -m table_assist.club.hub.redrawn BYTES TURNS` reads a JPEG and writes another; it takes so
# much memory at most.

MEMORY_BYTES = 1_500_000_000
CHECK_LONGEST_S = 30.0


def redrawn(content: bytes, turns: int = 0) -> bytes | None:
    """A small JPEG of the same, turned clockwise by so many quarters.

    None where it is no picture that can be decoded.
    """
    command = [sys.executable, "-m", __name__, str(MEMORY_BYTES), str(turns)]
    try:
        done = subprocess.run(
            command, input=content, capture_output=True, timeout=CHECK_LONGEST_S, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if not done.returncode and 0 < len(done.stdout) <= MOST_SMALL_BYTES else None


def main(arguments: Sequence[str]) -> int:
    """The process that redraws."""
    memory_bytes, turns = map(int, arguments)
    yield_to_table(memory_bytes)
    try:
        made = small_jpeg(sys.stdin.buffer.read(), turns)
    except PictureError:
        return 1
    sys.stdout.buffer.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))


_DIGEST, _ORDER = re.compile(r"[0-9a-f]{64}"), re.compile(r"[0-9a-f]{32}")


class FileError(WordsError):
    """A piece is none that was asked for."""


@dataclass(frozen=True, slots=True)
class FilePiece:
    """A part of a file, as a table sends it."""

    order: str
    digest: str
    size: int
    at: int  # the number of its first byte
    content: bytes


def read_piece(body: bytes) -> FilePiece:
    """The piece.

    Raises:
        FileError: it is none.
    """
    head, _, content = body.partition(b"\n")
    try:
        row = json.loads(head)
        order, digest, size, at = (row[name] for name in ("order", "digest", "size", "at"))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise FileError("the piece cannot be read", "文件片段无法读取") from error
    is_number = type(size) is int and type(at) is int and 0 <= at < size <= max(SENT.values())
    is_known = _is(_DIGEST, digest) and _is(_ORDER, order)
    if not (is_number and is_known and 0 < len(content) <= size - at):
        raise FileError("the piece cannot be read", "文件片段无法读取")
    return FilePiece(order, digest, size, at, content)


def _is(kind: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and kind.fullmatch(value) is not None


def ask_file(base: Engine, key: InstallationKey, table: int, hand: int, by: str) -> None:
    """Have a table send the file of a hand, once the hand is over."""
    check_table(base, table)
    with base.begin() as connection:
        order_in(connection, key, [table], OrderKind.DISPUTE, {"hand": hand}, by)


def take_piece(base: Engine, table: str, piece: FilePiece) -> int:
    """Keep a piece; how many bytes of the file the hub has, in their order.

    A file that comes anew under other bytes, or is not what its digest says, begins again.

    Raises:
        FileError: nobody has asked this table for it, or not for so much.
    """
    with base.begin() as connection:
        query = (
            select(orders.c.order, orders.c.kind, tables.c.id)
            .join(tables, tables.c.id == orders.c.table_id)
            .where(orders.c.key == piece.order, tables.c.key == table, tables.c.state == TABLE_IN)
            .where(orders.c.seq == 0)
        )
        asked = connection.execute(query).one_or_none()
        if asked is None or piece.size > SENT.get(OrderKind(asked.kind), 0):
            raise FileError("nobody has asked for this file", "没有人调取此文件")
        file = connection.execute(
            select(files).where(files.c.order_key == piece.order).with_for_update()
        ).one_or_none()
        if file is not None and (file.digest, file.size) != (piece.digest, piece.size):
            forget_file(connection, file.id)
            file = None
        if file is None:
            given = {
                "order_key": piece.order, "table_id": asked.id, "digest": piece.digest,
                "hand": json.loads(asked.order)["content"]["hand"], "size": piece.size, "have": 0,
                "at": time.time(),
            }  # fmt: skip
            connection.execute(insert(files).values(**given))
            file = connection.execute(select(files).where(files.c.order_key == piece.order)).one()
        if piece.at != file.have:
            return int(file.have)
        return _add(connection, file, piece)


def content_of(base: Engine, file: int) -> bytes:
    """All of its bytes."""
    query = select(pieces.c.content).where(pieces.c.file == file).order_by(pieces.c.at)
    with reading(base) as connection:
        return b"".join(map(base64.b64decode, connection.execute(query).scalars()))


def _add(connection: Connection, file: Any, piece: FilePiece) -> int:
    content = base64.b64encode(piece.content).decode()
    connection.execute(insert(pieces).values(file=file.id, at=piece.at, content=content))
    have = piece.at + len(piece.content)
    if have == file.size:
        own = select(pieces.c.content).where(pieces.c.file == file.id).order_by(pieces.c.at)
        whole = b"".join(map(base64.b64decode, connection.execute(own).scalars()))
        if hashlib.sha256(whole).hexdigest() != file.digest:
            forget_file(connection, file.id)
            return 0
    connection.execute(update(files).where(files.c.id == file.id).values(have=have))
    return have


def forget_file(connection: Connection, file: int) -> None:
    """Delete all of it."""
    connection.execute(delete(pieces).where(pieces.c.file == file))
    connection.execute(delete(files).where(files.c.id == file))


PICTURES_EVERY_S = 15.0
ASKED_AT_ONCE = 20  # pictures that are asked for together
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
        # Tables that were asked for as many as a day allows
        own = (orders.c.kind == OrderKind.PICTURE) & (orders.c.at > time.time() - DAY_S)
        counted = select(orders.c.table_id).where(own).group_by(orders.c.table_id)
        full = set(connection.execute(counted.having(func.count() >= MOST_A_DAY)).scalars())
        new = [once for once in new if of[due[once].log] not in full][:ASKED_AT_ONCE]
        for once in new:
            hand = due[once]
            content = {"hand": hand.won.hand, "entry": hand.won.shown}
            order_in(connection, key, [of[hand.log]], OrderKind.PICTURE, content, BY, once=once)
    asked.update(new)


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


def take_pictures(base: Engine) -> int:
    """Check those that have come, and keep them; how many were kept.

    One that its log does not vouch for, or that is no picture, is forgotten with an alarm.
    """
    count = 0
    # Whole pictures whose orders are entries, and of which nothing was decided
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
    for came in found:
        content = content_of(base, came.file.id)
        said = came.kept.answer.get("turns")
        turns = said if type(said) is int and 0 <= said < 4 else 0
        small = redrawn(content, turns) if _is_vouched(base, came, content) else b""
        with base.begin() as connection:
            if small:
                count += _keep(connection, came, small)
            else:
                raise_alarm(
                    connection,
                    came.file.table_id,
                    ("picture" if small is None else "other picture"),
                    f"#{came.file.hand}",
                )
                forget_file(connection, came.file.id)
    return count


def _is_vouched(base: Engine, came: _Came, content: bytes) -> bool:
    """Whether the log knew this very picture when the hand was shown."""
    parts = [came.kept.answer.get(name) for name in ("jpeg", "readings")]
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


# -- what is shown ---------------------------------------------------------------------------------


def kept_pictures(base: Engine) -> Mapping[tuple[int, int], int]:
    """The picture of each hand that has one, by the log and the entry that showed the hand."""
    rows = read(base, select(pictures.c.log, pictures.c.entry, pictures.c.id))
    return {(log, entry): id for log, entry, id in rows}


def remove_picture(base: Engine, picture: int, by: str) -> None:
    """Delete a picture for good. Taken back, the table is asked for it again."""
    with base.begin() as connection:
        own = pictures.c.id == picture
        row = connection.execute(select(pictures).where(own)).one_or_none()
        if row is None:
            raise PeopleError.told("no_picture", picture=picture)
        connection.execute(delete(pictures).where(own))
        forget_file(connection, row.file)
        content = {"table": row.table_id, "hand": row.hand, "entry": row.entry}
        note(connection, ActKind.PICTURE, content, by)


def see_to_pictures(base: Engine, key: InstallationKey, ledger: Ledger, asked: set[str]) -> None:
    """Ask for those that are wanted, and take those that have come."""
    ask_pictures(base, key, ledger, asked)
    take_pictures(base)
