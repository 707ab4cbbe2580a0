"""A round ends when every table agrees with its log, and is played by the rules of its session."""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update

from table_assist.club.acts import ActKind
from table_assist.club.hub.database import tables as hub_tables
from table_assist.club.hub.desk import hall, open_alarms
from table_assist.club.seating import (
    DESIGNS_FILE,
    Defects,
    SeatingError,
    balanced,
    by_interval,
    by_swiss,
    crossed,
    defects,
    designed,
    drawn,
    prescribed,
    refuse_odd,
)
from table_assist.game.events import Attested, HandAbandoned, HandStarted, Penalised
from table_assist.languages.words import Words
from table_assist.rules.profile import parse_profile, plain_profile
from table_assist.rules.registry import find_rules
from tests.club.test_acts import Evening
from tests.stages.club_table import sent_up, uplink_of

pytestmark = pytest.mark.usefixtures("counted")

PROFILE = 'id = "house"\nname = "House"\nrules = "changsha"\n'
LATE = Penalised((3, -1, -1, -1), Words("late", "迟到"))


@pytest.fixture
def evening(app: Flask, tmp_path: Path) -> Evening:
    made = Evening(app, tmp_path, tables=2, players=8)
    made.draw()
    made.seat()
    return made


def stands(evening: Evening) -> dict[str, str]:
    """What each table lacks, as the desk says it."""
    rows = evening.director.get("/api/desk/rounds/1").get_json()["tables"]
    assert all(why["zh"] for row in rows for why in row["why_not"])
    return {row["name"]: "; ".join(why["en"] for why in row["why_not"]) for row in rows}


def ask(evening: Evening) -> None:
    assert evening.do("round/ask", session=1, round=1) == {"asked": 2}
    evening.up()
    evening.up()


def finish(evening: Evening, reason: str = "") -> tuple[int, Any]:
    return evening.director.give("/api/desk/round/finish", session=1, round=1, reason=reason)


def test_a_round_is_finished_when_every_table_agrees_with_its_log(evening: Evening) -> None:
    for table in evening.tables:
        table.play(2)
    evening.up()
    assert set(stands(evening).values()) == {"it was not asked yet"}
    status, said = finish(evening)
    assert (status, "Table 1, Table 2" in str(said)) == (409, True)
    ask(evening)
    assert set(stands(evening).values()) == {""}
    assert finish(evening)[0] == 200
    (end,) = evening.director.get("/api/desk/rounds/1").get_json()["finished"]
    assert (end["reason"], end["against"], end["changed"]) == ("", {}, [])
    assert finish(evening)[0] == 409  # it is finished
    # The next round begins only now; what moves in the first afterwards is told.
    evening.tables[0].tell(LATE)
    evening.up()
    (end,) = evening.director.get("/api/desk/rounds/1").get_json()["finished"]
    assert end["changed"] == ["Table 1"]
    assert evening.undo(ActKind.FINISH) == 200
    evening.draw(2)
    assert evening.director.give("/api/desk/round", session=1, round=2)[0] == 409
    assert stands(evening)["Table 1"] == "it went on after it was asked: ask again"
    ask(evening)
    assert finish(evening)[0] == 200
    evening.seat(2)


def test_a_table_that_plays_or_is_away_keeps_the_round_open(evening: Evening) -> None:
    first, second = evening.tables
    first.play(2)
    played_there = [each.event for each in first.record.entries]
    dealt = next(n for n, each in enumerate(played_there) if isinstance(each, HandStarted))
    second.tell(*(each for each in played_there[: dealt + 1] if not isinstance(each, Attested)))  # type: ignore[misc]
    assert second.snapshot.state.is_running
    evening.up()
    ask(evening)
    assert stands(evening)["Table 1"] == ""
    assert "it was playing hand 1" in stands(evening)["Table 2"]
    assert finish(evening)[0] == 409
    second.tell(HandAbandoned())
    evening.up()
    ask(evening)
    assert set(stands(evening).values()) == {""}
    with evening.base.begin() as connection:
        one_away = hub_tables.c.name == "Table 2"
        connection.execute(update(hub_tables).where(one_away).values(seen=1.0))
    assert "not heard of" in stands(evening)["Table 2"]
    status, _ = finish(evening, "the machine is broken; points taken by hand")
    assert status == 200
    (end,) = evening.director.get("/api/desk/rounds/1").get_json()["finished"]
    assert end["reason"].startswith("the machine")
    assert list(end["against"]) == ["Table 2"]


def test_a_table_that_has_not_sent_everything_has_not_answered(evening: Evening) -> None:
    evening.do("round/ask", session=1, round=1)
    sent_up(evening.uplinks[0])
    sent_up(evening.uplinks[0])
    said = stands(evening)
    assert said["Table 1"] == ""
    assert said["Table 2"] == "it has not answered yet"


def test_an_answer_of_another_log_is_none(evening: Evening) -> None:
    ask(evening)
    uplink = evening.uplinks[0]
    uplink._keep(uplink.membership.anew())
    evening.up()
    assert "another" in stands(evening)["Table 1"] or "not answered" in stands(evening)["Table 1"]
    assert "an alarm is open" in stands(evening)["Table 1"]


def test_a_table_of_another_profile_is_alarmed_and_the_standings_say_so(evening: Evening) -> None:
    first, second = evening.tables
    evening.do("profile", session=1, hash="", file=PROFILE)
    wanted = parse_profile({"id": "house", "name": "House", "rules": "changsha"})
    evening.up()
    evening.up()
    assert [row.kind for row in open_alarms(evening.base)] == ["profile", "profile"]
    first.play(2)
    evening.up()
    own = plain_profile(find_rules("changsha")).hash
    foreign = evening.director.get("/api/standings/1").get_json()["foreign"]
    assert foreign == [{"table": "Table 1", "hands": 1, "sign": own[:8]}]
    ask(evening)
    said = stands(evening)
    assert f"1 hands were played by another rule profile ({own[:8]})" in said["Table 1"]
    assert "by another rule profile" in evening.director.get("/api/standings/1.csv").text
    # Its people change the rules, and the program starts again: the table says so by itself.
    for at, table in enumerate((first, second)):
        table.close()
        table.profile = wanted
        table.open()
        evening.uplinks[at] = uplink_of(table, evening.app)
    evening.undo(ActKind.PROFILE)
    evening.do("profile", session=1, hash="", file=PROFILE)
    evening.up()
    evening.up()
    for row in open_alarms(evening.base):
        evening.do("alarm", alarm=row.id)
    ask(evening)
    said = stands(evening)
    assert said["Table 2"] == ""
    assert said["Table 1"] == f"1 hands were played by another rule profile ({own[:8]})"
    # A session of the documents' own rules has nothing against it.
    evening.do("profile", session=1, hash=own, file="")
    assert evening.director.get("/api/standings/1").get_json()["foreign"] == []
    known = evening.director.get("/api/desk/profiles/1").get_json()
    assert known["wanted"]["hash"] == own
    assert {each["id"] for each in known["known"]} >= {own}


def test_a_profile_that_is_none_is_refused(evening: Evening) -> None:
    for body in ({"hash": "0" * 64, "file": ""}, {"hash": "", "file": "rules = 1"}):
        status, said = evening.director.give("/api/desk/profile", session=1, **body)
        assert status in (409, 404), said
    assert evening.director.give("/api/desk/profile", session=9, hash="", file=PROFILE)[0] == 404


def test_questions_and_calls_keep_the_round_open(evening: Evening) -> None:
    from table_assist.club.hub.database import calls

    here = next(each.id for each in hall(evening.base) if each.name == "Table 1")
    with evening.base.begin() as connection:
        row = {"key": "0" * 32, "table_id": here, "reason": "", "at": 1.0, "going": "", "done": 0}
        connection.execute(calls.insert().values(**row))
    ask(evening)
    assert stands(evening) == {"Table 1": "a referee is called", "Table 2": ""}


SIZES = [(4, 3), (8, 4), (8, 7), (12, 3), (16, 5), (20, 5), (36, 8), (100, 4)]


def is_whole(plan: object, players: list[int]) -> bool:
    return all(
        sorted(player for table in each for player in table) == players
        for each in plan  # type: ignore[attr-defined]
    )


def test_defects_are_those_that_one_counts_by_hand() -> None:
    plan = (((1, 2, 3, 4), (5, 6, 7, 8)), ((1, 2, 5, 6), (3, 4, 7, 8)))
    # 1-2, 5-6, 3-4, 7-8 meet again; 12 of 24 meetings could be 12 different pairs of 28.
    # 1, 2, 7 and 8 sit in the same wind twice; 1, 2, 7 and 8 come back to their tables.
    assert defects(plan) == Defects(again=4, least_again=0, most=2, winds=4, places=4)


@given(st.integers(1, 12), st.integers(1, 6), st.text(max_size=3))
def test_a_draw_seats_everybody_once_a_round(tables: int, rounds: int, seed: str) -> None:
    players = list(range(1, 4 * tables + 1))
    assert is_whole(drawn(players, rounds, seed), players)
    assert is_whole([by_interval(players)], players)
    before = drawn(players, rounds, seed)
    assert is_whole([by_swiss(players, before)], players)


@pytest.mark.parametrize(("count", "rounds"), SIZES)
def test_meetings_and_winds_of_a_balanced_plan_are_never_worse_than_a_draws(
    count: int, rounds: int
) -> None:
    players = list(range(1, count + 1))
    plan = balanced(players, rounds, "seed", seconds=0.5)
    assert is_whole(plan, players)
    found = defects(plan)
    assert found.winds == 0
    for seed in range(5):
        lot = defects(drawn(players, rounds, str(seed)))
        assert (found.most, found.again, found.winds) <= (lot.most, lot.again, lot.winds)
        assert found.winds <= lot.winds


def test_sixteen_players_meet_once_each_in_five_rounds() -> None:
    plan = balanced(list(range(16)), 5, "a", seconds=20.0)
    assert defects(plan).again == 0


def test_in_a_known_plan_nobody_meets_anybody_twice_in_as_many_rounds_as_can_be() -> None:
    """Proved by counting."""
    kept = json.loads(DESIGNS_FILE.read_text())
    others = {20, 32, 68, 92}  # of these such a plan is impossible, or not known to us
    assert {int(each) for each in kept} == set(range(16, 101, 4)) - others
    for players in map(int, kept):
        met = set[frozenset[int]]()
        plan = designed(players)
        for tables in plan:
            assert sorted(player for table in tables for player in table) == list(range(players))
            pairs = [frozenset(pair) for table in tables for pair in combinations(table, 2)]
            assert len(pairs) == players * 3 // 2
            assert met.isdisjoint(pairs)
            met.update(pairs)
        assert 0 <= players - 1 - 3 * len(plan) < 3  # nobody could meet three more


def test_four_groups_play_across_each_other_and_then_alone() -> None:
    """Of a prime number of players, or 8."""
    rounds = {players: len(crossed(players)) for players in range(4, 132, 4)}
    assert {players: many for players, many in rounds.items() if many} == {
        20: 5, 28: 7, 32: 9, 44: 11, 52: 13, 68: 17, 76: 19, 92: 23, 116: 29, 124: 31,
    }  # fmt: skip
    for players in rounds:
        met = Counter[tuple[int, ...]]()
        for tables in crossed(players):
            assert sorted(player for table in tables for player in table) == list(range(players))
            met.update(pair for table in tables for pair in combinations(sorted(table), 2))
        assert set(met.values()) <= {1}


@pytest.mark.parametrize(("count", "rounds"), [(20, 5), (32, 9), (48, 15), (100, 33)])
def test_nobody_meets_anybody_twice_in_rounds_that_are_known(count: int, rounds: int) -> None:
    found = defects(balanced(list(range(count)), rounds, "evening", seconds=1.0))
    assert (found.again, found.most, found.winds) == (0, 1, 0)


@pytest.mark.parametrize(("count", "rounds"), [(24, 7), (28, 9), (28, 12), (36, 11), (24, 4)])
def test_a_balanced_plan_is_the_known_one_where_there_is_one(count: int, rounds: int) -> None:
    plan = balanced(list(range(100, 100 + count)), rounds, "evening", seconds=1.0)
    found = defects(plan)
    assert (found.again, found.winds) == (found.least_again, 0)
    assert found.most == (1 if rounds <= (count - 1) // 3 else 2)
    assert plan != balanced(list(range(100, 100 + count)), rounds, "another", seconds=1.0)


def test_swiss_seats_neighbours_who_have_not_met() -> None:
    ranked = list(range(1, 17))
    first = by_swiss(ranked, ())
    assert {frozenset(table) for table in first} == {
        frozenset(ranked[at : at + 4]) for at in range(0, 16, 4)
    }
    second = by_swiss(ranked, (first,))
    met = {frozenset(pair) for table in first for pair in combinations(table, 2)}
    top = next(table for table in second if 1 in table)
    assert not any(frozenset(pair) in met for pair in combinations(top, 2))


def test_what_cannot_be_drawn_is_said_before() -> None:
    for players, rounds in (
        ([1, 2, 3], 1),
        ([1, 1, 2, 3], 1),
        (list(range(6)), 1),
        (list(range(8)), 0),
    ):
        with pytest.raises(SeatingError):
            drawn(players, rounds, "")
    refuse_odd(list(range(400)), 12)
    with pytest.raises(SeatingError):
        refuse_odd(list(range(404)), 12)
    with pytest.raises(SeatingError):
        prescribed([(1, 2, 3, 4), (5, 6, 7, 7)], range(1, 9))
    assert prescribed([(4, 3, 2, 1)], [1, 2, 3, 4]) == ((4, 3, 2, 1),)


@pytest.mark.slow
def test_four_hundred_players_are_seated_within_a_minute() -> None:
    found = defects(balanced(list(range(400)), 12, "hall", seconds=40.0))
    assert (found.again, found.winds) == (0, 0)
