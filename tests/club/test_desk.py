"""What the staff does over HTTP: who may, what is refused, and that it holds on both databases."""

import time
from pathlib import Path
from random import Random
from secrets import token_hex

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text
from werkzeug.test import TestResponse

from bench.club.load import LoadTable
from table_assist.club.hub.database import HubError, open_base
from table_assist.club.hub.desk import (
    DIRECTOR,
    REFEREE,
    ask_in,
    hall,
    hall_clock,
    let_in,
    make_link,
    start,
)
from table_assist.club.hub.intake import Sent, take
from table_assist.club.orders import OrderKind, kept_orders
from table_assist.club.wire import Batch
from tests.stages.club_table import ClubTable, joined, sent_up
from web.access import guard
from web.access.guard import TOKEN_HEADER
from web.access.roles import Role, declared
from web.club.hall_pages import Hall

CSV = "number,name\n" + "".join(f"{n},Player {n}\n" for n in range(1, 201))


class Person:
    """Somebody at a browser."""

    def __init__(self, app: Flask, address: str = "127.0.0.1") -> None:
        self.client: FlaskClient = app.test_client()
        self.address = address

    def get(self, path: str) -> TestResponse:
        return self.client.get(path, environ_base={"REMOTE_ADDR": self.address})

    def post(self, path: str, **body: object) -> tuple[int, dict[str, object]]:
        cookie = self.client.get_cookie("club_session")
        with self.client.application.test_request_context(
            "/", environ_base={"REMOTE_ADDR": self.address},
            headers={"Cookie": f"club_session={cookie.value}"} if cookie else {},
        ):  # fmt: skip
            token = guard.token()
        answer = self.client.post(
            path, json=body, headers={TOKEN_HEADER: token},
            environ_base={"REMOTE_ADDR": self.address},
        )  # fmt: skip
        return answer.status_code, answer.get_json()


@pytest.mark.usefixtures("counted")
def test_a_round_needs_as_many_tables_as_it_seats(app: Flask) -> None:
    director = Person(app)
    assert director.post("/api/desk/players", csv=CSV) == (200, {"new": 200, "known": 0})
    director.post("/api/desk/session", name="Monday")
    _, drawn = director.post("/api/desk/draw", session=1, kind="balanced", rounds=2, seed="a")
    assert director.post("/api/desk/plan", session=1, first=1, plan=drawn["plan"])[0] == 200
    status, refused = director.post("/api/desk/round", session=1, round=1)
    assert status == 409
    assert "needs 50 tables; 0" in str(refused)
    for wrong in ([], [[[1, 2, 3]]], [[[1, 2, 3, 3]]], [[[1, 2, 3, 9999]]], "x", [[[True] * 4]]):
        assert director.post("/api/desk/plan", session=1, first=1, plan=wrong)[0] in (400, 409)


@pytest.mark.usefixtures("counted")
def test_a_round_is_seated_at_the_tables_of_the_hall(app: Flask, tmp_path: Path) -> None:
    director, base = Person(app), app.extensions["base"]
    players = "number,name\n" + "".join(f"{n},P{n}\n" for n in range(1, 9))
    director.post("/api/desk/players", csv=players)
    director.post("/api/desk/session", name="Monday")
    tables = [ClubTable(tmp_path / f"{n}.sqlite") for n in range(2)]
    uplinks = [joined(table, app, f"Table {n + 1}") for n, table in enumerate(tables)]
    _, drawn = director.post("/api/desk/draw", session=1, kind="random", rounds=1, seed="x")
    assert director.post("/api/desk/plan", session=1, first=1, plan=drawn["plan"])[0] == 200
    assert director.post("/api/desk/round", session=1, round=1) == (200, {"told": 2})
    assert director.post("/api/desk/plan", session=1, first=1, plan=drawn["plan"])[0] == 409
    assert director.post("/api/desk/round", session=1, round=9)[0] == 409
    for table, uplink in zip(tables, uplinks, strict=True):
        sent_up(uplink)
        (kept,) = kept_orders(table.entries())
        assert kept.order.kind is OrderKind.SEATS
        table.play(3)
        sent_up(uplink)
    assert len(hall(base)) == 2
    stranger = Person(app, "10.0.0.9")
    assert stranger.get("/api/standings/1").status_code == 404
    director.post("/api/desk/publish", session=1, public=True)
    rows = stranger.get("/api/standings/1").get_json()["players"]
    assert len(rows) == 8
    assert sum(row["points"] for row in rows) == 0
    for kind in ("swiss", "interval"):
        status, drawn = director.post("/api/desk/draw", session=1, kind=kind, rounds=1, seed="")
        assert (status, drawn["first"]) == (200, 2)
    rounds = stranger.get("/api/seating/1").get_json()["rounds"]
    assert [(each["round"], each["seated"]) for each in rounds] == [(1, True)]
    csv = stranger.get("/api/standings/1.csv").text
    assert csv.splitlines()[0] == "\ufeffplace,player,points,corrected,hands,wins,best"
    assert len(csv.splitlines()) == 9


def test_a_link_opens_once_and_gives_no_more_than_it_says(app: Flask) -> None:
    base = app.extensions["base"]
    link = make_link(base, "Bo", REFEREE)
    referee, thief = Person(app, "10.0.0.8"), Person(app, "10.0.0.9")
    assert referee.get("/desk").status_code == 403
    assert referee.post("/api/desk/enter", link=link)[0] == 200
    assert thief.post("/api/desk/enter", link=link)[0] == 403
    assert referee.get("/desk").status_code == 200
    assert referee.post("/api/desk/session", name="x")[0] == 403
    assert thief.post("/api/desk/message", words="x")[0] == 403
    director = Person(app, "10.0.0.7")
    assert director.post("/api/desk/enter", link=make_link(base, "Ada", DIRECTOR))[0] == 200
    assert director.post("/api/desk/session", name="x")[0] == 200


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
    director = Person(app)
    director.post(
        "/api/desk/players", csv="number,name,hidden\n1,王伟,\n2,王伟\u200b,\n3,Ann,\n4,ANN,1\n"
    )
    director.post("/api/desk/session", name="Monday")
    desk = director.get("/api/desk").get_json()["players"]
    assert [row["name"] for row in desk] == ["ANN (4)", "Ann", "王伟 (1)", "王伟\u200b (2)"]
    _, second = desk[2:]
    away = {"session": 1, "player": second["id"], "first": 1, "last": 0}
    assert director.post("/api/desk/absent", **away)[0] == 200
    roster = director.get("/api/desk/roster/1").get_json()["players"]
    assert [row["name"] for row in roster if row["absent"]] == ["王伟\u200b (2)"]
    acts = director.get("/api/desk/acts").get_json()
    assert "(2) is not there" in str(acts)
    assert director.post("/api/desk/publish", session=1, public=True)[0] == 200
    director.post("/api/desk/correct", session=1, player=second["id"], points=50, reason="late")
    director.post("/api/desk/correct", session=1, player=desk[1]["id"], points=-50, reason="late")
    told = Person(app, "10.0.0.9").get("/api/standings/1").get_json()["players"]
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
