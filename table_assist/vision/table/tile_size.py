"""How large the tiles are, by how they lie side by side: in the wall, in melds, in open hands.

Discards are laid down less carefully. Where nothing better lies there yet, their rows say whether
the size is far from what it is taken for.

The corners are mapped to a table of 800, so a small set on a large table has narrower tiles there
than 26. A box measures a little more than its tile; neighbours of a row are a tile's width apart.
As long as too few lie there the size stays as it was, at first the usual one.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from table_assist.languages.words import NOTHING, Words

TILE_MM, SIDE_MM = 26.0, 800.0
# Neighbours: their middles are no further apart than so many times a box's width, and no nearer.
NEAREST_WIDTHS, FARTHEST_WIDTHS = 0.6, 1.4
LEAST_PAIRS, LEAST_LOOSE_PAIRS = 8, 4
LEAST_ROW = 3  # of fewer tiles nobody knows whether they touch
# Most of a row are equally far apart, within this share of it; those of a washed pile are not.
LOOSE_ROW, MOST_OF_ROW = 0.08, 0.7
# Tiles of a river are one row within this share of a tile's width, across it; and by loose rows no
# size is known that is as near as this to the one before.
IN_ROW, NEAR_SIZE = 0.2, 0.12
# Of tiles that touch, a box is at most so many times as wide as they are apart.
WIDEST_BOX = 1.2
# Pictures in a row that must agree within this share before they are believed.
PICTURES_AGREE, AGREE = 5, 0.06
# A size so near the size before, or the usual one, is it.
SAME_TILE_SIZE = 0.05
# Sets differ: Japanese ones of 26 mm height are 19 wide (riichi.wiki, Mahjong equipment), Chinese
# ones of 44 mm 33; on the market heights are 20 to 50 mm, at tournaments 32 to 42 (China Daily,
# 24 November 2011). So wide are tables and mats of four players; whatever lies on it, what implies
# other sizes is a console, a tray, a poster, or a part of a table.
LEAST_TILE_SHARE, MOST_TILE_SHARE = 19.0 / 1050.0, 33.0 / 700.0
LARGEST_TILE_MM = 31.5  # which the zones fit


Loose = Sequence[tuple[float, float, float]]


def measured_mm(
    rows: Sequence[Sequence[tuple[float, float]]], *, least: int = LEAST_PAIRS
) -> float | None:
    """A tile's width by what lies in rows; None where too few lie side by side.

    Args:
        rows: of each thing of a row, where its middle is along it, and how wide its box; in mm.
        least: so many pairs of neighbours are enough.
    """
    wide = [width for row in rows for _, width in row]
    if len(wide) <= least:
        return None
    usual = median(wide)
    pitches = [
        far - near
        for row in rows
        for (near, _), (far, _) in pairwise(sorted(row))
        if NEAREST_WIDTHS * usual < far - near < FARTHEST_WIDTHS * usual
    ]
    if len(pitches) < least:
        return None
    found = median(pitches)
    alike = sum(abs(pitch - found) <= LOOSE_ROW * found for pitch in pitches)
    return found if alike >= MOST_OF_ROW * len(pitches) else None


def loosely_measured_mm(
    rows: Sequence[Sequence[tuple[float, float]]], rivers: Iterable[Loose], taken_mm: float
) -> float | None:
    """As `measured_mm`, with discards; None too where the size is about what it is taken for.

    Discards that are farther apart than their boxes are wide do not touch: they tell nothing.

    Args:
        rivers: of each discard of a seat, where it lies along and across its rows, and how wide
            its box is along them; in mm.
        taken_mm: how wide a tile is taken to be.
    """
    loose = [
        [(along, width) for along, _, width in run]
        for river in rivers
        for run in runs(river, FARTHEST_WIDTHS)
    ]
    if not loose:
        return None
    found = measured_mm([*rows, *loose], least=LEAST_LOOSE_PAIRS)
    if found is None or abs(found / taken_mm - 1) <= NEAR_SIZE:
        return None
    wide = median(width for run in loose for _, width in run)
    return found if found <= wide <= WIDEST_BOX * found else None


def runs(things: Loose, farthest: float) -> list[list[tuple[float, float, float]]]:
    """What lies one after the other, so many widths apart: in a heap it lies askew and anywhere."""
    runs: list[list[tuple[float, float, float]]] = []
    for along, across, width in sorted(things):
        before = [
            run
            for run in runs
            if NEAREST_WIDTHS * width < along - run[-1][0] < farthest * width
            and max(abs(across - run[-1][1]), abs(width - run[-1][2])) <= IN_ROW * width
        ]
        if before:
            max(before, key=lambda run: run[-1][0]).append((along, across, width))
        else:
            runs.append([(along, across, width)])
    return runs


class TileSize:
    """Follows what pictures say of the tiles' size: it changes rarely, and never by one picture.

    Args:
        kept_mm: as they looked when the corners were kept, in an earlier evening, or as the set is
            known to be: it counts from the first picture on.

    Attributes:
        mm: how wide a tile is taken to be.
        is_known: pictures have told it; before, it is what is usual.
        words: what people should know of it; nothing when all is well.
    """

    def __init__(self, kept_mm: float | None = None) -> None:
        self._kept_mm = self._at_first_mm = kept_mm
        self.mm = TILE_MM
        self.is_known = False
        self.words = NOTHING
        self._measured: deque[float] = deque(maxlen=PICTURES_AGREE)

    def update(self, measured: float | None) -> bool:
        """Take in what a new picture says; whether the size is another one now."""
        if (known_mm := self._at_first_mm) is not None:
            self._at_first_mm = None
            return not size_doubt(known_mm) and self._is_new(known_mm)
        if measured is None:
            return False
        self._measured.append(measured)
        now = median(self._measured)
        if len(self._measured) < PICTURES_AGREE:
            return False
        if max(self._measured) - min(self._measured) > AGREE * now:
            return False
        self.words = size_doubt(now, self._kept_mm)
        return not self.words and self._is_new(now)

    def _is_new(self, now: float) -> bool:
        self.is_known = True
        if is_same(now, self.mm):
            return False
        self.mm = TILE_MM if is_same(now, TILE_MM) else round(now, 1)
        return True


def is_same(mm: float, other_mm: float) -> bool:
    """Whether two sizes are one, as near as it can be measured."""
    return abs(mm / other_mm - 1) <= SAME_TILE_SIZE


def no_table(mm: float | None) -> Words:
    """Why corners are no table's, on which tiles look so wide; nothing where they can be."""
    if mm is None or LEAST_TILE_SHARE <= mm / SIDE_MM <= MOST_TILE_SHARE:
        return NOTHING
    return Words(
        "By the tiles, what was found is {n} mm wide: no table, or only a part of one.",
        "按牌的大小推算，找到的东西宽 {n} 毫米：不是牌桌，或只是其一部分。",
        n=round(SIDE_MM * TILE_MM / mm),
    )


def size_doubt(mm: float | None, kept_mm: float | None = None) -> Words:
    """What is odd in a tile's width; nothing where all is well.

    Args:
        kept_mm: as they are known to be: the tiles of a set have one size.
    """
    odd = no_table(mm)
    if odd or mm is None:
        return odd
    if kept_mm is not None and abs(mm / kept_mm - 1) > 0.1:
        return Words(
            "Tiles measure {mm}, where {kept_mm} is known: the camera was moved, the corners are "
            "wrong, or it is another set. Calibrate again.",
            "量得牌宽 {mm}，而已知为 {kept_mm}：摄像头被移动过，桌角不对，或换了一副牌。"
            "请重新校准。",
            mm=f"{mm:.0f}",
            kept_mm=f"{kept_mm:.0f}",
        )
    if mm <= LARGEST_TILE_MM:
        return NOTHING
    return Words(
        "Tiles measure {mm} on a table of 800, and {largest_mm} at most is usual: their rows may "
        "not find room, or the corners are wrong.",
        "以桌边为 800 计，牌宽量得 {mm}，通常最多 {largest_mm}：牌列可能放不下，或桌角不对。",
        mm=f"{mm:.0f}",
        largest_mm=f"{LARGEST_TILE_MM:.0f}",
    )
