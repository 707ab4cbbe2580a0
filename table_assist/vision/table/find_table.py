"""Finding the table in a picture: a square of cloth, seen from anywhere above.

What the tiles lie on is the cloth. Straight lines that have hardly any of it beyond them are its
borders; four of them count when they can be a square seen by a camera, and each is fitted again at
which the cloth's own colour ends. What stays doubtful is told as doubtful: a person's four corners
are better than wrong ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from table_assist.vision.pictures.picture import Image
from table_assist.vision.table.borders import Border, borders, fitted_sides, seen_of
from table_assist.vision.table.cloth import Cloth, Floats, cloths

Corner = tuple[float, float]

LINE_SIDE = 900  # px of the longer side at which borders are fitted
LEAST_SIDE = 0.1  # of the picture's shorter side: less is no table that could be read
LEAST_FILLED, LEAST_COVERED = 0.25, 0.9  # of the table cloth is seen, and of the cloth on it
BEST_GUESSES, BEST_TABLES = 6, 16  # that are fitted: of one region, and of all
REACHES = (0.02, 0.012)  # of the side's length, at which borders are fitted again
MOST_MOVED = 0.35  # of its size, by the fit
SURE_SUPPORT, SURE_MEAN, SURE_COVERED = 0.2, 0.4, 0.97
BEYOND, SURE_BEYOND = (0.012, 0.025), 0.06  # of the side, where no cloth is; and of its places
NOT_SQUARE, SURE_SQUARE = (
    0.06,
    0.045,
)  # by so much two sides may differ after undoing the perspective
MAYBE_SQUARE = 0.2  # before the fit
PLAIN, PLAIN_REACH = 30, 0.047  # grey levels between neighbours; of the side, from any edge
LEAST_PLAIN = 0.1  # 0.3 and more on a table in play, 0.01 and less on tiles laid out as a square
# Focal lengths, in picture widths: those of phones and webcams, and how little others are believed.
FOCALS, USUAL_FOCAL, UNUSUAL = np.geomspace(0.6, 1.5, 36), 0.77, 0.1
# A rim goes round the cloth, this share of the side away: the cloth is the table. Of other tables
# nearly as good, which end elsewhere, nobody knows which it is.
RIM, INNER_WORSE, INNER_SUPPORT = (0.025, 0.16), 0.8, 0.35
RIVAL_WORSE, RIVAL_OFF, SMALLER = 0.12, 0.03, 0.6

NOTHING_SEEN = np.zeros((0, 4))
UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)  # a table's corners
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
        """Whether its borders leave no doubt."""
        return self.confidence >= SURE


@dataclass(frozen=True, slots=True)
class _Guess:
    """Four lines round a cloth.

    Attributes:
        corners: (4, 2); a side goes from each to the next.
        supports: (4,) of each side that is in sight, the share at which the cloth ends there.
        off_square: by how much it is none, and how unusual the camera is.
        covered, filled: of the cloth lies on it, and of it shows the cloth.
        tiles: the share of the tiles there and around that lie on it.
        beyond: (4,) of each side, the share at which the cloth goes on.
    """

    cloth: Cloth
    corners: Floats
    supports: tuple[float, ...]
    off_square: float
    covered: float
    filled: float
    tiles: float
    beyond: tuple[float, ...]

    @property
    def score(self) -> float:
        supports = float(np.mean(self.supports)) + 0.7 * min(self.supports)
        seen = 0.6 * self.filled + 1.5 * self.tiles - 6 * (1 - self.covered)
        return (
            supports
            + seen
            - 6 * self.off_square
            - 0.25 * self.cloth.tightness
            - 2 * max(self.beyond)
        )

    def places(self, other: "_Guess") -> Floats:
        """(4, 2) the other one's corners on this table, whose own are at 0 and 1."""
        matrix = cv2.getPerspectiveTransform(self.corners.astype(np.float32), UNIT)
        seen = cv2.perspectiveTransform(other.corners.reshape(-1, 1, 2), matrix)
        return np.asarray(seen, np.float64).reshape(-1, 2)


def find_table(image: Image, things: Floats = NOTHING_SEEN) -> FoundTable | None:
    """The table in a picture (h, w, 3) BGR; None where there is none that could be one.

    Args:
        things: (n, 4) boxes of the tiles in it, in pixels.
    """
    height, width = image.shape[:2]
    scale = min(1.0, LINE_SIDE / max(width, height))
    size = (round(width * scale), round(height * scale))
    picture = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if scale < 1 else image
    lab = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), np.uint8)
    lab = np.asarray(cv2.GaussianBlur(lab, (0, 0), 1.0), np.uint8)
    tables = _tables(lab, np.asarray(things, np.float64) * scale)
    if not tables:
        return None
    best, is_doubted = _without_rim(tables)
    corners = _from_near_left((best.corners + 0.5) * (width / size[0], height / size[1]) - 0.5)
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    sure = not is_doubted and min(best.supports) >= SURE_SUPPORT
    sure = sure and best.covered >= SURE_COVERED and max(best.beyond) <= SURE_BEYOND
    sure = sure and best.off_square <= SURE_SQUARE
    mean = float(np.mean(best.supports))
    confidence = SURE * (1 + mean) if sure and mean >= SURE_MEAN else 0.9 * SURE * mean
    return FoundTable((a, b, c, d), min(1.0, confidence))


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


# --- four lines that can be a table


def _tables(lab: Image, boxes: Floats) -> list[_Guess]:
    """What can be the table, the best first."""
    values = lab.astype(np.float32)
    chance = np.random.default_rng(0)
    feet = np.column_stack(
        [boxes[:, [0, 2]].mean(axis=1), boxes[:, 1] * 0.2 + boxes[:, 3] * 0.8]
    ).reshape(-1, 2)
    guesses: list[_Guess] = []
    for cloth in cloths(values, boxes):
        lines = borders(cloth.mask, chance)
        found = sorted(_guesses(cloth, lines, feet), key=lambda each: -each.score)
        guesses += found[:BEST_GUESSES]
    guesses.sort(key=lambda each: -each.score)
    fitted = (_fit(values, guess, feet) for guess in guesses[:BEST_TABLES])
    good = [
        each
        for each in fitted
        if each is not None and _plain_share(lab, each.corners) >= LEAST_PLAIN
    ]
    return sorted(good, key=lambda each: -each.score)


def _guesses(cloth: Cloth, lines: Sequence[Border], feet: Floats) -> Iterator[_Guess]:
    for chosen in combinations(lines, 4):
        sides = sorted(chosen, key=lambda line: np.arctan2(line.normal[1], line.normal[0]))
        guess = _guess(cloth, sides, feet)
        if guess is not None and guess.off_square < MAYBE_SQUARE:
            yield guess


def _guess(cloth: Cloth, sides: Sequence[Border], feet: Floats) -> _Guess | None:
    """The square between four lines, in order round it; None where it can be none."""
    shape = cloth.mask.shape
    met = [sides[index - 1].meets(sides[index]) for index in range(4)]
    if any(each is None for each in met):
        return None
    corners = np.array(met, np.float64)
    normals = np.array([side.normal for side in sides])
    shifts = np.array([side.shift for side in sides])
    size_wh = np.array((shape[1], shape[0]))
    if np.abs(corners - size_wh / 2).max() > 1.5 * size_wh.max():
        return None
    if (corners @ normals.T > shifts + 2).any() or not _is_round(corners, LEAST_SIDE * min(shape)):
        return None
    frame = np.array([(0, 0), (size_wh[0], 0), size_wh, (0, size_wh[1])], np.float32)
    seen_area, _ = cv2.intersectConvexConvex(corners.astype(np.float32), frame)
    seen = np.argwhere(cloth.mask[::4, ::4])[:, ::-1] * 4.0
    on_it = int((seen @ normals.T <= shifts).all(axis=1).sum())
    filled, covered = 16 * on_it / max(seen_area, 1.0), on_it / max(len(seen), 1)
    if filled < LEAST_FILLED or covered < LEAST_COVERED:
        return None
    lengths = [
        seen_of(one, other, (shape[1], shape[0]))[1].mean() * np.hypot(*(other - one))
        for one, other in zip(corners, np.roll(corners, -1, axis=0), strict=True)
    ]
    supports = [
        side.support if side.support <= 1 else min(1.0, side.support / max(length, 8.0))
        for side, length in zip(sides, lengths, strict=True)
    ]
    off = _off_square(corners, shape)
    share = _share_of_tiles(corners, feet)
    beyond = _beyond(cloth.mask, corners)
    return _Guess(cloth, corners, tuple(supports), off, covered, min(1.0, filled), share, beyond)


def _beyond(mask: Image, corners: Floats) -> tuple[float, ...]:
    """(4,) of each side, the share of its places beyond which the cloth goes on."""
    size_wh = (mask.shape[1], mask.shape[0])
    shares = []
    for index in range(4):
        one, other = corners[index], corners[(index + 1) % 4]
        places, seen = seen_of(one, other, size_wh)
        outwards = np.array((other[1] - one[1], one[0] - other[0]))
        if outwards @ (corners.mean(axis=0) - one) > 0:
            outwards = -outwards
        goes_on = seen > 0
        for far in BEYOND:
            at = np.round(places + far * outwards).astype(int).clip(0, np.array(size_wh) - 1)
            goes_on &= mask[at[:, 1], at[:, 0]] > 0
        shares.append(float(goes_on.mean()))
    return tuple(shares)


def _is_round(corners: Floats, least: float) -> bool:
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    convex = cv2.isContourConvex(corners.astype(np.float32).reshape(-1, 1, 2))
    return bool(convex and sides.min() > least)


def _share_of_tiles(corners: Floats, feet: Floats) -> float:
    """The share of the tiles on it and around that lie on it; 1 where hardly any are known."""
    middle = corners.mean(axis=0)
    counts = []
    for times in (1.01, 1.5):
        outline = (middle + times * (corners - middle)).astype(np.float32).reshape(-1, 1, 2)
        inside = [cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in feet]
        counts.append(sum(inside))
    return counts[0] / counts[1] if counts[1] > 2 else 1.0


def _fit(lab: Floats, guess: _Guess, feet: Floats) -> _Guess | None:
    """The guess with its borders fitted again."""
    fitted: _Guess | None = guess
    for reach in REACHES:
        sides = fitted_sides(lab, guess.cloth, fitted.corners, reach) if fitted else None
        fitted = None if sides is None else _guess(guess.cloth, sides, feet)
    if fitted is None or fitted.off_square > NOT_SQUARE:
        return None
    moved = np.abs(fitted.corners - guess.corners).max()
    return fitted if moved < MOST_MOVED * np.ptp(guess.corners, axis=0).max() else None


def _without_rim(tables: Sequence[_Guess]) -> tuple[_Guess, bool]:
    """The best table, or the cloth within the rim that it ends at; and whether others rival it."""
    best = tables[0]
    for inner in tables[1:]:
        if inner.score < best.score - INNER_WORSE:
            break
        from_side = 0.5 - np.abs(best.places(inner) - 0.5)
        is_inside = RIM[0] < from_side.min() and from_side.max() < RIM[1]
        if is_inside and min(inner.supports) > INNER_SUPPORT:
            best = inner
            break
    rivals = [
        best.places(each) for each in tables if best.score - RIVAL_WORSE < each.score <= best.score
    ]
    # What is much smaller and lies on it is a console, or a block of tiles.
    return best, any(
        _farthest(each, UNIT) > RIVAL_OFF and np.ptp(each, axis=0).max() > SMALLER
        for each in rivals
    )


def _farthest(corners: Floats, others: Floats) -> float:
    """How far the corners are apart, at most, wherever they begin."""
    turned = (np.roll(corners, turn, axis=0) - others for turn in range(4))
    return float(min(np.linalg.norm(off, axis=1).max() for off in turned))


# --- whether it can be a table


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
    centred = (corners - (width / 2, height / 2)).astype(np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(UNIT, centred), np.float64)
    # The table's axes as this camera would see them are at right angles and of one length.
    focals = FOCALS * max(width, height)
    scale = np.stack([1 / focals, 1 / focals, np.ones_like(focals)])
    one, other = (scale * matrix[:, axis][:, None] for axis in (0, 1))
    lengths = np.linalg.norm(one, axis=0), np.linalg.norm(other, axis=0)
    angle = np.abs((one * other).sum(0)) / (lengths[0] * lengths[1])
    stretch = np.abs(np.log(lengths[0] / lengths[1]))
    unusual = UNUSUAL * np.log(FOCALS / USUAL_FOCAL)
    return float(np.hypot(np.maximum(angle, stretch), unusual).min())


def _from_near_left(corners: Floats) -> Floats:
    """From the left end of the lowest side on, round the table by way of its right end."""
    middle = corners.mean(0)
    angles = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    corners = corners[np.argsort(-angles)]  # counter-clockwise, as a person sees the picture
    sides = (corners[:, 1] + np.roll(corners[:, 1], -1)) / 2
    return np.roll(corners, -int(sides.argmax()), axis=0)
