"""Counting the pips of dice, without a network: the second proof of what a die shows.

It works on a view from straight above at a known scale, in which a die's face is a square whatever
way it lies. A face of two to six has two pips at opposite corners of a square of nine places; the
other seven places tell which face it is. A single pip is one when nothing else lies around it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.channels import darkest
from table_assist.vision.pictures.picture import Array, Image

VIEW_PX_PER_MM = 4.0  # of the view
# Half the distance of two pips at a face's corners, px: of dice of 10 to 20 mm.
LEAST_HALF, MOST_HALF = 1.9 * VIEW_PX_PER_MM, 4.8 * VIEW_PX_PER_MM
# Radii that are looked for: usual, and a large one
PIP, ONE = 1.2 * VIEW_PX_PER_MM, 2.2 * VIEW_PX_PER_MM
PIP_RING, ONE_RING, ISLAND = 1.9 * VIEW_PX_PER_MM, 4.2 * VIEW_PX_PER_MM, 0.3
PIP_RAYS = 16  # around what may be a pip
LEAST_LEVELS = 14.0  # grey levels between a pip and what is around it
MOST_PIPS = 90  # the clearest are kept: a floor's grain has many faint ones
THERE, AWAY = 0.5, 0.36  # of the two corner pips' contrast: a place has a pip from here, none below
NEAR_PLACE = 0.7 * VIEW_PX_PER_MM  # so far from its place a pip may lie
FAINTER_PIP = 0.45  # the fainter of two corner pips has so much of the clearer one's contrast
# Between these nothing lies around a single pip; further out its die has sides with fainter pips.
ALONE_AROUND, UPPER_SIDE, FAINTER = (
    (3.8 * VIEW_PX_PER_MM, 6.5 * VIEW_PX_PER_MM),
    8.5 * VIEW_PX_PER_MM,
    0.75,
)
SAME_PIP = 2.5 * VIEW_PX_PER_MM  # nearer than this to a pip of another face is that pip
Points = NDArray[np.float64]

# The nine places of a face in half distances. The first two are the pips it is known by.
PIP_PLACES = np.array(
    [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)], np.float64
)
_PIP_PATTERNS: dict[tuple[int, ...], int] = {
    (): 2,
    (4,): 3,
    (2, 3): 4,
    (2, 3, 4): 5,
    (2, 3, 5, 6): 6,
    (2, 3, 7, 8): 6,
}


@dataclass(frozen=True, slots=True)
class CountedFace:
    """A die's face found by its pips.

    Attributes:
        value: 1-6.
        x, y: its middle in the view's pixels.
        half: half the distance of two corner pips, px; of a one, the radius that was looked for.
        turn: of its sides against the view's, radians.
        contrast: of its faintest pip, grey levels.
    """

    value: int
    x: float
    y: float
    half: float
    turn: float
    contrast: float


def count_pips(view: Image) -> list[CountedFace]:
    """The faces in a view (h, w, 3) from straight above; light pips and dark ones.

    What shares a pip with a clearer reading of more pips is left out.
    """
    grey = darkest(view).astype(np.float32)
    soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.5 * PIP), np.float32)
    found: list[tuple[CountedFace, list[int]]] = []
    for sign in (1.0, -1.0):
        contrast = sign * _contrast(grey, PIP)
        pips, side_by_side = _peaks(soft, contrast, sign, PIP_RING)
        # A six's pips may touch: only for a six do they count that are no islands.
        every = np.concatenate([pips, side_by_side])
        sixes = [each for each in _squares(contrast, every) if each[0].value == 6]
        faces = _apart([*_squares(contrast, pips), *sixes])
        used = {index for _, members in faces for index in members}
        found += faces
        large = sign * _contrast(grey, ONE)
        ones = np.concatenate([pips, _peaks(soft, large, sign, ONE_RING)[0]])
        found += ((face, []) for face in _ones(ones, pips, every[sorted(used), :2]))
    return [face for face, _ in found]


def _contrast(grey: Array, radius_px: float) -> Array:
    """How much brighter each place is than the ring around it."""
    inner = cv2.GaussianBlur(grey, (0, 0), 0.5 * radius_px)
    outer = cv2.GaussianBlur(grey, (0, 0), 1.4 * radius_px)
    return np.asarray(inner - outer, np.float32)


def _peaks(grey: Array, contrast: Array, sign: float, ring: float) -> tuple[Points, Points]:
    """(n, 3) x, y and contrast of what may be a pip, the clearest first.

    A pip is an island: so far around it, the body is lighter or darker on every side. What lies
    beside a die's edge is none.

    Returns:
        The islands, and those that go on to one or two opposite sides, as pips in a row do.
    """
    side = 2 * round(0.9 * VIEW_PX_PER_MM) + 1
    highest = cv2.dilate(contrast, np.ones((side, side), np.uint8))
    rows, columns = np.nonzero((contrast == highest) & (contrast > LEAST_LEVELS))
    around = np.arange(PIP_RAYS) * (2 * np.pi / PIP_RAYS)
    height, width = grey.shape
    beside_x = np.clip(np.round(columns[:, None] + ring * np.cos(around)), 0, width - 1)
    beside_y = np.clip(np.round(rows[:, None] + ring * np.sin(around)), 0, height - 1)
    beside = grey[beside_y.astype(int), beside_x.astype(int)]
    levels = contrast[rows, columns]
    ends = sign * (grey[rows, columns][:, None] - beside) > ISLAND * levels[:, None]
    is_island = ends[:, ::2].all(axis=1)
    across = ends & np.roll(ends, 1, axis=1) & np.roll(ends, -1, axis=1)
    is_narrow = (across & np.roll(across, PIP_RAYS // 2, axis=1)).any(axis=1)
    order = np.argsort(-levels, kind="stable")
    found = np.column_stack([columns, rows, levels]).astype(np.float64)[order]
    is_island, is_narrow = is_island[order], is_narrow[order]
    return found[is_island][:MOST_PIPS], found[is_narrow & ~is_island][:MOST_PIPS]


def _squares(contrast: Array, pips: Points) -> Iterator[tuple[CountedFace, list[int]]]:
    """Every reading of two or more pips, with the pips that it takes."""
    for one, other in combinations(range(len(pips)), 2):
        (x1, y1, level1), (x2, y2, level2) = pips[one], pips[other]
        half = float(np.hypot(x2 - x1, y2 - y1)) / np.sqrt(8)
        if not LEAST_HALF <= half <= MOST_HALF:
            continue
        if min(level1, level2) < FAINTER_PIP * max(level1, level2):
            continue
        middle = np.array([(x1 + x2) / 2, (y1 + y2) / 2])
        turn = float(np.arctan2(y2 - y1, x2 - x1)) - np.pi / 4
        axes = half * np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        places = middle + PIP_PLACES @ axes
        value, members = _pattern(contrast, pips, places, (level1 + level2) / 2)
        if value:
            members = [one, other, *members]
            faint = float(pips[members, 2].min())
            yield CountedFace(value, middle[0], middle[1], half, turn, faint), members


def _pattern(contrast: Array, pips: Points, places: Points, level: float) -> tuple[int, list[int]]:
    """The face that pips at these places make, and those beyond the first two; 0: none."""
    there: list[int] = []
    members: list[int] = []
    for index in range(2, len(places)):
        away = np.hypot(*(pips[:, :2] - places[index]).T)
        nearest = int(np.argmin(away))
        if away[nearest] <= NEAR_PLACE and pips[nearest, 2] >= THERE * level:
            there.append(index)
            members.append(nearest)
        elif _at(contrast, places[index]) > AWAY * level:
            return 0, []
    return _PIP_PATTERNS.get(tuple(there), 0), members


def _at(contrast: Array, place: Points) -> float:
    height, width = contrast.shape
    column, row = np.clip(np.round(place).astype(int), 0, (width - 1, height - 1))
    return float(contrast[row, column])


def _apart(
    faces: list[tuple[CountedFace, list[int]]],
) -> list[tuple[CountedFace, list[int]]]:
    """Those of the most pips first, without what shares a pip with them."""
    taken: set[int] = set()
    kept = []
    for face, members in sorted(faces, key=lambda each: (-each[0].value, -each[0].contrast)):
        if taken.isdisjoint(members):
            taken.update(members)
            kept.append((face, members))
    return kept


def _ones(ones: Points, pips: Points, others: Points) -> Iterator[CountedFace]:
    """Single pips, usual or large, that are none of another face's."""
    for x, y, level in ones.tolist():
        if (np.hypot(*(others - (x, y)).T) < SAME_PIP).any():
            continue
        away = np.hypot(*(pips[:, :2] - (x, y)).T)
        least = np.where(away < ALONE_AROUND[1], THERE, FAINTER) * level
        if not ((away > ALONE_AROUND[0]) & (away < UPPER_SIDE) & (pips[:, 2] > least)).any():
            yield CountedFace(1, x, y, ONE, 0.0, level)
