"""What is left of a wall from which dice have taken tiles, too.

Places are counted in the order of drawing: 0 is the top tile of the first stack after the break,
1 the one below it. The tail gives the top tile of the last stack first, then the other.
"""

from collections.abc import Iterable
from itertools import islice

from table_assist.game.state import Wall


def gone(wall: Wall, tiles: int) -> frozenset[int]:
    """The places of a wall of so many tiles that are empty."""
    rolled = {each.tile for each in wall.rolled}
    front = islice((place for place in range(tiles) if place not in rolled), wall.from_front)
    tail = islice((place for place in from_tail(tiles) if place not in rolled), wall.from_tail)
    return frozenset((*rolled, *front, *tail))


def last_was_rolled(wall: Wall) -> bool:
    """Whether the latest replacement came from where dice said."""
    return bool(wall.rolled) and wall.rolled[-1].from_tail == wall.from_tail


def first_left(order: Iterable[int], empty: frozenset[int]) -> int | None:
    """The first of the places that still holds its tile."""
    return next((place for place in order if place not in empty), None)


def from_tail(tiles: int) -> Iterable[int]:
    """The places of a wall in the order in which the tail gives them."""
    return (stack + layer for stack in range(tiles - 2, -1, -2) for layer in (0, 1))
