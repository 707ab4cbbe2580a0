"""The physical wall: which piece lies where, by how people build, break and draw.

It knows nothing of the game's state: `game.places` must come to the same places by itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from table_assist.rules import wall
from table_assist.rules.wall import Break, WallPlace


@dataclass(frozen=True, slots=True)
class Column:
    """A stack of the wall as it stands.

    Attributes:
        pieces: the lowest first.
        turned: the uppermost shows its face.
    """

    place: WallPlace
    pieces: tuple[int, ...]
    turned: bool = False


class PieceWall:
    """Four sides of stacks of two, and what is left of them.

    A *spot* counts the tiles in the order of drawing: 0 is the top tile of the first stack after
    the break, 1 the one below it.

    Args:
        stacks: on each side.
        opening: where it will be broken.
        pieces: in the order of drawing.
    """

    def __init__(
        self, stacks: tuple[int, int, int, int], opening: Break, pieces: Sequence[int]
    ) -> None:
        if len(pieces) != 2 * sum(stacks):
            raise ValueError(f"{sum(stacks)} stacks are not built of {len(pieces)} pieces")
        self.stacks = stacks
        first = opening.first_draw
        self._places = [wall.stack_after(stacks, first, n) for n in range(sum(stacks))]
        self._pieces: dict[int, int] = dict(enumerate(pieces))
        self._size = len(pieces)
        self._lying_on: dict[int, int] = {}  # a loose tile's spot: the column it was laid on
        self._turned: set[int] = set()
        self._kept: set[int] = set()

    @property
    def left(self) -> int:
        """Pieces that still lie there."""
        return len(self._pieces)

    def pieces(self) -> Iterator[int]:
        """The pieces that still lie there."""
        yield from self._pieces.values()

    def lift_out(self, lower_to: int, upper_to: int) -> None:
        """Lay the last stack's two tiles on top of others, so many places back from it."""
        last = self._size // 2 - 1
        self._lying_on = {self._size - 1: last - lower_to, self._size - 2: last - upper_to}

    def take(self, spot: int) -> int:
        """Take the piece of a spot."""
        self._turned.discard(spot)
        return self._pieces.pop(spot)

    def put_back(self, spot: int, piece: int) -> None:
        """A piece that was taken lies there again."""
        self._pieces[spot] = piece

    def front(self) -> int:
        """The spot that is drawn next.

        Raises:
            ValueError: nothing is left.
        """
        return min(self._pieces) if self._pieces else _nothing()

    def tail(self) -> int:
        """The spot of the next replacement: of the last stack that is left, the top tile first.

        Raises:
            ValueError: nothing is left.
        """
        loose = [spot for spot in sorted(self._lying_on) if spot in self._pieces]
        if loose:
            return loose[0]
        free = [spot for spot in self._pieces if spot // 2 not in self._kept]
        if not free:
            return _nothing()
        last = max(free) // 2
        return min(spot for spot in free if spot // 2 == last)

    def in_column(self, count: int) -> int:
        """The spot on top of a column, counted from the tail of what is left."""
        columns = sorted({spot // 2 for spot in self._pieces}, reverse=True)
        aim = columns[count - 1]
        return min(spot for spot in self._pieces if spot // 2 == aim)

    def turn(self, spot: int, *, stays: bool) -> None:
        """Turn the piece of a spot face up; if it stays, nobody draws its stack from the tail."""
        self._turned.add(spot)
        if stays:
            self._kept.add(spot // 2)

    def holds(self, spot: int) -> bool:
        """Whether the piece of a spot was not taken yet."""
        return spot in self._pieces

    def place(self, spot: int) -> WallPlace:
        """The stack in or on which a spot is."""
        column = self._lying_on.get(spot, spot // 2)
        return self._places[column]

    def columns(self) -> Iterator[Column]:
        """Each stack that is left, in the order of drawing."""
        lying: dict[int, list[int]] = {}
        for spot in self._pieces:
            lying.setdefault(self._lying_on.get(spot, spot // 2), []).append(spot)
        for column in sorted(lying):
            # The lower tile has the higher number; a loose one lies on both.
            spots = sorted(lying[column], key=lambda s: (s in self._lying_on, -s))
            pieces = tuple(self._pieces[spot] for spot in spots)
            yield Column(self._places[column], pieces, turned=spots[-1] in self._turned)


def _nothing() -> int:
    raise ValueError("nothing is left of the wall")
