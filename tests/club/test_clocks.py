"""Hub processes whose clocks differ show the same hall: the database orders, and has the time."""

import time
from random import Random
from secrets import token_hex

import pytest
from flask import Flask

from bench.club.load import LoadTable
from table_assist.club.hub.desk import ask_in, hall_clock, let_in, start
from table_assist.club.hub.intake import Sent, take
from table_assist.club.wire import Batch
from web.club.hall_pages import Hall

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
