"""The tiles of a hand counted in one whole number: six bits for each of the 34 kinds.

Six bits hold 63 tiles, more than a hand has, so no count runs over into the next kind's. The
counts of a suit, or of the honours, are then one shift away, which makes them the key of a table.
"""

from collections.abc import Iterable

from table_assist.tiles.tile import Tile

KINDS = 34
BITS = 6
# First kind and length of the groups that cannot share a set: three suits, and the honours.
GROUPS = ((0, 9), (9, 9), (18, 9), (27, 7))
GROUP_BITS = 9 * BITS
GROUP_MASK = (1 << GROUP_BITS) - 1
# The count of a tile that is none of the 34 kinds: above all the counts.
STRANGE = 1 << (KINDS * BITS)
# One tile of each kind; times a number, that many.
ONE_EACH = sum(1 << (BITS * kind) for kind in range(KINDS))
# The highest bit of each kind.
HIGHEST_BITS = ONE_EACH << (BITS - 1)

# Added to one tile or more, it sets the highest bit.
_ALL_BUT_ONE = ONE_EACH * ((1 << BITS - 1) - 1)
_WEIGHTS = {tile: 1 << (BITS * tile) if 0 <= tile < KINDS else STRANGE for tile in Tile}
_weight = _WEIGHTS.__getitem__


def count_tiles(tiles: Iterable[Tile]) -> int:
    """The tiles in one number; ``STRANGE`` or more if one of them is none of the 34 kinds.

    >>> from table_assist.tiles.tile import parse_tiles
    >>> copies(count_tiles(parse_tiles("113m")), Tile.M1)
    2
    """
    return sum(map(_weight, tiles))


def copies(counts: int, tile: Tile) -> int:
    """How many of that kind were counted."""
    return counts >> (BITS * tile) & (1 << BITS) - 1


def tiles_in(counts: int) -> int:
    """How many tiles were counted; at most 62, none of them strange."""
    # A number leaves the sum of its digits when divided by their base less one.
    return counts % ((1 << BITS) - 1)


def spare_room(limit: int) -> int:
    """The addend by which ``HIGHEST_BITS`` of counts tell the kinds of which there are more.

    >>> from table_assist.tiles.tile import parse_tiles
    >>> [bool(count_tiles(parse_tiles(t)) + spare_room(2) & HIGHEST_BITS) for t in ("11m", "111m")]
    [False, True]
    """
    return _ALL_BUT_ONE - ONE_EACH * limit


def kinds_in(counts: int) -> int:
    """The kinds counted, one bit each, as ``kinds_of`` places them; at most 32 of a kind.

    >>> from table_assist.tiles.tile import parse_tiles
    >>> kinds_in(count_tiles(parse_tiles("113m"))) == kinds_of(parse_tiles("13m"))
    True
    """
    return counts + _ALL_BUT_ONE & HIGHEST_BITS


def kinds_of(tiles: Iterable[Tile]) -> int:
    """A bit for each of these kinds."""
    return sum(1 << (BITS * tile + BITS - 1) for tile in set(tiles))
