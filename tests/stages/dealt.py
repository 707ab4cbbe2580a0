"""Tiles of which a test makes hands from one seed: mostly complete, of few kinds, never a fifth."""

from collections import Counter
from collections.abc import Sequence
from random import Random

from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile


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
