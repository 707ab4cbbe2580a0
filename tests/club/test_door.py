"""Batches that are in order are answered in the server's loop; all others go on to the app."""

import asyncio
import json
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random
from secrets import token_hex

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError

from bench.club.tables import LoadTable
from table_assist.club.hub.desk import ask_in, let_in
from table_assist.club.wire import (
    DOWN,
    MOST_BYTES,
    ROOMY_BYTES,
    ROOMY_ROWS,
    SIGNATURE,
    UP,
    Batch,
    BatchAnswer,
    HubReply,
    WireError,
    answer_bytes,
    batch_bytes,
    read_answer,
    read_batch,
    rows_in,
)
from table_assist.trust.installation import signer_of
from web.club.door import Door
from web.serving.bridge import Reply

ENVIRON = {"REQUEST_METHOD": "POST", "wsgi.url_scheme": "http"}


@pytest.fixture
def table(app: Flask) -> LoadTable:
    made = LoadTable(0, token_hex(16), [], Random(5))
    ask_in(app.extensions["base"], made.key.public, "CODE")
    assert let_in(app.extensions["base"], "CODE", "Table 1")
    return made


def brought(app: Flask, table: LoadTable, turn: int, **environ: str) -> Reply | None:
    rows = tuple(table.rows)
    body = batch_bytes(Batch(table.epoch, turn, 0, rows))
    given = {**ENVIRON, "HTTP_TABLE_ASSIST_SIGNATURE": table.key.sign(UP, body).decode()}
    door: Door = app.extensions["door"]
    # In a thread of its own: where a browser is open, this one has a loop already.
    with ThreadPoolExecutor(1) as aside:
        return aside.submit(lambda: asyncio.run(door(given | environ, body))).result()


def test_a_batch_is_stored_and_its_answer_signed(app: Flask, table: LoadTable) -> None:
    for turn, entries in enumerate((1, 40), start=1):  # a short one, and one that is read aside
        for _ in range(entries):
            table.make(None)
        reply = brought(app, table, turn)
        assert reply is not None
        assert reply.status == 200
        answer = read_answer(reply.body)
        assert (answer.said, answer.turn, answer.have) == (HubReply.KEPT, turn, len(table.rows))
        signature = reply.headers[SIGNATURE].encode()
        assert signer_of(signature, DOWN, reply.body) == app.extensions["hub_key"].public


def test_what_is_not_in_order_goes_on_to_the_app(app: Flask, table: LoadTable) -> None:
    table.make(None)
    assert brought(app, table, 1, HTTP_TABLE_ASSIST_SIGNATURE="{}") is None
    assert brought(app, table, 1, REQUEST_METHOD="PUT") is None
    app.config["TABLE_TLS"] = True
    assert brought(app, table, 1) is None
    assert brought(app, table, 1, **{"wsgi.url_scheme": "https"}) is not None


def test_a_database_that_is_away_is_told_in_both_languages(
    app: Flask, table: LoadTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_: object) -> "Future[BatchAnswer]":
        found: Future[BatchAnswer] = Future()
        found.set_exception(OperationalError("insert", {}, Exception("it is away")))
        return found

    monkeypatch.setattr(app.extensions["collector"], "bring", away)
    table.make(None)
    reply = brought(app, table, 1)
    assert reply is not None
    assert reply.status == 503
    assert set(json.loads(reply.body)["error"]) == {"en", "zh"}


def test_a_hub_says_how_large_a_batch_may_be(table: LoadTable) -> None:
    row = json.loads(answer_bytes(BatchAnswer(HubReply.KEPT, 1)))
    assert row.pop("room") == ROOMY_BYTES
    said = ({}, {"room": 1}, {"room": ROOMY_BYTES}, {"room": 1 << 40})
    rooms = [read_answer(json.dumps(row | each).encode()).room for each in said]
    assert rooms == [MOST_BYTES, MOST_BYTES, ROOMY_BYTES, ROOMY_BYTES]
    assert [rows_in(room) for room in (MOST_BYTES, ROOMY_BYTES)] == [500, ROOMY_ROWS]
    for _ in range(ROOMY_ROWS + 1):
        table.make(None)
    with pytest.raises(WireError, match="up to 2000 entries"):
        read_batch(batch_bytes(Batch(table.epoch, 1, 0, tuple(table.rows))))
