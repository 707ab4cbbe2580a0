"""What lies flat, shows no drawing, and is no tile: the side of one, or where seams cross.

Both are read as a white dragon, a back or something unread. A camera askew sees a tile's side
beside its face; no tile can lie there, for the tile whose side it is does. And a tile that lies
flat is nowhere smaller than a tile.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from table_assist.tiles import Tile
from table_assist.vision.table.zones import ZoneKind

# Of a tile's width. The side of one was read as narrow as 0.61 of it, seams that cross as 0.8 of it
# both ways; what lies flat is nowhere narrower than a tile, and 1.3 times as long.
NARROW, SHORT = 0.75, 0.9
FLAT = frozenset({ZoneKind.RIVER, ZoneKind.MELDS, ZoneKind.BIRDS})


@dataclass(frozen=True, slots=True)
class Outline:
    """Where a thing is seen on the table, in mm.

    Attributes:
        tile: what it is read as.
        kind: of the zone in which it lies.
        low: (2,) the least x and y of its corners, and `high` the largest.
        lean: (2,) from where its upper side is seen to where it stands.
    """

    tile: Tile
    kind: ZoneKind
    low: NDArray[np.float32]
    high: NDArray[np.float32]
    lean: NDArray[np.float32]

    @property
    def is_plain(self) -> bool:
        """It shows no drawing."""
        return self.tile is Tile.WHITE or not self.tile.is_face

    @property
    def sides_mm(self) -> tuple[float, float]:
        """The shorter and the longer side."""
        shorter, longer = sorted((self.high - self.low).tolist())
        return shorter, longer

    @property
    def middle(self) -> NDArray[np.float32]:
        """(2,) where it is seen."""
        return np.asarray((self.low + self.high) / 2, np.float32)

    def covers(self, place: NDArray[np.float32]) -> bool:
        """Whether a place (2,) is seen on it: on its upper side, or between that and its foot."""
        low = np.minimum(self.low, self.low + self.lean)
        high = np.maximum(self.high, self.high + self.lean)
        return bool(((low < place) & (place < high)).all())


def are_no_tiles(outlines: Sequence[Outline], tile_mm: float) -> list[bool]:
    """Of each thing, whether it shows no face and cannot be a tile that lies flat.

    Args:
        tile_mm: how wide a tile is.
    """
    faces = [each for each in outlines if not each.is_plain]
    return [
        each.kind in FLAT
        and each.is_plain
        and (
            each.sides_mm[1] < SHORT * tile_mm
            or (each.sides_mm[0] < NARROW * tile_mm and any(f.covers(each.middle) for f in faces))
        )
        for each in outlines
    ]
