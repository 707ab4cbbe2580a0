"""Which of two sets of places belong together: a common shift, and the best assignment."""

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

# A table is bumped by less; what agrees within so much is one shift.
FARTHEST_MM, AGREE_MM = 60.0, 4.0


def common_shift(places: Points, others: Points, alike: NDArray[np.bool_]) -> Points:
    """(2,) by how far most of the places lie from the others that they are.

    Args:
        places: (n, 2), as `others`, (m, 2).
        alike: (n, m) which may be the same thing.
    """
    off = places[:, None] - others[None]
    near = off[alike & (np.abs(off).max(axis=2, initial=0.0) < FARTHEST_MM)]
    if not len(near):
        return np.zeros(2)
    agree = (np.abs(near[:, None] - near[None]) < AGREE_MM).all(axis=2)
    best = agree[agree.sum(axis=1).argmax()]
    return np.asarray(near[best].mean(axis=0))


def assignment(gains: NDArray[np.float64]) -> list[tuple[int, int]]:
    """The pairs (row, column) with the largest sum of gains, each row and column at most once.

    Exact, by shortest augmenting paths (Kuhn 1955, Munkres 1957). What gains nothing stays alone.

    Args:
        gains: (n, m), finite.
    """
    rows, columns = gains.shape
    # Each row may also stay alone, in a column of its own that gains 0.
    costs = np.hstack([-np.maximum(gains, 0.0), np.zeros((rows, rows))])
    row_price, column_price = np.zeros(rows), np.zeros(columns + rows)
    row_of = np.full(columns + rows, -1)
    for start in range(rows):
        came_from, end = _shortest_path(costs, row_price, column_price, row_of, start)
        while end >= 0:
            before = came_from[end]
            row, end_before = before
            row_of[end] = row
            end = end_before
    found = [(int(row_of[column]), column) for column in range(columns) if row_of[column] >= 0]
    return sorted((row, column) for row, column in found if gains[row, column] > 0)


def _shortest_path(
    costs: NDArray[np.float64],
    row_price: NDArray[np.float64],
    column_price: NDArray[np.float64],
    row_of: NDArray[np.int64],
    start: int,
) -> tuple[dict[int, tuple[int, int]], int]:
    """The cheapest way from a row to a free column; prices are updated.

    Returns:
        For each column on the way its row and the column before it (-1: the start); and the end.
    """
    width = costs.shape[1]
    distance, reached = np.full(width, np.inf), np.zeros(width, np.bool_)
    came_from: dict[int, tuple[int, int]] = {}
    row, column, so_far = start, -1, 0.0
    while True:
        reduced = so_far + costs[row] - row_price[row] - column_price
        for other in np.flatnonzero(~reached & (reduced < distance)).tolist():
            distance[other] = reduced[other]
            came_from[other] = row, column
        column = int(np.where(reached, np.inf, distance).argmin())
        so_far = float(distance[column])
        reached[column] = True
        if row_of[column] < 0:
            break
        row = int(row_of[column])
    row_price[start] += so_far
    for other in np.flatnonzero(reached).tolist():
        if other != column:
            row_price[row_of[other]] += so_far - distance[other]
            column_price[other] -= so_far - distance[other]
    return came_from, column
