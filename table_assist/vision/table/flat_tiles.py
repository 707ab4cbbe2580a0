"""What lies flat, shows no drawing, and is no tile: the side of one, or where seams cross.

They are read as a white dragon, a back or something unread. What lies flat is nowhere narrower
than a tile, and longer than that: its upper side hides behind no other one. Only melds may lie
behind a hand that stands; but where a camera askew sees a tile's side beside its face, no tile can.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from table_assist.tiles import Tile
from table_assist.vision.table.zones import ZoneKind

# Of a tile's width, the least shorter and longer side of what was read. A tile's side was read as
# large as 0.61 of it and 0.98; seams that cross as 0.77 and 1.3, or as 0.9 and 1.02; a tile is 1.3
# times as long as wide, and known to a fifth before any lie side by side.
NARROW, SHORT = 0.8, 1.05
OPEN, BEHIND_HANDS = (ZoneKind.RIVER, ZoneKind.BIRDS), (ZoneKind.MELDS,)


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
    return [each.is_plain and _is_none(each, faces, tile_mm) for each in outlines]


def _is_none(plain: Outline, faces: Sequence[Outline], tile_mm: float) -> bool:
    shorter, longer = plain.sides_mm
    is_narrow = shorter < NARROW * tile_mm
    if plain.kind in BEHIND_HANDS:
        return is_narrow and any(face.covers(plain.middle) for face in faces)
    return plain.kind in OPEN and (is_narrow or longer < SHORT * tile_mm)
