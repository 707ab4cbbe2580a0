"""The files of hands at the hub: asked for, taken piece by piece, kept under their digests."""

import base64
import hashlib
import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, Row, delete, insert, select, update

from table_assist.club.hub.base import reading
from table_assist.club.hub.desk import check_table, give_order
from table_assist.club.hub.schema import IN, files, orders, pieces, tables
from table_assist.club.orders import OrderKind
from table_assist.club.sending import SENT
from table_assist.languages.words import WordsError
from table_assist.trust.installation import InstallationKey

_IS_FILE = orders.c.kind == OrderKind.DISPUTE
_DIGEST, _ORDER = re.compile(r"[0-9a-f]{64}"), re.compile(r"[0-9a-f]{32}")


class FileError(WordsError):
    """A piece is none that was asked for."""


@dataclass(frozen=True, slots=True)
class FilePiece:
    """A part of a file, as a table sends it.

    Attributes:
        at: the number of its first byte.
    """

    order: str
    digest: str
    size: int
    at: int
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
    """Have a table send the file of a hand, once the hand is over.

    Raises:
        PeopleError: there is no such table.
    """
    check_table(base, table)
    give_order(base, key, [table], OrderKind.DISPUTE, {"hand": hand}, by)


def take_piece(base: Engine, table: str, piece: FilePiece) -> int:
    """Keep a piece; how many bytes of the file the hub has, in their order.

    A file that comes anew under other bytes, or is not what its digest says, begins again.

    Raises:
        FileError: nobody has asked this table for it, or not for so much.
    """
    with base.begin() as connection:
        asked = _asked(connection, table, piece)
        file = connection.execute(
            select(files).where(files.c.order_key == piece.order).with_for_update()
        ).one_or_none()
        if file is not None and (file.digest, file.size) != (piece.digest, piece.size):
            forget_file(connection, file.id)
            file = None
        if file is None:
            file = _begin(connection, asked, piece)
        if piece.at != file.have:
            return int(file.have)
        return _add(connection, file, piece)


def stored_files(base: Engine) -> list[dict[str, Any]]:
    """The files that were asked for, the latest first, and how far each has come."""
    query = (
        select(orders, tables.c.name, files.c.id.label("file"), files.c.digest, files.c.size,
               files.c.have)
        .join(tables, tables.c.id == orders.c.table_id)
        .outerjoin(files, files.c.order_key == orders.c.key)
        .where(_IS_FILE)
        .order_by(orders.c.id.desc())
        .limit(50)
    )  # fmt: skip
    with reading(base) as connection:
        rows = connection.execute(query).all()
    return [
        {
            "file": row.file if row.file and row.have == row.size else None,
            "table": row.name, "hand": json.loads(row.order)["content"]["hand"],
            "digest": row.digest or "", "size": row.size or 0, "have": row.have or 0,
            "refused": row.refused, "at": row.at,
        }
        for row in rows
    ]  # fmt: skip


def file_row(base: Engine, file: int) -> Row[Any] | None:
    """A file that is whole, with its table's key and name; None where there is none."""
    query = (
        select(files, tables.c.key, tables.c.name)
        .join(tables, tables.c.id == files.c.table_id)
        .join(orders, orders.c.key == files.c.order_key)
        .where(files.c.id == file, files.c.have == files.c.size, _IS_FILE)
    )
    with reading(base) as connection:
        return connection.execute(query).one_or_none()


def content_of(base: Engine, file: int) -> bytes:
    """All of its bytes."""
    query = select(pieces.c.content).where(pieces.c.file == file).order_by(pieces.c.at)
    with reading(base) as connection:
        return _joined(connection.execute(query).scalars().all())


def _asked(connection: Connection, table: str, piece: FilePiece) -> Any:
    query = (
        select(orders.c.order, orders.c.kind, tables.c.id)
        .join(tables, tables.c.id == orders.c.table_id)
        .where(orders.c.key == piece.order, tables.c.key == table, tables.c.state == IN)
        .where(orders.c.seq == 0)
    )
    row = connection.execute(query).one_or_none()
    most = 0 if row is None else SENT.get(OrderKind(row.kind), 0)
    if piece.size > most:
        raise FileError("nobody has asked for this file", "没有人调取此文件")
    return row


def _begin(connection: Connection, asked: Any, piece: FilePiece) -> Any:
    given = {
        "order_key": piece.order, "table_id": asked.id, "digest": piece.digest,
        "hand": json.loads(asked.order)["content"]["hand"], "size": piece.size, "have": 0,
        "at": time.time(),
    }  # fmt: skip
    connection.execute(insert(files).values(**given))
    return connection.execute(select(files).where(files.c.order_key == piece.order)).one()


def _add(connection: Connection, file: Any, piece: FilePiece) -> int:
    content = base64.b64encode(piece.content).decode()
    connection.execute(insert(pieces).values(file=file.id, at=piece.at, content=content))
    have = piece.at + len(piece.content)
    if have == file.size:
        own = select(pieces.c.content).where(pieces.c.file == file.id).order_by(pieces.c.at)
        whole = _joined(connection.execute(own).scalars().all())
        if hashlib.sha256(whole).hexdigest() != file.digest:
            forget_file(connection, file.id)
            return 0
    connection.execute(update(files).where(files.c.id == file.id).values(have=have))
    return have


def forget_file(connection: Connection, file: int) -> None:
    """Delete all of it."""
    connection.execute(delete(pieces).where(pieces.c.file == file))
    connection.execute(delete(files).where(files.c.id == file))


def _joined(parts: Sequence[str]) -> bytes:
    return b"".join(base64.b64decode(each) for each in parts)
