"""The tile that follows a turned one: what an indicator names."""

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
