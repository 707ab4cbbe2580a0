"""Who holds what in a simulated hand, kept together with where it lies on the table."""

from collections.abc import Sequence
from itertools import chain

from table_assist.melds import Meld, MeldKind
from table_assist.rules.ruleset import ShownHand
from table_assist.rules.shown import Circumstance
from table_assist.tiles import COPIES, Tile
from table_assist.twin.deal import Wall, face
from table_assist.twin.players import View
from table_assist.twin.scene import PlacedTile
from table_assist.twin.table import LaidMeld, SimulatedTable
from table_assist.twin.truth import in_order

SEATS = range(4)


class Position:
    """All pieces of one hand by holder. Every change is made on the table, too.

    Attributes:
        drawn: the piece each seat has just drawn and not yet put among the others.
        last_drawer: who took the latest piece from the wall.
        last_was_replacement: the latest piece taken from the wall replaced a kong.
    """

    def __init__(self, wall: Wall, table: SimulatedTable, dealer: int) -> None:
        self.wall = wall
        self.table = table
        self.dealer = dealer
        self.drawn: list[int | None] = [None] * 4
        self.last_drawer: int | None = None
        self.last_was_replacement = False
        self._hands: list[list[int]] = [[] for _ in SEATS]
        self._melds: list[list[LaidMeld]] = [[] for _ in SEATS]
        self._rivers: list[list[int]] = [[] for _ in SEATS]
        self._discards = [0] * 4
        table.set_wall(wall)

    # What there is

    def concealed(self, seat: int) -> tuple[Tile, ...]:
        """The seat's tiles in hand, the drawn one included, ascending."""
        return in_order(face(piece) for piece in self._pieces(seat))

    def melds(self, seat: int) -> tuple[Meld, ...]:
        """The seat's melds, the oldest first."""
        return tuple(laid.meld for laid in self._melds[seat])

    def view(self, seat: int) -> View:
        """What the seat's player sees."""
        return View(
            seat=seat,
            dealer=self.dealer,
            concealed=self.concealed(seat),
            melds=tuple(self.melds(each) for each in SEATS),
            rivers=tuple(tuple(face(piece) for piece in river) for river in self._rivers),
            wall_left=self.wall.left,
        )

    def first_turn(self, seat: int) -> bool:
        """The dealer's opening hand, or another's first draw, nothing melded by the seat."""
        if self._melds[seat] or self._discards[seat]:
            return False
        return seat != self.dealer or not any(self._discards)

    def shown(
        self,
        seat: int,
        came_by: frozenset[Circumstance],
        *,
        claimed: Tile | None = None,
        discarder: int | None = None,
    ) -> ShownHand:
        """The seat's hand as it would be shown, won with the drawn tile or with a claimed one."""
        drawn = self.drawn[seat]
        own = self.concealed(seat)
        winning_tile = (
            claimed if claimed is not None else face(drawn) if drawn is not None else None
        )
        if winning_tile is None:
            raise ValueError(f"seat {seat} has drawn nothing and claims nothing")
        return ShownHand(
            concealed=own if claimed is None else in_order((*own, claimed)),
            winning_tile=winning_tile,
            winner=seat,
            dealer=self.dealer,
            melds=self.melds(seat),
            self_drawn=claimed is None,
            discarder=discarder,
            circumstances=came_by,
            wall_remaining=self.wall.left,
        )

    # What changes

    def deal(self, seat: int, tiles: int) -> None:
        """The seat takes tiles from the front of the wall into its hand."""
        self._hands[seat] += [self.wall.draw() for _ in range(tiles)]
        self._show_hand_row(seat)
        self.table.set_wall(self.wall)

    def draw(self, seat: int, *, replacement: bool = False) -> None:
        """The seat takes a tile from the front, or a kong's replacement from the tail."""
        self.drawn[seat] = self.wall.draw_last() if replacement else self.wall.draw()
        self.last_drawer = seat
        self.last_was_replacement = replacement
        self._show_hand_row(seat)
        self.table.set_wall(self.wall)

    def discard(self, seat: int, tile: Tile) -> PlacedTile:
        """The seat lays a tile into its river; of equal tiles the one just drawn."""
        (piece,) = self._take(seat, (tile,))
        self._rivers[seat].append(piece)
        self._discards[seat] += 1
        return self.table.discard(seat, piece)

    def claim(self, seat: int, kind: MeldKind, tiles: Sequence[Tile], *, discarder: int) -> Meld:
        """The seat takes the discarder's last tile and lays it down with tiles from its hand."""
        claimed = self._rivers[discarder].pop()
        self.table.take_discard(discarder)
        laid = LaidMeld(kind, (claimed, *self._take(seat, tiles)), discarder)
        self._melds[seat].append(laid)
        self.table.set_melds(seat, self._melds[seat])
        return laid.meld

    def lay_kong(self, seat: int, kind: MeldKind, tile: Tile) -> None:
        """The seat lays a concealed kong, or adds the tile to its pung."""
        melds = self._melds[seat]
        if kind is MeldKind.KONG_CONCEALED:
            melds.append(LaidMeld(kind, self._take(seat, (tile,) * COPIES)))
        else:
            place = next(
                index
                for index, laid in enumerate(melds)
                if laid.kind is MeldKind.PUNG and face(laid.pieces[0]) is tile
            )
            pung = melds[place]
            added = (*pung.pieces, *self._take(seat, (tile,)))
            melds[place] = LaidMeld(kind, added, pung.discarder)
        self.table.set_melds(seat, melds)

    def show(self, seat: int) -> None:
        """The seat lays its hand face up, a drawn tile apart."""
        self.table.show_hand(seat, self._hands[seat], self.drawn[seat])

    def turn_bird(self, *, from_tail: bool) -> Tile:
        """A tile of the wall is turned up in the middle."""
        piece = self.wall.draw_last() if from_tail else self.wall.draw()
        self.table.turn_bird(piece)
        self.table.set_wall(self.wall)
        return face(piece)

    def _pieces(self, seat: int) -> list[int]:
        drawn = self.drawn[seat]
        return self._hands[seat] if drawn is None else [*self._hands[seat], drawn]

    def _take(self, seat: int, tiles: Sequence[Tile]) -> tuple[int, ...]:
        """Take tiles out of the hand, the drawn piece first; the rest is put in order."""
        drawn = self.drawn[seat]
        pieces = list(chain(() if drawn is None else (drawn,), sorted(self._hands[seat])))
        taken = []
        for tile in tiles:
            piece = next((each for each in pieces if face(each) is tile), None)
            if piece is None:
                raise ValueError(f"seat {seat} does not hold {tile}")
            pieces.remove(piece)
            taken.append(piece)
        self.drawn[seat] = None
        self._hands[seat] = sorted(pieces)
        self._show_hand_row(seat)
        return tuple(taken)

    def _show_hand_row(self, seat: int) -> None:
        self.table.set_hand(seat, self._hands[seat], self.drawn[seat])
