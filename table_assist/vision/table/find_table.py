"""Finding the table in a picture: a square plane of one colour, seen from anywhere above.

Colours that fill the picture's middle are tried one after the other. Where one fills a region with
four straight sides, each side is found again as the line at which the colour ends, and four lines
count only when they can be a square seen by a camera. What stays doubtful is told as doubtful: a
person's four corners are better than wrong ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Image

Corner = tuple[float, float]
Floats = NDArray[np.float64]

SEGMENT_SIDE = 480  # px of the longer side on which colours are told apart
LINE_SIDE = 1600  # px of the longer side on which the borders' lines are fitted
COLOURS = 5  # so many are tried
# Greatest difference in lightness and in colour, 8-bit Lab: an even cloth, and an unevenly lit one.
REGIONS = 3  # of one colour
TOLERANCES = ((26.0, 9.0), (48.0, 14.0))
LEAST_SIDE = 0.3  # of the picture's shorter side: less is no table that could be read
LEAST_FILLED = 0.4  # of the table shows its own colour; tiles and arms cover the rest
SAMPLES = 90  # places along a side at which its border is looked for
REACH = 0.035  # of the side's length to look inwards and outwards
BESIDE = 0.025  # of the side's length to be of the colour inside, and of another outside
LEAST_CHANGE = 6.0  # 8-bit Lab over two pixels: more than a sensor's noise after the blur
NARROW = 0.011  # of the side's length: no rim is narrower, a seam or its shadow is
ALIKE = 0.7
STRAIGHT_PX = 1.6  # a border's place may be off its line by so much
LEAST_SUPPORT = 0.3  # of a side's places lie on the line: a hand of tiles covers half of it
SURE_SUPPORT = 0.5
NOT_SQUARE = 0.03  # by so much two sides may differ after undoing the perspective
PLAIN, PLAIN_REACH = 30, 0.047  # grey levels between neighbours; of the side, from any edge
LEAST_PLAIN = 0.1  # 0.3 and more on a table in play, 0.01 and less on tiles laid out as a square
FAR_FROM_SQUARE = 0.3  # the region itself, before its borders are fitted
FOCALS = np.geomspace(0.38, 5.0, 40)  # focal lengths of cameras, in picture widths
INNER_SUPPORT = 0.7

SURE = 0.5  # from this confidence on, corners may be taken without a person's look


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table's corners in a picture.

    Attributes:
        corners_px: near left, near right, far right, far left; the near side is the lowest.
        confidence: 0-1; see ``SURE``.
    """

    corners_px: tuple[Corner, Corner, Corner, Corner]
    confidence: float

    @property
    def is_sure(self) -> bool:
        """Whether it may be used without a person's look."""
        return self.confidence >= SURE


def find_table(image: Image) -> FoundTable | None:
    """The table in a picture (h, w, 3) BGR; None where there is none that could be one."""
    height, width = image.shape[:2]
    scale = min(1.0, LINE_SIDE / max(width, height))
    size = (round(width * scale), round(height * scale))
    picture = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if scale < 1 else image
    lab = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), np.uint8)
    lab = np.asarray(cv2.GaussianBlur(lab, (0, 0), 1.0), np.uint8)
    best: tuple[float, Floats] | None = None
    for start, colour, tolerance in _regions(lab):
        fitted = _fit(lab, start, colour, tolerance)
        if fitted is not None and (best is None or fitted[0] > best[0]):
            best = fitted
    if best is None:
        return None
    confidence, corners = best
    corners = _from_near_left((corners + 0.5) * (width / size[0], height / size[1]) - 0.5)
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return FoundTable((a, b, c, d), confidence)


def off_mm(
    found: tuple[Corner, Corner, Corner, Corner], true: tuple[Corner, ...], side_mm: float
) -> float:
    """The farthest that a true corner lies from its place on the table as it was found."""
    half = side_mm / 2
    places = np.array([[-half, -half], [half, -half], [half, half], [-half, half]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.array(found, np.float32), places)
    corners = np.array(true, np.float64).reshape(-1, 1, 2)
    seen = np.asarray(cv2.perspectiveTransform(corners, matrix)).reshape(-1, 2)
    return float(np.linalg.norm(seen - places, axis=1).max())


# --- regions of one colour


def _regions(lab: Image) -> Iterator[tuple[Floats, Floats, tuple[float, float]]]:
    """Quadrilaterals around regions of one colour, with the colour and its tolerance."""
    height, width = lab.shape[:2]
    scale = min(1.0, SEGMENT_SIDE / max(width, height))
    small = np.asarray(
        cv2.resize(lab, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
    )
    for colour in _colours(small):
        for tolerance in TOLERANCES:
            for corners in _surrounds(_of_colour(small, colour, tolerance)):
                corners = (corners + 0.5) / scale - 0.5
                if _off_square(corners, lab.shape) < FAR_FROM_SQUARE:
                    yield corners, colour, tolerance


def _colours(lab: Image) -> list[Floats]:
    """The commonest colours in the picture's middle, the commonest first."""
    height, width = lab.shape[:2]
    middle = lab[height // 5 : -height // 5, width // 5 : -width // 5].reshape(-1, 3)
    left = middle.astype(np.float64)
    found: list[Floats] = []
    while len(found) < COLOURS and len(left) > 0.05 * len(middle):
        bins = (left / (16, 6, 6)).astype(np.int64) @ (10_000, 100, 1)
        numbers, counts = np.unique(bins, return_counts=True)
        start = np.median(left[bins == numbers[counts.argmax()]], axis=0)
        near = _near(left, start, (20.0, 7.0))
        found.append(np.median(left[near], axis=0))
        left = left[~near]
    return found


def _near(lab: Floats, colour: Floats, tolerance: tuple[float, float]) -> NDArray[np.bool_]:
    off = np.abs(lab - colour)
    return np.asarray((off[..., 0] < tolerance[0]) & (off[..., 1:].max(-1) < tolerance[1]))


def _of_colour(lab: Image, colour: Floats, tolerance: tuple[float, float]) -> Image:
    """A mask, 0 or 255."""
    spread = np.array((tolerance[0], tolerance[1], tolerance[1]))
    low, high = np.clip(colour - spread, 0, 255), np.clip(colour + spread, 0, 255)
    return np.asarray(cv2.inRange(lab, low, high), np.uint8)


def _surrounds(mask: Image) -> Iterator[Floats]:
    """Four corners each round a mask's largest regions, if they are large and have four."""
    shorter = min(mask.shape)
    step = max(3, round(shorter / 70)) | 1
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _disc(step)), np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _disc(2 * step + 1)), np.uint8)
    # Holes too: a floor of the table's own colour goes round the table.
    outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    for outline in sorted(outlines, key=cv2.contourArea, reverse=True)[:REGIONS]:
        hull = cv2.convexHull(outline)
        area = cv2.contourArea(hull)
        if (LEAST_SIDE * shorter) ** 2 < area < 0.95 * mask.size and len(hull) > 3:
            corners = np.asarray(cv2.approxPolyN(hull, 4, ensure_convex=True), np.float64)
            corners = corners.reshape(-1, 2)
            if len(corners) == 4 and area > 0.85 * cv2.contourArea(corners.astype(np.float32)):
                yield corners


def _disc(size: int) -> Image:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


# --- lines


def _fit(
    lab: Image, start: Floats, colour: Floats, tolerance: tuple[float, float]
) -> tuple[float, Floats] | None:
    """Confidence and corners of the square whose borders lie near a first guess."""
    mask = _of_colour(lab, colour, tolerance)
    corners = start
    supports: list[float] = []
    for reach in (2 * REACH, REACH):
        lines = []
        supports = []
        for index in range(4):
            side = _side(
                lab, mask, corners[index], corners[(index + 1) % 4], reach, corners.mean(0)
            )
            if side is None:
                return None
            lines.append(side[0])
            supports.append(side[1])
        met = _meet(lines)
        if met is None or np.abs(met - corners).max() > 0.2 * np.ptp(corners, axis=0).max():
            return None
        corners = met
    if min(supports) < LEAST_SUPPORT or not _is_in_sight(corners, lab.shape):
        return None
    filled = _filled(mask, corners)
    if filled < LEAST_FILLED or _off_square(corners, lab.shape) > NOT_SQUARE:
        return None
    if _plain_share(lab, corners) < LEAST_PLAIN:
        return None
    confidence = float(np.sqrt(min(supports) * np.mean(supports)))
    if min(supports) < SURE_SUPPORT or _has_inner_border(lab, corners):
        confidence = min(confidence, 0.9 * SURE)
    return confidence, corners


def _side(
    lab: Image, mask: Image, one: Floats, other: Floats, reach: float, middle: Floats
) -> tuple[Floats, float] | None:
    """The line (a, b, c), ax + by = c, at which the colour ends, and the share of it seen."""
    length = float(np.hypot(*(other - one)))
    along = (other - one) / max(length, 1e-9)
    outwards = np.array((along[1], -along[0]))
    if outwards @ (middle - one) > 0:
        outwards = -outwards
    span, wide = max(8, round(reach * length)), max(6, round(BESIDE * length))
    steps = np.arange(-span - wide, span + wide + 1)
    starts = one + np.linspace(0.04, 0.96, SAMPLES)[:, None] * (other - one)
    places = starts[:, None] + steps[:, None] * outwards
    ground = _sampled(mask, places) / 255.0
    colours = _sampled(lab, places)
    change = np.linalg.norm(colours[:, 2:] - colours[:, :-2], axis=-1)
    kept = _ends(ground, np.pad(change, ((0, 0), (1, 1))), wide)
    rows, columns = np.nonzero(kept)
    if len(np.unique(rows)) < LEAST_SUPPORT * SAMPLES:
        return None
    points = np.column_stack([np.linspace(0.04, 0.96, SAMPLES)[rows] * length, steps[columns]])
    straight = _straight(points, rows, NARROW * length)
    if straight is None:
        return None
    slope, shift, support = straight
    first, last = (one + t * along + (slope * t + shift) * outwards for t in (0.0, length))
    normal = np.array((last[1] - first[1], first[0] - last[0]))
    normal /= np.hypot(*normal)
    return np.array((*normal, normal @ first)), support


def _ends(ground: Floats, change: Floats, wide: int) -> NDArray[np.bool_]:
    """(places, steps): the colour lies inside, not outside, and here it changes the most."""
    sums = np.cumsum(np.pad(ground, ((0, 0), (1, 0))), axis=1)
    gap, count = max(2, wide // 8), ground.shape[1]
    index = np.arange(wide, count - wide)
    inside = (sums[:, index - gap] - sums[:, index - wide]) / (wide - gap)
    outside = (sums[:, index + wide] - sums[:, index + gap]) / (wide - gap)
    highest = np.asarray(cv2.dilate(change, np.ones((1, 2 * gap + 1), np.uint8)))
    peak = (change >= highest) & (change > LEAST_CHANGE)
    kept = np.zeros_like(peak)
    kept[:, index] = peak[:, index] & (inside > outside + 0.35) & (outside < 0.4)
    return np.asarray(kept, np.bool_)


def _straight(
    points: Floats, rows: NDArray[np.intp], narrow: float
) -> tuple[float, float, float] | None:
    """Slope, shift and support of the line through most places: every pair of some is tried.

    Of lines that lie closer together than ``narrow``, as along a seam, the inner one counts.
    """
    order = np.linspace(0, len(points) - 1, min(40, len(points))).astype(int)
    some = points[order]
    first, second = np.triu_indices(len(some), 1)
    run = some[second, 0] - some[first, 0]
    wide = run > 0.25 * np.ptp(points[:, 0])
    if not wide.any():
        return None
    slopes = (some[second, 1] - some[first, 1])[wide] / run[wide]
    shifts = some[first, 1][wide] - slopes * some[first, 0][wide]
    off = np.abs(slopes[:, None] * points[:, 0] + shifts[:, None] - points[:, 1])
    counts = (off < STRAIGHT_PX).sum(1)
    middles = slopes * points[:, 0].mean() + shifts
    beside = np.abs(middles - middles[counts.argmax()]) < narrow
    alike = beside & (counts > ALIKE * counts.max())
    best = int(np.where(alike, middles, np.inf).argmin())
    slope, shift = float(slopes[best]), float(shifts[best])
    for _ in range(3):
        near = np.abs(slope * points[:, 0] + shift - points[:, 1]) < STRAIGHT_PX
        if len(np.unique(rows[near])) < 8:
            return None
        slope, shift = (float(v) for v in np.polyfit(points[near, 0], points[near, 1], 1))
    near = np.abs(slope * points[:, 0] + shift - points[:, 1]) < STRAIGHT_PX
    if np.ptp(points[near, 0]) < 0.5 * np.ptp(points[:, 0]):
        return None
    return slope, shift, len(np.unique(rows[near])) / SAMPLES


def _sampled(picture: Image, places: Floats) -> Floats:
    x, y = (np.asarray(places[..., axis], np.float32) for axis in (0, 1))
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float64)


def _meet(lines: list[Floats]) -> Floats | None:
    """Each line's corner with the one before it."""
    corners = []
    for index in range(4):
        a = np.array((lines[index - 1][:2], lines[index][:2]))
        if abs(np.linalg.det(a)) < 0.2:
            return None
        corners.append(np.linalg.solve(a, (lines[index - 1][2], lines[index][2])))
    return np.array(corners)


# --- whether it can be a table


def _is_in_sight(corners: Floats, shape: tuple[int, ...]) -> bool:
    height, width = shape[:2]
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    outside = max(float(-corners.min()), *(corners.max(0) - (width, height)))
    convex = cv2.isContourConvex(corners.astype(np.float32).reshape(-1, 1, 2))
    shorter = min(width, height)
    return bool(convex and outside < 0.03 * shorter and sides.min() > 0.6 * LEAST_SIDE * shorter)


def _filled(mask: Image, corners: Floats) -> float:
    inside = np.zeros_like(mask)
    cv2.fillConvexPoly(inside, np.round(corners).astype(np.int32), 255)
    return float((mask[inside > 0] > 0).mean())


def _plain_share(lab: Image, corners: Floats) -> float:
    """The share of the table that lies well within a plain part: a block of tiles has none."""
    side = 128
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    seen = cv2.warpPerspective(lab, matrix, (side, side), flags=cv2.INTER_AREA)
    kernel = np.ones((3, 3), np.uint8)
    change = cv2.subtract(cv2.dilate(seen, kernel), cv2.erode(seen, kernel)).max(axis=2)
    plain = np.asarray(change < PLAIN, np.uint8)
    far = np.asarray(cv2.distanceTransform(plain, cv2.DIST_L2, 3))
    return float((far > PLAIN_REACH * side).mean())


def _off_square(corners: Floats, shape: tuple[int, ...]) -> float:
    """By how much it is no square for the camera that fits best, whose axis hits the middle."""
    height, width = shape[:2]
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    centred = (corners - (width / 2, height / 2)).astype(np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(unit, centred), np.float64)
    # The table's axes as this camera would see them are at right angles and of one length.
    scale = np.stack([1 / (FOCALS * width), 1 / (FOCALS * width), np.ones_like(FOCALS)])
    one, other = (scale * matrix[:, axis][:, None] for axis in (0, 1))
    lengths = np.linalg.norm(one, axis=0), np.linalg.norm(other, axis=0)
    angle = np.abs((one * other).sum(0)) / (lengths[0] * lengths[1])
    stretch = np.abs(np.log(lengths[0] / lengths[1]))
    return float(np.maximum(angle, stretch).min())


def _has_inner_border(lab: Image, corners: Floats) -> bool:
    """Whether all four sides have a second line further in: then the rim may have been taken."""
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, corners.astype(np.float32))
    t = np.linspace(-0.9, 0.9, 120)
    seen: list[NDArray[np.bool_]] = []
    for turn in range(4):
        rows = []
        for scale in np.arange(0.76, 0.985, 0.0025):
            row = np.column_stack([t * scale, np.full_like(t, -scale)])
            for _ in range(turn):
                row = np.column_stack([-row[:, 1], row[:, 0]])
            rows.append(row)
        flat = np.concatenate(rows).reshape(-1, 1, 2).astype(np.float64)
        seen_at = np.asarray(cv2.perspectiveTransform(flat, matrix), np.float64)
        places = seen_at.reshape(len(rows), -1, 2)
        colours = _sampled(lab, places)
        change = np.linalg.norm(colours[2:] - colours[:-2], axis=-1) > 14
        grown = np.asarray(cv2.dilate(change.astype(np.uint8), np.ones((3, 1), np.uint8)))
        seen.append(grown.mean(1) > INNER_SUPPORT)
    near = [np.convolve(each, np.ones(9), "same") > 0 for each in seen]
    return bool(np.logical_and.reduce(near).any())


def _from_near_left(corners: Floats) -> Floats:
    """From the left end of the lowest side on, round the table by way of its right end."""
    middle = corners.mean(0)
    angles = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    corners = corners[np.argsort(-angles)]  # counter-clockwise, as a person sees the picture
    sides = (corners[:, 1] + np.roll(corners[:, 1], -1)) / 2
    return np.roll(corners, -int(sides.argmax()), axis=0)
