"""Tiles that lie side by side: rows in any direction, and the gaps that part them into groups."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Mask
from table_assist.vision.reading.readings import Readings

Vector = NDArray[np.float64]

# All lengths in tile sizes: the root of a box's area, between a tile's width and its height.
ROW_REACH = 2.4  # from a tile to the next of its row: over a gap of one tile and a half
NARROWEST = 0.35  # nearer middles are the same thing or a tile upon another
ASIDE = 0.32  # how far a tile may lie beside the row's line
NEIGHBOUR_SIZE = 1.6  # neighbours of a row differ less, also in steep perspective
# A step this much longer than the row's usual one parts two groups: a third of a tile
GROUP_GAP = 1.4
STEEP = 1.7  # 60 degrees: rows up to there are read from left to right
TURNED = 1.33  # how much longer along the row a turned tile is: 1.77 at most, and boxes err by 12 %
SLANTED = 0.5  # cosine of twice the row's angle: from 30 to 60 degrees a box shows no turn
NEIGHBOURS = 3  # tiles to either side that tell a tile's usual shape
FITTED = 6  # the last tiles that give the row's direction: a row seen by a wide lens bends


@dataclass(frozen=True, slots=True)
class TileRow:
    """Things in their order along a line, from left to right, or from the top if it is steep.

    Attributes:
        members: indices into the readings.
        groups: the members parted where gaps are wider than the row's usual step.
    """

    members: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]


def sizes(readings: Readings) -> Vector:
    """(n,) roots of the areas of the things' upright boxes, in pixels."""
    spans = np.ptp(readings.polygons.astype(np.float64), axis=1)
    return np.asarray(np.sqrt(np.maximum(spans.prod(axis=1), 1e-6)), np.float64)


def find_rows(readings: Readings, among: list[int]) -> list[TileRow]:
    """Rows in falling order of what they have to say: many faces, large in the picture.

    Rows may share tiles. Every thing by itself is a row too, after the others.

    Args:
        readings: all things.
        among: indices of those that may be part of a row.
    """
    if not among:
        return []
    size = sizes(readings)
    largest = float(size[among].max())

    def worth(members: tuple[int, ...]) -> float:
        faces = sum(readings.labels[index] != "back" for index in members)
        return (faces + 0.2 * (len(members) - faces)) * float(size[list(members)].mean()) / largest

    rows = sorted(_all_rows(readings, among), key=worth, reverse=True)
    return [_row(readings, members) for members in [*rows, *((index,) for index in among)]]


def all_rows(readings: Readings) -> tuple[TileRow, ...]:
    """Every tile in exactly one row, the rows that have most to say first; dice in none."""
    free = readings.tile_places
    rows: list[TileRow] = []
    while free:
        left = set(free)
        for row in find_rows(readings, free):
            if not left.issuperset(row.members):
                break  # what is left of it may be another row: look again
            rows.append(row)
            left.difference_update(row.members)
        free = [index for index in free if index in left]
    return tuple(rows)


def turned(readings: Readings, row: TileRow) -> frozenset[int]:
    """The members that lie across their row, as a claimed tile does in its meld.

    None are told where the row runs at 30 to 60 degrees in the picture.
    """
    if len(row.members) < 2:
        return frozenset()
    members = list(row.members)
    ends = readings.centres[[members[0], members[-1]]].astype(np.float64)
    along, across = np.abs(ends[1] - ends[0]) / max(float(np.hypot(*(ends[1] - ends[0]))), 1e-6)
    slant = along**2 - across**2
    if abs(slant) < SLANTED:
        return frozenset()
    spans = np.ptp(readings.polygons[members].astype(np.float64), axis=1)
    # An upright box around a turned rectangle: width = length * cos + depth * sin, and so on.
    length = (spans[:, 0] * along - spans[:, 1] * across) / slant
    depth = (spans[:, 1] * along - spans[:, 0] * across) / slant
    shape = np.maximum(length, 1e-3) / np.maximum(depth, 1e-3)
    # Perspective changes the shape along a row: the tiles around tell what is usual.
    around = (
        shape[max(0, place - NEIGHBOURS) : place + NEIGHBOURS + 1] for place in range(len(shape))
    )
    usual = [np.sort(each)[(len(each) - 1) // 2] for each in around]
    return frozenset(
        index for index, own, of in zip(members, shape, usual, strict=True) if own > TURNED * of
    )


def _all_rows(readings: Readings, among: list[int]) -> list[tuple[int, ...]]:
    """Every row that grows from two neighbours; each pair of neighbours is tried once."""
    places, size = readings.centres.astype(np.float64), sizes(readings)
    seen: set[frozenset[int]] = set()
    rows: list[tuple[int, ...]] = []
    for first in among:
        near = [
            (float(np.hypot(*(places[other] - places[first]))), other)
            for other in among
            if other != first and _alike(size[first], size[other])
        ]
        for second in [
            other for distance, other in sorted(near)[:4] if distance < ROW_REACH * size[first]
        ]:
            if frozenset((first, second)) in seen:
                continue
            ahead = _grow([first, second], places, size, among)
            members = tuple(_grow(ahead[::-1], places, size, among))
            seen |= {frozenset(pair) for pair in pairwise(members)}
            rows.append(members)
    return rows


def _grow(members: list[int], places: Vector, size: Vector, among: list[int]) -> list[int]:
    """Go on at the end of a row as long as there is a next tile in its direction."""
    members = list(members)
    while True:
        last = members[-1]
        # Unit vector of the line through points, from the first to the last
        points = places[members[-FITTED:]]
        _, _, axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
        along = np.asarray(axes[0], np.float64)
        along = along if along @ (points[-1] - points[0]) >= 0 else -along
        free = [index for index in among if index not in members]
        if not free:
            return members
        steps = places[free] - places[last]
        forward = steps @ along / size[last]
        aside = np.abs(steps @ np.array([-along[1], along[0]])) / size[last]
        fits = (
            (forward > NARROWEST)
            & (forward < ROW_REACH)
            & (aside < ASIDE * np.maximum(1, forward))
            & _alike(size[free], size[last])
        )
        if not fits.any():
            return members
        members.append(free[int(np.where(fits, forward + aside, np.inf).argmin())])


def _alike(one: Vector | float, other: Vector | float) -> Mask:
    ratio = np.divide(one, other)
    return np.asarray((ratio < NEIGHBOUR_SIZE) & (ratio > 1 / NEIGHBOUR_SIZE), np.bool_)


def _row(readings: Readings, members: tuple[int, ...]) -> TileRow:
    """Order the members for a reader and part them at the gaps."""
    places, size = readings.centres.astype(np.float64), sizes(readings)
    if len(members) < 2:
        return TileRow(members, (members,))
    across = places[members[-1]] - places[members[0]]
    if across[0 if abs(across[0]) * STEEP >= abs(across[1]) else 1] < 0:
        members = members[::-1]
    order = list(members)
    steps = np.hypot(*np.diff(places[order], axis=0).T)
    steps /= (size[order][1:] + size[order][:-1]) / 2
    # The lower part of the steps is the usual one: where every set lies apart, gaps are many.
    wide = steps > GROUP_GAP * np.percentile(steps, 40)
    groups: list[list[int]] = [[order[0]]]
    for index, is_wide in zip(order[1:], wide, strict=True):
        if is_wide:
            groups.append([index])
        else:
            groups[-1].append(index)
    return TileRow(members, tuple(tuple(group) for group in groups))
