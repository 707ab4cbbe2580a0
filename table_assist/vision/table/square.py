"""A square seen by a camera: fitted to all that is seen of it at once, with its doubt.

Its sides are seen, and the tiles that lie side by side on it: each is as wide as the next, and
people lay them along the sides. So they show the plane, its directions and its scale, also where no
side is in sight; and where they do not run so, nothing of it is a table.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np

from table_assist.vision.pictures.picture import Floats
from table_assist.vision.table.tile_size import IN_ROW, LEAST_LOOSE_PAIRS, SAME_TILE_SIZE

UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)  # a table's corners
SQUARE_PLACES = np.stack(np.meshgrid(*[np.linspace(0, 1, 5)] * 2), -1).reshape(-1, 1, 2)
# Focal lengths of phones and webcams, in picture widths, and by what share most others differ;
# and so do tiles and tables.
SQUARE_FOCAL, OTHER_SIZES = 0.77, 0.2
BENT = 0.006  # by which lenses and tables make a square none
# A cloth's edge is seen so far off its place, as a share of the side, and alike at so many places.
EDGE_OFF, EDGE_ALIKE = 0.003, 20
# Of the side: a tile's width, and how far from the middle the middle of all that lies may be.
USUAL_TILE, LAID_OFF_MIDDLE = 0.035, 0.15
# By so much more a tile's width differs, and so far rows lie askew, on a console, a tray, a shelf:
# 0.2 to 0.7 on tables, and 2 on consoles.
MOST_OTHER, MOST_ASIDE = 0.5, 1.2
SLOPE_STEP = 1e-4  # a step by which slopes are found, and a gain that is none
# Of tiles side by side, from middle to middle, in sizes of a box; and by how much those may differ.
NEIGHBOUR_STEP, UNLIKE = (0.45, 1.35), 0.3
# Of a tile, so far they lie beside their places; more tells no more
LAID, FARTHEST_BESIDE = 0.15, 4.0
OUTLINE_WAYS = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])


@dataclass(frozen=True, slots=True)
class Square:
    """A table's outline.

    Attributes:
        corners: (4, 2) in px; a side goes from each to the next.
        doubt: how far a place of it that is in sight may be off, as a share of the side.
    """

    corners: Floats
    doubt: float


@dataclass(frozen=True, slots=True)
class UsualCamera:
    """What is known of a camera and its picture before borders are looked for.

    Attributes:
        axis: (2,) where its axis meets the picture, in px: the middle.
        focal: the usual focal length, in px.
        size_wh: of the part of the picture that is looked at.
        rows: of each row of tiles in it, (n, 2) their middles.
        tile: how wide one is, as a share of the table's side; None: as is usual.
    """

    axis: Floats
    focal: float
    size_wh: tuple[int, int]
    rows: Sequence[Floats] = ()
    tile: float | None = None

    def misfit(self, corners: Floats, times: Floats) -> tuple[Floats, Floats]:
        """(n,) by how much (4, 2) are no square: off the right angle, and in their sides' lengths.

        Args:
            times: (n,) the focal length, as so many usual ones.
        """
        centred = (corners - self.axis).astype(np.float32)
        matrix = np.asarray(cv2.getPerspectiveTransform(UNIT, centred), np.float64)
        # The table's axes as this camera would see them are at right angles and of one length.
        scale = np.stack([1 / (self.focal * times)] * 2 + [np.ones_like(times)])
        one, other = (scale * matrix[:, axis][:, None] for axis in (0, 1))
        lengths = np.linalg.norm(one, axis=0), np.linalg.norm(other, axis=0)
        return (one * other).sum(0) / (lengths[0] * lengths[1]), np.log(lengths[0] / lengths[1])

    def off_square(self, corners: Floats) -> float:
        """By how much they are no square for the camera that fits best, and how unusual that is."""
        times = np.geomspace(0.7, 2.0, 36)
        angle, stretch = self.misfit(corners, times)
        unusual = 0.1 * np.log(times)
        return float(np.hypot(np.maximum(np.abs(angle), np.abs(stretch)), unusual).min())

    def squares(self, one: Floats, middle: Floats, other: Floats) -> Iterator[Floats]:
        """(4, 2) the corners of the squares that have three sides: one to either side of it.

        Args:
            middle: (3,) a line a x + b y + c = 0, as the others: between the two opposite ones.
        """
        to_px = np.array([[self.focal, 0, self.axis[0]], [0, self.focal, self.axis[1]], [0, 0, 1]])
        planes = [to_px.T @ line for line in (one, middle, other)]
        along = np.cross(planes[0], planes[2])
        across = np.cross(planes[1], along)
        start, end = np.cross(planes[0], planes[1]), np.cross(planes[1], planes[2])
        upwards = np.cross(along, across)
        if min(abs(upwards @ start), abs(upwards @ end), abs(upwards @ upwards)) < 1e-9:
            return
        start, end = start / (upwards @ start), end / (upwards @ end)
        far = along / np.linalg.norm(along) * np.linalg.norm(end - start)
        for side in (far, -far):
            seen = np.array([start, end, end + side, start + side])
            if abs(np.sign(seen[:, 2]).sum()) == 4:
                yield (seen @ to_px.T)[:, :2] / seen[:, 2:]

    def fit(self, corners: Floats, seen: Sequence[Floats] = ()) -> Square | None:
        """The square that fits best; None where what is seen tells too little, or tiles lie askew.

        Args:
            corners: (4, 2) near the true ones.
            seen: of each side, the (n, 2) places at which it was seen.
        """
        size = float(np.sqrt(cv2.contourArea(corners.astype(np.float32))))
        # The corners, the focal length, and a tile's width
        start = np.concatenate([corners.ravel() / size, (0.0, 0.0)])
        values, slopes, left = _least(lambda tried: self._misfits(tried, size, seen), start)
        square = values[:8].reshape(4, 2) * size
        aside = self._aside(square, values[9])
        is_odd = np.abs(square - corners).max() > size or abs(values[8]) > 1
        is_odd |= abs(values[9]) > MOST_OTHER or float(np.abs(aside).mean()) > MOST_ASIDE
        if is_odd or not np.isfinite(slopes).all() or np.linalg.cond(slopes) > 1e6:
            return None
        told = sum(len(places) for places in seen) / EDGE_ALIKE + 4 * len(self.rows) + 4
        strain = max(float(left @ left) / max(told - len(values), 1.0), 1.0)
        there = cv2.perspectiveTransform(SQUARE_PLACES, _matrix(square))
        inside = np.all((there >= 0) & (there < np.array(self.size_wh)), axis=(1, 2))
        offs = [
            cv2.perspectiveTransform(
                there[inside], np.linalg.inv(_matrix(square + size * step[:8].reshape(4, 2)))
            )
            - SQUARE_PLACES[inside]
            for step in np.linalg.inv(np.linalg.qr(slopes)[1]).T * strain**0.5
        ]
        doubt = np.sqrt(np.square(offs).sum(axis=(0, 2, 3)).max()) if inside.any() else 1.0
        return Square(square, float(doubt))

    def by_rows(self) -> Square | None:
        """The square by the rows of tiles alone: its directions and scale, and about where."""
        if not self.rows:
            return None
        step = np.median([np.linalg.norm(np.diff(row, axis=0), axis=1).mean() for row in self.rows])
        ray = np.append((np.concatenate(self.rows).mean(axis=0) - self.axis) / self.focal, 1.0)
        squares = list[Square | None]()
        for tilt, turn in product((0.15, 0.6, 1.0, 1.2), np.arange(0, np.pi / 2, np.pi / 12)):
            turns = (-tilt, 0, 0), (0, 0, turn)
            about_x, about_z = (cv2.Rodrigues(np.array(each))[0] for each in turns)
            flat = np.column_stack([UNIT - 0.5, np.zeros(4)]) @ (about_x @ about_z).T
            seen = flat + ray * self.focal * (self.tile or USUAL_TILE) / step
            if seen[:, 2].min() > 0:
                squares.append(self.fit(self.axis + self.focal * seen[:, :2] / seen[:, 2:]))
        return min(filter(None, squares), key=lambda each: each.doubt, default=None)

    def _misfits(self, values: Floats, size: float, seen: Sequence[Floats]) -> Floats:
        """How far all that is seen is from where a square would have it, in what is usual."""
        corners = values[:8].reshape(4, 2) * size
        found = [self._aside(corners, values[9])]
        for one, other, places in zip(corners, np.roll(corners, -1, axis=0), seen, strict=False):
            normal = np.array((one[1] - other[1], other[0] - one[0])) / np.hypot(*(other - one))
            found.append((places - one) @ normal / (EDGE_OFF * EDGE_ALIKE**0.5 * size))
        bent = self.misfit(corners, np.exp(values[8:9].clip(-2, 2)))
        return np.concatenate(
            [
                *found,
                *np.array(bent) / BENT,
                values[8:] / (OTHER_SIZES, SAME_TILE_SIZE if self.tile else OTHER_SIZES),
            ]
        )

    def _aside(self, corners: Floats, wider: float) -> Floats:
        """(m,) how far tiles lie beside their places, and their middle beside the table's.

        Args:
            wider: the logarithm of how many times as wide as usual a tile is.
        """
        to_table = cv2.getPerspectiveTransform(corners.astype(np.float32), UNIT)
        tile = (self.tile or USUAL_TILE) * np.exp(np.clip(wider, -2, 2))
        if not self.rows:
            return np.zeros(2)
        tiles = np.concatenate(self.rows)
        there = cv2.perspectiveTransform(tiles.reshape(-1, 1, 2), to_table)[:, 0]
        found = [
            ((there.mean(axis=0) - 0.5) / LAID_OFF_MIDDLE).clip(-FARTHEST_BESIDE, FARTHEST_BESIDE)
        ]
        for row in np.split(there, np.cumsum([len(row) for row in self.rows[:-1]])):
            steps = tile * (np.arange(len(row)) - (len(row) - 1) / 2)
            offs = row - row.mean(axis=0) - steps[:, None] * OUTLINE_WAYS[:, None]
            least = offs[np.abs(offs).sum(axis=(1, 2)).argmin()].ravel()
            found.append(
                (least / (tile * LAID * len(row) ** 0.5)).clip(-FARTHEST_BESIDE, FARTHEST_BESIDE)
            )
        return np.concatenate(found)


def _least(misfits: Callable[[Floats], Floats], values: Floats) -> tuple[Floats, Floats, Floats]:
    """The values of least misfits, the slopes there, what is left (Levenberg and Marquardt)."""
    left, damped, gain = misfits(values), 1e-3, 1.0
    while True:
        steps = SLOPE_STEP * np.eye(len(values))
        slopes = np.stack([(misfits(values + step) - left) / SLOPE_STEP for step in steps], axis=1)
        curved, way = slopes.T @ slopes, slopes.T @ left
        while gain > SLOPE_STEP and damped < 1 / SLOPE_STEP:
            step = np.linalg.solve(curved + damped * np.diag(np.diag(curved) + 1e-9), way)
            now = misfits(values - step)
            if now @ now < left @ left:
                break
            damped *= 8
        else:
            return values, slopes, left
        gain = 1 - float(now @ now) / float(left @ left)
        values, left, damped = values - step, now, damped / 8


def _matrix(corners: Floats) -> Floats:
    return np.asarray(cv2.getPerspectiveTransform(UNIT, corners.astype(np.float32)), np.float64)


def rows_of(boxes: Floats) -> list[Floats]:
    """(n, 2) the middles of tiles that lie side by side: the longest rows first, no tile twice.

    Args:
        boxes: (n, 4) of tiles, in pixels.
    """
    middles, sides = (boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2]
    sizes = np.sqrt(sides.prod(axis=1))
    far = np.linalg.norm(middles[:, None] - middles, axis=2) / sizes[:, None]
    near = (far > NEIGHBOUR_STEP[0]) & (far < NEIGHBOUR_STEP[1])
    near &= np.abs(np.log(sizes / sizes[:, None])) < UNLIKE
    runs = [_run(middles, sizes, [int(one), int(other)]) for one, other in np.argwhere(near)]
    found, used = list[Floats](), set[int]()
    for run in sorted(runs, key=lambda each: -len(each)):
        if len(run) >= LEAST_LOOSE_PAIRS and used.isdisjoint(run):
            found.append(middles[run])
            used |= set(run)
    return found


def _run(middles: Floats, sizes: Floats, run: list[int]) -> list[int]:
    """Two neighbours, and all that go on in their direction."""
    while True:
        last, usual = middles[run[-1]], (middles[run[-1]] - middles[run[0]]) / (len(run) - 1)
        step = (last - middles[run[-2]] + usual) / 2
        off = np.linalg.norm(middles - last - step, axis=1) / np.hypot(*step)
        off[run] = np.inf
        following = int(off.argmin())
        unlike = abs(np.log(sizes[following] / sizes[run[-1]]))
        if off[following] > IN_ROW or unlike > UNLIKE:
            return run
        run.append(following)
