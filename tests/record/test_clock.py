"""The table's clock: what is set anew begins anew, what stays goes on, and it stands when told."""

from hypothesis import given
from hypothesis import strategies as st

from table_assist.game.events import ClockSet, HandStarted
from table_assist.record.log import Entry, Retracted, Source
from table_assist.tiles.tile import Tile
from web.api.clock_api import TableClock, clock_of


def log(*said: tuple[float, object]) -> TableClock:
    return clock_of(
        Entry(seq, t, Source.PERSON, event)  # type: ignore[arg-type]
        for seq, (t, event) in enumerate(said, start=1)
    )


def left(clock: TableClock, now: float) -> tuple[float | None, float | None]:
    running = clock.running
    return clock.evening.left(now, running=running), clock.round.left(now, running=running)


def hand(number: int, wind: Tile = Tile.EAST, first: int = 0) -> HandStarted:
    return HandStarted(number, "changsha", 0, 55, prevailing=wind, first_east=first)


def test_without_a_word_there_is_no_clock() -> None:
    assert not log((0.0, hand(1))).is_set
    assert left(log((0.0, hand(1))), 99.0) == (None, None)


def test_the_evening_runs_and_a_round_begins_with_its_first_hand() -> None:
    clock = log((100.0, ClockSet(7200, 600)), (200.0, hand(1)), (300.0, hand(2)))
    assert left(clock, 400.0) == (6900.0, 300.0)
    clock = log(
        (100.0, ClockSet(7200, 600)), (200.0, hand(1)), (300.0, hand(2, Tile.SOUTH)),
    )  # fmt: skip
    assert left(clock, 400.0) == (6900.0, 500.0)
    assert left(clock, 1000.0)[1] == -100.0


def test_what_is_set_anew_begins_anew_and_the_rest_goes_on() -> None:
    clock = log((0.0, ClockSet(1000, 600)), (100.0, ClockSet(1000, 300, 20)))
    assert left(clock, 150.0) == (850.0, 250.0)
    assert clock.think_s == 20


def test_a_word_that_is_taken_back_does_not_count() -> None:
    assert not log((0.0, ClockSet(1000)), (5.0, Retracted(1))).is_set


@given(st.lists(st.integers(0, 500), min_size=1, max_size=12))
def test_while_it_stands_no_time_goes(waits: list[int]) -> None:
    now, ran, said = 0.0, 0, [(0.0, ClockSet(9000))]
    for number, wait in enumerate(waits):
        now += wait
        ran += wait if number % 2 == 0 else 0
        said.append((now, ClockSet(9000, running=number % 2 == 1)))
    clock = log(*said)
    assert clock.evening.left(now, running=clock.running) == 9000 - ran
