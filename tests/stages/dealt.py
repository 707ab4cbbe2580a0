"""Tiles of which a test makes hands from one seed: mostly complete, of few kinds, never a fifth."""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import cv2
import numpy as np

from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile
from table_assist.twin.faces import load_faces
from table_assist.twin.scene import PlacedTile, Scene
from table_assist.vision.pictures.picture import Image
from tests.secrecy.twins import TwinHand, simulate


class DealtTiles:
    """A wall and some options of a rule set.

    Args:
        faces: of the wall, each four times.
        kinds: those of which the hand is made.
    """

    def __init__(
        self, random: Random, rules: RuleSet, faces: Sequence[Tile], kinds: Sequence[Tile]
    ):
        self.random, self.faces, self.kinds = random, faces, kinds
        self.left = Counter(dict.fromkeys(faces, 4))
        self.options = {
            option.name: random.choice(option.values) if random.random() < 0.25 else option.default
            for option in rules.options
        }

    def take(self, *tiles: Tile) -> tuple[Tile, ...]:
        """Those tiles, if the wall still has them, else a triplet or pair of others."""
        if any(self.left[tile] < count for tile, count in Counter(tiles).items()):
            first = self.random.choice([tile for tile in self.faces if self.left[tile] >= 3])
            tiles = (first,) * min(3, len(tiles))
        self.left.subtract(tiles)
        return tiles

    def pairs(self) -> list[Tile]:
        """Seven of them, some alike."""
        pairs = self.random.sample([tile for tile in self.kinds for _ in range(2)], 7)
        self.left.subtract(pairs * 2)
        return pairs * 2

    def sets(
        self, *, runs: float, melded: float, chows: bool = True
    ) -> tuple[list[Meld], list[Tile]]:
        """Four sets and a pair: the melds and what is concealed.

        Args:
            runs: the share of them.
            melded: the share that lies open.
            chows: they may be claimed.
        """
        melds: list[Meld] = []
        concealed: list[Tile] = []
        for _ in range(4):
            tile = self.random.choice(self.kinds)
            run = self.random.random() < runs and tile.number < 8
            tiles = self.take(*[Tile(tile + step if run else tile) for step in range(3)])
            is_run = tiles[0] != tiles[1]
            if self.random.random() >= melded or (is_run and not chows):
                concealed += tiles
            elif is_run:
                melds.append(Meld(MeldKind.CHOW, tiles))
            elif self.left[tiles[0]] and self.random.random() < 0.4:
                kind = self.random.choice([kind for kind in MeldKind if kind.is_kong])
                melds.append(Meld(kind, tiles + self.take(tiles[0])))
            else:
                melds.append(Meld(MeldKind.PUNG, tiles))
        pair = self.random.choice([tile for tile in self.faces if self.left[tile] >= 2])
        return melds, [*concealed, *self.take(pair, pair)]


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
