"""Tiles of which a test makes hands from one seed: mostly complete, of few kinds, never a fifth."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from table_assist.twin.faces import load_faces
from table_assist.twin.scene import PlacedTile, Scene
from table_assist.vision.pictures.picture import Image
from tests.secrecy.twins import TwinHand, simulate

CHANGCHUN = find_rules("changchun")


def hidden_hand(where: Callable[[TwinHand], bool] = lambda hand: True) -> TwinHand:
    """The first simulated hand with a treasure that fits."""
    seeds = (simulate(CHANGCHUN, seed) for seed in range(400))
    return next(hand for hand in seeds if hand is not None and where(hand))


WIDTH, HEIGHT, THICKNESS = 60, 80, 10
STEP = WIDTH + 4
MARGIN = 50


def lay_rows(
    rows: Sequence[Sequence[Tile]], *, seed: int = 0, light: float = 1.0, mirrored: bool = False
) -> Image:
    """A picture (h, w, 3) BGR of tiles in rows, seen from above, each with its thickness below."""
    faces, random = load_faces(), np.random.default_rng(seed)
    width = MARGIN * 2 + STEP * max(len(row) for row in rows)
    height = MARGIN * 2 + len(rows) * (HEIGHT + THICKNESS + 24)
    image = np.full((height, width, 3), (70, 110, 40), np.float64)
    for row, tiles in enumerate(rows):
        top = MARGIN + row * (HEIGHT + THICKNESS + 24)
        for column, tile in enumerate(tiles):
            left = MARGIN + column * STEP
            face = faces.on_ground(tile, (225, 238, 240))
            if mirrored:
                face = np.ascontiguousarray(face[:, ::-1])
            image[top + HEIGHT : top + HEIGHT + THICKNESS, left : left + WIDTH] = (60, 140, 90)
            image[top : top + HEIGHT, left : left + WIDTH] = cv2.resize(
                face, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA
            )
    image = image * light + random.normal(0, 4, image.shape)
    return np.asarray(cv2.GaussianBlur(np.clip(image, 0, 255), (3, 3), 0), np.uint8)


def boxes_of(
    rows: Sequence[Sequence[Tile]],
) -> list[tuple[Tile, tuple[float, float, float, float]]]:
    """Every tile of such a picture with its box: left, top, right, bottom in pixels."""
    found = []
    for row, tiles in enumerate(rows):
        top = MARGIN + row * (HEIGHT + THICKNESS + 24)
        for column, tile in enumerate(tiles):
            left = MARGIN + column * STEP
            found.append((tile, (left, top, left + WIDTH, top + HEIGHT)))
    return found


LAID = Scene(
    tuple(
        PlacedTile(tile, 26.0 * column - 104, 35.0 * row - 140)
        for index, tile in enumerate([tile for tile in Tile if tile.is_suited][:16])
        for row, column in [divmod(index, 8)]
    )
)
