"""What the staff does over HTTP: who may, what is refused, and that it holds on both databases."""

import json
import time
from concurrent.futures import Future
from pathlib import Path
from random import Random
from secrets import token_hex
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from bench.club.load import LoadTable
from table_assist.club.hub import intake
from table_assist.club.hub.database import HubError, open_base
from table_assist.club.hub.desk import (
    DIRECTOR,
    MOST_OF_KIND,
    REFEREE,
    ask_in,
    given_orders,
    hall,
    hall_clock,
    let_in,
    make_link,
    open_alarms,
    start,
)
from table_assist.club.hub.intake import MOST_LOGS, Collector, Sent, take
from table_assist.club.orders import OrderKind, kept_order, kept_orders
from table_assist.club.sending import FILE_PURPOSE
from table_assist.club.uplink import Uplink
from table_assist.club.wire import (
    SIGNATURE_HEADER,
    UP,
    Batch,
    BatchAnswer,
    HubReply,
    batch_bytes,
    read_answer,
)
from table_assist.game.events import Attested
from table_assist.record.log import Entry, Source, entry_to_json
from table_assist.record.seal import seal_after
from table_assist.trust.installation import InstallationKey, key_of_secret, new_secret
from tests.stages.club_table import ClubTable, give_order, joined, sent_up
from tests.stages.visitor import Visitor
from web.access.roles import Role, declared
from web.club.hall_pages import Hall

CSV = "number,name\n" + "".join(f"{n},Player {n}\n" for n in range(1, 201))


@pytest.mark.usefixtures("counted")
def test_a_round_needs_as_many_tables_as_it_seats(app: Flask) -> None:
    director = Visitor(app)
    assert director.give("/api/desk/players", csv=CSV) == (200, {"new": 200, "known": 0})
    director.give("/api/desk/session", name="Monday")
    _, drawn = director.give("/api/desk/draw", session=1, kind="balanced", rounds=2, seed="a")
    assert director.give("/api/desk/plan", session=1, first=1, plan=drawn["plan"])[0] == 200
    status, refused = director.give("/api/desk/round", session=1, round=1)
    assert status == 409
    assert "needs 50 tables; 0" in str(refused)
    for wrong in ([], [[[1, 2, 3]]], [[[1, 2, 3, 3]]], [[[1, 2, 3, 9999]]], "x", [[[True] * 4]]):
        assert director.give("/api/desk/plan", session=1, first=1, plan=wrong)[0] in (400, 409)


@pytest.mark.usefixtures("counted")
def test_a_round_is_seated_at_the_tables_of_the_hall(app: Flask, tmp_path: Path) -> None:
    director, base = Visitor(app), app.extensions["base"]
    players = "number,name\n" + "".join(f"{n},P{n}\n" for n in range(1, 9))
    director.give("/api/desk/players", csv=players)
    director.give("/api/desk/session", name="Monday")
    tables = [ClubTable(tmp_path / f"{n}.sqlite") for n in range(2)]
    uplinks = [joined(table, app, f"Table {n + 1}") for n, table in enumerate(tables)]
    _, drawn = director.give("/api/desk/draw", session=1, kind="random", rounds=1, seed="x")
    assert director.give("/api/desk/plan", session=1, first=1, plan=drawn["plan"])[0] == 200
    assert director.give("/api/desk/round", session=1, round=1) == (200, {"told": 2})
    assert director.give("/api/desk/plan", session=1, first=1, plan=drawn["plan"])[0] == 409
    assert director.give("/api/desk/round", session=1, round=9)[0] == 409
    for table, uplink in zip(tables, uplinks, strict=True):
        sent_up(uplink)
        (kept,) = kept_orders(table.entries())
        assert kept.order.kind is OrderKind.SEATS
        table.play(3)
        sent_up(uplink)
    assert len(hall(base)) == 2
    stranger = Visitor(app, "10.0.0.9")
    assert stranger.get("/api/standings/1").status_code == 404
    director.give("/api/desk/publish", session=1, public=True)
    rows = stranger.get("/api/standings/1").get_json()["players"]
    assert len(rows) == 8
    assert sum(row["points"] for row in rows) == 0
    for kind in ("swiss", "interval"):
        status, drawn = director.give("/api/desk/draw", session=1, kind=kind, rounds=1, seed="")
        assert (status, drawn["first"]) == (200, 2)
    rounds = stranger.get("/api/seating/1").get_json()["rounds"]
    assert [(each["round"], each["seated"]) for each in rounds] == [(1, True)]
    csv = stranger.get("/api/standings/1.csv").text
    assert csv.splitlines()[0] == "\ufeffplace,player,points,corrected,hands,wins,best"
    assert len(csv.splitlines()) == 9


def test_a_link_opens_once_and_gives_no_more_than_it_says(app: Flask) -> None:
    base = app.extensions["base"]
    link = make_link(base, "Bo", REFEREE)
    referee, thief = Visitor(app, "10.0.0.8"), Visitor(app, "10.0.0.9")
    assert referee.get("/desk").status_code == 403
    assert referee.give("/api/desk/enter", link=link)[0] == 200
    assert thief.give("/api/desk/enter", link=link)[0] == 403
    assert referee.get("/desk").status_code == 200
    assert referee.give("/api/desk/session", name="x")[0] == 403
    assert thief.give("/api/desk/message", words="x")[0] == 403
    director = Visitor(app, "10.0.0.7")
    assert director.give("/api/desk/enter", link=make_link(base, "Ada", DIRECTOR))[0] == 200
    assert director.give("/api/desk/session", name="x")[0] == 200


def test_every_endpoint_says_who_may(app: Flask) -> None:
    roles = declared(app)
    assert None not in roles.values()
    for name, role in roles.items():
        if name.startswith("desk.") and name != "desk.enter":
            assert role in (Role.REFEREE, Role.ADMIN), name
    paths = app.test_client().get("/api/openapi.json").get_json()["paths"]
    assert {"/api/hall", "/api/standings/{session}", "/api/desk/plan"} <= set(paths)


def test_a_newer_database_is_refused(where: str) -> None:
    engine = open_base(where)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '999'"))
    engine.dispose()
    with pytest.raises(HubError, match="999"):
        open_base(where)


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "club.sqlite").write_text("no database" * 1000)
    with pytest.raises(HubError):
        open_base(str(tmp_path / "club.sqlite"))
    with pytest.raises(HubError):
        open_base("postgresql://nobody@127.0.0.1:1/nowhere")


@pytest.mark.usefixtures("counted")
def test_two_players_of_one_name_are_told_apart_wherever_they_are_told(app: Flask) -> None:
    director = Visitor(app)
    director.give(
        "/api/desk/players", csv="number,name,hidden\n1,王伟,\n2,王伟\u200b,\n3,Ann,\n4,ANN,1\n"
    )
    director.give("/api/desk/session", name="Monday")
    desk = director.get("/api/desk").get_json()["players"]
    assert [row["name"] for row in desk] == ["ANN (4)", "Ann", "王伟 (1)", "王伟\u200b (2)"]
    _, second = desk[2:]
    away = {"session": 1, "player": second["id"], "first": 1, "last": 0}
    assert director.give("/api/desk/absent", **away)[0] == 200
    roster = director.get("/api/desk/roster/1").get_json()["players"]
    assert [row["name"] for row in roster if row["absent"]] == ["王伟\u200b (2)"]
    acts = director.get("/api/desk/acts").get_json()
    assert "(2) is not there" in str(acts)
    assert director.give("/api/desk/publish", session=1, public=True)[0] == 200
    director.give("/api/desk/correct", session=1, player=second["id"], points=50, reason="late")
    director.give("/api/desk/correct", session=1, player=desk[1]["id"], points=-50, reason="late")
    told = Visitor(app, "10.0.0.9").get("/api/standings/1").get_json()["players"]
    assert [row["name"] for row in told] == ["王伟\u200b (2)", "Ann"]  # of no other Ann they know


APART_S = 60.0
REAL = time.time


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """By how much this hub's clock is ahead, to be changed."""
    ahead = [0.0]
    monkeypatch.setattr("time.time", lambda: REAL() + ahead[0])
    return ahead


def shown(hall: Hall) -> dict[str, tuple[object, bool]]:
    hall.refresh()
    return {
        row["name"]: (row["view"].get("hand"), row["quiet"]) for row in hall.everything()["tables"]
    }


def test_a_table_of_a_hub_that_is_behind_is_in_every_hall(app: Flask, clock: list[float]) -> None:
    base, hall = app.extensions["base"], Hall(app.extensions["base"])
    of = {name: LoadTable(0, token_hex(16), [], Random(5)) for name in ("A", "B")}
    turn = 0

    def tell(name: str, hand: int) -> None:
        nonlocal turn
        turn += 1
        take(base, [Sent(of[name].key.public, Batch(of[name].epoch, turn, 0, (), {"hand": hand}))])

    for name, table in of.items():
        ask_in(base, table.key.public, name)
        assert let_in(base, name, name)
    for hand in range(1, 4):
        clock[0] = APART_S
        tell("A", hand)
        clock[0] = 0.0
        tell("B", hand)
        if base.dialect.name == "postgresql":  # several machines have no file together
            clock[0] = -APART_S
        found = shown(hall)
        assert {name: each[0] for name, each in found.items()} == {"A": hand, "B": hand}
        assert base.dialect.name == "sqlite" or not any(quiet for _, quiet in found.values())


def test_the_halls_clock_is_the_same_at_every_hub(app: Flask, clock: list[float]) -> None:
    base, client = app.extensions["base"], app.test_client()
    if base.dialect.name == "sqlite":
        return  # one machine, one clock
    clock[0] = APART_S
    start(base, app.extensions["hub_key"], 10, "Ada")
    clock[0] = 0.0
    assert hall_clock(base).running
    assert 590 < client.get("/api/clock").get_json()["left_s"] <= 600


HALF = '{"hash":"\\ud800"}'  # JSON that can be read, and nowhere written


class Liar:
    """A table that was let in, whose program writes what it likes."""

    def __init__(self, app: Flask, folder: Path, name: str) -> None:
        self.table = ClubTable(folder / f"{name}.sqlite")
        self.uplink: Uplink = joined(self.table, app, name)
        self.client: FlaskClient = app.test_client()
        self.turn, self.epoch = 1000, self.uplink.membership.epoch
        (self.id,) = (each.id for each in hall(app.extensions["base"]) if each.name == name)

    @property
    def key(self) -> InstallationKey:
        return self.table.key

    def batch(self, *lines: str, epoch: str = "") -> Batch:
        rows, seal = list[tuple[str, str]](), ""
        for line in lines:
            seal = seal_after(seal, line)
            rows.append((seal, line))
        self.turn += 1
        return Batch(epoch or self.epoch, self.turn, 0, tuple(rows))

    def send(self, *lines: str, epoch: str = "") -> tuple[int, bytes]:
        return posted(self.client, UP, self.key, batch_bytes(self.batch(*lines, epoch=epoch)))


def posted(
    client: FlaskClient, purpose: str, key: InstallationKey, body: bytes
) -> tuple[int, bytes]:
    path = {UP: "/api/uplink", FILE_PURPOSE: "/api/uplink/file"}[purpose]
    answer = client.post(
        path, data=body, headers={SIGNATURE_HEADER: key.sign(purpose, body).decode()}
    )
    return answer.status_code, answer.data


def line(*fields: str, seq: int = 1, t: float = 1.0) -> str:
    return entry_to_json(Entry(seq, t, Source.RULES, Attested("club", fields)))


def profile(key: str, wanted: str, own: str, refused: str = "another") -> tuple[str, ...]:
    return key, "profile", wanted, "Ada", "", refused, own


@pytest.mark.parametrize("order", ["\0", "\ud800", "e" * 30_000, "E" * 32, "", None, ["e" * 32]])
def test_a_strangers_piece_of_a_file_is_refused(order: object, app: Flask) -> None:
    head = json.dumps({"order": order, "digest": "a" * 64, "size": 9, "at": 0}).encode()
    stranger = key_of_secret(new_secret())
    assert posted(app.test_client(), FILE_PURPOSE, stranger, head + b"\nabc")[0] == 400


def test_no_word_in_an_order_is_more_than_the_database_takes(tmp_path: Path, app: Flask) -> None:
    base, key = app.extensions["base"], app.extensions["hub_key"]
    liar = Liar(app, tmp_path, "Liar")
    give_order(base, key, [liar.id], OrderKind.MESSAGE, {"en": "x", "zh": "x"}, "Ada")
    (given,) = given_orders(base)
    lines = [
        line(given.key, "message", "{}", "", "", "\0no" + "x" * 9000),
        line(*profile("a" * 32, '{"hash":"\\u00001"}', '{"hash":"\\u00002"}'), seq=2),
        line(*profile("b" * 32, HALF, HALF), seq=3),
        line(*profile("c" * 32, "{}", '{"hash":NaN}'), seq=4),
        line(*profile("\0" * 32, "{}", "{}"), seq=5),
        line(*profile("d" * 32, "[" * 5000, "{}"), seq=6),
    ]
    assert liar.send(*lines)[0] == 200
    (given,) = given_orders(base)
    assert (given.seq, given.refused) == (1, "no" + "x" * 398)
    assert [row.told for row in open_alarms(base)] == ["2 ≠ 1"]


def test_half_a_character_or_no_number_is_no_order() -> None:
    for fields in (profile("a" * 32, HALF, "{}"), profile("a" * 32, "{}", '{"hash":Infinity}')):
        assert kept_order(Entry(1, 1.0, Source.RULES, Attested("club", fields))) is None


@pytest.mark.parametrize("t", ["Infinity", "-Infinity", "NaN", "1e999"])
def test_an_entry_with_no_number_is_not_taken(t: str, tmp_path: Path, app: Flask) -> None:
    """It went into the pages of the players who sat there, which then could not be made."""
    liar = Liar(app, tmp_path, "Liar")
    true = line("a" * 32, "message", "{}", "", "", "")
    status, said = liar.send(true.replace('"t":1.0', f'"t":{t}'))
    assert status == 400, said
    assert liar.send(true)[0] == 200


def test_one_that_spoils_a_common_transaction_spoils_its_own_alone(
    tmp_path: Path, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest, liar = Liar(app, tmp_path, "Honest"), Liar(app, tmp_path, "Liar")

    def spoilt(engine: Any, sent: Any) -> list[BatchAnswer]:
        if any(each.table == liar.key.public for each in sent):
            raise UnicodeEncodeError("utf-8", "\ud800", 0, 1, "half a character")
        return take(engine, sent)

    monkeypatch.setattr(intake, "take", spoilt)
    collector: Collector = app.extensions["collector"]
    sent = [Sent(each.key.public, each.batch()) for each in (honest, liar, honest)]
    waiting = [(each, Future[BatchAnswer]()) for each in sent]
    collector._write(waiting)
    said = [each.exception() or each.result().said for _, each in waiting]
    assert said[::2] == [HubReply.KEPT, HubReply.KEPT]
    assert isinstance(said[1], UnicodeEncodeError)


def test_alarms_of_one_table_do_not_hide_those_of_others(tmp_path: Path, app: Flask) -> None:
    base = app.extensions["base"]
    honest, liar = Liar(app, tmp_path, "Honest"), Liar(app, tmp_path, "Liar")
    told = [line(*profile(f"{n:032x}", "{}", f'{{"hash":"{n:08}"}}'), seq=n) for n in range(1, 101)]
    assert liar.send(*told)[0] == 200
    assert honest.send(line(*profile("a" * 32, "{}", '{"hash":"2"}')))[0] == 200
    names = [row.name for row in open_alarms(base)]
    assert (names.count("Liar"), names.count("Honest")) == (MOST_OF_KIND, 1)


def test_a_table_begins_so_many_logs_a_day(
    tmp_path: Path, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    liar = Liar(app, tmp_path, "Liar")
    monkeypatch.setattr("table_assist.club.hub.intake.MOST_LOGS", 5)
    said = [
        read_answer(liar.send(line("a" * 32, "x", "", "", "", "", t=n), epoch=f"{n:032x}")[1]).said
        for n in range(1, 9)
    ]
    assert said == [HubReply.KEPT] * 5 + [HubReply.OLD] * 3
    assert "> 5" in {row.told for row in open_alarms(app.extensions["base"])}
    monkeypatch.setattr("table_assist.club.hub.intake.DAY_S", 0.0)
    assert (
        read_answer(liar.send(line("b" * 32, "x", "", "", "", ""), epoch="f" * 32)[1]).said
        == "kept"
    )
    assert MOST_LOGS >= 100


@pytest.mark.parametrize(
    "path", ["/desk/file/{}", "/api/desk/rounds/{}", "/api/picture/{}.jpg", "/api/standings/{}"]
)
def test_a_number_that_no_database_holds_is_no_address(path: str, app: Flask) -> None:
    for number in (1 << 53, 1 << 63, 10**40):
        assert app.test_client().get(path.format(number)).status_code == 404
