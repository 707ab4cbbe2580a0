"""By how much tiles in a row seem to be wider than they are.

A camera that looks askew, or not from straight above, sees a side of each tile; and a box around a
tile that lies turned in the picture is wider than the tile. So neighbours seem to overlap, and the
gap between two melds seems to be none. But most neighbours in a row touch: by as much as their
boxes overlap, all boxes of the row are too wide.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

# Of fewer tiles nobody knows whether they touch.
LEAST_TILES = 3
# Of a box no side is more than this share; what overlaps more is seen twice, as in a bump.
LARGEST_SHARE = 0.3


def overlap_mm(row: Sequence[tuple[float, float]]) -> float:
    """By how much the boxes of most neighbours overlap; 0 where they do not.

    Args:
        row: where along the row each tile's middle is, and how wide its box, in mm.
    """
    if len(row) < LEAST_TILES:
        return 0.0
    gaps = [b - a - (wide_a + wide_b) / 2 for (a, wide_a), (b, wide_b) in pairwise(sorted(row))]
    widest = LARGEST_SHARE * median(wide for _, wide in row)
    return min(max(-median(gaps), 0.0), widest)
