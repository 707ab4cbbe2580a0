"""Finding the table in a picture: a square of cloth, seen from anywhere above.

What the tiles lie on is the cloth, and around them it is looked for. Straight lines that have
hardly any of it beyond them are its borders; four of them count when they can be a square seen by a
camera, or three where the fourth is out of sight. The square is then fitted to all places at once
at which the cloth's own colour ends, and how far it may be off is told with it: a person's four
corners are better than wrong ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np

from table_assist.vision.pictures.picture import COARSE_PX, Floats, Image
from table_assist.vision.table.borders import IN_SIGHT, Border, borders, fitted_sides, seen_of
from table_assist.vision.table.calibration import parse_corners
from table_assist.vision.table.cloth import Cloth, cloths
from table_assist.vision.table.square import SQUARE_FOCAL, UNIT, Square, UsualCamera, rows_of
from table_assist.vision.table.tile_size import SIDE_MM

Corner = tuple[float, float]

LINE_SIDE = 900  # px of the longer side of what is looked at, when borders are fitted
# Fewer things are no tiles of a table; in tiles, how far it may reach
FEW_THINGS, TABLE_AROUND = 3, 20
NEARER = 0.15  # of its size, is looked at around a table that was found
LEAST_TABLE_SIDE = 0.1  # of the picture's shorter side: less is no table that could be read
LEAST_FILLED, LEAST_COVERED = 0.25, 0.9  # of the table cloth is seen, and of the cloth on it
BEST_GUESSES, BEST_TABLES = 6, 16  # that are fitted: of one region, and of all
REACHES = (0.02, 0.012)  # of the side's length, at which borders are fitted again
MOST_MOVED = 0.35  # of its size, by the fit
BEYOND_SIDE, SURE_BEYOND = (0.012, 0.025), 0.06  # of the side, where no cloth is; and of its places
SURE_COVERED = 0.97
FARTHEST_CORNER = 1.5  # from the middle a corner may lie, in picture widths
MAYBE_SQUARE, NOT_SQUARE = 0.2, 0.06  # by so much two sides may differ, before the fit and after
PLAIN_LEVELS, PLAIN_REACH = 30, 0.047  # grey levels between neighbours; of the side, from any edge
LEAST_PLAIN = 0.03  # 0.09 and more on a table in play, 0.01 and less on tiles laid out as a square
# A rim goes round the cloth, this share of the side away: the cloth is the table. Of other tables
# nearly as good, which end elsewhere, nobody knows which it is.
RIM, INNER_WORSE, INNER_SUPPORT = (0.025, 0.16), 0.8, 0.35
RIVAL_WORSE, SMALLER_RIVAL = 0.12, 0.6

NOTHING_SEEN = np.zeros((0, 4))
SURE_MM = 7.0  # beyond which doubt a person should look
GREY_DOUBT = 1.2  # times: the light alone tells where a grey cloth ends


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table's corners in a picture.

    Attributes:
        corners_px: near left, near right, far right, far left; the near side is the lowest.
        doubt_mm: how far what is in sight of it may be off, on a table of 800.
    """

    corners_px: tuple[Corner, Corner, Corner, Corner]
    doubt_mm: float

    @property
    def is_sure(self) -> bool:
        """Whether its borders leave no doubt."""
        return self.doubt_mm <= SURE_MM


@dataclass(frozen=True, slots=True)
class _Guess:
    """A square round a cloth.

    Attributes:
        supports: of each side that is in sight, the share at which the cloth ends there.
        off_square: by how much it is none, and how unusual the camera is.
        covered, filled: of the cloth lies on it, and of it shows the cloth.
        tiles: the share of the tiles there and around that lie on it.
        beyond: (4,) of each side, the share at which the cloth goes on.
    """

    cloth: Cloth
    square: Square
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
        bent = 6 * self.off_square + 0.25 * self.cloth.tightness
        unseen = 0.3 * (4 - len(self.supports))
        return supports + seen - bent - 2 * max(self.beyond) - unseen

    def places(self, other: "_Guess") -> Floats:
        """(4, 2) the other one's corners on this table, whose own are at 0 and 1."""
        matrix = cv2.getPerspectiveTransform(self.square.corners.astype(np.float32), UNIT)
        seen = cv2.perspectiveTransform(other.square.corners.reshape(-1, 1, 2), matrix)
        return np.asarray(seen, np.float64).reshape(-1, 2)

    @property
    def doubt(self) -> float:
        """How far it may be off, as a share of the side; 1 where it may be anything."""
        sure = self.covered >= SURE_COVERED and max(self.beyond) <= SURE_BEYOND
        sure &= self.filled >= 2 * LEAST_FILLED  # less is a rim, of which a cloth is the inside
        times = GREY_DOUBT if self.cloth.is_grey else 1.0
        return times * self.square.doubt if sure else 1.0


def find_table(
    image: Image, things: Floats = NOTHING_SEEN, tile: float | None = None
) -> FoundTable | None:
    """The table in a picture (h, w, 3) BGR; None where there is none that could be one.

    Args:
        things: (n, 4) boxes of the tiles in it, in pixels.
        tile: how wide one is, as a share of the side; None: as is usual.
    """
    things = _of_a_table(np.asarray(things, np.float64))
    if len(things):
        more = TABLE_AROUND * np.sqrt(np.median((things[:, 2:] - things[:, :2]).prod(axis=1)))
        window = _window(image, things[:, :2].min(0) - more, things[:, 2:].max(0) + more)
    else:
        window = (0, 0, image.shape[1], image.shape[0])
    found = _found_in(image, things, window, tile)
    if found is not None:
        corners = np.array(found[0].corners_px)
        more = NEARER * np.ptp(corners, axis=0)
        window = _window(image, corners.min(0) - more, corners.max(0) + more)
        found = _found_in(image, things, window, tile, found[1]) or found
        if found[0].doubt_mm < SIDE_MM:
            return found[0]
    other = find_table(image, tile=tile) if len(things) else None  # they may be no tiles
    if other is not None and other.doubt_mm < SIDE_MM:
        return replace(other, doubt_mm=max(other.doubt_mm, 2 * SURE_MM))
    return found and found[0]


# --- where to look

_Window = tuple[int, int, int, int]  # left, top, right, bottom in px


def _of_a_table(things: Floats) -> Floats:
    """(n, 4) those that lie together and are alike in size; none where that are too few."""
    if len(things) < FEW_THINGS:
        return NOTHING_SEEN
    middles = (things[:, :2] + things[:, 2:]) / 2
    sizes = np.sqrt((things[:, 2:] - things[:, :2]).prod(axis=1))
    usual = float(np.median(sizes))
    near = np.linalg.norm(middles[:, None] - middles, axis=2) < TABLE_AROUND * usual
    near &= np.abs(np.log(sizes / usual))[:, None] < 1
    group = near[:, near.sum(axis=0).argmax()]
    return things[group] if group.sum() >= FEW_THINGS else NOTHING_SEEN


def _window(image: Image, low: Floats, high: Floats) -> _Window:
    left, top = np.clip(low, 0, None).astype(int)
    right, bottom = np.clip(high, None, image.shape[1::-1]).astype(int)
    return int(left), int(top), int(right), int(bottom)


def _found_in(
    image: Image,
    things: Floats,
    window: _Window,
    tile: float | None,
    colour: Floats | None = None,
) -> tuple[FoundTable, Floats | None] | None:
    """The table in a part of the picture, and its cloth's colour where that is known."""
    left, top, right, bottom = window
    part = image[top:bottom, left:right]
    scale = min(2.0, LINE_SIDE / max(part.shape))
    size_wh = (round((right - left) * scale), round((bottom - top) * scale))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    seen = cv2.cvtColor(cv2.resize(part, size_wh, interpolation=way), cv2.COLOR_BGR2LAB)
    lab = np.asarray(cv2.GaussianBlur(seen, (0, 0), 1.0), np.uint8)
    start = np.array((left, top))
    middle = np.array((image.shape[1], image.shape[0])) / 2
    boxes = (things - np.tile(start, 2)) * scale
    focal = SQUARE_FOCAL * max(image.shape) * scale
    eye = UsualCamera((middle - start) * scale, focal, size_wh, rows_of(boxes), tile)
    if tables := _tables(lab, boxes, eye, colour):
        best, rivals_off = _without_rim(tables)
        square, doubt, colour = best.square, max(best.doubt, rivals_off), best.cloth.colour
    elif by_rows := eye.by_rows():  # no border is in sight
        square, doubt = by_rows, by_rows.doubt
    else:
        return None
    corners = _from_near_left((square.corners + 0.5) / scale - 0.5 + start)
    return FoundTable(parse_corners(corners.tolist()), SIDE_MM * doubt), colour


# --- lines that can be a table


def _tables(lab: Image, boxes: Floats, eye: UsualCamera, colour: Floats | None) -> list[_Guess]:
    """What can be the table, the best first."""
    values = lab.astype(np.float32)
    chance = np.random.default_rng(0)
    feet = np.column_stack(
        [boxes[:, [0, 2]].mean(axis=1), boxes[:, 1] * 0.2 + boxes[:, 3] * 0.8]
    ).reshape(-1, 2)
    guesses: list[_Guess] = []
    for cloth in cloths(values, boxes, colour):
        lines = borders(cloth, chance)
        found = sorted(_guesses(cloth, lines, feet, eye), key=lambda each: -each.score)
        guesses += found[:BEST_GUESSES]
    guesses.sort(key=lambda each: -each.score)
    fitted = (_fit(values, guess, feet, eye) for guess in guesses[:BEST_TABLES])
    good = [
        each
        for each in fitted
        if each is not None and _plain_share(lab, each.square.corners) >= LEAST_PLAIN
    ]
    return sorted(good, key=lambda each: -each.score)


def _guesses(
    cloth: Cloth, lines: Sequence[Border], feet: Floats, eye: UsualCamera
) -> Iterator[_Guess]:
    frame = np.concatenate([*cloth.mask[[0, -1]], *cloth.mask[:, [0, -1]].T])
    out_of_sight = combinations(lines, 3) if frame.any() else ()
    for sides in (*combinations(lines, 4), *out_of_sight):
        for corners, shown in _squares(sides, eye):
            normals = np.array([side.normal for side in sides])
            shifts = np.array([side.shift for side in sides])
            if (corners @ normals.T > shifts + 2).any():
                continue
            lengths = np.array(  # of each side in sight, in px
                [
                    seen_of(one, other, eye.size_wh)[1].mean() * np.hypot(*(other - one))
                    for one, other in zip(corners, np.roll(corners, -1, axis=0), strict=True)
                ]
            )
            if (len(sides) == 3) != (lengths[2] < IN_SIGHT * lengths.max()):
                continue
            supports = tuple(
                min(1.0, side.support / max(length, 8.0))
                for side, length in zip(shown, lengths, strict=True)
                if side is not None
            )
            guess = _guess(cloth, Square(corners, 1.0), supports, feet, eye)
            if guess is not None and guess.off_square < MAYBE_SQUARE:
                yield guess


def _squares(
    sides: Sequence[Border], eye: UsualCamera
) -> Iterator[tuple[Floats, Sequence[Border | None]]]:
    """(4, 2) corners between four lines, or of three and a fourth one that is out of sight.

    Beside them the lines in order: each goes from its corner to the next.
    """
    sides = sorted(sides, key=lambda line: np.arctan2(line.normal[1], line.normal[0]))
    if len(sides) == 4:
        met = [sides[index - 1].meets(sides[index]) for index in range(4)]
        if all(each is not None for each in met):
            yield np.array(met, np.float64), sides
        return
    turns = [np.arctan2(side.normal[1], side.normal[0]) for side in sides]
    gaps = [(turns[(index + 1) % 3] - turns[index]) % (2 * np.pi) for index in range(3)]
    first = int(np.argmax(gaps)) + 1  # after the widest gap, in which the fourth one is
    one, middle, other = (sides[(first + index) % 3] for index in range(3))
    lines = (np.append(each.normal, -each.shift) for each in (one, middle, other))
    for corners in eye.squares(*lines):
        yield corners, (middle, other, None, one)


def _guess(
    cloth: Cloth, square: Square, supports: tuple[float, ...], feet: Floats, eye: UsualCamera
) -> _Guess | None:
    """What speaks for a square; None where it can be no table."""
    corners, size_wh = square.corners, np.array(eye.size_wh)
    if np.abs(corners - size_wh / 2).max() > FARTHEST_CORNER * size_wh.max():
        return None
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    is_convex = cv2.isContourConvex(corners.astype(np.float32).reshape(-1, 1, 2))
    if not is_convex or sides.min() <= LEAST_TABLE_SIDE * min(size_wh):
        return None
    frame = np.array([(0, 0), (size_wh[0], 0), size_wh, (0, size_wh[1])], np.float32)
    seen_area, _ = cv2.intersectConvexConvex(corners.astype(np.float32), frame)
    mask = np.ascontiguousarray(cloth.mask[::COARSE_PX, ::COARSE_PX])
    outline = np.zeros_like(mask)
    cv2.fillConvexPoly(outline, np.round(corners / COARSE_PX).astype(np.int32), 1)
    on_it = cv2.countNonZero(cv2.bitwise_and(outline, mask))
    filled, covered = COARSE_PX**2 * on_it / max(seen_area, 1.0), on_it / cv2.countNonZero(mask)
    if filled < LEAST_FILLED or covered < LEAST_COVERED:
        return None
    return _Guess(
        cloth,
        square,
        supports,
        eye.off_square(corners),
        covered,
        min(1.0, filled),
        _share_of_tiles(corners, feet),
        _beyond(cloth.mask, corners),
    )


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
        for far in BEYOND_SIDE:
            at = np.round(places + far * outwards).astype(int).clip(0, np.array(size_wh) - 1)
            goes_on &= mask[at[:, 1], at[:, 0]] > 0
        shares.append(float(goes_on.mean()))
    return tuple(shares)


def _share_of_tiles(corners: Floats, feet: Floats) -> float:
    """The share of the tiles on it and around that lie on it; 1 where hardly any are known."""
    middle = corners.mean(axis=0)
    counts = []
    for times in (1.01, 1.5):
        outline = (middle + times * (corners - middle)).astype(np.float32).reshape(-1, 1, 2)
        inside = [cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in feet]
        counts.append(sum(inside))
    return counts[0] / counts[1] if counts[1] > 2 else 1.0


def _fit(lab: Floats, guess: _Guess, feet: Floats, eye: UsualCamera) -> _Guess | None:
    """The guess with its borders looked for again, and the square that fits to them best."""
    fitted: _Guess | None = guess
    for reach in REACHES:
        if fitted is None:
            return None
        sides = fitted_sides(lab, guess.cloth, fitted.square.corners, reach)
        if sides is None:
            return None
        square = eye.fit(fitted.square.corners, [places for places, _ in sides])
        if square is None:
            return None
        supports = tuple(share for places, share in sides if len(places))
        fitted = _guess(guess.cloth, square, supports, feet, eye)
    if fitted is None or fitted.off_square > NOT_SQUARE:
        return None
    moved = np.abs(fitted.square.corners - guess.square.corners).max()
    size = np.ptp(guess.square.corners, axis=0).max()
    return fitted if moved < MOST_MOVED * size else None


def _without_rim(tables: Sequence[_Guess]) -> tuple[_Guess, float]:
    """The best table, or the cloth within the rim that it ends at; and how far others are off."""
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
    offs = [
        min(np.linalg.norm(np.roll(each, turn, 0) - UNIT, axis=1).max() for turn in range(4))
        for each in rivals
        if np.ptp(each, axis=0).max() > SMALLER_RIVAL
    ]
    return best, float(max(offs, default=0.0)) / 2


# --- whether it can be a table


def _plain_share(lab: Image, corners: Floats) -> float:
    """The share of the table that lies well within a plain part: a block of tiles has none."""
    side = 128
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    seen = cv2.warpPerspective(lab, matrix, (side, side), flags=cv2.INTER_AREA)
    kernel = np.ones((3, 3), np.uint8)
    change = cv2.subtract(cv2.dilate(seen, kernel), cv2.erode(seen, kernel)).max(axis=2)
    plain = np.asarray(change < PLAIN_LEVELS, np.uint8)
    far = np.asarray(cv2.distanceTransform(plain, cv2.DIST_L2, 3))
    return float((far > PLAIN_REACH * side).mean())


def _from_near_left(corners: Floats) -> Floats:
    """From the left end of the lowest side on, round the table by way of its right end."""
    middle = corners.mean(0)
    angles = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    corners = corners[np.argsort(-angles)]  # counter-clockwise, as a person sees the picture
    sides = (corners[:, 1] + np.roll(corners[:, 1], -1)) / 2
    return np.roll(corners, -int(sides.argmax()), axis=0)
