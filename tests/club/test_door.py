"""Batches that are in order are answered in the server's loop; all others go on to the app."""

import json
from random import Random
from secrets import token_hex

import pytest
from flask import Flask

from bench.club.load import LoadTable
from table_assist.club.hub.desk import ask_in, let_in
from table_assist.club.wire import (
    MOST_BYTES,
    ROOMY_BYTES,
    ROOMY_ROWS,
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

ENVIRON = {"REQUEST_METHOD": "POST", "wsgi.url_scheme": "http"}


@pytest.fixture
def table(app: Flask) -> LoadTable:
    made = LoadTable(0, token_hex(16), [], Random(5))
    ask_in(app.extensions["base"], made.key.public, "CODE")
    assert let_in(app.extensions["base"], "CODE", "Table 1")
    return made


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
