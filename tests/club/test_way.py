"""The way of an entry: once each, in order, whatever happens between the table and the hub."""

import os
import shutil
from pathlib import Path
from random import Random

import pytest
from flask import Flask
from sqlalchemy import select

from table_assist.club.calling import CallError
from table_assist.club.hub.database import entries, reading
from table_assist.club.hub.desk import given_orders, hall, open_alarms, refused_so_far, send_out
from table_assist.club.hub.people import begin_session, publish
from table_assist.club.orders import OrderKind, kept_orders
from table_assist.club.uplink import Uplink
from table_assist.club.wire import UP, Batch, batch_bytes
from table_assist.game.events import Attested
from table_assist.trust.installation import key_of_secret, new_secret
from tests.stages.club_table import ClubTable, HallLine, give_order, joined, sent_up, uplink_of


def stored(app: Flask) -> list[tuple[int, int, str, str]]:
    with reading(app.extensions["base"]) as connection:
        query = select(entries).order_by(entries.c.log, entries.c.seq)
        return [tuple(row) for row in connection.execute(query)]


def on_disk(table: ClubTable) -> list[tuple[int, str, str]]:
    return [(seq, seal, line) for seq, line, seal in table.store.rows_after(0, 100_000)]


def line_of(uplink: Uplink) -> HallLine:
    line = uplink._line
    assert isinstance(line, HallLine)
    return line


def alarms(app: Flask) -> list[str]:
    return [row.kind for row in open_alarms(app.extensions["base"])]


@pytest.fixture
def table(tmp_path: Path) -> ClubTable:
    return ClubTable(tmp_path / "table.sqlite")


def test_the_hub_holds_the_log_as_it_is(table: ClubTable, app: Flask) -> None:
    uplink = joined(table, app)
    table.play(1, hands=2)
    sent_up(uplink)
    assert [row[1:] for row in stored(app)] == on_disk(table)
    assert hall(app.extensions["base"])[0].view["hand"] == 2


def test_standings_say_what_of_a_log_is_on_its_way(table: ClubTable, app: Flask) -> None:
    uplink, client = joined(table, app), app.test_client()
    base = app.extensions["base"]
    session = begin_session(base, "Monday")
    publish(base, session, public=True)
    table.play(1, hands=6)

    def missing() -> list[dict[str, object]]:
        return list(client.get(f"/api/standings/{session}").get_json()["behind"])

    assert uplink.turn()
    to_come = len(on_disk(table)) - len(stored(app))
    assert missing() == [{"table": "Table 1", "entries": to_come}]
    note = f"Table 1: {to_come} entries of its log are on their way."
    assert note in client.get(f"/api/standings/{session}.csv").text
    assert client.get(f"/print/standings/{session}").status_code == 200
    sent_up(uplink)
    assert missing() == []
    table.tell(Attested("x", ()))
    uplink.turn()
    assert missing() == []


def test_batches_and_answers_that_are_lost_change_nothing(table: ClubTable, app: Flask) -> None:
    uplink, random = joined(table, app), Random(3)
    for seed in range(3):
        table.play(seed)
        for _ in range(20):
            line_of(uplink).fault = random.choice(("before", "after", ""))
            try:
                uplink.turn()
            except CallError:
                continue
    sent_up(uplink)
    assert [row[1:] for row in stored(app)] == on_disk(table)
    assert alarms(app) == []


def test_a_program_that_starts_again_goes_on_where_the_hub_is(table: ClubTable, app: Flask) -> None:
    uplink = joined(table, app)
    table.play(1)
    sent_up(uplink)  # and is killed: the file is older than what the hub holds
    table.close()
    table.open()
    again = uplink_of(table, app)
    table.play(1)
    sent_up(again)
    assert [row[1:] for row in stored(app)] == on_disk(table)
    assert len({row[0] for row in stored(app)}) == 1


def test_a_restored_log_goes_up_anew_and_is_told(table: ClubTable, app: Flask) -> None:
    uplink = joined(table, app)
    table.play(1)
    sent_up(uplink)
    backup = table.path.with_suffix(".backup")
    table.store.copy_to(backup)
    table.play(1)
    sent_up(uplink)
    before = stored(app)
    uplink.stop()
    table.close()
    shutil.copy(backup, table.path)
    for beside in ("-wal", "-shm"):
        Path(f"{table.path}{beside}").unlink(missing_ok=True)
    table.open()
    again = uplink_of(table, app)
    table.play(5)
    sent_up(again)
    assert stored(app)[: len(before)] == before
    newest = max(row[0] for row in stored(app))
    assert [row[1:] for row in stored(app) if row[0] == newest] == on_disk(table)
    assert alarms(app) == ["restored"]


def test_a_copied_table_is_never_merged(table: ClubTable, app: Flask, tmp_path: Path) -> None:
    uplink = joined(table, app)
    table.play(1)
    sent_up(uplink)
    uplink.stop()
    table.store.copy_to(tmp_path / "copy.sqlite")
    shutil.copy(table.path.with_suffix(".club.json"), tmp_path / "copy.club.json")
    copy = ClubTable(tmp_path / "copy.sqlite", key=table.key)
    other = uplink_of(copy, app)
    copy.t += 50
    table.play(1)
    copy.play(1)
    sent_up(uplink)
    before = stored(app)
    sent_up(other)
    assert stored(app) == before
    assert alarms(app) == ["conflict"]
    assert copy.health is not None
    assert copy.health.status == "lost"
    assert "copied" in copy.health.says.en
    table.play(1)
    sent_up(uplink)
    assert [row[1:] for row in stored(app)] == on_disk(table)


def test_a_log_that_was_left_does_not_go_on(table: ClubTable, app: Flask, tmp_path: Path) -> None:
    uplink = joined(table, app)
    table.play(1)
    sent_up(uplink)
    uplink.stop()
    newer = ClubTable(tmp_path / "other.sqlite", key=table.key)
    other = uplink_of(newer, app, uplink.membership)
    newer.play(2)
    sent_up(other)
    table.play(1)
    uplink.turn()
    uplink.turn()
    assert alarms(app) == ["two logs"]
    assert table.health is not None
    assert "another log" in table.health.says.en.lower()


def test_a_wrong_clock_changes_no_order(table: ClubTable, app: Flask) -> None:
    uplink = joined(table, app)
    for back in (0.0, -86_400.0, 10 * 86_400.0):
        table.t += back
        table.play(1)
        sent_up(uplink)
    assert [row[1:] for row in stored(app)] == on_disk(table)


def test_strangers_and_repetitions_are_refused_and_counted(table: ClubTable, app: Flask) -> None:
    uplink = joined(table, app)
    table.play(1)
    sent_up(uplink)
    before, base = stored(app), app.extensions["base"]
    line = line_of(uplink)
    for body, signature in line.sent[2:]:
        line.ask("/api/uplink", body, signature)
    assert refused_so_far(base)["repetition"] >= len(line.sent) // 2 - 2
    stranger = key_of_secret(new_secret())
    body = batch_bytes(Batch(uplink.membership.epoch, 10_000, 0, ()))
    _, got = line.ask("/api/uplink", body, stranger.sign(UP, body))
    assert b'"out"' in got
    for forged in (b"", b"{}", stranger.sign(UP, body).replace(stranger.public.encode(), b"00")):
        with pytest.raises(CallError, match="403"):
            line.ask("/api/uplink", body, forged)
    assert refused_so_far(base)["stranger"] == 1
    assert refused_so_far(base)["unsigned"] == 3
    assert stored(app) == before


def test_malformed_batches_are_refused_and_counted(table: ClubTable, app: Flask) -> None:
    uplink, random = joined(table, app), Random(7)
    table.play(1)
    sent_up(uplink)
    before, line = stored(app), line_of(uplink)
    whole = max((body for body, _ in line.sent), key=len)
    refused = 0
    count = 300 * int(os.environ.get("TABLE_ASSIST_FUZZ", "1"))
    for _ in range(count):
        body = bytearray(whole)
        for _ in range(random.randint(1, 4)):
            at = random.randrange(len(body))
            match random.randrange(3):
                case 0:
                    del body[at : at + random.randint(1, 40)]
                case 1:
                    body[at] = random.randrange(256)
                case _:
                    body[at:at] = random.choice(
                        (b"\0", b"\\u0000", b"NaN", b'"', b"\n", b"[" * 900)
                    )
        answer = line.client.post(
            "/api/uplink", data=bytes(body),
            headers={"Table-Assist-Signature": table.key.sign(UP, bytes(body)).decode()},
        )  # fmt: skip
        assert answer.status_code in (200, 400)
        refused += answer.status_code == 400
    assert refused > count * 2 // 3
    assert refused_so_far(app.extensions["base"])["malformed"] == refused
    assert stored(app) == before


def test_a_table_that_was_sent_out_is_heard_no_more(table: ClubTable, app: Flask) -> None:
    uplink = joined(table, app)
    table.play(1)
    sent_up(uplink)
    before = stored(app)
    send_out(app.extensions["base"], hall(app.extensions["base"])[0].id)
    table.play(1)
    uplink.turn()
    assert stored(app) == before
    assert table.health is not None
    assert table.health.status == "lost"


def test_an_order_becomes_one_entry_and_comes_back(table: ClubTable, app: Flask) -> None:
    uplink, base, key = joined(table, app), app.extensions["base"], app.extensions["hub_key"]
    (here,) = hall(base)
    for _ in range(2):
        give_order(
            base, key, [here.id], OrderKind.MESSAGE, {"en": "Tea", "zh": "茶"}, "Ada", once="tea"
        )
    ruling = {"seat": 1, "transfers": [-3, 1, 1, 1], "en": "Late", "zh": "迟到"}
    give_order(base, key, [here.id], OrderKind.RULING, ruling, "Ada")
    line_of(uplink).fault = "after"
    with pytest.raises(CallError):
        uplink.turn()
    for _ in range(3):
        uplink.turn()
    kept = kept_orders(table.entries())
    assert [(each.order.kind, each.refused) for each in kept] == [
        (OrderKind.MESSAGE, ""),
        (OrderKind.RULING, ""),
    ]
    assert table.snapshot.state.scores == (-3, 1, 1, 1)
    assert all(row.seq for row in given_orders(base))


def test_an_order_that_the_hub_did_not_sign_is_not_obeyed(table: ClubTable, app: Flask) -> None:
    uplink, base = joined(table, app), app.extensions["base"]
    (here,) = hall(base)
    give_order(base, key_of_secret(new_secret()), [here.id], OrderKind.MESSAGE, {"en": "x"}, "Eve")
    uplink.turn()
    assert kept_orders(table.entries()) == ()
