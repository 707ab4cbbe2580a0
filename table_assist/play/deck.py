"""The tiles of one hand in their wall: who takes one gets the tile that lies there."""

from collections.abc import Sequence
from random import Random

from table_assist.rules.ruleset import RuleSet
from table_assist.tiles import Tile


class Deck:
    """A wall in the order of drawing, the two tiles of a stack top first.

    Args:
        tiles: those of the wall.
        aside: those that no side of the wall has room for.
    """

    def __init__(self, tiles: Sequence[Tile], *, aside: Sequence[Tile] = ()) -> None:
        self.aside = tuple(aside)
        self._tiles = list(tiles)
        self._front = 0
        self._tail = 0
        self._taken: set[int] = set()
        self._kept: frozenset[int] = frozenset()

    @property
    def rest(self) -> list[Tile]:
        """What still lies in the wall."""
        taken = self._taken
        return [
            tile
            for place, tile in enumerate(self._tiles)
            if place >= self._front and place not in taken
        ]

    def at(self, place: int) -> Tile:
        """What lies, or lay, at a place in the order of drawing, from 0."""
        return self._tiles[place]

    def draw(self) -> Tile:
        """The next tile of the front.

        Raises:
            ValueError: none is left.
        """
        while self._front in self._taken:
            self._front += 1
        if self._front >= len(self._tiles):
            raise ValueError("the wall is empty")
        self._front += 1
        return self._tiles[self._front - 1]

    def put_back(self) -> None:
        """The tile that was drawn last lies at the front again."""
        self._front -= 1

    def draw_tail(self) -> Tile:
        """The next replacement tile: of each stack from the tail on the top one, then the other.

        Raises:
            ValueError: none is left.
        """
        place = self._tail_place()
        while place in self._taken:  # dice have taken it
            self._tail += 1
            place = self._tail_place()
        if place < self._front:  # the top tile of the last stack left through the front
            self._tail += 1
            place = self._tail_place()
        if place in self._kept:
            self._tail += 2
            place = self._tail_place()
        if not self._front <= place < len(self._tiles) or place in self._taken:
            raise ValueError("the wall is empty")
        self._tail += 1
        self._taken.add(place)
        return self._tiles[place]

    def take(self, place: int) -> Tile:
        """The tile at a place that dice named."""
        self._taken.add(place)
        return self.at(place)

    def _tail_place(self) -> int:
        column, layer = self._tail // 2 + 1, self._tail % 2
        return len(self._tiles) - 2 * column + layer

    def look(self, column: int) -> Tile:
        """The top tile so many of the stacks left from the tail, which stays where it is."""
        place = len(self._tiles) - 2 * (self._tail // 2 + column)
        gone = place < self._front or place in self._taken
        return self._tiles[place + gone]

    def keep(self, column: int) -> None:
        """Nobody takes that stack from the tail: the tile that lies turned there stays."""
        place = len(self._tiles) - 2 * column
        self._kept = frozenset((place, place + 1))


def shuffled(rules: RuleSet, random: Random) -> list[Tile]:
    """All tiles of the set in a random order."""
    tiles = [tile for tile in rules.kinds for _ in range(rules.copies)]
    tiles += rules.bonus_tiles
    random.shuffle(tiles)
    return tiles
