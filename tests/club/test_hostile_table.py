"""A table that was let in and lies: about who sits there, and about what spectators see."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError

from table_assist.club.calling import Membership, code_of
from table_assist.club.hub.desk import MOST_ASKED, ask_in, hall, let_in, waiting_tables
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.people import begin_session, take_players
from table_assist.club.orders import Order, OrderKind, kept_orders
from table_assist.club.uplink import Uplink
from table_assist.club.wire import SIGNATURE_HEADER, UP, Batch, batch_bytes
from table_assist.game.events import Penalised
from table_assist.languages.words import Words
from table_assist.record.seal import PublishedError, published_row, read_row, seal_after
from table_assist.trust.installation import key_of_secret, new_secret
from tests.stages.club_table import ClubTable, give_order, joined, sent_up, uplink_of
from tests.stages.visitor import Visitor
from web.club import uplink_api

CSV = "number,name\n" + "".join(f"{n},Player {n}\n" for n in range(1, 9))
ODD: tuple[Any, ...] = (
    0, -1, 7, 1 << 53, 10**30, 1.5, 1e308, "", "\0", "??", None, True, [], {}, [1, 2, 3, 4],
    [-(10**20), 10**20, 0, 0],
)  # fmt: skip


def seats(session: int, players: list[int]) -> dict[str, Any]:
    return {"session": session, "round": 1, "players": players, "names": ["", "", "", ""]}


def test_a_table_seats_nobody_by_itself(tmp_path: Path, app: Flask) -> None:
    base, key = app.extensions["base"], app.extensions["hub_key"]
    take_players(base, CSV)
    session = begin_session(base, "Monday")
    honest, liar = ClubTable(tmp_path / "a.sqlite"), ClubTable(tmp_path / "b.sqlite")
    lines = [joined(honest, app, "A"), joined(liar, app, "B")]
    theirs, own = hall(base)
    give_order(base, key, [theirs.id], OrderKind.SEATS, seats(session, [1, 2, 3, 4]), "Ada")
    give_order(base, key, [own.id], OrderKind.SEATS, seats(session, [5, 6, 7, 8]), "Ada")
    for uplink in lines:
        sent_up(uplink)
    (for_another,) = kept_orders(honest.entries())
    (genuine,) = kept_orders(liar.entries())
    invented = Order("e" * 32, OrderKind.SEATS, seats(session, [1, 2, 3, 4]), "Ada")
    stolen = Words("they pay", "罚")
    for order in (
        invented,
        invented.signed(key_of_secret(new_secret()), liar.key.public),
        for_another.order,
        genuine.order,
    ):
        liar.vouch(order.as_event())
        liar.tell(Penalised((-6, 2, 2, 2), stolen))
    sent_up(lines[1])
    points = {each.player: each.points for each in Ledger(base).standing(session)}
    assert {points.get(player, 0) for player in (1, 2, 3, 4)} == {0}
    assert [points[player] for player in (5, 6, 7, 8)] == [-24, 8, 8, 8]


@pytest.mark.parametrize(
    "view",
    [
        {"names": 5},
        {"names": ["Ann", "Bo", "Chen"]},
        {"names": ["Ann", "Bo", "Chen", "Du"], "scores": ["", 0, 0, 0]},
        {"scores": [0, 0, 0, True]},
        {"headline": "won"},
        {"headline": {"en": "x" * 401}},
        {"call": {"key": "a" * 32, "reason": {"en": "x"}}},
        {"call": 3},
        {"hand": 1 << 60},
        {"script": "x"},
    ],
)
def test_what_the_hall_cannot_draw_is_not_taken(
    view: dict[str, Any], tmp_path: Path, app: Flask
) -> None:
    table = ClubTable(tmp_path / "a.sqlite")
    uplink = joined(table, app)
    (before,) = hall(app.extensions["base"])
    assert sent(uplink, table, (), view=view) == 400
    (after,) = hall(app.extensions["base"])
    assert after.view == before.view


def test_a_log_that_makes_no_sense_stops_nothing(tmp_path: Path, app: Flask) -> None:
    base, random = app.extensions["base"], Random(21)
    session = begin_session(base, "Monday")
    honest = ClubTable(tmp_path / "honest.sqlite")
    uplink = joined(honest, app)
    honest.play(3)
    sent_up(uplink)
    true = Ledger(base).logs()[0].told
    lines = [line for _, line, _ in honest.store.rows_after(0, 1000)]
    taken = 0
    for number in range(4):
        liar = ClubTable(tmp_path / f"{number}.sqlite")
        absurd = nonsense(lines, random)
        taken += len(absurd)
        assert sent(joined(liar, app, f"{number}"), liar, absurd) == 200
        for path in ("desk/reconciled", "ratings", f"standings/{session}", "hall"):
            assert app.test_client().get(f"/api/{path}").status_code == 200
    assert taken > 100
    assert Ledger(base).logs()[0].told == true


def nonsense(lines: list[str], random: Random) -> tuple[tuple[str, str], ...]:
    """Entries in any order with values that mean nothing, which can be read and fit their seals."""
    rows: list[tuple[str, str]] = []
    for line in random.sample(lines, min(60, len(lines))):
        row = json.loads(line) | {"seq": len(rows) + 1}
        name = random.choice(list(row["event"]))
        if name != "type" and random.random() < 0.7:
            row["event"][name] = random.choice(ODD)
        text = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
        seal = seal_after(rows[-1][0] if rows else "", text)
        try:
            read_row(published_row(seal, text), 2, len(rows) + 1)
        except PublishedError:
            continue
        rows.append((seal, text))
    return tuple(rows)


def sent(
    uplink: Uplink,
    table: ClubTable,
    rows: tuple[tuple[str, str], ...],
    view: dict[str, Any] | None = None,
) -> int:
    """What the hub answers to a batch that the table's own program would not make."""
    body = batch_bytes(Batch(uplink.membership.epoch, 1000, 0, rows, view))
    line: Any = uplink._line
    headers = {SIGNATURE_HEADER: table.key.sign(UP, body).decode()}
    return int(line.client.post("/api/uplink", data=body, headers=headers).status_code)


def test_strangers_who_fill_the_queue_keep_no_table_out(tmp_path: Path, app: Flask) -> None:
    base = app.extensions["base"]
    for number in range(MOST_ASKED + 5):
        assert not ask_in(base, f"{number:064}", f"AAAAA-{number:05}".replace("0", "B"))
    hub, table = app.extensions["hub_key"].public, ClubTable(tmp_path / "a.sqlite")
    membership = Membership("http://hall", hub, salt="1")
    uplink = uplink_of(table, app, membership)
    uplink.turn()
    assert not let_in(base, "not a code", "Table 1")
    assert waiting_tables(base) == MOST_ASKED
    assert let_in(base, code_of(hub, "", table.key.public, "1"), "Table 1")
    uplink.turn()
    assert uplink.membership.is_in
    assert [each.name for each in hall(base)] == ["Table 1"]
    other = uplink_of(ClubTable(tmp_path / "b.sqlite"), app, membership)
    other.turn()
    assert not other.membership.is_in


def full(*_: object, **__: object) -> None:
    raise OperationalError("insert", {}, Exception("database or disk is full"))


def test_what_the_desk_does_on_a_full_disk_is_said_to_be_undone_or_unknown(
    tmp_path: Path, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    director = Visitor(app)
    joined(ClubTable(tmp_path / "a.sqlite"), app)

    monkeypatch.setattr("table_assist.club.hub.desk.order_in", full)
    status, said = director.give("/api/desk/message", words="hello")
    assert status == 503
    assert "Look whether it was done" in said["error"]["en"]
    assert director.get("/api/desk/acts").get_json()["acts"][0]["kind"] != "message"


def test_a_disk_that_is_full_does_not_fill_with_lines_that_say_so(
    tmp_path: Path,
    app: Flask,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = ClubTable(tmp_path / "a.sqlite")
    uplink = joined(table, app)

    with monkeypatch.context() as patch:
        patch.setattr(uplink_api, "_told_at", float("-inf"))
        patch.setattr(app.extensions["collector"], "bring", full)
        assert [sent(uplink, table, ()) for _ in range(5)] == [503] * 5
    told = [each.message for each in caplog.records if each.name == uplink_api.__name__]
    assert told == ["the database does not take it: database or disk is full"]
    uplink.turn()
    assert table.health is not None
    assert table.health.status == "live"
