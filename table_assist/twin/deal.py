"""The pieces of a Changsha set, and the wall they are drawn from.

A *piece* is one physical tile, 0-107: four pieces to a kind. Source: SPEC CS-06 to CS-08, CS-11.
"""

from collections.abc import Iterator, Sequence
from random import Random

from table_assist.tiles import COPIES, SUITED, Tile

PIECES = range(len(SUITED) * COPIES)


def face(piece: int) -> Tile:
    """What is printed on a piece.

    >>> str(face(0)), str(face(107))
    ('1m', '9s')
    """
    return SUITED[piece // COPIES]


class Wall:
    """Four sides of stacks of two. Before it is broken nothing can be drawn from it."""

    def __init__(self, pieces: Sequence[int], sides: Sequence[int]) -> None:
        """Build the wall from the pieces in the order given, two a stack.

        ``sides`` says how many stacks stand before each seat; pieces left over stay in the machine.

        Raises:
            ValueError: there are too few pieces.
        """
        if len(pieces) < 2 * sum(sides):
            raise ValueError(f"{sum(sides)} stacks take more than {len(pieces)} pieces")
        self.sides = tuple(sides)
        self._stacks: dict[tuple[int, int], list[int]] = {}
        remaining = iter(pieces)
        for seat, stacks in enumerate(sides):
            for index in range(stacks):
                self._stacks[seat, index] = [next(remaining), next(remaining)]
        self._order: list[tuple[int, int]] = []

    @property
    def left(self) -> int:
        """Tiles that can still be drawn."""
        return sum(len(stack) for stack in self._stacks.values())

    def break_at(self, first_side: int, total: int) -> tuple[int, int]:
        """Break the wall by the total of the dice.

        The total is counted over the sides counter-clockwise, ``first_side`` being one, and then
        over that side's stacks from its player's right. The wall is drawn clockwise from there.

        Returns:
            The seat and the stack, counted from 0 at that seat's right, of the first draw.
        """
        side = (first_side + total - 1) % 4
        whole = [
            ((side - step) % 4, index)
            for step in range(4)
            for index in range(self.sides[(side - step) % 4])
        ]
        self._order = whole[total:] + whole[:total]
        return self._order[0]

    def draw(self) -> int:
        """Take the next tile from the front: the upper one of its stack first."""
        return self._take(0)

    def draw_last(self) -> int:
        """Take a kong's replacement from the tail: the upper one of the last stack first."""
        return self._take(-1)

    def next_stack(self, *, from_tail: bool = False) -> tuple[int, int]:
        """The seat and the place, as `stacks` says it, of the stack that gives the next tile."""
        return self._order[-1 if from_tail else 0]

    def stacks(self) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Each stack that is left: its seat, its place from 0 at the seat's right, lower first."""
        for (seat, index), stack in self._stacks.items():
            yield seat, index, tuple(stack)

    def _take(self, end: int) -> int:
        if not self._order:
            raise ValueError("nothing can be drawn: the wall is empty or not broken yet")
        stack = self._stacks[self._order[end]]
        piece = stack.pop()
        if not stack:
            del self._stacks[self._order.pop(end)]
        return piece


def shuffled_wall(rng: Random, sides: Sequence[int]) -> Wall:
    """A washed and newly built wall."""
    pieces = list(PIECES)
    rng.shuffle(pieces)
    return Wall(pieces, sides)
