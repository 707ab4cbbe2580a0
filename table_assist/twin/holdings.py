"""Which piece is where in a hand: in the physical wall, with whom, in which river."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from table_assist.game.state import SEATS
from table_assist.rules import wall
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.wall import Break, WallPlace
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile


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


class PieceSet:
    """All pieces of a rule set's tiles, bonus tiles last."""

    def __init__(self, rules: RuleSet) -> None:
        kinds = [tile for tile in rules.kinds for _ in range(rules.copies)]
        self._faces = (*kinds, *rules.bonus_tiles)

    def __len__(self) -> int:
        return len(self._faces)

    def face(self, piece: int) -> Tile:
        """The printed face of a piece."""
        return self._faces[piece]

    def all_of(self, tiles: Iterable[Tile]) -> list[int]:
        """The whole set, in the order of these tiles.

        Raises:
            ValueError: the tiles are not the whole set.
        """
        left: dict[Tile, list[int]] = {}
        for piece, tile in reversed(list(enumerate(self._faces))):
            left.setdefault(tile, []).append(piece)
        pieces = []
        for tile in tiles:
            if not left.get(tile):
                raise ValueError(f"the set has no {tile} more")
            pieces.append(left[tile].pop())
        if len(pieces) != len(self):
            raise ValueError(f"these are {len(pieces)} tiles, the set has {len(self)}")
        return pieces


@dataclass(frozen=True, slots=True)
class LaidGroup:
    """Tiles that a seat has laid down together: a meld or an egg.

    Attributes:
        pieces: in the order laid; of a claimed meld the claimed piece comes first.
        discarder: whose tile was claimed; None if none was.
        added: laid beside it later: the fourth tile of an added kong, tiles put to an egg.
        down: of the pieces those that lie face down.
    """

    kind: MeldKind
    pieces: tuple[int, ...]
    discarder: int | None = None
    added: tuple[int, ...] = ()
    down: tuple[int, ...] = ()


@dataclass(slots=True)
class Hand:
    """The tiles of one seat.

    Attributes:
        pieces: standing, the drawn one left out.
        drawn: the piece just drawn, apart from the others.
        shown: pieces of the hand that lie face up.
        passing: pieces laid face down, to be passed on.
    """

    pieces: list[int] = field(default_factory=list)
    drawn: int | None = None
    shown: frozenset[int] = frozenset()
    groups: list[LaidGroup] = field(default_factory=list)
    bonus: list[int] = field(default_factory=list)
    river: list[int] = field(default_factory=list)
    passing: list[int] = field(default_factory=list)

    @property
    def held(self) -> list[int]:
        """All pieces in hand, the drawn one last."""
        return [*self.pieces, *(() if self.drawn is None else (self.drawn,))]


class Holdings:
    """All pieces of one hand by where they are.

    Attributes:
        aside: in the machine, where the wall has no room for them.
        birds: turned after a win.
        looked_at: taken from the wall and laid face down in the middle, the latest last.
        revealed: of those, what was turned up.
        discards_down: discards lie face down.
    """

    def __init__(
        self,
        pieces: PieceSet,
        wall: PieceWall,
        aside: Iterable[int] = (),
        *,
        discards_down: bool = False,
    ) -> None:
        self.set = pieces
        self.wall = wall
        self.aside = tuple(aside)
        self.seats = tuple(Hand() for _ in SEATS)
        self.birds: list[int] = []
        self.looked_at: list[int] = []
        self.revealed: set[int] = set()
        self.discards_down = discards_down
        self._last_draw: tuple[int, int] | None = None

    def everything(self) -> Iterator[int]:
        """Every piece, wherever it is."""
        yield from self.aside
        yield from self.wall.pieces()
        yield from self.birds
        yield from self.looked_at
        for hand in self.seats:
            yield from chain(hand.held, hand.bonus, hand.river, hand.passing)
            yield from chain.from_iterable((*g.pieces, *g.added) for g in hand.groups)

    def faces(self, pieces: Iterable[int]) -> tuple[Tile, ...]:
        """The printed faces of pieces, ascending."""
        return tuple(sorted(self.set.face(piece) for piece in pieces))

    # From the wall

    def draw(self, seat: int, spot: int, *, apart: bool = True) -> Tile:
        """The seat takes the piece of a spot; apart from its others, if it plays next."""
        hand, piece = self.seats[seat], self.wall.take(spot)
        self._last_draw = (spot, seat)
        if apart:
            self.tidy(seat)
            hand.drawn = piece
        else:
            hand.pieces.append(piece)
        return self.set.face(piece)

    def undraw(self) -> None:
        """The piece that was drawn last goes back to where it lay.

        Raises:
            ValueError: nothing was drawn, or it is not apart any more.
        """
        if self._last_draw is None or self.seats[self._last_draw[1]].drawn is None:
            raise ValueError("no drawn tile can be put back")
        spot, seat = self._last_draw
        piece, self.seats[seat].drawn = self.seats[seat].drawn, None
        assert piece is not None
        self.wall.put_back(spot, piece)

    def turn_bird(self, spot: int) -> Tile:
        """A piece of the wall is turned up in the middle."""
        self.birds.append(self.wall.take(spot))
        return self.set.face(self.birds[-1])

    def lay_aside(self, spot: int) -> Tile:
        """A piece of the wall is looked at and lies face down in the middle from then on."""
        self.looked_at.append(self.wall.take(spot))
        return self.set.face(self.looked_at[-1])

    # Within a seat

    def tidy(self, seat: int) -> None:
        """The drawn piece goes among the others."""
        hand = self.seats[seat]
        hand.pieces, hand.drawn = hand.held, None

    def take(self, seat: int, tiles: Sequence[Tile]) -> tuple[int, ...]:
        """Take tiles out of the hand, the drawn piece first; the rest is put in order.

        Raises:
            ValueError: the seat holds no such tile.
        """
        hand = self.seats[seat]
        pieces = [*(() if hand.drawn is None else (hand.drawn,)), *hand.pieces]
        taken = []
        for tile in tiles:
            piece = next((each for each in pieces if self.set.face(each) is tile), None)
            if piece is None:
                raise ValueError(f"seat {seat} does not hold {tile}")
            pieces.remove(piece)
            taken.append(piece)
        hand.pieces, hand.drawn = pieces, None
        return tuple(taken)

    def put_apart(self, seat: int, tile: Tile) -> None:
        """Of the seat's hand that tile stands apart, as a drawn one does."""
        hand = self.seats[seat]
        if hand.drawn is None or self.set.face(hand.drawn) is not tile:
            (piece,) = self.take(seat, (tile,))
            hand.drawn = piece

    # Laid down

    def discard(self, seat: int, tile: Tile) -> None:
        """A tile goes into the seat's river; of equal tiles the one just drawn."""
        self.seats[seat].river += self.take(seat, (tile,))

    def add(self, seat: int, at: int, piece: int, kind: MeldKind | None = None) -> None:
        """Lay a piece beside a group, which may be another kind of meld by it."""
        groups = self.seats[seat].groups
        group = groups[at]
        groups[at] = replace(group, kind=kind or group.kind, added=(*group.added, piece))

    def take_added(self, seat: int, tile: Tile) -> int:
        """Take away the tile that was put to an egg last.

        Raises:
            ValueError: no egg has it.
        """
        groups = self.seats[seat].groups
        for at in reversed(range(len(groups))):
            added = groups[at].added
            if added and self.set.face(added[-1]) is tile:
                groups[at] = replace(groups[at], added=added[:-1])
                return added[-1]
        raise ValueError(f"no egg of seat {seat} has {tile} put to it")
