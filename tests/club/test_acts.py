"""What the desk decides counts until it is taken back, and that is an act too."""

from pathlib import Path

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from table_assist.club.acts import ActKind, CountsFor, DeskAct, Roster
from table_assist.club.hub.database import orders
from table_assist.club.hub.desk import ORDER_REPLACED, all_acts, hall
from table_assist.club.hub.people import all_players
from table_assist.club.orders import Order, OrderKind, SeatedNames, kept_orders
from table_assist.club.uplink import Uplink, open_call
from table_assist.game.events import Penalised, SeatsChanged
from table_assist.languages.words import Words
from table_assist.record.snapshot import Snapshot
from tests.stages.club_table import ClubTable, joined, sent_up
from tests.stages.visitor import Visitor

pytestmark = pytest.mark.usefixtures("counted")


class Evening:
    """A club with a session, some tables and as many players as one likes."""

    def __init__(self, app: Flask, folder: Path, tables: int, players: int) -> None:
        self.app, self.base = app, app.extensions["base"]
        self.director = Visitor(app)
        rows = "".join(f"{n},P{n}\n" for n in range(1, players + 1))
        self.director.give("/api/desk/players", csv=f"number,name\n{rows}")
        self.director.give("/api/desk/session", name="Monday")
        self.tables = [ClubTable(folder / f"{n}.sqlite") for n in range(tables)]
        self.uplinks: list[Uplink] = [
            joined(table, app, f"Table {n + 1}") for n, table in enumerate(self.tables)
        ]

    def ids(self) -> dict[str, int]:
        return {row.name: row.id for row in all_players(self.base)}

    def do(self, path: str, **body: object) -> dict[str, object]:
        status, said = self.director.give(f"/api/desk/{path}", **body)
        assert status == 200, said
        return said

    def draw(self, round: int = 1, **more: object) -> dict[str, object]:
        drawn = self.do("draw", session=1, kind="random", rounds=1, seed="x", **more)
        assert drawn["first"] == round
        self.do("plan", session=1, first=round, plan=drawn["plan"])
        return drawn

    def seat(self, round: int = 1) -> None:
        self.do("round", session=1, round=round)
        self.up()

    def up(self) -> None:
        for uplink in self.uplinks:
            sent_up(uplink)

    def undo(self, kind: ActKind) -> int:
        act = next(each for each in reversed(all_acts(self.base, [kind])) if each.stands)
        return self.director.give("/api/desk/undo", act=act.id)[0]

    def standing(self) -> dict[str, int]:
        rows = self.director.get("/api/standings/1").get_json()["players"]
        return {row["name"]: row["points"] for row in rows}


@pytest.fixture
def evening(app: Flask, tmp_path: Path) -> Evening:
    return Evening(app, tmp_path, tables=1, players=5)


def penalty(table: ClubTable, *moved: int) -> None:
    table.tell(Penalised((moved[0], moved[1], moved[2], moved[3]), Words("late", "迟到")))


def seated(evening: Evening) -> list[str]:
    """Plans four of the five, and seats them; their names by seat."""
    ids = evening.ids()
    four = [[[ids[f"P{n}"] for n in (1, 2, 3, 4)]]]
    evening.do("plan", session=1, first=1, plan=four)
    evening.seat()
    return ["P1", "P2", "P3", "P4"]


@pytest.mark.parametrize("counts_for", list(CountsFor))
def test_a_stand_in_sits_from_the_next_hand_and_points_go_where_the_desk_said(
    evening: Evening, counts_for: CountsFor
) -> None:
    seated(evening)
    table, ids = evening.tables[0], evening.ids()
    penalty(table, 3, -1, -1, -1)
    table.tell(SeatsChanged((3, 0, 1, 2)))  # P1 sits at seat 1 now
    evening.up()
    evening.do(
        "stand-in", session=1, player=ids["P1"], by=ids["P5"], first=1, last=0,
        counts_for=counts_for,
    )  # fmt: skip
    evening.up()
    names = SeatedNames().by_seat(table.entries(), table.snapshot.state.people)
    assert names == ("P4", "P5", "P2", "P3")
    penalty(table, -10, 30, -10, -10)
    evening.up()
    if counts_for is CountsFor.SITTER:
        assert evening.standing() == {"P5": 30, "P1": 3, "P2": -11, "P3": -11, "P4": -11}
    else:
        assert evening.standing() == {"P1": 33, "P2": -11, "P3": -11, "P4": -11}
    assert all(row["holds"] for row in evening.director.get("/api/desk/reconciled").json["rows"])
    # Taken back, the first sits there again, and what was played meanwhile is the sitter's.
    assert evening.undo(ActKind.STAND_IN) == 200
    evening.up()
    penalty(table, 0, 4, -4, 0)
    evening.up()
    assert evening.standing() == {"P5": 30, "P1": 7, "P2": -15, "P3": -11, "P4": -11}


def test_an_absent_player_is_not_drawn_and_a_planned_one_is_not_seated(evening: Evening) -> None:
    ids = evening.ids()
    status, said = evening.director.give(
        "/api/desk/draw", session=1, kind="random", rounds=1, seed="x"
    )
    assert status == 409
    assert "3 are missing" in str(said)
    evening.do("absent", session=1, player=ids["P3"], first=1, last=1)
    drawn = evening.draw()
    assert {"P1", "P2", "P4", "P5"} == set(drawn["names"][0][0])  # type: ignore[index]
    evening.do("absent", session=1, player=ids["P5"], first=1, last=0)
    status, said = evening.director.give("/api/desk/round", session=1, round=1)
    assert status == 409
    assert "not there in round 1: P5" in str(said)
    roster = evening.director.get("/api/desk/roster/1").get_json()
    assert (roster["can_play"], roster["missing"]) == (3, 1)
    # P3 is late: there after all, and plays in P5's place.
    evening.do("here", session=1, player=ids["P3"], first=1)
    evening.do(
        "stand-in", session=1, player=ids["P5"], by=ids["P3"], first=1, last=1, counts_for="sitter"
    )
    evening.seat()
    (kept,) = kept_orders(evening.tables[0].entries())
    assert set(kept.order.content["names"]) == {"P1", "P2", "P3", "P4"}
    seats = evening.director.get("/api/seating/1").get_json()["rounds"][0]["tables"][0]["players"]
    assert set(seats) == {"P1", "P2", "P3", "P4"}


def test_who_is_too_many_sits_out_in_turn(evening: Evening) -> None:
    out = []
    for round in range(1, 6):
        drawn = evening.draw(round, sit_out=True)
        out += drawn["out"]  # type: ignore[operator]
        evening.seat(round)
        evening.do("round/finish", session=1, round=round, reason="a test")
    assert sorted(out) == ["P1", "P2", "P3", "P4", "P5"]
    status, said = evening.director.give(
        "/api/desk/draw", session=1, kind="random", rounds=2, seed="x", sit_out=True
    )
    assert status == 409
    assert "one round at a time" in str(said)


def test_a_late_player_enters_a_running_session(evening: Evening) -> None:
    ids = evening.ids()
    four = [ids[f"P{n}"] for n in (1, 2, 3, 4)]
    evening.do("entrants", session=1, players=four, first=1)
    evening.draw()
    evening.seat()
    evening.do("entrants", session=1, players=[ids["P5"]], first=2)
    evening.do("absent", session=1, player=ids["P1"], first=2, last=2)
    drawn = evening.draw(2)
    assert "P5" in drawn["names"][0][0]  # type: ignore[index]
    assert evening.director.give("/api/desk/entrants", session=1, players=[999], first=1)[0] == 409
    assert evening.director.give("/api/desk/entrants", session=9, players=four, first=1)[0] == 409
    wrong = {"session": 1, "player": ids["P1"], "first": 3, "last": 2}
    assert evening.director.give("/api/desk/absent", **wrong)[0] == 409


def test_nobody_stands_in_who_sits_already(evening: Evening) -> None:
    seated(evening)
    ids = evening.ids()
    for by in ("P2", "P1"):
        status, _ = evening.director.give(
            "/api/desk/stand-in", session=1, player=ids["P1"], by=ids[by], first=1, last=0,
            counts_for="sitter",
        )  # fmt: skip
        assert status == 409


def test_every_kind_of_act_is_taken_back_once_and_stays_on_the_list(evening: Evening) -> None:
    ids, director = evening.ids(), evening.director
    table = hall(evening.base)[0].id
    seated(evening)
    evening.do("publish", session=1, public=True)
    evening.do("correct", session=1, player=ids["P1"], points=-5, reason="left early")
    evening.do("message", words="break")
    evening.do("ruling", table=table, seat=1, transfers=[1, -3, 1, 1], reason="a late claim")
    evening.up()
    for kind in (ActKind.PUBLISH, ActKind.CORRECT, ActKind.MESSAGE, ActKind.RULING):
        assert evening.undo(kind) == 200
    stranger = Visitor(evening.app, "10.0.0.9")
    assert stranger.get("/api/standings/1").status_code == 404
    evening.up()
    told = [kept.order for kept in kept_orders(evening.tables[0].entries())]
    assert "taken back: break" in [order.content.get("en") for order in told]
    rulings = [order.content["transfers"] for order in told if order.kind is OrderKind.RULING]
    assert rulings == [[1, -3, 1, 1], [-1, 3, -1, -1]]
    evening.up()
    assert set(evening.standing().values()) == {0}
    # Seats: nobody is known at the table, and the round can be seated again.
    assert evening.undo(ActKind.ROUND) == 200
    evening.up()
    people = evening.tables[0].snapshot.state.people
    assert SeatedNames().by_seat(evening.tables[0].entries(), people) is None
    evening.seat()
    assert SeatedNames().by_seat(evening.tables[0].entries(), people) is not None
    assert evening.undo(ActKind.PLAN) == 409  # it is seated
    assert evening.undo(ActKind.ROUND) == 200
    assert evening.undo(ActKind.PLAN) == 200
    assert director.get("/api/seating/1").get_json()["rounds"] == []
    evening.do("send-out", table=table)
    assert hall(evening.base) == []
    assert evening.undo(ActKind.SEND_OUT) == 200
    evening.up()
    assert [each.id for each in hall(evening.base)] == [table]
    assert evening.undo(ActKind.LET_IN) == 200
    assert hall(evening.base) == []
    done = next(each for each in all_acts(evening.base) if each.undone)
    assert director.give("/api/desk/undo", act=done.id)[0] == 409
    assert director.give("/api/desk/undo", act=9999)[0] == 409
    listed = director.get("/api/desk/acts").get_json()["acts"]
    assert len(listed) == len(all_acts(evening.base))
    assert all(row["says"]["en"] and row["says"]["zh"] for row in listed)
    assert all(row["by"] for row in listed if row["kind"] != ActKind.LET_IN)


def test_a_list_of_players_is_taken_back_unless_somebody_on_it_was_used(
    evening: Evening,
) -> None:
    def people() -> list[tuple[str, str, bool]]:
        return [(row.number, row.name, row.hidden) for row in all_players(evening.base)]

    before = people()
    evening.do("players", csv="number,name,hidden\n5,Renamed,yes\n6,New\n7,Newer\n1,P1\n")
    assert ("5", "Renamed", True) in people()
    says = evening.director.get("/api/desk/acts").get_json()["acts"][0]["says"]["en"]
    assert says == "2 players added, 1 changed: New, Newer, P5 → Renamed"
    assert evening.undo(ActKind.LIST) == 200
    assert people() == before
    # Who was entered once is on record, though that was taken back.
    evening.do("players", csv="number,name\n6,New\n5,Again\n")
    evening.do("players", csv="number,name\n5,Once more\n")
    evening.do("entrants", session=1, players=[evening.ids()["New"]], first=1)
    assert evening.undo(ActKind.LIST) == 200  # the newest: a name alone
    assert ("5", "Again", False) in people()
    assert evening.undo(ActKind.ENTER) == 200
    assert evening.undo(ActKind.LIST) == 409
    assert ("6", "New", False) in people()


def test_a_session_is_taken_back_unless_something_was_done_in_it(evening: Evening) -> None:
    evening.do("session", name="By mistake")
    assert evening.undo(ActKind.BEGIN) == 200
    shown = evening.director.get("/api/desk").get_json()["sessions"]
    assert [each["name"] for each in shown] == ["Monday"]
    again = evening.do("session", name="Used")["session"]
    evening.do("publish", session=again, public=True)
    assert evening.undo(ActKind.PUBLISH) == 200
    assert evening.undo(ActKind.BEGIN) == 409


def test_who_went_to_a_call_by_mistake_does_not_go(evening: Evening) -> None:
    uplink, key = evening.uplinks[0], "c" * 32
    uplink._view = lambda _: {"hand": 1, "call": {"key": key, "reason": "late"}}
    evening.up()

    def going() -> str:
        (call,) = evening.director.get("/api/desk").get_json()["calls"]
        return str(call["going"])

    evening.do("call/go", call=key)
    assert going()
    assert evening.undo(ActKind.GO) == 200
    assert going() == ""
    evening.do("call/go", call=key)
    evening.do("call/over", call=key)
    assert evening.undo(ActKind.GO) == 409


def test_a_call_that_was_done_by_mistake_is_open_again(evening: Evening) -> None:
    table, uplink = evening.tables[0], evening.uplinks[0]

    def view(snapshot: Snapshot) -> dict[str, object]:
        call = open_call(table.entries())
        return {"hand": 1, "made": table.t, "call": call and {"key": call.key, **call.content}}

    def calls() -> list[tuple[str, str]]:
        found = evening.director.get("/api/desk").get_json()["calls"]
        return [(each["call"], each["going"]) for each in found]

    uplink._view = view
    key = "c" * 32
    table.vouch(Order(key, OrderKind.CALL, {"reason": "late"}).as_event())
    evening.up()
    evening.do("call/go", call=key)
    ((_, who),) = calls()
    for _ in range(2):  # and again
        evening.do("call/over", call=key)
        evening.do("call/over", call=key)  # a second tap does nothing
        evening.up()
        assert (calls(), open_call(table.entries())) == ([], None)
        assert evening.undo(ActKind.DONE) == 200
        assert calls() == [(key, who)]
        uplink.turn()  # says that nobody is called, and learns
        assert calls() == [(key, who)]
        evening.up()
        opened = open_call(table.entries())
        assert opened is not None
        assert opened.key == key
        assert calls() == [(key, who)]
    # The people at the table end it themselves: the hub hears of it.
    table.vouch(Order("d" * 32, OrderKind.CALL_OVER, {"call": key}).as_event())
    evening.up()
    assert calls() == []
    assert [each.order.kind for each in kept_orders(table.entries())] == [
        OrderKind.CALL, *(OrderKind.CALL_OVER, OrderKind.CALL_AGAIN) * 2, OrderKind.CALL_OVER
    ]  # fmt: skip


def test_done_stays_where_the_table_has_called_anew_and_waits_for_no_old_program(
    evening: Evening,
) -> None:
    uplink, keys = evening.uplinks[0], ("c" * 32, "d" * 32)
    for key in keys:
        uplink._view = lambda _, key=key: {"hand": 1, "call": {"key": key, "reason": "late"}}
        evening.up()
        if key == keys[0]:
            evening.do("call/over", call=key)
    assert evening.undo(ActKind.DONE) == 409
    # A table that does not know this kind of order never takes it: Done ends it all the same.
    evening.do("call/over", call=keys[1])
    evening.undo(ActKind.DONE)
    evening.do("call/over", call=keys[1])
    with evening.base.connect() as connection:
        again = select(orders.c.seq).where(orders.c.kind == OrderKind.CALL_AGAIN)
        assert set(connection.execute(again).scalars()) == {ORDER_REPLACED}


def test_seats_on_which_was_played_are_not_taken_back(evening: Evening) -> None:
    seated(evening)
    evening.tables[0].play(1)
    evening.up()
    assert evening.undo(ActKind.ROUND) == 409


def test_seats_by_hand_go_back_to_those_before(evening: Evening) -> None:
    seated(evening)
    ids, table = evening.ids(), hall(evening.base)[0].id
    other = [ids[f"P{n}"] for n in (5, 2, 3, 4)]
    evening.do("seats", session=1, round=1, table=table, players=other)
    evening.up()
    assert evening.undo(ActKind.SEATS) == 200
    evening.up()
    names = SeatedNames().by_seat(evening.tables[0].entries(), (0, 1, 2, 3))
    assert names == ("P1", "P2", "P3", "P4")


def test_a_referee_takes_back_no_more_than_a_referee_does(evening: Evening) -> None:
    from table_assist.club.hub.desk import REFEREE, make_link

    referee = Visitor(evening.app, "10.0.0.8")
    referee.give("/api/desk/enter", link=make_link(evening.base, "Bo", REFEREE))
    referee.give("/api/desk/message", words="break")
    by_kind = {each.kind: each.id for each in all_acts(evening.base)}
    assert referee.give("/api/desk/undo", act=by_kind[ActKind.LET_IN])[0] == 403
    assert referee.give("/api/desk/undo", act=by_kind[ActKind.MESSAGE])[0] == 200


def test_the_clock_is_told_to_every_table_and_one_has_more(app: Flask, tmp_path: Path) -> None:
    evening = Evening(app, tmp_path, tables=2, players=4)
    first, second = (each.id for each in hall(evening.base))
    evening.do("clock/start", minutes=60)
    evening.do("clock/extra", table=second, minutes=5)
    evening.do("clock/run", running=False)
    evening.up()
    said = [
        [kept.order.content for kept in kept_orders(table.entries())] for table in evening.tables
    ]
    # What waited was replaced by the newest word: a table that was away learns that alone.
    ((one,), (other,)) = ([row["left_s"] for row in rows] for rows in said)
    assert (other - one, 3590 <= one <= 3600) == (300, True)
    assert not said[0][0]["running"]
    assert evening.director.give("/api/desk/clock/run", running=False)[0] == 409
    shown = Visitor(app, "10.0.0.9").get("/api/clock").get_json()
    assert (shown["running"], shown["left_s"]) == (False, one)
    assert shown["extra_s"] == {str(second): 300}
    assert evening.undo(ActKind.CLOCK) == 200  # it was never stopped
    assert evening.undo(ActKind.EXTRA) == 200
    evening.up()
    last = kept_orders(evening.tables[1].entries())[-1].order.content
    assert last["running"]
    assert 3590 <= last["left_s"] <= 3600
    assert evening.director.give("/api/desk/clock/extra", table=99, minutes=5)[0] == 409
    assert first != second


def act(n: int, kind: ActKind, at: float = 0.0, **content: object) -> DeskAct:
    return DeskAct(n, 1, kind, content, "Ada", at)


rounds_of = st.tuples(st.integers(1, 6), st.integers(0, 6))


@given(st.lists(st.tuples(st.sampled_from(["absent", "here", "in"]), st.integers(1, 4), rounds_of)))
def test_nobody_is_drawn_and_stands_in_at_once(
    steps: list[tuple[str, int, tuple[int, int]]],
) -> None:
    acts = []
    for n, (what, player, (first, last)) in enumerate(steps):
        if what == "absent":
            acts.append(act(n, ActKind.ABSENT, player=player, first=first, last=last))
        elif what == "here":
            acts.append(act(n, ActKind.HERE, player=player, first=first))
        else:
            acts.append(
                act(n, ActKind.STAND_IN, player=player, by=player % 5 + 1, first=first, last=last,
                    counts_for="replaced")
            )  # fmt: skip
    roster = Roster(acts, 1, range(1, 6))
    for round in range(1, 8):
        drawn = roster.to_draw(round)
        sits = [roster.sits_for(player, round) for player in drawn]
        assert None not in sits
        others = [by for player, by in zip(drawn, sits, strict=True) if by != player]
        assert not set(others) & set(drawn)


def test_a_written_plan_is_shown_with_its_defects_before_it_is_accepted(evening: Evening) -> None:
    ids = evening.ids()
    evening.do("absent", session=1, player=ids["P4"], first=2, last=2)
    csv = "轮次,东,南,西,北\n1,1,2,3,4\n2,1,2,3,4\n\n"
    checked = evening.do("plan/check", session=1, csv=csv)
    assert checked["defects"]["again"] == 6  # type: ignore[index]
    assert checked["defects"]["winds"] > 0  # type: ignore[index]
    assert checked["rounds"] == [
        {"round": 1, "out": ["P5"], "absent": []},
        {"round": 2, "out": ["P5"], "absent": ["P4"]},
    ]
    evening.do("plan", session=1, first=checked["first"], plan=checked["plan"])
    assert len(evening.director.get("/api/seating/1").get_json()["rounds"]) == 2
    head = "round,east,south,west,north\n"
    for wrong, said in (
        ("round,a\n1,1\n", "line 1"),
        (head, "no line"),
        (f"{head}x,1,2,3,4\n", "line 2: 'x' is no round"),
        (f"{head}1,1,2,3,9\n", "line 2: nobody has the number"),
        (f"{head}1,1,2,3,3\n", "line 2: 3 sits twice"),
        (f"{head}1,1,2,3,4\n1,5,1,2,3\n", "line 3: 1 sits twice in round 1 (line 2)"),
        (f"{head}1,1,2,3,4\n3,1,2,3,4\n", "round 2 is missing"),
    ):
        status, refused = evening.director.give("/api/desk/plan/check", session=1, csv=wrong)
        assert status == 409
        assert said in refused["error"]["en"].replace("P", "")  # type: ignore[index]
