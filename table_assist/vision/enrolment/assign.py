"""The best assignment of rows to columns: each row gets a column of its own."""

import numpy as np
from numpy.typing import NDArray


def assign(costs: NDArray[np.float64]) -> NDArray[np.int64]:
    """Columns (n,) for the rows such that the sum of their costs is least.

    Source: Jonker and Volgenant, "A shortest augmenting path algorithm for dense and sparse linear
    assignment problems" (1987), its augmenting part: one shortest path for each row.

    >>> assign(np.array([[1.0, 2.0, 9.0], [1.0, 9.0, 9.0]])).tolist()
    [1, 0]

    Raises:
        ValueError: there are more rows than columns, or a cost is not finite.
    """
    count, width = costs.shape
    if count > width or not np.isfinite(costs).all():
        raise ValueError(f"{costs.shape} costs cannot be assigned: more rows than columns, or none")
    row_price, column_price = np.zeros(count), np.zeros(width)
    row_of = np.full(width, -1)
    for start in range(count):
        shortest, before = np.full(width, np.inf), np.full(width, -1)
        done = np.zeros(width, np.bool_)
        row, column, length = start, -1, 0.0
        while True:
            # `length` is the way to this row; a step on costs what is left of its cost.
            way = length + costs[row] - row_price[row] - column_price
            better = ~done & (way < shortest)
            shortest[better], before[better] = way[better], column
            column = int(np.where(done, np.inf, shortest).argmin())
            length, done[column] = float(shortest[column]), True
            if row_of[column] < 0:
                break
            row = int(row_of[column])
        row_price[start] += length
        settled = np.flatnonzero(done & (row_of >= 0))
        row_price[row_of[settled]] += length - shortest[settled]
        column_price[done] -= length - shortest[done]
        while column >= 0:
            previous = int(before[column])
            row_of[column] = start if previous < 0 else row_of[previous]
            column = previous
    found = np.empty(count, np.int64)
    taken = np.flatnonzero(row_of >= 0)
    found[row_of[taken]] = taken
    return found
