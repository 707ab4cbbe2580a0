"""A wall that does not count up is asked about, where its stacks were seen in this hand."""

from dataclasses import replace

import pytest

from table_assist.following.wall_count import COUNTED_S, WallCount
from table_assist.game.places import columns_left
from table_assist.game.question import QuestionKind
from table_assist.game.state import TableState
from table_assist.vision.table.observation import Observation
from tests.following.test_infer import M1, hand, river, shown
from tests.following.test_treasures import standing

DUE = 28


def asks(count: WallCount, state: TableState, stacks: int) -> bool:
    doubt = count.doubt(state, Observation(0.0, (*river(0, "1m"), *standing(stacks))))
    assert doubt is None or doubt.question.kind is QuestionKind.WALL
    return doubt is not None


@pytest.mark.parametrize(
    ("stacks", "is_asked"),
    [
        (0, False),
        (1, False),
        (13, False),
        (15, True),
        (21, True),
        (22, False),
        (30, False),
        (31, True),
    ],
)
def test_a_wall_is_asked_about_if_more_is_missing_than_backs_that_are_not_read(
    stacks: int, is_asked: bool
) -> None:
    """One stack of 28 is what was read, and not what stands there."""
    state, count = hand(M1), WallCount()
    assert columns_left(state) == DUE
    assert not asks(count, state, DUE)
    assert asks(count, state, stacks) is is_asked


def test_a_wall_that_was_never_seen_whole_in_this_hand_lacks_nothing() -> None:
    """Black backs without seams: nobody at the table can answer why the camera counts fewer."""
    state, count = hand(M1), WallCount()
    assert not asks(count, state, 20)
    assert asks(count, state, 31), "more than there can be is amiss whatever was read"
    assert not asks(count, state, 27)
    assert asks(count, state, 20), "they were seen, and are gone"


def test_a_wall_that_counts_up_by_chance_was_not_seen_whole() -> None:
    """Of backs that are hardly read, few lack once few are left."""
    state, count = hand(M1), WallCount()
    for _ in range(10):
        assert not asks(count, state, 16)
    assert not asks(count, state, 27)
    assert not asks(count, state, 20), "seen whole once, and short ten times"
    for _ in range(10):
        assert not asks(count, state, 28)
    assert asks(count, state, 20)


def test_a_short_wall_of_which_some_is_missing_was_not_seen_whole() -> None:
    state = hand(M1)
    short = replace(state, wall=replace(state.wall, left=22, from_front=state.wall.from_front + 33))
    assert columns_left(short) == 11
    count = WallCount()
    assert not asks(count, short, 9)
    assert not asks(count, short, 7)
    assert not asks(count, short, 10)
    assert not asks(count, short, 11)
    assert asks(count, short, 7)


@pytest.mark.parametrize(
    ("left", "gone", "open_hand", "is_gone"),
    [(3, 2, "", True), (3, 1, "", False), (3, 2, "55s", False)],
)
def test_a_wall_is_gone_if_few_tiles_are_left_by_the_record_that_are_not_seen(
    left: int, gone: int, open_hand: str, is_gone: bool
) -> None:
    """Discards that were never seen; who lies a hand open may have won, and forgot the key."""
    state, count = hand(M1), WallCount()
    assert not asks(count, state, DUE)
    state = replace(state, wall=replace(state.wall, left=left, dead=14))
    stacks = standing(columns_left(state) - gone)
    count.doubt(state, Observation(0.0, (*river(0, "1m"), *stacks, *shown(1, open_hand))))
    assert count.is_gone(state, 1.0) is is_gone
    assert not count.is_gone(state, 1.0 + COUNTED_S), "nobody has looked since"
