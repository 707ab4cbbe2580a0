"""A tile's side that is read as a tile of its own: a camera askew sees it beside the face.

It shows no drawing, and is read as a white dragon, a back or something unread. No tile can lie
where it is seen, for the tile whose side it is lies there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from table_assist.tiles import Tile
from table_assist.vision.table.zones import ZoneKind

# Of a tile's width. What lies flat is nowhere narrower than a tile; the side of one was read as
# large as 0.61 of it.
NARROW = 0.75
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
    def middle(self) -> NDArray[np.float32]:
        """(2,) where it is seen."""
        return np.asarray((self.low + self.high) / 2, np.float32)

    def covers(self, place: NDArray[np.float32]) -> bool:
        """Whether a place (2,) is seen on it: on its upper side, or between that and its foot."""
        low = np.minimum(self.low, self.low + self.lean)
        high = np.maximum(self.high, self.high + self.lean)
        return bool(((low < place) & (place < high)).all())


def are_sides(outlines: Sequence[Outline], tile_mm: float) -> list[bool]:
    """Of each thing, whether it is no more than the side of a tile that shows its face.

    Args:
        tile_mm: how wide a tile is.
    """
    faces = [each for each in outlines if each.tile.is_face and each.tile is not Tile.WHITE]
    return [
        each.kind in FLAT
        and (each.tile is Tile.WHITE or not each.tile.is_face)
        and float((each.high - each.low).min()) < NARROW * tile_mm
        and any(face.covers(each.middle) for face in faces)
        for each in outlines
    ]
