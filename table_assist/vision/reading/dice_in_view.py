"""Dice in a view from straight above: a number is told where two proofs agree, and else asked.

The pips are counted (`pips`), and the recogniser names what is there. One alone is not enough: it
was surely wrong in one die of a hundred, and pips and a light that is mirrored beside them make
other faces. What the recogniser takes for a die without such a count is one whose number is open.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.channels import darkest
from table_assist.vision.pictures.picture import Array, Image
from table_assist.vision.reading.pips import PIP_PLACES, VIEW_PX_PER_MM, CountedFace, count_pips
from table_assist.vision.reading.recognise import CROP_SIZE, LABELS, Recogniser, crop_tile

# The body around a face that was counted: how large it is, and whether all on it are pips.

SOFT_PX = 1.6
BODY_RAYS = 32
ENDED, FROM_FLOOR = 0.75, 20.0  # of the rays, and how far its colour is from the floor's
# A die's body with the sides that a camera askew sees, and its shape.
LEAST_BODY, MOST_BODY, LONGEST_BODY = 9.5 * VIEW_PX_PER_MM, 27.0 * VIEW_PX_PER_MM, 1.6
FARTHEST_PIPS = 13.5 * VIEW_PX_PER_MM
# Of half the distance of two corner pips: what lies so far from every pip is body
BODY_FROM_PIP = 0.72
RING = 0.7  # around a pip
_TURNS = np.arange(BODY_RAYS) * (2 * np.pi / BODY_RAYS)
_ALONG = np.array([np.cos(_TURNS), np.sin(_TURNS)])
# A face's points in half distances of its pips.
_X, _Y = np.meshgrid(np.linspace(-1.75, 1.75, 36), np.linspace(-1.75, 1.75, 36))
_PIP_AREA = np.pi * 0.45**2 * (35 / 3.5) ** 2  # in these points
_OF_A_FACE = {1: (4,), 2: (0, 1), 3: (0, 1, 4), 4: (0, 1, 2, 3), 5: (0, 1, 2, 3, 4)}
_OF_A_SIX = ((0, 1, 2, 3, 5, 6), (0, 1, 2, 3, 7, 8))


@dataclass(frozen=True, slots=True)
class Body:
    """The surroundings of a face.

    Attributes:
        box: left, top, right, bottom in the view's pixels.
        colour: (3,) its own, as `soft_colours`.
        from_floor: how far that is from the floor's.
        is_die: it stands out from the floor all around, and is of a die's size.
        has_pips: every pip of the face lies on it, and not beside it as a mirrored lamp does.
    """

    box: tuple[float, float, float, float]
    colour: Array
    from_floor: float
    is_die: bool
    has_pips: bool


def soft_colours(view: Image) -> Array:
    """(h, w, 3) in the CIE's L, a and b, in which distances are as people see them."""
    soft = cv2.GaussianBlur(view, (0, 0), SOFT_PX)
    return np.asarray(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB), np.float32)


def body_around(colours: Array, floor: Array, face: CountedFace) -> Body | None:
    """Where the die's colour gives way to the floor's, by rays; None: it does not."""
    is_one = face.value == 1
    # (3,) the median of what lies beside the pips
    if is_one:
        beside = _on_rays(colours, face.x, face.y, np.arange(3.4, 5.2, 0.3) * VIEW_PX_PER_MM)
    else:
        # Of a six the places of both ways it may lie.
        pips = (0, 1, 2, 3, 5, 6, 7, 8) if face.value == 6 else _OF_A_FACE[face.value]
        beside = _face_of(colours, face)[_from_pips(pips) > BODY_FROM_PIP]
    own = np.asarray(np.median(beside.reshape(-1, 3), axis=0), np.float32)
    away = np.arange(3.4 * VIEW_PX_PER_MM if is_one else 1.5 * face.half, FARTHEST_PIPS)
    seen = _on_rays(colours, face.x, face.y, away)
    is_floor = np.linalg.norm(seen - floor, axis=2) < np.linalg.norm(seen - own, axis=2)
    three = is_floor[:-2] & is_floor[1:-1] & is_floor[2:]
    ended = three.any(axis=0)
    if ended.mean() < 0.4:
        return None
    ends = (away[three.argmax(axis=0)] * _ALONG)[:, ended] + [[face.x], [face.y]]
    (left, top), (right, bottom) = np.percentile(ends, (3, 97), axis=1)
    short, long = sorted((float(right - left), float(bottom - top)))
    from_floor = float(np.linalg.norm(own - floor))
    is_die = (
        bool(ended.mean() >= ENDED)
        and from_floor >= FROM_FLOOR
        and short >= LEAST_BODY
        and long <= min(MOST_BODY, LONGEST_BODY * short)
    )
    has_pips = is_one or _least_on_body(colours, floor, own, face) >= 0.5
    box = float(left), float(top), float(right), float(bottom)
    return Body(box, own, from_floor, is_die, has_pips)


def _least_on_body(colours: Array, floor: Array, own: Array, face: CountedFace) -> float:
    """Of a ring around each corner pip, the least share that is more like the body than the floor.

    A face of more pips is told by the others.
    """
    if face.value > 3:
        return 1.0
    turned = face.half * np.exp(1j * face.turn)
    shares = []
    for x, y in PIP_PLACES[:2]:
        off = turned * complex(x, y)
        ring = np.array([RING * face.half])
        seen = _on_rays(colours, face.x + off.real, face.y + off.imag, ring)
        is_own = np.linalg.norm(seen - own, axis=2) < np.linalg.norm(seen - floor, axis=2)
        shares.append(float(is_own.mean()))
    return min(shares)


def _from_pips(places: Sequence[int]) -> NDArray[np.float64]:
    """(36, 36) how far each point of a face is from the nearest of these places."""
    return np.asarray(
        np.min([np.hypot(_X - x, _Y - y) for x, y in PIP_PLACES[list(places)]], axis=0)
    )


def not_pips(grey: Array, face: CountedFace) -> float:
    """The area of marks on a face in the pips' shade, or brighter than the body, in pips' areas."""
    if face.value == 1:
        # The same of a single pip, whose size is not known
        reach = 22
        x, y = round(face.x), round(face.y)
        patch = grey[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1]
        if patch.shape != (2 * reach + 1, 2 * reach + 1):
            return np.inf
        away = np.hypot(*np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1)))
        body = float(np.median(patch[(away > 15) & (away < 20)]))
        pip = float(np.median(patch[away < 3.5]))
        if abs(pip - body) < 1:
            return np.inf
        is_pip = ((patch - body) / (pip - body) > 0.5).astype(np.uint8)
        _, marked = cv2.connectedComponents(is_pip)
        own = marked == marked[reach, reach]
        if (own & (away > 17)).any():
            return np.inf  # it has no end
        return float((is_pip.astype(bool) & ~own & (away < 20)).sum()) / max(int(own.sum()), 20)
    patch = _face_of(grey, face)
    least = np.inf
    for places in _OF_A_SIX if face.value == 6 else (_OF_A_FACE[face.value],):
        away = _from_pips(places)
        body, pip = float(np.median(patch[away > 0.75])), float(np.median(patch[away < 0.25]))
        if abs(pip - body) >= 1:
            share = (patch - body) / (pip - body)
            other = ((share > 0.5) | (share < -0.35)) & (away > BODY_FROM_PIP)
            least = min(least, float(other.sum()) / _PIP_AREA)
    return least


def as_white_die(grey: Array, face: CountedFace) -> Image | None:
    """The view (h, w, 3) with the face's body white and its pips black, as most dice are.

    What a network has learnt of white dice counts so for those of any colour. None: the pips
    do not stand out.
    """
    if face.value == 1:
        ring = _on_rays(grey[..., None], face.x, face.y, np.array([15.0, 17.0, 19.0]))
        body, pip = float(np.median(ring)), _at(grey, face.x, face.y)
    else:
        patch = _face_of(grey, face)
        away, corner = _from_pips(range(len(PIP_PLACES))), _from_pips((0, 1))
        body, pip = float(np.median(patch[away > 0.5])), float(patch[corner < 0.1].mean())
    if abs(pip - body) < 10:
        return None
    plain = np.clip(235 - (grey - body) / (pip - body) * 200, 0, 255).astype(np.uint8)
    return np.asarray(cv2.merge([plain] * 3), np.uint8)


def _face_of(values: Array, face: CountedFace) -> Array:
    """The face's own square (36, 36) or (36, 36, channels), turned upright."""
    along, across = face.half * np.cos(face.turn), face.half * np.sin(face.turn)
    x, y = face.x + _X * along - _Y * across, face.y + _X * across + _Y * along
    seen = cv2.remap(values, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(seen, np.float32)


def _on_rays(values: Array, x_px: float, y_px: float, away: NDArray[np.float64]) -> Array:
    """(distances, rays, channels) around a point."""
    height, width = values.shape[:2]
    x, y = away[:, None] * _ALONG[0] + x_px, away[:, None] * _ALONG[1] + y_px
    rows = np.clip(np.round(y).astype(int), 0, height - 1)
    return np.asarray(values[rows, np.clip(np.round(x).astype(int), 0, width - 1)], np.float32)


def _at(grey: Array, x: float, y: float) -> float:
    height, width = grey.shape
    return float(grey[min(max(round(y), 0), height - 1), min(max(round(x), 0), width - 1)])


MOST_FACES, MOST_ONES = 20, 12  # the clearest are looked at
HALF_DIE = 2.2  # half a die in half distances of its pips
ONES_MM = (8.0, 10.0)  # half a box around a single pip: its die's size is not known
DICE_APART = 12.0 * VIEW_PX_PER_MM  # the middles of two dice
# The recogniser's surety: with a body that is plainly a die's, or beside others; and without.
SURE_OF_A_DIE, SURE_WITHOUT_BODY = 0.5, 0.88
CLEAN_DIE, CLEAN_ONE, CLEAN = 0.35, 0.25, 0.8  # of what is no pip on the face, in pips' areas
FIRST_DIE = LABELS.index("d1")
# No tiles lie there: where as many pips are counted, the same number of dots is that die's.
DOTS = {number: LABELS.index(f"{number}p") for number in range(2, 7)}
# A single pip from its body's middle: a camera askew sees a side, too
PIP_OFF_MIDDLE = 4.0 * VIEW_PX_PER_MM
# One table's dice are alike: in size, in how their pips stand out, in colour.
DICE_SIZE, SAME_CONTRAST, DICE_COLOUR = 1.3, 0.75, 25.0
OF_A_SIX = 0.75  # of others' contrast: its pips touch
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class ReadDie:
    """A die in the view.

    Attributes:
        value: 1-6; None: not sure.
        x: its middle in the view's pixels, as ``y``.
    """

    value: int | None
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class _Look:
    """A counted face, and what the recogniser says: its best number, and how much is a die."""

    face: CountedFace
    body: Body
    other: float
    value: int
    sure: float
    die: float

    @property
    def is_agreed(self) -> bool:
        """Whether both proofs tell the same, and surely, and more than one pip."""
        if self.value == 1 or self.value != self.face.value or 2 * self.sure < self.die:
            return False
        if not self.body.has_pips:
            return False
        is_plain = self.body.is_die and self.other < CLEAN_DIE and self.sure >= SURE_OF_A_DIE
        return is_plain or (self.sure >= SURE_WITHOUT_BODY and self.other < CLEAN)

    @property
    def is_plainly_one(self) -> bool:
        """Whether a single pip lies in the middle of its body, and nothing else on it."""
        if self.value != 1 or self.face.value != 1 or self.other >= CLEAN_ONE:
            return False
        left, top, right, bottom = self.body.box
        x, y = (left + right) / 2, (top + bottom) / 2
        return bool(np.hypot(x - self.face.x, y - self.face.y) <= PIP_OFF_MIDDLE)


def read_dice(view: Image, radius_px: float, recogniser: Recogniser) -> tuple[ReadDie, ...]:
    """The dice in the round middle of a view (h, w, 3) BGR of `VIEW_PX_PER_MM`."""
    looks = list(_looks(view, radius_px, recogniser))
    # The look with more pips comes first: each of a two's is a one by itself.
    looks.sort(key=lambda look: (-min(look.value, 4), -look.sure))
    named: list[_Look] = []
    for look in looks:
        if look.is_agreed and _is_apart(look.face, named):
            named.append(look)
    named = _of_one_kind(named)
    sure = Counter(
        look.face for look in looks if look.is_plainly_one and look.sure >= SURE_WITHOUT_BODY
    )
    kind = named[:]
    for look in looks:
        is_sure = sure[look.face] > 1
        if look.is_plainly_one and _is_one(look, kind, is_sure) and _is_apart(look.face, named):
            named.append(look)
    dice = [ReadDie(look.value, look.face.x, look.face.y) for look in named]
    bodies = [
        look
        for look in looks
        if look.die >= 0.5 and look.body.is_die and (not kind or _is_alike(look, kind))
    ]
    for look in sorted(bodies, key=lambda look: -look.die):
        if all(np.hypot(die.x - look.face.x, die.y - look.face.y) > DICE_APART for die in dice):
            dice.append(ReadDie(None, look.face.x, look.face.y))
    return tuple(dice)


def _of_one_kind(named: list[_Look]) -> list[_Look]:
    """Without those whose pips are of another size, or fainter, than the surest one's."""
    if not named:
        return named
    usual = max(named, key=lambda look: look.sure).face
    return [
        look
        for look in named
        if usual.half / DICE_SIZE <= look.face.half <= usual.half * DICE_SIZE
        and _contrast(look.face) >= SAME_CONTRAST * _contrast(usual)
    ]


def _contrast(face: CountedFace) -> float:
    return face.contrast / (OF_A_SIX if face.value == 6 else 1)


def _is_one(look: _Look, kind: list[_Look], is_sure: bool) -> bool:
    """Whether a plain single pip is a die's, beside the dice of more pips that are named.

    A light that is mirrored on the floor looks like one: that counts only beside a die of the same
    colour, or where the recogniser is sure of it in two crops.
    """
    if not kind:
        return is_sure and look.body.is_die
    is_surer = is_sure or (look.body.is_die and look.sure >= SURE_OF_A_DIE)
    return is_surer and _is_alike(look, kind)


def _is_alike(look: _Look, kind: list[_Look]) -> bool:
    """Whether it has another die's colour, and rather that than the floor's."""
    most = min(DICE_COLOUR, look.body.from_floor)
    beside = (np.linalg.norm(look.body.colour - other.body.colour) for other in kind)
    return any(distance <= most for distance in beside)


def _is_apart(face: CountedFace, others: list[_Look]) -> bool:
    return all(np.hypot(face.x - o.face.x, face.y - o.face.y) > DICE_APART for o in others)


def _looks(view: Image, radius_px: float, recogniser: Recogniser) -> Iterator[_Look]:
    grey, colours = darkest(view).astype(np.float32), soft_colours(view)
    rows, columns = np.indices(grey.shape)
    middle = np.array(grey.shape[::-1]) / 2
    inside = np.hypot(columns - middle[0], rows - middle[1]) < 0.9 * radius_px
    floor = np.asarray(np.median(colours[inside], axis=0), np.float32)
    crops: list[Image] = []
    told: list[tuple[CountedFace, Body, float]] = []
    for face in _clearest(count_pips(view), middle, radius_px):
        body, other = body_around(colours, floor, face), not_pips(grey, face)
        if body is None or (other >= CLEAN and not body.is_die):
            continue
        white = as_white_die(grey, face)
        pictures = (view,) if white is None else (view, white)
        for box in _boxes(face, body):
            for picture in pictures:
                crops.append(crop_tile(picture, box))
                told.append((face, body, other))
    if not crops:
        return
    seen = recogniser.see(np.array(crops, np.uint8).reshape(-1, CROP_SIZE, CROP_SIZE, 3))
    for (face, body, other), row in zip(told, seen.rows, strict=True):
        dice = row[FIRST_DIE : FIRST_DIE + 6].copy()
        if face.value > 1:
            dice[face.value - 1] += row[DOTS[face.value]]
        best = int(dice.argmax())
        yield _Look(face, body, other, best + 1, float(dice[best]), float(dice.sum()))


def _clearest(
    faces: list[CountedFace], middle: NDArray[np.float64], radius_px: float
) -> Iterator[CountedFace]:
    reach = radius_px - 3 * VIEW_PX_PER_MM
    within = [f for f in faces if np.hypot(f.x - middle[0], f.y - middle[1]) < reach]
    within.sort(key=lambda face: -face.contrast)
    yield from [face for face in within if face.value > 1][:MOST_FACES]
    yield from [face for face in within if face.value == 1][:MOST_ONES]


def _boxes(face: CountedFace, body: Body) -> Iterator[Box]:
    """Where the die may lie: by its pips, and by its body."""
    if face.value > 1:
        wide = abs(np.cos(face.turn)) + abs(np.sin(face.turn))
        halves = [HALF_DIE * face.half * float(wide)]
    else:
        halves = [mm * VIEW_PX_PER_MM for mm in ONES_MM]
    for half in halves:
        yield face.x - half, face.y - half, face.x + half, face.y + half
    yield body.box
