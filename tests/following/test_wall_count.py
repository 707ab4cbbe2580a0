"""A wall that does not count up is asked about, where most of it is seen to stand."""

import pytest

from table_assist.game.places import columns_left
from table_assist.game.question import QuestionKind
from tests.following.test_infer import M1, hand, river, see
from tests.following.test_treasures import standing


@pytest.mark.parametrize(
    ("stacks", "asks"),
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
    stacks: int, asks: bool
) -> None:
    """One stack of 28 is what was read, and not what stands there."""
    state = hand(M1)
    assert columns_left(state) == 28
    doubts = see(state, river(0, "1m"), standing(stacks)).doubts
    assert [each.question.kind for each in doubts] == [QuestionKind.WALL] * asks
