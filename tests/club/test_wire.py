"""The wire is a published contract: schemas, vectors, and a table in another language."""

import json
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from secrets import token_hex

import jsonschema_rs
import playwright
import pytest
from flask import Flask
from sqlalchemy import select
from websockets.exceptions import ConnectionClosed

from bench.club.load import LoadTable
from table_assist.club import calling
from table_assist.club.calling import CallError, HubLine, Talking, code_of
from table_assist.club.hub.database import logs, open_base, reading, tables
from table_assist.club.hub.desk import ask_in, hall, let_in, open_alarms, refused_so_far
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.people import all_players, begin_session, take_players
from table_assist.club.hub.seats import seat_four
from table_assist.club.orders import OrderKind
from table_assist.club.uplink import Uplink
from table_assist.club.wire import (
    FIELDS,
    MOST_BATCH_BYTES,
    ROOMY_BYTES,
    ROOMY_ROWS,
    Batch,
    BatchAnswer,
    Calling,
    HubReply,
    SecuredLine,
    WireError,
    answer_bytes,
    batch_bytes,
    call,
    read_answer,
    read_batch,
    rows_in,
    take_call,
)
from table_assist.record.seal import seal_after
from table_assist.trust.installation import key_of_secret, new_secret, new_share, signer_of
from tests.stages.club_table import ClubTable, HallLine, give_order, joined, sent_up, view
from tools.wire_schema import SCHEMA, VECTORS, schema, text, vectors
from web.authority import own
from web.club.app import close_club_app, create_club_app
from web.serve import Serving, serve

ROOT = Path(__file__).parents[2]
NODE = Path(playwright.__file__).with_name("driver") / "node"  # that the browsers' tests use
CLIENT, LOG = Path(__file__).with_name("wire_client.mjs"), ROOT / "tests/golden/log/evening.jsonl"


def fits(name: str, message: object) -> None:
    whole = {**schema(), "$ref": f"#/$defs/{name}"}
    jsonschema_rs.validator_for(whole).validate(message)


def test_the_files_are_what_the_program_says() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == text(schema()), "python tools/wire_schema.py"
    assert VECTORS.read_text(encoding="utf-8") == text(vectors()), "python tools/wire_schema.py"
    assert set(schema()["$defs"]["batch"]["properties"]["view"]["properties"]) == set(FIELDS)


def test_the_vectors_hold() -> None:
    kept = json.loads(VECTORS.read_text(encoding="utf-8"))
    hub, table = kept["hub"]["key"], kept["table"]["key"]
    assert key_of_secret(kept["table"]["secret"]).public == table
    code = kept["code"]
    assert code_of(hub, code["authority"], table, code["salt"]) == code["code"]
    assert seal_after(kept["seal"]["before"], kept["seal"]["entry"]) == kept["seal"]["seal"]
    for each in kept["messages"]:
        body = each["body"].encode()
        assert (
            signer_of(each["signature"].encode(), each["purpose"], body) == kept[each["of"]]["key"]
        )
        fits(each["schema"], json.loads(each["body"].split("\n")[0]))
    batch, answer = (each["body"].encode() for each in kept["messages"][2:])
    assert read_batch(batch).rows == ((kept["seal"]["seal"], kept["seal"]["entry"]),)
    (order,) = read_answer(answer).orders
    assert order.is_by(hub, table)


def spoken(uplink: Uplink) -> list[bytes]:
    line = uplink._line
    assert isinstance(line, HallLine)
    return [body for body, _ in line.sent]


def test_what_a_table_and_its_hub_say_is_as_the_schema(tmp_path: Path, app: Flask) -> None:
    table = ClubTable(tmp_path / "table.sqlite")
    uplink, heard = joined(table, app), list[bytes]()
    ask = uplink._line.ask

    def listen(path: str, body: bytes | None = None, signature: bytes = b"") -> tuple[str, bytes]:
        said = ask(path, body, signature)
        heard.append(said[1])
        return said

    uplink._line.ask = listen  # type: ignore[method-assign]
    give_order(app.extensions["base"], app.extensions["hub_key"], [
        each.id for each in hall(app.extensions["base"])
    ], OrderKind.MESSAGE, {"en": "hello", "zh": "你好"}, "Ada")  # fmt: skip
    table.play(1)
    sent_up(uplink)
    fits("key", app.test_client().get("/api/uplink/key").get_json())
    join, *batches = [json.loads(body.split(b"\n")[0]) for body in spoken(uplink) if body]
    fits("join", join)
    for each in batches:
        fits("join" if "salt" in each else "batch", each)
    for answer in map(json.loads, heard):
        fits("answer", answer)
    with pytest.raises(jsonschema_rs.ValidationError):
        fits("batch", {**batches[-1], "epoch": "x"})


def test_another_version_is_refused_in_a_sentence(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = {"format": "table-assist club", "version": 2, "epoch": "a" * 32, "turn": 1, "after": 0}
    with pytest.raises(
        WireError, match="the table speaks version 2 of the wire, this hub version 1"
    ):
        read_batch(json.dumps(head).encode())
    monkeypatch.setattr(calling, "HubLine", lambda *_: HallLine(app))
    monkeypatch.setattr(
        HallLine, "ask", lambda *_: ("", b'{"key":"","authority":"","versions":[2,3]}')
    )
    with pytest.raises(CallError, match=r"speaks version \[2, 3\] of the wire, this table 1"):
        calling.join("http://hall")


def test_the_description_asks_tables_for_their_signature_and_nothing_else(app: Flask) -> None:
    paths = app.test_client().get("/api/openapi.json").get_json()["paths"]
    for path in ("/api/uplink", "/api/uplink/join", "/api/uplink/file"):
        names = [each["name"] for each in paths[path]["post"]["parameters"]]
        assert names == ["Table-Assist-Signature"]
    assert "X-Table-Token" in str(paths["/api/desk/correct"]["post"]["parameters"])


def test_a_table_in_another_language_is_in_the_standings(tmp_path: Path) -> None:
    """`wire_client.mjs` joins by its code, obeys a signed order, sends a hand."""
    hub = create_club_app(open_base(str(tmp_path / "club.sqlite")))
    base, serving = hub.extensions["base"], serve(hub, port=0)
    command = [str(NODE), str(CLIENT), serving.url.rstrip("/"), str(LOG)]
    client = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert client.stdout is not None
        code = client.stdout.readline().strip()
        take_players(base, "name,number\nAnna,1\nBert,2\n陈,3\nDirk,4\n")
        session = begin_session(base, "Monday")
        while not let_in(base, code, "Node"):
            assert client.poll() is None
            time.sleep(0.02)
        four = tuple(sorted(row.id for row in all_players(base)))
        seat_four(base, hub.extensions["hub_key"], session, 1, hall(base)[0].id, four, "Ada")
        said, wrong = client.communicate(timeout=60)
        assert client.returncode == 0, wrong
        places = Ledger(base).standing(session)
        assert int(said) == hall(base)[0].have
        assert {each.name for each in places} == {"Anna", "Bert", "陈", "Dirk"}
        assert [each.hands for each in places] == [1] * 4
        assert sum(each.points for each in places) == 0 < places[0].points
        assert all(row.holds for row in Ledger(base).reconciled())
        assert not open_alarms(base)
    finally:
        client.kill()
        client.communicate()
        serving.close()
        close_club_app(hub)


def test_a_line_in_another_language(tmp_path: Path) -> None:
    """`wire_line.mjs` opens one and sends two batches over it."""
    hub = create_club_app(open_base(str(tmp_path / "club.sqlite")))
    base, serving = hub.extensions["base"], serve(hub, port=0)
    vectors_ = json.loads(VECTORS.read_text(encoding="utf-8"))
    table, up = vectors_["table"], vectors_["messages"][2]["body"]
    ask_in(base, table["key"], "CODE")
    assert let_in(base, "CODE", "Node")
    for turn in (7, 8):
        (tmp_path / f"{turn}").write_text(up.replace('"turn":7', f'"turn":{turn}'), "utf-8")
    command = [str(NODE), str(CLIENT.with_name("wire_line.mjs")), serving.url.rstrip("/")]
    command += [hub.extensions["hub_key"].public, table["secret"]]
    try:
        done = subprocess.run(
            [*command, str(tmp_path / "7"), str(tmp_path / "8")],
            capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        answers = [json.loads(each) for each in done.stdout.splitlines()]
        assert [(each["said"], each["turn"], each["have"]) for each in answers] == [
            ("kept", 7, 1), ("kept", 8, 1),
        ]  # fmt: skip
    finally:
        serving.close()
        close_club_app(hub)


def test_the_line_of_the_vectors_holds() -> None:
    kept = json.loads(VECTORS.read_text(encoding="utf-8"))
    hub, table = (key_of_secret(kept[who]["secret"]) for who in ("hub", "table"))
    line, (up, down) = kept["line"], (each["body"].encode() for each in kept["messages"][2:])
    calling = Calling(table, hub.public, new_share(line["shares"]["table"]))
    assert calling.hello().decode() == line["hello"]
    own = calling.heard(line["welcome"].encode())
    _, hubs = take_call(hub, line["hello"].encode(), new_share(line["shares"]["hub"]))
    for number in range(2):
        assert hubs.takes.opened(bytes.fromhex(line["up"][number]) + up) == up
        assert own.takes.opened(bytes.fromhex(line["down"][number]) + down) == down
    for name in ("hello", "welcome"):
        fits(name, json.loads(line[name].split("\n")[1]))


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
    query = select(tables.c.key, logs.c.epoch, logs.c.have).join(
        tables, tables.c.id == logs.c.table_id
    )
    with reading(app.extensions["base"]) as connection:
        (stored,) = connection.execute(query)
    assert stored == (table.key.public, table.epoch, after)
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


def test_a_hub_says_how_large_a_batch_may_be(table: LoadTable) -> None:
    row = json.loads(answer_bytes(BatchAnswer(HubReply.KEPT, 1)))
    assert row.pop("room") == ROOMY_BYTES
    said = ({}, {"room": 1}, {"room": ROOMY_BYTES}, {"room": 1 << 40})
    rooms = [read_answer(json.dumps(row | each).encode()).room for each in said]
    assert rooms == [MOST_BATCH_BYTES, MOST_BATCH_BYTES, ROOMY_BYTES, ROOMY_BYTES]
    assert [rows_in(room) for room in (MOST_BATCH_BYTES, ROOMY_BYTES)] == [500, ROOMY_ROWS]
    for _ in range(ROOMY_ROWS + 1):
        table.make(None)
    with pytest.raises(WireError, match="up to 2000 entries"):
        read_batch(batch_bytes(Batch(table.epoch, 1, 0, tuple(table.rows))))
