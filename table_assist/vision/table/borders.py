"""The straight lines at which a cloth ends."""

from dataclasses import dataclass

import cv2
import numpy as np

from table_assist.vision.pictures.picture import Floats
from table_assist.vision.table.cloth import Cloth, unlike

LINES, QUADS_TRIED, SOME_QUADS = 12, 900, 1200
ON_LINE = 1.8  # px
BEYOND_BORDER = 0.02  # of the cloth, at most, lies beyond its border
SHORTEST_BORDER = 0.1  # of the cloth's size, along its outline
PICTURE_EDGE_PX = 4  # the picture's own border is none
BORDER_PLACES, STEP_PX = 160, 0.5  # at which a side's border is looked for again
BORDER_LASTS = 0.016  # of the side's length: a seam is narrower than what ends the cloth
# In tone, and the light's logarithm, from the cloth beside it: more than a shadow. A grey cloth has
# nothing else.
DIFFERS, GREY_DIFFERS = (7.0, 0.6), 0.3
IN_SIGHT = 0.1  # of a side, at least
# Of a border's places, so many times as far as one differs from the fourth next, and px.
NOISES, LEAST_NEAR = 2.5, 0.4
# Of the places that lie on the best line: of such lines one with few beyond it counts
BEST_LINE_SHARE = 0.75


@dataclass(frozen=True, slots=True)
class Border:
    """A line n x = c; the cloth lies where n x < c.

    Attributes:
        support: how much of the cloth's outline lies on it, in px.
    """

    normal: Floats
    shift: float
    support: float

    def meets(self, other: "Border") -> Floats | None:
        """(2,) where two lines meet; None where they hardly do."""
        both = np.array([self.normal, other.normal])
        if abs(np.linalg.det(both)) < 0.05:
            return None
        return np.asarray(np.linalg.solve(both, [self.shift, other.shift]))


def borders(cloth: Cloth, chance: np.random.Generator) -> list[Border]:
    """Lines along a cloth's outline that have hardly any of it beyond them, the longest first."""
    mask = cloth.mask
    found, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    parts = [part.reshape(-1, 2) for part in found if len(part) > 30]
    outline = np.concatenate([*parts, np.zeros((0, 2))]).astype(np.float64)
    inner = (outline > PICTURE_EDGE_PX) & (
        outline < np.array(mask.shape[::-1]) - 1 - PICTURE_EDGE_PX
    )
    left = outline[inner.all(axis=1)]
    left = left[cloth.is_free(left)]
    seen = np.argwhere(mask[::3, ::3])[:, ::-1] * 3.0
    size = 3 * np.sqrt(len(seen))
    seen = seen[chance.permutation(len(seen))[:1500]]
    lines: list[Border] = []
    while len(lines) < LINES and len(left) > 30:
        line = _longest(left, seen, size, chance)
        if line is None or line.support < SHORTEST_BORDER * size:
            break
        lines.append(line)
        left = left[np.abs(left @ line.normal - line.shift) > 2 * ON_LINE]
    return lines


def _longest(
    outline: Floats, cloth: Floats, size: float, chance: np.random.Generator
) -> Border | None:
    normals, shifts = _through_pairs(outline, 0.15 * size, QUADS_TRIED, chance)
    if len(shifts):
        off = cloth @ normals.T - shifts
        beyond = np.minimum(
            (off > PICTURE_EDGE_PX).mean(axis=0), (off < -PICTURE_EDGE_PX).mean(axis=0)
        )
        normals, shifts = normals[beyond < BEYOND_BORDER], shifts[beyond < BEYOND_BORDER]
    if not len(shifts):
        return None
    some = outline[chance.permutation(len(outline))[:SOME_QUADS]]
    best = int((np.abs(some @ normals.T - shifts) < ON_LINE).sum(axis=0).argmax())
    fitted = _fitted(outline, normals[best], float(shifts[best]), ON_LINE)
    if fitted is None:
        return None
    normal, shift = fitted
    if np.median(cloth @ normal - shift) > 0:
        normal, shift = -normal, -shift
    return Border(normal, shift, float((np.abs(outline @ normal - shift) < ON_LINE).sum()))


def _through_pairs(
    points: Floats, least: float, count: int, chance: np.random.Generator
) -> tuple[Floats, Floats]:
    """(n, 2) normals and (n,) shifts of lines through two points that are not near each other."""
    pairs = chance.integers(0, len(points), (count, 2))
    start, along = points[pairs[:, 0]], points[pairs[:, 1]] - points[pairs[:, 0]]
    length = np.hypot(*along.T)
    far = length > max(least, 1e-6)
    start, along = start[far], along[far] / length[far, None]
    normals: Floats = np.column_stack([along[:, 1], -along[:, 0]])
    return normals, np.einsum("ij,ij->i", normals, start)


def _fitted(
    points: Floats, normal: Floats, shift: float, near: float
) -> tuple[Floats, float] | None:
    for _ in range(3):
        on_it = points[np.abs(points @ normal - shift) < near]
        if len(on_it) < 6:
            return None
        middle = on_it.mean(axis=0)
        normal = np.linalg.svd(on_it - middle, full_matrices=False)[2][1]
        shift = float(normal @ middle)
    return normal, shift


def seen_of(one: Floats, other: Floats, size_wh: tuple[int, int]) -> tuple[Floats, Floats]:
    """(n, 2) places along a side, and (n,) which of them lie in the picture."""
    places = one + np.linspace(0.03, 0.97, BORDER_PLACES)[:, None] * (other - one)
    seen = (places >= 2) & (places < np.array(size_wh) - 3)
    return places, np.asarray(seen.all(axis=1), np.float64)


def fitted_sides(
    lab: Floats, cloth: Cloth, corners: Floats, reach: float
) -> list[tuple[Floats, float]] | None:
    """Of each side the (n, 2) places at which the cloth's colour ends for good, going outwards.

    Beside them the share of the side's places that they are; of a side out of sight there are
    none. None: of a side in sight nobody knows where it is.

    Args:
        corners: (4, 2) near the true ones.
        reach: of the side's length, to look inwards and outwards.
    """
    size = float(np.sqrt(cv2.contourArea(corners.astype(np.float32))))
    found: list[tuple[Floats, float]] = []
    for index in range(4):
        one, other = corners[index], corners[(index + 1) % 4]
        places, seen = seen_of(one, other, (lab.shape[1], lab.shape[0]))
        free = seen * cloth.is_free(places)
        along = (other - one) / max(np.hypot(*(other - one)), 1e-6)
        outwards = np.array((along[1], -along[0]))
        middle = corners.mean(axis=0)
        if outwards @ (middle - one) > 0:
            outwards = -outwards
        if free.mean() < IN_SIGHT:
            found.append((np.zeros((0, 2)), 0.0))
            continue
        ends = _ends(lab, cloth, places[free > 0], outwards, max(4.0, reach * size), size)
        on_it = _outermost(ends, outwards, max(1.0, 0.0025 * size))
        if on_it is None:
            return None
        found.append((on_it, len(on_it) / float(free.sum())))
    return found


def _ends(
    lab: Floats, cloth: Cloth, places: Floats, outwards: Floats, reach: float, size: float
) -> Floats:
    """(n, 2) where the cloth ends, going outwards from some of the places."""
    beside, lasts = max(5.0, 0.02 * size), max(2.0, BORDER_LASTS * size)
    steps = np.arange(-reach - beside, reach + lasts + 1, STEP_PX)
    at = places[:, None] + steps[:, None] * outwards
    x, y = (np.asarray(at[..., axis], np.float32) for axis in (0, 1))
    seen = np.asarray(
        cv2.remap(lab, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float64
    )
    inside = np.median(seen[:, : int(2 * beside)], axis=1)
    # A shadow takes a part of the light, and as much of the colour.
    light = np.clip(seen[..., 0] / np.maximum(inside[:, None, 0], 10.0), 0.35, 1.4)
    tone = seen[..., 1:] - 128 - (inside[:, None, 1:] - 128) * light[..., None]
    by_light = GREY_DIFFERS if cloth.is_grey else DIFFERS[1]
    off = np.log(np.maximum(seen[..., 0], 10.0) / np.maximum(inside[:, None, 0], 10.0))
    differs = np.hypot(np.hypot(tone[..., 0], tone[..., 1]) / DIFFERS[0], off / by_light)
    count = int(lasts / STEP_PX)
    sums = np.cumsum(np.pad(differs > 1, ((0, 0), (1, 0))), axis=1)
    ends = (sums[:, count:] - sums[:, :-count] > 0.8 * count) & (differs > 1)[:, : -count + 1]
    first = ends.argmax(axis=1)
    found = ends.any(axis=1) & (unlike(inside, cloth.colour) < 1.3)
    # It ends where half of the change is made, unless that is a rim's beyond a seam.
    window = np.take_along_axis(
        differs, np.minimum(first[:, None] + np.arange(count + 1), differs.shape[1] - 1), axis=1
    )
    half = np.minimum(window.max(axis=1) / 2, 1.0)
    step = (window >= half[:, None]).argmax(axis=1)
    rows = np.arange(len(places))
    high = window[rows, step]
    low = differs[rows, np.maximum(first + step - 1, 0)]
    part = np.where(high > low, (half - low) / np.maximum(high - low, 1e-6) - 1, 0.0).clip(-1, 0)
    end = steps[np.minimum(first + step, len(steps) - 1)] + STEP_PX * part
    met = places + end[:, None] * outwards
    found &= (np.abs(end) < reach) & (met > 0).all(axis=1)
    found &= (met < np.array((lab.shape[1], lab.shape[0])) - 2).all(axis=1)
    found &= cloth.is_free(met)
    return np.asarray(met[found])


def _outermost(points: Floats, outwards: Floats, near: float) -> Floats | None:
    """What lies on a line with most points and few beyond it: tiles and arms hide a border."""
    if len(points) < 8:
        return None
    # A line that is tilted through a border and what stands before it misses both by a little.
    out = points @ outwards
    noise = float(np.median(np.abs(out[4:] - out[:-4])))
    close = min(near, max(LEAST_NEAR, NOISES * noise))
    along = np.array((-outwards[1], outwards[0]))
    chance = np.random.default_rng(1)
    normals, shifts = _through_pairs(points, 0.2 * float(np.ptp(points @ along)), 300, chance)
    turned = np.where(normals @ outwards < 0, -1.0, 1.0)
    normals, shifts = normals * turned[:, None], shifts * turned
    off = points @ normals.T - shifts
    counts, beyond = (np.abs(off) < close).sum(axis=0), (off > near).sum(axis=0)
    alike = (counts > BEST_LINE_SHARE * counts.max(initial=0)) & (normals @ outwards > 0.98)
    if not alike.any():
        return None
    best = int(np.where(alike, counts - beyond, -np.inf).argmax())
    fitted = _fitted(points, normals[best], float(shifts[best]), near)
    if fitted is None:
        return None
    return points[np.abs(points @ fitted[0] - fitted[1]) < near]
