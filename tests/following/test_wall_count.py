"""A wall that does not count up is asked about, where its stacks were seen in this hand."""

import pytest

from table_assist.following.wall_count import WallCount
from table_assist.game.places import columns_left
from table_assist.game.question import QuestionKind
from table_assist.game.state import TableState
from table_assist.vision.table.observe import Observation
from tests.following.test_infer import M1, hand, river
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
