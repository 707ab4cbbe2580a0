"""Which of the boxes read is which of the boxes labelled: one to one, as many as there can be."""

import numpy as np
from numpy.typing import NDArray

Boxes = NDArray[np.float64]

FOUND_IOU = 0.5


def overlaps(labelled: Boxes, read: Boxes) -> Boxes:
    """(n, m) intersection over union of (n, 4) and (m, 4) boxes; 0 where a box is empty."""
    low = np.maximum(labelled[:, None, :2], read[None, :, :2])
    high = np.minimum(labelled[:, None, 2:], read[None, :, 2:])
    shared = np.clip(high - low, 0, None).prod(axis=2)
    union = _area(labelled)[:, None] + _area(read)[None] - shared
    return np.asarray(np.divide(shared, union, out=np.zeros_like(shared), where=union > 0))


def match(iou: Boxes, least: float = FOUND_IOU) -> list[tuple[int, int]]:
    """Pairs (row, column) in which no row and no column stands twice.

    The best overlap goes first. Where it took the only partner of another box and has a second
    one itself, they are parted again: a tile that can be paired counts as found.

    Args:
        iou: (n, m), as ``overlaps`` gives it.
        least: pairs that overlap less are none.
    """
    partners = [np.flatnonzero(row >= least) for row in iou]
    partners = [own[np.argsort(-iou[row, own], kind="stable")] for row, own in enumerate(partners)]
    taken: dict[int, int] = {}  # column: row
    free = set(range(len(iou)))
    rows, columns = np.nonzero(iou >= least)
    for index in np.argsort(-iou[rows, columns], kind="stable"):
        row, column = int(rows[index]), int(columns[index])
        if row in free and column not in taken:
            taken[column] = row
            free.discard(row)
    for row in sorted(free):
        _take(row, partners, taken, set())
    return sorted((row, column) for column, row in taken.items())


def _take(
    row: int, partners: list[NDArray[np.intp]], taken: dict[int, int], asked: set[int]
) -> bool:
    """Find a partner for a row, if need be by giving others another one (augmenting path)."""
    for column in partners[row].tolist():
        if column in asked:
            continue
        asked.add(column)
        if column not in taken or _take(taken[column], partners, taken, asked):
            taken[column] = row
            return True
    return False


def _area(boxes: Boxes) -> Boxes:
    return np.asarray(np.clip(boxes[:, 2:] - boxes[:, :2], 0, None).prod(axis=1), np.float64)
