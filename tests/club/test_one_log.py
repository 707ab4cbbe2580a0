"""What is played under the club's orders counts in one log, and in a finished round no more."""

from pathlib import Path

import pytest
from flask import Flask

from table_assist.club.acts import ActKind
from table_assist.club.hub.desk import MOST_OF_KIND, hall, raise_alarm
from table_assist.club.orders import kept_orders
from table_assist.club.wire import UP, Batch, batch_bytes
from table_assist.game.events import Penalised, WallBuilt
from table_assist.languages.words import Words
from table_assist.record.log import Entry, Source, entry_to_json
from tests.club.test_acts import Evening
from tests.stages.club_table import ClubTable, HallLine, sent_up, uplink_of

pytestmark = pytest.mark.usefixtures("counted")
SMALL, GREAT = (3, -1, -1, -1), (-100, 300, -100, -100)


@pytest.fixture
def evening(app: Flask, tmp_path: Path) -> Evening:
    made = Evening(app, tmp_path, tables=1, players=4)
    made.draw()
    made.seat()
    moved(made.tables[0], SMALL)
    made.up()
    return made


def moved(table: ClubTable, points: tuple[int, int, int, int]) -> None:
    table.tell(Penalised(points, Words("late", "迟到")))


def alarms(evening: Evening) -> list[str]:
    """Their subjects, as the desk shows them: the first one first."""
    shown = evening.director.get("/api/desk").get_json()["alarms"]
    assert [each["grave"] for each in shown] == sorted((e["grave"] for e in shown), reverse=True)
    return [each["says"]["en"] for each in shown]


def finish(evening: Evening) -> None:
    done = evening.director.give("/api/desk/round/finish", session=1, round=1, reason="it is late")
    assert done[0] == 200


def test_an_order_names_session_round_and_log_and_is_signed_for_the_table(evening: Evening) -> None:
    (kept,) = kept_orders(evening.tables[0].entries())
    epoch = evening.uplinks[0].membership.epoch
    assert {"session": 1, "round": 1, "log": epoch}.items() <= kept.order.content.items()
    hub, table = evening.app.extensions["hub_key"].public, evening.tables[0].key.public
    assert kept.order.is_by(hub, table)
    assert not kept.order.for_log("0" * 32).is_by(hub, table), "nobody moves it to another log"


@pytest.mark.parametrize("is_finished", [False, True])
def test_a_second_log_with_the_orders_of_the_first_moves_no_point(
    evening: Evening, tmp_path: Path, is_finished: bool
) -> None:
    (table,), was = evening.tables, evening.standing()
    if is_finished:
        finish(evening)
    other = ClubTable(tmp_path / "other.sqlite", key=table.key)
    moved(other, (0, 0, 0, 0))
    (kept,) = kept_orders(table.entries())
    other.vouch(kept.order.as_event())
    moved(other, GREAT)
    sent_up(uplink_of(other, evening.app, evening.uplinks[0].membership.anew()))
    assert evening.standing() == was
    assert any("another log" in said for said in alarms(evening))
    if is_finished:
        return
    # The director decides: seated again, the new log counts from now on.
    here, players = hall(evening.base)[0].id, kept.order.content["players"]
    evening.do("seats", session=1, round=1, table=here, players=players)
    sent_up(uplink_of(other, evening.app))
    moved(other, SMALL)
    sent_up(uplink_of(other, evening.app))
    assert sorted(evening.standing().values()) == [-2, -2, -2, 6]


def test_a_copy_from_before_a_lost_hand_takes_nothing_back(
    evening: Evening, tmp_path: Path
) -> None:
    (table,) = evening.tables
    table.store.copy_to(tmp_path / "copy.sqlite")
    moved(table, (-90, 30, 30, 30))
    evening.up()
    was = evening.standing()
    copy = ClubTable(tmp_path / "copy.sqlite", key=table.key)
    moved(copy, SMALL)
    sent_up(uplink_of(copy, evening.app, evening.uplinks[0].membership.anew()))
    assert evening.standing() == was
    assert any("restored" in said for said in alarms(evening))


def test_what_comes_to_a_finished_round_is_an_alarm_and_changes_nothing(evening: Evening) -> None:
    finish(evening)
    was = evening.standing()
    moved(evening.tables[0], GREAT)
    evening.up()
    assert evening.standing() == was
    assert "entries came to a finished round" in alarms(evening)[0]
    assert len(alarms(evening)) == 1, "once"
    # The director decides: the round is open again.
    assert evening.undo(ActKind.FINISH) == 200
    assert evening.standing() != was


def test_many_cheap_alarms_hide_no_grave_one(evening: Evening) -> None:
    (table,), (uplink,) = evening.tables, evening.uplinks
    line, now = HallLine(evening.app), uplink.membership
    for n in range(60):  # logs that do not begin, and entries that do not fit
        at = n % 2
        epoch = now.epoch if at else f"{n:032x}"
        told = entry_to_json(Entry(at + 1, float(n), Source.PERSON, WallBuilt()))
        body = batch_bytes(Batch(epoch, 1000 + n, at, (("f" * 64, told),)))
        line.ask("/api/uplink", body, table.key.sign(UP, body))
    with evening.base.begin() as connection:
        raise_alarm(connection, hall(evening.base)[0].id, "restored", "a → b")
    said = alarms(evening)
    assert "restored" in said[0]
    assert len(said) <= 3 * MOST_OF_KIND
