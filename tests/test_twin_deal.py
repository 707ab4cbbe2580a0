"""The simulated wall is built, broken and drawn as SPEC CS-06 to CS-08 and CS-11 say."""

from collections import Counter
from random import Random

import pytest

from table_assist.rules.registry import find_rules
from table_assist.twin.deal import PIECES, Wall, face, shuffled_wall

DEALER_0 = (14, 13, 14, 13)


def test_the_set_is_four_of_each_suited_tile() -> None:
    kinds = Counter(face(piece) for piece in PIECES)
    assert len(PIECES) == 108
    assert set(kinds.values()) == {4}
    assert all(tile.is_suited for tile in kinds)


def test_dealer_and_opposite_have_fourteen_stacks() -> None:
    rules = find_rules("changsha")
    wall = shuffled_wall(Random(1), rules.wall.stacks(1, rules.chosen))
    stacks = Counter(seat for seat, _, _ in wall.stacks())
    assert stacks == {0: 13, 1: 14, 2: 13, 3: 14}
    assert wall.left == 108


@pytest.mark.parametrize(
    ("dealer", "total", "side"), [(0, 2, 1), (0, 5, 0), (0, 7, 2), (3, 12, 2), (2, 9, 2), (1, 3, 3)]
)
def test_the_total_names_the_side_counter_clockwise_and_then_the_stack_from_the_right(
    dealer: int, total: int, side: int
) -> None:
    # 5 and 9 name the dealer, 2 and 6 the right, 3, 7 and 11 the opposite, 4, 8 and 12 the left.
    wall = Wall(PIECES, DEALER_0)
    assert wall.break_at(dealer, total) == (side, total)


def test_the_wall_is_drawn_clockwise_upper_tile_first() -> None:
    wall = Wall(PIECES, DEALER_0)
    stacks = {(seat, index): pieces for seat, index, pieces in wall.stacks()}
    wall.break_at(0, 5)
    first = stacks[0, 5]
    assert (wall.draw(), wall.draw()) == (first[1], first[0])
    for _ in range(2 * 8):
        wall.draw()
    # Side 0 is empty beyond the break; the next side clockwise is the left-hand neighbour's.
    assert wall.next_stack() == (3, 0)


def test_a_kong_draws_the_upper_tile_of_the_last_stack() -> None:
    wall = Wall(PIECES, DEALER_0)
    stacks = {(seat, index): pieces for seat, index, pieces in wall.stacks()}
    wall.break_at(0, 5)
    last = stacks[0, 4]
    assert (wall.draw_last(), wall.draw_last()) == (last[1], last[0])
    assert wall.next_stack(from_tail=True) == (0, 3)


def test_front_and_tail_together_draw_every_piece_once() -> None:
    wall = shuffled_wall(Random(3), DEALER_0)
    wall.break_at(2, 11)
    drawn = [wall.draw() if turn % 3 else wall.draw_last() for turn in range(108)]
    assert sorted(drawn) == list(PIECES)
    assert wall.left == 0
    with pytest.raises(ValueError, match="empty"):
        wall.draw()


def test_nothing_is_drawn_from_an_unbroken_wall() -> None:
    with pytest.raises(ValueError, match="not broken"):
        Wall(PIECES, DEALER_0).draw()


def test_a_wall_needs_enough_pieces() -> None:
    with pytest.raises(ValueError, match="54 stacks"):
        Wall(range(100), DEALER_0)
