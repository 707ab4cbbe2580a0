"""An open line: a beginning that both sign, codes that no other can make."""

import socket
import ssl
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from secrets import token_hex

import pytest
from flask import Flask
from websockets.exceptions import ConnectionClosed

from bench.club.load import LoadTable, stored_logs
from table_assist.club.calling import CallError, HubLine, Talking
from table_assist.club.hub.desk import ask_in, let_in, refused_so_far
from table_assist.club.uplink import Uplink
from table_assist.club.wire import (
    Batch,
    HubReply,
    SecuredLine,
    WireError,
    batch_bytes,
    call,
    read_answer,
    take_call,
)
from table_assist.trust.installation import key_of_secret, new_secret
from tests.stages.club_table import ClubTable, joined, view
from web.serve import Serving, serve
from web.serving.authority import own

HUB, TABLE = key_of_secret("01" * 32), key_of_secret("02" * 32)


# -- the beginning, and the codes


def opened() -> tuple[SecuredLine, SecuredLine]:
    """Both ends: the table's, the hub's."""
    calling = call(TABLE, HUB.public)
    welcome, hubs = take_call(HUB, calling.hello())
    return calling.heard(welcome), hubs


def test_both_ends_know_each_other_and_have_the_same_secrets() -> None:
    table, hub = opened()
    assert (table.other, hub.other) == (HUB.public, TABLE.public)
    for said in (b"one", b"two"):
        assert hub.takes.opened(table.sends.packed(said)) == said
        assert table.takes.opened(hub.sends.packed(said)) == said


def test_nothing_that_was_said_passes_again_elsewhere_or_changed() -> None:
    table, hub = opened()
    first = table.sends.packed(b"one")
    assert hub.takes.opened(first) == b"one"
    assert hub.takes.opened(first) is None, "a repetition"
    for change in (
        lambda told: told[:-1] + b"x",
        lambda told: bytes(32) + told[32:],
        lambda told: told[:10],
        lambda told: b"",
    ):
        table, hub = opened()
        assert hub.takes.opened(change(table.sends.packed(b"one"))) is None
    table, hub = opened()
    assert table.takes.opened(table.sends.packed(b"one")) is None, "its own words"
    assert opened()[1].takes.opened(table.sends.packed(b"one")) is None, "another line's"


def test_a_beginning_that_is_not_of_both_is_refused() -> None:
    other = key_of_secret("03" * 32)
    calling = call(TABLE, HUB.public)
    for hello in (b"", b"{}\n{}", calling.hello()[:-1], call(TABLE, other.public).hello()):
        with pytest.raises(WireError):
            take_call(HUB, hello)
    welcome, _ = take_call(HUB, calling.hello())
    for heard, said in (
        (calling, take_call(other, call(TABLE, other.public).hello())[0]),  # another hub's
        (call(TABLE, HUB.public), welcome),  # to another hello
        (replace(calling, key=other), welcome),  # to another table
        (calling, welcome[:-1]),  # cut
    ):
        with pytest.raises(WireError):
            heard.heard(said)


def test_a_share_that_fixes_the_secret_is_refused() -> None:
    zero = replace(call(TABLE, HUB.public))
    body = ('{"version":1,"hub":"' + HUB.public + '","share":"' + "00" * 32 + '"}').encode()
    with pytest.raises(WireError, match="share"):
        take_call(HUB, zero.key.sign("club hello", body) + b"\n" + body)


# -- over a real server


@pytest.fixture
def serving(app: Flask) -> Iterator[Serving]:
    made = serve(app, port=0)
    yield made
    made.close()


@pytest.fixture
def table(app: Flask) -> LoadTable:
    made = LoadTable(0, token_hex(16), [], Random(5))
    ask_in(app.extensions["base"], made.key.public, "CODE")
    assert let_in(app.extensions["base"], "CODE", "Table 1")
    return made


def talking(app: Flask, serving: Serving, table: LoadTable) -> Talking:
    return Talking(HubLine(serving.url), table.key, app.extensions["hub_key"].public)


def batch(table: LoadTable, turn: int, after: int = 0) -> bytes:
    return batch_bytes(Batch(table.epoch, turn, after, tuple(table.rows[after:])))


def refusals(app: Flask, why: str, many: int) -> None:
    """Wait until so many were counted."""
    until = time.monotonic() + 20
    while refused_so_far(app.extensions["base"]).get(why, 0) != many:
        assert time.monotonic() < until
        time.sleep(0.02)


def test_batches_go_over_one_line_short_and_long(
    app: Flask, serving: Serving, table: LoadTable
) -> None:
    end = talking(app, serving, table)
    after = 0
    for turn, entries in enumerate((1, 2, 1000, 1), start=1):
        for _ in range(entries):
            table.make(None)
        got = end.ask(batch(table, turn, after))
        assert got is not None
        answer = read_answer(got)
        after = len(table.rows)
        assert (answer.said, answer.turn, answer.have) == (HubReply.KEPT, turn, after)
        assert answer.line
    assert serving.connections.count == 1
    ((_, key, epoch, have),) = stored_logs(app.extensions["base"])
    assert (key, epoch, have) == (table.key.public, table.epoch, after)
    end.close()


def test_what_is_no_batch_is_told_counted_and_the_line_ends(
    app: Flask, serving: Serving, table: LoadTable
) -> None:
    end = talking(app, serving, table)
    with pytest.raises(CallError, match="not of 'table-assist club'"):
        end.ask(b"{}")
    refusals(app, "malformed", 1)
    table.make(None)
    assert end.ask(batch(table, 1)) is not None, "the next one is another line"
    assert end._secured is not None
    end._secured.sends.packed(b"")  # from here on its codes are those of later messages
    with pytest.raises(CallError, match="the code does not fit"):
        end.ask(batch(table, 2))
    refusals(app, "unsigned", 1)
    end.close()


def test_a_hub_that_starts_again_is_called_again(
    tmp_path: Path, app: Flask, serving: Serving, table: LoadTable
) -> None:
    end = talking(app, serving, table)
    table.make(None)
    assert end.ask(batch(table, 1)) is not None
    serving.close()
    with pytest.raises(CallError, match="does not answer"):
        end.ask(batch(table, 2))
    assert end.ask(batch(table, 2)) is None, "nobody is there: a request says so"


@pytest.mark.parametrize(
    "request_line", ["GET /api/uplink", "GET /elsewhere", "POST /api/uplink/line"]
)
def test_elsewhere_nothing_is_upgraded(serving: Serving, request_line: str) -> None:
    with socket.create_connection(("127.0.0.1", serving.port), timeout=20) as line:
        line.sendall(
            f"{request_line} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        got = line.recv(1 << 16)
        assert not got.startswith(b"HTTP/1.1 101")


def test_where_the_hub_has_tls_a_plain_line_is_not_opened(
    app: Flask, serving: Serving, table: LoadTable
) -> None:
    app.config["TABLE_TLS"] = True
    end = talking(app, serving, table)
    assert end.ask(b"") is None
    app.config["TABLE_TLS"] = None


def test_a_line_is_open_over_tls_by_the_hubs_own_authority(
    app: Flask, tmp_path: Path, table: LoadTable
) -> None:
    tls = own(tmp_path / "tls", ["127.0.0.1", "localhost"])
    serving = serve(app, port=0, tls=tls, tls_port=0)
    authority = ssl.DER_cert_to_PEM_cert(tls.authority)
    hub = app.extensions["hub_key"].public
    table.make(None)
    until = time.monotonic() + 60
    while True:  # a busy machine may miss the first time; a table tries again, too
        end = Talking(HubLine(serving.tls_url, authority), table.key, hub)
        if (got := end.ask(batch(table, 1))) is not None:
            break
        assert time.monotonic() < until
    assert read_answer(got).said is HubReply.KEPT
    end.close()
    assert Talking(HubLine(serving.url), table.key, hub).ask(b"") is None, "not without it"
    serving.close()


def test_a_stranger_who_says_too_much_or_nothing_of_a_hello_is_hung_up(
    serving: Serving, app: Flask
) -> None:
    for said in (b"x" * 900, b"x" * 70_000):
        end = HubLine(serving.url).upgraded("/api/uplink/line")
        assert end is not None
        end.send(said)
        with pytest.raises(ConnectionClosed):
            end.recv(20)


def test_a_table_goes_over_to_a_line_once_the_hub_has_said_that_it_takes_one(
    tmp_path: Path, app: Flask, serving: Serving
) -> None:
    real = ClubTable(tmp_path / "table.sqlite", key=key_of_secret(new_secret()))
    first = joined(real, app)
    uplink = Uplink(real, first._file, replace(first.membership, hub=serving.url), real.key, view)
    real.play(1)
    while uplink.turn():
        pass
    assert uplink.membership.have == len(real.entries())
    assert uplink._talking._secured is None, "all went up with the first request"
    real.play(2)
    while uplink.turn():
        pass
    assert uplink._talking._secured is not None
    assert uplink.membership.have == len(real.entries())
    assert uplink.ahead_s is not None
    uplink.stop()
    real.close()
