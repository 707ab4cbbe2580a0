"""Melds as they lie: which set a few tiles are, and from whom a turned one was claimed."""

from collections.abc import Sequence
from enum import StrEnum

from table_assist.languages.words import Words
from table_assist.tiles.melds import Meld, MeldKind, is_set
from table_assist.tiles.tile import Tile


class Side(StrEnum):
    """From whom a meld's tile was claimed: where its turned tile lies, as the winner sees it."""

    LEFT = "left"
    ACROSS = "across"
    RIGHT = "right"

    @property
    def words(self) -> Words:
        """As it is said at the table."""
        return _SIDES[self]

    def seat(self, winner: int) -> int:
        """The seat on that side; seats count counter-clockwise.

        >>> Side.RIGHT.seat(0), Side.LEFT.seat(0)
        (1, 3)
        """
        return (winner + {"right": 1, "across": 2, "left": 3}[self.value]) % 4


_SIDES = {
    Side.LEFT: Words("left", "上家"),
    Side.ACROSS: Words("across", "对家"),
    Side.RIGHT: Words("right", "下家"),
}


def meld_of(tiles: tuple[Tile, ...]) -> Meld | None:
    """The meld that three or four tiles are, also where one of them was not read.

    >>> str(meld_of((Tile.BACK, Tile.P5, Tile.P5, Tile.BACK)))
    'kong_concealed 5555p'
    """
    if len(tiles) == 4 and Tile.BACK in tiles:
        faces = {tile for tile in tiles if tile is not Tile.BACK}
        if len(faces) > 1:
            return None
        return Meld(MeldKind.KONG_CONCEALED, (faces.pop() if faces else Tile.UNKNOWN,) * 4)
    for kind in (MeldKind.CHOW, MeldKind.PUNG, MeldKind.KONG_EXPOSED):
        if is_set(kind, tiles):
            return Meld(kind, tiles)
    # A group of three or four in which a tile was not read, by those that were
    known = [tile for tile in tiles if tile is not Tile.UNKNOWN]
    if len(known) == len(tiles) or len(known) < 2 or len(tiles) not in (3, 4):
        return None
    if len(set(known)) == 1:
        return Meld(MeldKind.PUNG if len(tiles) == 3 else MeldKind.KONG_EXPOSED, tiles)
    low, high = min(known), max(known)
    if len(tiles) == 3 and low.is_suited and low.suit == high.suit and high - low <= 2:
        return Meld(MeldKind.CHOW, tiles)
    return None


def claimed_from(meld: Meld, turned: Sequence[bool]) -> Side | None:
    """From whom a meld was claimed, by which of its tiles, left to right, are turned.

    None where not exactly one is. A chow is always claimed from the left.
    """
    if sum(turned) != 1:
        return None
    if meld.kind is MeldKind.CHOW or turned[0]:
        return Side.LEFT
    return Side.RIGHT if turned[-1] else Side.ACROSS
