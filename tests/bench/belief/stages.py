"""Looks at imagined things, for tests of belief."""

from collections.abc import Iterable

import numpy as np

from bench.belief.evidence import CLASSES, FACES, NONE, PART, LookEvidence, Reliability
from table_assist.tiles.tile import Tile

# A reader of which each face is met as often as another, and no tile, a part, or a back sometimes.
READER = Reliability(
    1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    shares=(*[0.7 / FACES] * FACES, 0.1, 0.1, 0.1), stuck=0.25, readings=1,
)  # fmt: skip
Thing = tuple[float, float, Tile, float]


def row(tile: Tile, nats: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """What is seen is so much likelier of that tile than of anything else; UNKNOWN: no tile."""
    found = np.full(CLASSES, -nats)
    found[NONE if tile is Tile.UNKNOWN else int(tile)] = 0.0
    found[PART] -= 1.0
    return found


def look(t: float, things: Iterable[Thing], hidden: Iterable[tuple[int, int]] = ()) -> LookEvidence:
    """A look at things at places in mm, each read with so many nats."""
    every = list(things)
    cells = np.zeros((100, 100), np.bool_)
    for column, line in hidden:
        cells[line, column] = True
    # No two readings are the very same.
    rows = [row(tile, nats) - 1e-6 * t for _, _, tile, nats in every]
    return LookEvidence(
        t,
        np.array([thing[:2] for thing in every], np.float64).reshape(-1, 2),
        np.array(rows).reshape(-1, CLASSES),
        cells,
        26.0,
    )
