"""The physical tiles of a set. A *piece* is one of them, by its number."""

from collections.abc import Iterable

from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.tile import Tile


class PieceSet:
    """All pieces of a rule set's tiles, bonus tiles last."""

    def __init__(self, rules: RuleSet) -> None:
        kinds = [tile for tile in rules.kinds for _ in range(rules.copies)]
        self._faces = (*kinds, *rules.bonus_tiles)

    def __len__(self) -> int:
        return len(self._faces)

    def face(self, piece: int) -> Tile:
        """The printed face of a piece."""
        return self._faces[piece]

    def all_of(self, tiles: Iterable[Tile]) -> list[int]:
        """The whole set, in the order of these tiles.

        Raises:
            ValueError: the tiles are not the whole set.
        """
        left: dict[Tile, list[int]] = {}
        for piece, tile in reversed(list(enumerate(self._faces))):
            left.setdefault(tile, []).append(piece)
        pieces = []
        for tile in tiles:
            if not left.get(tile):
                raise ValueError(f"the set has no {tile} more")
            pieces.append(left[tile].pop())
        if len(pieces) != len(self):
            raise ValueError(f"these are {len(pieces)} tiles, the set has {len(self)}")
        return pieces
