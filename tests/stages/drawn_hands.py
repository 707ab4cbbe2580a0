"""Pictures of tiles lying in a row on felt, drawn from the simulator's faces."""

import numpy as np
from numpy.typing import NDArray

from table_assist.tiles.tile import parse_tiles
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import TableLook
from table_assist.twin.render import Renderer
from table_assist.twin.scene import PlacedTile, Scene

PITCH_MM = 26.6
CLOSE = Lens(size_wh=(1280, 720), px_per_mm=2.6)


def draw_row(text: str, apart: str = "") -> NDArray[np.uint8]:
    """A hand face up in one row, the tile set apart at its right-hand end."""
    tiles = parse_tiles(text)
    left = -PITCH_MM * (len(tiles) + 1) / 2
    placed = [PlacedTile(tile, left + PITCH_MM * i, 0.0) for i, tile in enumerate(tiles)]
    for tile in parse_tiles(apart):
        placed.append(PlacedTile(tile, left + PITCH_MM * len(tiles) + 20.0, 0.0))
    renderer = Renderer(load_faces(), TableLook(), CLOSE, seed=1)
    return renderer.picture(Scene(tuple(placed)))
