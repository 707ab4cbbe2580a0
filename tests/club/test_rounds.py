"""A round ends when every table agrees with its log, and is played by the rules of its session."""

from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update

from table_assist.club.acts import ActKind
from table_assist.club.hub.database import tables as hub_tables
from table_assist.club.hub.desk import hall, open_alarms
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
    return evening.director.post("/api/desk/round/finish", session=1, round=1, reason=reason)


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
    assert evening.director.post("/api/desk/round", session=1, round=2)[0] == 409
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
        status, said = evening.director.post("/api/desk/profile", session=1, **body)
        assert status in (409, 404), said
    assert evening.director.post("/api/desk/profile", session=9, hash="", file=PROFILE)[0] == 404


def test_questions_and_calls_keep_the_round_open(evening: Evening) -> None:
    from table_assist.club.hub.database import calls

    here = next(each.id for each in hall(evening.base) if each.name == "Table 1")
    with evening.base.begin() as connection:
        row = {"key": "0" * 32, "table_id": here, "reason": "", "at": 1.0, "going": "", "done": 0}
        connection.execute(calls.insert().values(**row))
    ask(evening)
    assert stands(evening) == {"Table 1": "a referee is called", "Table 2": ""}
