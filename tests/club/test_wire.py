"""The wire is a published contract: schemas, vectors, and a table in another language."""

import json
import subprocess
import time
from pathlib import Path

import jsonschema_rs
import playwright
import pytest
from flask import Flask

from table_assist.club import calling
from table_assist.club.calling import CallError, code_of
from table_assist.club.hub.database import open_base
from table_assist.club.hub.desk import ask_in, hall, let_in, open_alarms
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.people import all_players, begin_session, take_players
from table_assist.club.hub.seats import seat_four
from table_assist.club.orders import OrderKind
from table_assist.club.uplink import Uplink
from table_assist.club.wire import FIELDS, Calling, WireError, read_answer, read_batch, take_call
from table_assist.record.seal import seal_after
from table_assist.trust.installation import key_of_secret, new_share, signer_of
from tests.stages.club_table import ClubTable, HallLine, give_order, joined, sent_up
from tools.wire_schema import SCHEMA, VECTORS, schema, text, vectors
from web.club.app import close_club_app, create_club_app
from web.serve import serve

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
