"""How tiles lie on the table where that is a matter of rules: what is face up, what is face down.

It is worth no points. A camera must know it, people are told it, and simulated players keep to it.
"""

from dataclasses import dataclass
from enum import StrEnum

from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile


class MarkedTile(StrEnum):
    """How a concealed triplet is told from one that was claimed (CL-67)."""

    NOT = ""
    MIDDLE_TURNED = "middle_turned"
    ONE_ON_TWO = "one_on_two"


@dataclass(frozen=True, slots=True)
class LyingTile:
    """A tile that shows its face.

    Attributes:
        concealed_kong_up: how many tiles of a concealed kong may do so, the usual number first.
        claimed_kong_tile_down: of a kong with a discard the claimed tile does not.
        discards_down: no discard does; who discards names the tile.
        marked: how the concealed triplets of a hand that is laid open are marked.
    """

    concealed_kong_up: tuple[int, ...] = (2,)
    claimed_kong_tile_down: bool = False
    discards_down: bool = False
    marked: MarkedTile = MarkedTile.NOT

    def faces(self, meld: Meld) -> tuple[Tile, ...]:
        """The meld's tiles as they are seen: BACK face down, UNKNOWN where that may be either.

        >>> [str(tile) for tile in LyingTile().faces(Meld(MeldKind.KONG_CONCEALED, (Tile.M1,) * 4))]
        ['1m', '1m', '#', '#']
        """
        if meld.kind is MeldKind.KONG_CONCEALED:
            least, most = min(self.concealed_kong_up), max(self.concealed_kong_up)
            either = (Tile.UNKNOWN,) * (most - least)
            return (*meld.tiles[:least], *(Tile.BACK,) * (len(meld.tiles) - most), *either)
        if meld.is_unexposed:
            return ()
        if meld.kind is MeldKind.KONG_EXPOSED and self.claimed_kong_tile_down:
            return (*meld.tiles[:3], Tile.BACK)
        return meld.tiles + meld.supplements
