"""The rest of a wall from which dice have taken tiles, or a treasure was laid aside.

Places are counted in the order of drawing: 0 is the top tile of the first stack after the break,
1 the one below it. The tail gives the top tile of the last stack first, then the other.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from table_assist.game.state import Wall


def gone(wall: Wall, tiles: int) -> frozenset[int]:
    """The places of a wall of so many tiles that are empty."""
    holes = {each.tile for each in wall.rolled}.union(wall.aside)
    front = islice((place for place in range(tiles) if place not in holes), wall.from_front)
    tail = islice((place for place in from_tail(tiles) if place not in holes), wall.from_tail)
    return frozenset((*holes, *front, *tail))


def stacks_left(wall: Wall, tiles: int) -> list[int]:
    """The places of the stacks that still hold a tile, by their top one, from the tail on."""
    empty = gone(wall, tiles)
    return [top for top in range(tiles - 2, -1, -2) if not {top, top + 1} <= empty]


def top_of_column(wall: Wall, tiles: int, column: int) -> int | None:
    """The place of the tile on top of so many stacks left from the tail; None if there are fewer.

    Args:
        column: counts from 1.
    """
    left = stacks_left(wall, tiles)
    if not 1 <= column <= len(left):
        return None
    top = left[column - 1]
    return top + (top in gone(wall, tiles))


def laid_aside(wall: Wall, tiles: int, column: int) -> Wall:
    """The wall less the tile on top of a column: a live one or a dead one, by where it lay."""
    place = top_of_column(wall, tiles, column)
    if place is None:
        return wall
    empty = gone(wall, tiles)
    before = sum(each not in empty for each in range(place))
    is_live = before < wall.left
    return replace(
        wall,
        left=wall.left - is_live,
        dead=wall.dead - (not is_live),
        aside=(*wall.aside, place),
    )


def last_was_rolled(wall: Wall) -> bool:
    """Whether the latest replacement came from where dice said."""
    return bool(wall.rolled) and wall.rolled[-1].from_tail == wall.from_tail


def first_left(order: Iterable[int], empty: frozenset[int]) -> int | None:
    """The first of the places that still holds its tile."""
    return next((place for place in order if place not in empty), None)


def from_tail(tiles: int) -> Iterable[int]:
    """The places of a wall in the order in which the tail gives them."""
    return (stack + layer for stack in range(tiles - 2, -1, -2) for layer in (0, 1))
