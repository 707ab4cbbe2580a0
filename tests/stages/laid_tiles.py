"""A table on which some tiles lie: by them its size is checked when it is set up."""

from table_assist.tiles.tile import Tile
from table_assist.twin.scene import PlacedTile, Scene

LAID = Scene(
    tuple(
        PlacedTile(tile, 26.0 * column - 104, 35.0 * row - 140)
        for index, tile in enumerate([tile for tile in Tile if tile.is_suited][:16])
        for row, column in [divmod(index, 8)]
    )
)
