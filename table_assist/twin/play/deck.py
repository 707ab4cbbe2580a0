"""The tiles of one hand in their wall: who takes one gets the tile that lies there."""

from collections.abc import Sequence
from random import Random

from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.tile import Tile


class Deck:
    """A wall in the order of drawing, the two tiles of a stack top first.

    Args:
        tiles: those of the wall.
        aside: those that no side of the wall has room for.

    Attributes:
        beside: what was looked at and lies beside the wall.
    """

    def __init__(self, tiles: Sequence[Tile], *, aside: Sequence[Tile] = ()) -> None:
        self.aside = tuple(aside)
        self.beside: tuple[Tile, ...] = ()
        self._tiles = list(tiles)
        self._front = 0
        self._tail = 0
        self._taken: set[int] = set()
        self._kept: frozenset[int] = frozenset()

    @property
    def rest(self) -> list[Tile]:
        """The tiles still in the wall."""
        taken = self._taken
        return [
            tile
            for place, tile in enumerate(self._tiles)
            if place >= self._front and place not in taken
        ]

    def at(self, place: int) -> Tile:
        """The tile at a place in the order of drawing, from 0, also once it was drawn."""
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
        while self._tail < len(self._tiles):
            column, layer = self._tail // 2 + 1, self._tail % 2
            place = len(self._tiles) - 2 * column + layer
            self._tail += 1
            if place not in self._kept and not self._is_gone(place):
                self._taken.add(place)
                return self._tiles[place]
        raise ValueError("the wall is empty")

    def take(self, place: int) -> Tile:
        """The tile at a place that dice named."""
        self._taken.add(place)
        return self.at(place)

    def look(self, column: int) -> Tile:
        """The top tile so many of the stacks left from the tail, which stays where it is."""
        return self._tiles[self._top_of(column)]

    def lay_aside(self, column: int) -> Tile:
        """That tile, which lies beside the wall from then on."""
        place = self._top_of(column)
        self._taken.add(place)
        self.beside += (self._tiles[place],)
        return self._tiles[place]

    def _top_of(self, column: int) -> int:
        tops = range(len(self._tiles) - 2, -1, -2)
        left = [top for top in tops if not (self._is_gone(top) and self._is_gone(top + 1))]
        top = left[column - 1]
        return top + self._is_gone(top)

    def _is_gone(self, place: int) -> bool:
        return place < self._front or place in self._taken

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
