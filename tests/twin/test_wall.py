"""The physical wall is built, broken and drawn as people do it; pieces are pieces."""

from table_assist.rules.registry import find_rules
from table_assist.rules.wall import WallPlace, break_wall, open_at
from table_assist.tiles.tile import Tile
from table_assist.twin.pieces import PieceSet
from table_assist.twin.wall import PieceWall

STACKS = (3, 3, 2, 2)


def built() -> PieceWall:
    """Opened after stack 2 of side 0; the pieces are named by the order of drawing."""
    return PieceWall(STACKS, open_at(STACKS, 0, 2), range(20))


def test_the_front_is_drawn_top_tile_first_and_round_to_the_side_before() -> None:
    wall = built()
    assert [wall.take(wall.front()) for _ in range(4)] == [0, 1, 2, 3]
    assert wall.place(0) == WallPlace(0, 3)
    assert wall.place(2) == WallPlace(3, 1)
    assert wall.left == 16


def test_the_tail_gives_the_top_tile_of_the_last_stack_first() -> None:
    wall = built()
    assert [wall.take(wall.tail()) for _ in range(3)] == [18, 19, 16]
    assert wall.place(18) == WallPlace(0, 2)


def test_a_turned_tile_that_stays_is_passed_over_by_the_tail() -> None:
    wall = built()
    assert wall.in_column(2) == 16
    wall.turn(16, stays=True)
    assert [wall.take(wall.tail()) for _ in range(4)] == [18, 19, 14, 15]
    (column,) = (each for each in wall.columns() if each.turned)
    assert column.pieces == (17, 16)


def test_the_lifted_stack_lies_on_two_others_and_gives_the_farther_tile_first() -> None:
    """CL-19: the lower tile nearer to the breach, the upper one farther from it."""
    wall = built()
    wall.lift_out(lower_to=1, upper_to=3)
    lying = {column.place: column.pieces for column in wall.columns()}
    assert lying[wall.place(16)] == (17, 16, 19)
    assert lying[wall.place(12)] == (13, 12, 18)
    assert [wall.take(wall.tail()) for _ in range(3)] == [18, 19, 16]


def test_the_side_that_the_dice_name_is_broken() -> None:
    """CS-08: 5 names the dealer's own side; five stacks from its right are counted off."""
    rules = find_rules("changsha")
    stacks = rules.wall.stacks(0, rules.chosen)
    wall = PieceWall(stacks, break_wall(rules, 0, (2, 3)), range(2 * sum(stacks)))
    assert wall.place(0) == WallPlace(0, 6)


def test_a_set_has_every_tile_once_for_each_copy() -> None:
    rules = find_rules("classical")
    pieces = PieceSet(rules)
    tiles = [pieces.face(piece) for piece in range(len(pieces))]
    assert len(pieces) == 144
    assert tiles.count(Tile.M1) == 4
    assert sum(tile.is_bonus for tile in tiles) == 8
    assert sorted(pieces.all_of(reversed(tiles))) == list(range(144))
