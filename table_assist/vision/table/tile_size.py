"""How large the tiles are, by how they lie side by side: in the wall, in melds, in open hands.

The corners are mapped to a table of 800, so a small set on a large table has narrower tiles there
than 26. A box measures a little more than its tile; neighbours of a row are a tile's width apart.
As long as too few lie there the size stays as it was, at first the usual one.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from table_assist.words import NOTHING, Words

TILE_MM = 26.0
# Neighbours: their middles are no further apart than so many times a box's width, and no nearer.
NEAREST, FARTHEST = 0.6, 1.4
LEAST_PAIRS = 8
# Most of a row are equally far apart, within this share of it; those of a washed pile are not.
LOOSE, MOST = 0.08, 0.7
# Pictures in a row that must agree within this share before they are believed.
PICTURES, AGREE = 5, 0.06
# What is so near the size before, or the usual one, is it.
SAME = 0.05
# What the zones fit: beyond, the corners or their side are wrong, or what was measured is no tile.
SMALLEST_MM, LARGEST_MM = 15.0, 31.5


def measured_mm(rows: Iterable[Sequence[tuple[float, float]]]) -> float | None:
    """A tile's width by what lies in rows; None where too few lie side by side.

    Args:
        rows: of each thing of a row, where its middle is along it, and how wide its box; in mm.
    """
    wide = [width for row in rows for _, width in row]
    if len(wide) <= LEAST_PAIRS:
        return None
    usual = median(wide)
    pitches = [
        far - near
        for row in rows
        for (near, _), (far, _) in pairwise(sorted(row))
        if NEAREST * usual < far - near < FARTHEST * usual
    ]
    if len(pitches) < LEAST_PAIRS:
        return None
    found = median(pitches)
    alike = sum(abs(pitch - found) <= LOOSE * found for pitch in pitches)
    return found if alike >= MOST * len(pitches) else None


class TileSize:
    """Follows what pictures say of the tiles' size: it changes rarely, and never by one picture.

    Attributes:
        mm: how wide a tile is taken to be.
        words: what people should know of it; nothing when all is well.
    """

    def __init__(self) -> None:
        self.mm = TILE_MM
        self.words = NOTHING
        self._measured: deque[float] = deque(maxlen=PICTURES)

    def look(self, measured: float | None) -> bool:
        """Take in what a new picture says; whether the size is another one now."""
        if measured is None:
            return False
        self._measured.append(measured)
        now = median(self._measured)
        if len(self._measured) < PICTURES:
            return False
        if max(self._measured) - min(self._measured) > AGREE * now:
            return False
        self.words = odd_size(now)
        if self.words:
            return False
        if abs(now / self.mm - 1) <= SAME:
            return False
        self.mm = TILE_MM if abs(now / TILE_MM - 1) <= SAME else round(now, 1)
        return True


def odd_size(mm: float) -> Words:
    """What is to be said of a width that no tile has; nothing of any other."""
    if SMALLEST_MM <= mm <= LARGEST_MM:
        return NOTHING
    return Words(
        f"Tiles measure {mm:.0f} on a table of 800, and {SMALLEST_MM:.0f} to {LARGEST_MM:.0f} is "
        "usual: the table's corners are probably wrong. Calibrate again.",
        f"以桌边为 800 计，牌宽量得 {mm:.0f}，通常为 {SMALLEST_MM:.0f} 至 {LARGEST_MM:.0f}："
        "桌角可能不对，请重新校准。",
    )
