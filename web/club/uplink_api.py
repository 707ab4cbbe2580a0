"""Where tables come: who the hub is, to be let in, with their batches and over an open line.

Every request but the first is signed by the table's key, every answer by the hub's. What is
refused is counted; a fault of the database is 503, and the table sends the same again.
"""

import asyncio
import json
import logging
import time
from collections.abc import Callable
from concurrent.futures import TimeoutError as NoAnswerError
from contextlib import suppress
from typing import NoReturn

from flask import Blueprint, Flask, Response, current_app, request
from sqlalchemy.exc import SQLAlchemyError

from table_assist.club.calling import admission_of, code_of
from table_assist.club.hub.database import reason
from table_assist.club.hub.desk import admission, admit_again, ask_in
from table_assist.club.hub.files import FileError, read_piece, take_piece
from table_assist.club.hub.intake import Collector, Sent, count_refused
from table_assist.club.sending import FILE_PURPOSE
from table_assist.club.wire import (
    DOWN,
    JOIN,
    LINE_VERSION,
    MOST_BATCH_BYTES,
    PATH,
    ROOMY_BYTES,
    SIGNATURE_HEADER,
    UP,
    SecuredLine,
    WireError,
    answer_bytes,
    read_batch,
    take_call,
)
from table_assist.languages.words import Words
from table_assist.trust.installation import signer_of
from web.access.roles import Role, require
from web.answers import json_answer, refusal_answer
from web.bridge import Message, Receive, Send
from web.club.shared import base, hub_key
from web.refusal import RefusedRequest

logger = logging.getLogger(__name__)
blueprint = Blueprint("uplink", __name__)
MOST_SALT = 64
KEEPING_WAIT_S = 30.0
TOLD_AGAIN_S = 60.0  # a full disk must not fill with lines that say so
NO_DATABASE = Words("The database does not answer: send it again.", "数据库没有应答：请重新发送。")
_told_at = float("-inf")


def signed(view: Callable[[], Response]) -> Callable[[], Response]:
    """A request from a table: signed by its key, with no page's token (`web.api.openapi`)."""
    view.__dict__["signed_by"] = SIGNATURE_HEADER
    return view


@blueprint.get("/api/uplink/key")
@require(Role.TELEVISION)
def key() -> Response:
    """The hub's public key, and the authority that its address is to be trusted by."""
    authority = current_app.config["CLUB_AUTHORITY"]
    return json_answer(
        {"key": hub_key().public, "authority": authority, "versions": [LINE_VERSION]}
    )


@blueprint.post("/api/uplink/join")
@require(Role.TELEVISION)
@signed
def join() -> Response:
    """A table asks to be let in; answered with its code once a director has typed it."""
    body, table = _signed(JOIN)
    try:
        row = json.loads(body)
        salt, ticket = row["salt"], row.get("ticket", "")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        salt = ticket = None
    if not isinstance(salt, str) or not 0 < len(salt) <= MOST_SALT or not salt.isalnum():
        _refuse(
            400,
            "malformed",
            Words("The request to be let in cannot be read.", "加入请求无法读取。"),
        )
    authority: str = current_app.config["CLUB_AUTHORITY"]
    code = code_of(hub_key().public, authority, table, salt)
    try:
        answer = _said(table, code, ticket)
    except SQLAlchemyError as error:
        _no_database(error)
    return _answer(JOIN, answer)


def _said(table: str, code: str, ticket: object) -> bytes:
    """Whether the table is in, by its code or by what this hub signed before it was set back."""
    was = admission_of(ticket, hub_key().public, table) if ticket else None
    if was is not None:
        if admit_again(base(), was, time.time()):
            return was.answer()
    elif not ticket and (code_in := ask_in(base(), table, code)):
        return admission(base(), table, code_in).answer()
    return json.dumps({"in": ""}).encode()


@blueprint.post("/api/uplink")
@require(Role.TELEVISION)
@signed
def batch() -> Response:
    """Entries of a table's log; answered with how far the hub has them, and with orders."""
    body, table = _signed(UP, ROOMY_BYTES)
    try:
        sent = Sent(table, read_batch(body))
    except WireError as error:
        _refuse(400, "malformed", Words("{error}.", "无法读取：{error}。", error=error))
    collector: Collector = current_app.extensions["collector"]
    try:
        answer = collector.bring(sent).result(KEEPING_WAIT_S)
    except (SQLAlchemyError, NoAnswerError) as error:
        _no_database(error)
    return _answer(DOWN, answer_bytes(answer))


@blueprint.post("/api/uplink/file")
@require(Role.TELEVISION)
@signed
def file() -> Response:
    """A piece of a hand's file that the desk has asked for; answered with how far it is here."""
    body, table = _signed(FILE_PURPOSE)
    try:
        have = take_piece(base(), table, read_piece(body))
    except FileError as error:
        _refuse(400, "malformed", Words("{said}.", "{said}。", said=error.words))
    except SQLAlchemyError as error:
        _no_database(error)
    return _answer(FILE_PURPOSE, json.dumps({"have": have}).encode())


def _signed(purpose: str, most: int = MOST_BATCH_BYTES) -> tuple[bytes, str]:
    """The body, and the key that has signed it."""
    request.max_content_length = most
    body = request.get_data()
    signature = request.headers.get(SIGNATURE_HEADER, "")
    table = signer_of(signature.encode(), purpose, body) if len(signature) < 400 else ""
    if not table:
        _refuse(403, "unsigned", Words("The signature does not fit.", "签名不符。"))
    return body, table


def _answer(purpose: str, body: bytes) -> Response:
    signature = hub_key().sign(purpose, body).decode()
    headers = {SIGNATURE_HEADER: signature, "Cache-Control": "no-store"}
    return Response(body, 200, headers, "application/json")


def _refuse(status: int, why: str, words: Words) -> NoReturn:
    try:
        count_refused(base(), why)
    except SQLAlchemyError as error:
        _no_database(error)
    raise RefusedRequest(status, words)


def say_no_database(error: Exception) -> None:
    """Say so in the program's own lines, now and then."""
    global _told_at
    if time.monotonic() > _told_at + TOLD_AGAIN_S:
        _told_at = time.monotonic()
        logger.warning("the database does not take it: %s", reason(error))


def _no_database(error: Exception) -> NoReturn:
    say_no_database(error)
    raise RefusedRequest(503, NO_DATABASE)


LONG = 4_000  # bytes whose reading would keep the others in the loop waiting


async def talk(app: Flask, scope: Message, receive: Receive, send: Send) -> None:
    """One line, in the server's own loop: no request and no thread is made for a batch."""
    await receive()
    if scope["path"] != PATH or (app.config.get("TABLE_TLS") and scope["scheme"] != "wss"):
        await send({"type": "websocket.close"})
        return
    await send({"type": "websocket.accept"})
    line: SecuredLine | None = None
    while (message := await receive())["type"] == "websocket.receive":
        said, why = message.get("bytes") or b"", "unsigned"
        try:
            if line is None:
                welcome, line = take_call(app.extensions["hub_key"], said)
                await send({"type": "websocket.send", "bytes": welcome})
                continue
            content = line.takes.opened(said)
            if content is None:
                raise WireError("the code does not fit")
            why = "malformed"
            answer = await _taken(app, line.other, content)
        except WireError as error:
            said_no = Words("{error}.", "无法读取：{error}。", error=error)
            answer = refusal_answer(said_no, 503).get_data()
            with suppress(SQLAlchemyError):
                await asyncio.to_thread(count_refused, app.extensions["base"], why)
            if line is not None:
                await send({"type": "websocket.send", "bytes": line.sends.packed(answer)})
            await send({"type": "websocket.close"})
            return
        await send({"type": "websocket.send", "bytes": line.sends.packed(answer)})


async def _taken(app: Flask, table: str, content: bytes) -> bytes:
    """The answer to a batch."""
    is_long = len(content) >= LONG
    batch = await asyncio.to_thread(read_batch, content) if is_long else read_batch(content)
    try:
        taken = app.extensions["collector"].bring(Sent(table, batch))
        return answer_bytes(await asyncio.wrap_future(taken))
    except (SQLAlchemyError, TimeoutError) as error:
        say_no_database(error)
        return refusal_answer(NO_DATABASE, 503).get_data()
