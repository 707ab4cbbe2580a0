"""A disputed hand's file comes to the hub when the hand is over, and opens as at the table."""

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from table_assist.capture.manifest import program_version
from table_assist.club.calling import CallError
from table_assist.club.hub.database import files, pieces
from table_assist.club.hub.database import tables as hub_tables
from table_assist.club.hub.desk import hall, refused_so_far
from table_assist.club.orders import OrderKind, kept_orders
from table_assist.club.sending import FILE, Sending, whole_hands
from table_assist.evidence.dispute.file import pack_dispute
from table_assist.game.events import Attested, HandStarted
from table_assist.record.log import Entry
from tests.club.test_acts import Evening
from tests.club.test_way import line_of
from tests.stages.club_table import HallLine, sent_up
from web.pages.dispute_page import dispute_page


@pytest.fixture
def evening(app: Flask, tmp_path: Path) -> Evening:
    made = Evening(app, tmp_path, tables=1, players=4)
    table, uplink = made.tables[0], made.uplinks[0]

    def pack(entries: Sequence[Entry], hand: int, pictures: bool) -> bytes:
        page = partial(dispute_page, made_t=1.0, signer=table.key.fingerprint)
        return pack_dispute(
            entries, hand, made_t=1.0, program=program_version(), page=page, key=table.key
        )

    uplink._files = Sending(pack, uplink._line, table.key, app.extensions["hub_key"].public)
    table.play(2)
    made.up()
    return made


def listed(evening: Evening) -> dict[str, Any]:
    (row,) = evening.director.get("/api/desk/files").get_json()["files"]
    return dict(row)


def asked(evening: Evening, hand: int = 1) -> None:
    evening.do("file/ask", table=hall(evening.base)[0].id, hand=hand)
    evening.up()


def said_of(evening: Evening, file: int) -> dict[str, list[str]]:
    status, said = evening.director.post("/api/desk/file/verify", file=file, seal="")
    assert status == 200, said
    found: dict[str, list[str]] = {"ok": [], "NO": [], "--": []}
    for row in said["findings"]:  # type: ignore[attr-defined]
        found[row["mark"]].append(row["text"]["en"])
    return found


def test_a_file_opens_at_the_hub_as_at_the_table(evening: Evening) -> None:
    asked(evening)
    row = listed(evening)
    answer = kept_orders(evening.tables[0].entries())[-1].answer
    assert (answer["digest"], answer["size"]) == (row["digest"], row["size"])
    found = said_of(evening, row["file"])
    assert found["NO"] == []
    for sentence in (
        "Signed by Table 1's own key.",
        "It is of hand 1, as asked.",
        "Its log is the one that the club holds.",
    ):
        assert sentence in found["ok"]
    page = evening.director.get(f"/api/desk/file/{row['file']}/hand")
    assert "Hand 1" in page.text
    assert "sandbox" in page.headers["Content-Security-Policy"]
    whole = evening.director.get(f"/api/desk/file/{row['file']}/dispute.zip").data
    assert len(whole) == row["size"]
    assert evening.director.get(f"/api/desk/file/{row['file']}/evidence/x.jpg").status_code == 404
    assert evening.director.get("/desk/file/99").status_code == 404
    assert evening.director.get(f"/desk/file/{row['file']}").status_code == 200


def test_the_file_of_a_hand_that_is_played_waits_and_tells_nothing_of_the_next(
    evening: Evening,
) -> None:
    table = evening.tables[0]
    second = len(table.record.entries)
    table.play(2)
    played = [each.event for each in table.record.entries[second:]]
    # A third hand is dealt and goes on.
    dealt = next(n for n, each in enumerate(played) if isinstance(each, HandStarted))
    start = [each for each in played[: dealt + 1] if not isinstance(each, Attested)]
    third = [
        HandStarted(**{**_fields(each), "hand": 3}) if isinstance(each, HandStarted) else each
        for each in start
    ]
    table.tell(*third)  # type: ignore[arg-type]
    assert table.snapshot.state.is_running
    asked(evening, hand=3)
    assert (listed(evening)["file"], listed(evening)["refused"]) == (None, "")
    with evening.base.connect() as connection:
        assert connection.execute(select(func.count()).select_from(pieces)).scalar_one() == 0
    evening.do("file/ask", table=hall(evening.base)[0].id, hand=2)
    evening.up()
    newest = evening.director.get("/api/desk/files").get_json()["files"][0]
    assert newest["hand"] == 2
    free = whole_hands(table.snapshot, table.entries())
    found = said_of(evening, newest["file"])
    assert found["NO"] == []
    packed = evening.director.get(f"/api/desk/file/{newest['file']}/dispute.zip").data
    (evening.tables[0].path.parent / "got.zip").write_bytes(packed)
    from table_assist.evidence.dispute.file import read_dispute

    assert len(read_dispute(evening.tables[0].path.parent / "got.zip").entries) == free


def _fields(event: HandStarted) -> dict[str, Any]:
    return {name: getattr(event, name) for name in event.__dataclass_fields__}


def test_a_hand_that_never_was_is_refused(evening: Evening) -> None:
    asked(evening, hand=9)
    evening.up()
    assert listed(evening)["refused"] == "there is no hand 9"
    assert evening.director.post("/api/desk/file/ask", table=99, hand=1)[0] == 409


def test_a_file_whose_answer_is_lost_is_whole_in_the_end(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table_assist.club.sending.PIECE", 1000)
    line, uplink = line_of(evening.uplinks[0]), evening.uplinks[0]
    evening.do("file/ask", table=hall(evening.base)[0].id, hand=1)
    calls = 0
    ask = line.ask

    def faulty(path: str, body: bytes | None = None, signature: bytes = b"") -> tuple[str, bytes]:
        nonlocal calls
        if path.endswith("/file"):
            calls += 1
            line.fault = {3: "after", 6: "before"}.get(calls, "")
        return ask(path, body, signature)

    monkeypatch.setattr(line, "ask", faulty)
    for _ in range(4):
        try:
            sent_up(uplink)
        except CallError:
            continue
    assert calls > 8
    row = listed(evening)
    assert said_of(evening, row["file"])["NO"] == []


def test_nobody_sends_what_was_not_asked_for(evening: Evening, tmp_path: Path) -> None:
    app, table = evening.app, evening.tables[0]
    line = HallLine(app)

    def send(head: dict[str, Any], content: bytes, key: Any = None) -> None:
        body = json.dumps(head).encode() + b"\n" + content
        line.ask("/api/uplink/file", body, (key or table.key).sign(FILE, body))

    head = {"order": "0" * 32, "digest": "0" * 64, "size": 3, "at": 0}
    evening.do("file/ask", table=hall(evening.base)[0].id, hand=1)
    (order,) = [row for row in _orders(evening) if row["kind"] == OrderKind.DISPUTE]
    for wrong in (
        {**head, "order": order["key"], "size": 30_000_000},
        {**head, "order": order["key"], "at": 3},
        {**head, "order": order["key"], "digest": "x"},
        {**head, "order": 7},
        head,
    ):
        with pytest.raises(CallError, match="400"):
            send(wrong, b"abc")
    from table_assist.trust.installation import key_of_secret, new_secret

    with pytest.raises(CallError, match="400"):
        send({**head, "order": order["key"]}, b"abc", key_of_secret(new_secret()))
    # Bytes that are not what their digest says are forgotten again.
    send({**head, "order": order["key"]}, b"abc")
    with evening.base.connect() as connection:
        assert connection.execute(select(func.count()).select_from(files)).scalar_one() == 0
    assert refused_so_far(evening.base)["malformed"] == 6


def _orders(evening: Evening) -> list[dict[str, Any]]:
    rows = evening.director.get("/api/desk/orders").get_json()["orders"]
    return [json.loads(row["order"]) for row in rows]


def test_a_file_that_another_key_signed_is_told(evening: Evening) -> None:
    asked(evening)
    with evening.base.begin() as connection:
        connection.execute(update(hub_tables).values(key="f" * 64))
        connection.execute(update(files).values(hand=2))
    found = said_of(evening, listed(evening)["file"])
    assert "It is not signed by Table 1's key." in found["NO"]
    assert "It is not of hand 2, which was asked for." in found["NO"]
