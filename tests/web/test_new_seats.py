"""Classical > General 5: who took another seat is followed by the pages and by the own phone."""

from dataclasses import replace

import pytest

from table_assist.contract.commands import ChangeSeats
from table_assist.contract.snapshot import Snapshot
from table_assist.game.events import HandStarted, SeatsChanged, Settled
from table_assist.game.fold import replay
from table_assist.game.people import seated
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from tests.stages.web_fakes import NAMES, FakeTable
from tests.web.test_pairing import HERE, OTHER, PHONE, Browser, let_in
from web import create_app
from web.view.present import present
from web.view.vocabulary import person_names

ROUND_OVER = (
    HandStarted(1, "classical", 3, 75, dead=16),
    Settled((1,), (-10, 30, -10, -10), 0, (), Tile.SOUTH),
)
MOVED = SeatsChanged((2, 0, 1, 3), east=2)


def table_after(*events: object) -> Snapshot:
    state = replay(events)  # type: ignore[arg-type]
    names = seated(NAMES, state.people)
    return Snapshot(len(events), 9.0, names, find_rules("classical"), state, ())


def test_the_page_asks_for_new_seats_once_and_shows_them() -> None:
    before, after = table_after(*ROUND_OVER), table_after(*ROUND_OVER, MOVED)
    assert present(before)["new_seats"]
    view = present(after)
    assert not view["new_seats"]
    assert [seat["name"] for seat in view["seats"]] == [NAMES[2], NAMES[0], NAMES[1], NAMES[3]]
    assert [seat["score"] for seat in view["seats"]] == [-10, -10, 30, -10]
    assert person_names(after) == NAMES


def test_a_phone_follows_its_player() -> None:
    table = FakeTable(table_after(*ROUND_OVER))
    app = create_app(table)
    desk, phone = Browser(app, HERE), Browser(app, PHONE)
    let_in(desk, phone, {"role": "seat", "seat": 1})
    assert phone.get("/api/me").json["seat"] == 1
    table.publish(table_after(*ROUND_OVER, MOVED))
    assert phone.get("/api/me").json["seat"] == 2
    assert [each["seat"] for each in desk.get("/api/devices").json["devices"]] == [2]
    other = Browser(app, OTHER)
    let_in(desk, other, {"role": "seat", "seat": 1})
    table.publish(table_after(*ROUND_OVER))
    assert other.get("/api/me").json["seat"] == 0


def test_people_say_where_they_sit() -> None:
    table = FakeTable(table_after(*ROUND_OVER))
    desk = Browser(create_app(table), HERE)
    answer = desk.post("/api/seats", {"came_from": [2, 0, 1, 3], "east": 2})
    assert answer.status_code == 200
    assert table.commands[-1] == ChangeSeats((2, 0, 1, 3), 2)


@pytest.mark.parametrize("people", [(0, 1, 2, 3), (2, 0, 1, 3)])
def test_an_earlier_hand_is_told_with_the_names_of_those_who_played_it(
    people: tuple[int, int, int, int],
) -> None:
    snapshot = table_after(*ROUND_OVER)
    state = replace(snapshot.state, people=people)
    moved = replace(snapshot, state=state, names=seated(NAMES, people))
    assert person_names(moved) == NAMES
