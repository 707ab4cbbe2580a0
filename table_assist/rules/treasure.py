"""The treasure: a kind of tile that the players who declared ready may profit from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from table_assist.rules.options import Options
from table_assist.tiles.tile import Tile

# First tile and length of the rows in which a tile follows another.
_ROWS = ((Tile.M1, 9), (Tile.P1, 9), (Tile.S1, 9), (Tile.EAST, 4))
_DRAGONS = (Tile.GREEN, Tile.RED, Tile.WHITE)


def following(tile: Tile) -> Tile:
    """The next tile of the suit, the winds or the dragons; the last one leads to the first.

    Source: Changchun > Revealing the Treasure Tile; Tianjin > Wild Card Selection.

    >>> [str(following(tile)) for tile in (Tile.S3, Tile.P9, Tile.NORTH, Tile.WHITE)]
    ['4s', '1p', 'E', 'F']

    Raises:
        ValueError: a tile that is in no row: a bonus tile, or one without a face.
    """
    if tile in _DRAGONS:
        return _DRAGONS[(_DRAGONS.index(tile) + 1) % len(_DRAGONS)]
    for first, length in _ROWS:
        if first <= tile < first + length:
            return Tile(first + (tile - first + 1) % length)
    raise ValueError(f"no tile follows {tile}")


@dataclass(frozen=True, slots=True)
class TreasureRule:
    """How the treasure is found.

    Attributes:
        named_by: the kinds that a turned tile makes the treasure.
        fewest_tiles: with fewer tiles left none is turned.
        rushing_from: with so many tiles left, or more, one wins by the treasure alone.
        visible: so many treasures seen among discards and melds allow another throw.
    """

    named_by: Callable[[Tile, Options], tuple[Tile, ...]]
    fewest_tiles: int
    rushing_from: int
    visible: int


def must_throw_again(dice: Sequence[int], columns: int) -> bool:
    """Whether the dice count more columns than the wall has left.

    Raises:
        ValueError: a die shows none of 1 to 6, or there are none.
    """
    if not dice or any(type(die) is not int or not 1 <= die <= 6 for die in dice):
        raise ValueError(f"the dice show {list(dice)}; each is 1 to 6")
    return sum(dice) > columns
