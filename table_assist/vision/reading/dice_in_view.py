"""Dice in a view from straight above: a number is told where two proofs agree, and else asked.

The pips are counted (`pips`), and the recogniser names what is there. One alone is not enough: it
was surely wrong in one die of a hundred, and pips and a light that is mirrored beside them make
other faces. What the recogniser takes for a die without such a count is one whose number is open.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.channels import darkest
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.die_body import (
    Body,
    as_white_die,
    body_around,
    not_pips,
    soft_colours,
)
from table_assist.vision.reading.pips import PX_PER_MM, CountedFace, count_pips
from table_assist.vision.reading.recognise import CROP_SIZE, LABELS, Recogniser, crop_tile

MOST_FACES, MOST_ONES = 20, 12  # the clearest are looked at
BOX = 2.2  # half a die in half distances of its pips
ONES_MM = (8.0, 10.0)  # half a box around a single pip: its die's size is not known
APART = 12.0 * PX_PER_MM  # the middles of two dice
# The recogniser's surety: with a body that is plainly a die's, without, and to be a die at all.
SURE_OF_A_DIE, SURE, A_DIE = 0.5, 0.88, 0.5
CLEAN_DIE, CLEAN_ONE, CLEAN = 0.35, 0.25, 0.8  # of what is no pip on the face, in pips' areas
FIRST_DIE = LABELS.index("d1")
# No tiles lie there: where as many pips are counted, the same number of dots is that die's.
DOTS = {number: LABELS.index(f"{number}p") for number in range(2, 7)}
OFF_MIDDLE = 4.0 * PX_PER_MM  # a single pip from its body's middle: a camera askew sees a side, too
# One table's dice are alike: in size, in how their pips stand out, in colour.
SAME_SIZE, SAME_CONTRAST, SAME_COLOUR = 1.3, 0.75, 25.0
OF_A_SIX = 0.75  # of others' contrast: its pips touch
# A light that is mirrored on the floor looks like a single pip: that counts only beside a die of
# the same colour, or where the recogniser is sure of it in two crops.
SURE_BESIDE, CROPS = 0.5, 2
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
        return is_plain or (self.sure >= SURE and self.other < CLEAN)

    @property
    def is_plainly_one(self) -> bool:
        """Whether a single pip lies in the middle of its body, and nothing else on it."""
        if self.value != 1 or self.face.value != 1 or self.other >= CLEAN_ONE:
            return False
        left, top, right, bottom = self.body.box
        x, y = (left + right) / 2, (top + bottom) / 2
        return bool(np.hypot(x - self.face.x, y - self.face.y) <= OFF_MIDDLE)


def read_dice(view: Image, radius_px: float, recogniser: Recogniser) -> tuple[ReadDie, ...]:
    """The dice in the round middle of a view (h, w, 3) BGR of `PX_PER_MM`."""
    looks = list(_looks(view, radius_px, recogniser))
    # The look with more pips comes first: each of a two's is a one by itself.
    looks.sort(key=lambda look: (-min(look.value, 4), -look.sure))
    named: list[_Look] = []
    for look in looks:
        if look.is_agreed and _is_apart(look.face, named):
            named.append(look)
    named = _of_one_kind(named)
    sure = Counter(look.face for look in looks if look.is_plainly_one and look.sure >= SURE)
    kind = named[:]
    for look in looks:
        is_sure = sure[look.face] >= CROPS
        if look.is_plainly_one and _is_one(look, kind, is_sure) and _is_apart(look.face, named):
            named.append(look)
    dice = [ReadDie(look.value, look.face.x, look.face.y) for look in named]
    bodies = [
        look
        for look in looks
        if look.die >= A_DIE and look.body.is_die and (not kind or _is_alike(look, kind))
    ]
    for look in sorted(bodies, key=lambda look: -look.die):
        if all(np.hypot(die.x - look.face.x, die.y - look.face.y) > APART for die in dice):
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
        if usual.half / SAME_SIZE <= look.face.half <= usual.half * SAME_SIZE
        and _contrast(look.face) >= SAME_CONTRAST * _contrast(usual)
    ]


def _contrast(face: CountedFace) -> float:
    return face.contrast / (OF_A_SIX if face.value == 6 else 1)


def _is_one(look: _Look, kind: list[_Look], is_sure: bool) -> bool:
    """Whether a plain single pip is a die's, beside the dice of more pips that are named."""
    if not kind:
        return is_sure and look.body.is_die
    is_surer = is_sure or (look.body.is_die and look.sure >= SURE_BESIDE)
    return is_surer and _is_alike(look, kind)


def _is_alike(look: _Look, kind: list[_Look]) -> bool:
    """Whether it has another die's colour, and rather that than the floor's."""
    most = min(SAME_COLOUR, look.body.from_floor)
    beside = (np.linalg.norm(look.body.colour - other.body.colour) for other in kind)
    return any(distance <= most for distance in beside)


def _is_apart(face: CountedFace, others: list[_Look]) -> bool:
    return all(np.hypot(face.x - o.face.x, face.y - o.face.y) > APART for o in others)


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
    answers = recogniser.probabilities(
        np.array(crops, np.uint8).reshape(-1, CROP_SIZE, CROP_SIZE, 3)
    )
    for (face, body, other), row in zip(told, answers, strict=True):
        dice = row[FIRST_DIE : FIRST_DIE + 6].copy()
        if face.value > 1:
            dice[face.value - 1] += row[DOTS[face.value]]
        best = int(dice.argmax())
        yield _Look(face, body, other, best + 1, float(dice[best]), float(dice.sum()))


def _clearest(
    faces: list[CountedFace], middle: NDArray[np.float64], radius_px: float
) -> Iterator[CountedFace]:
    reach = radius_px - 3 * PX_PER_MM
    within = [f for f in faces if np.hypot(f.x - middle[0], f.y - middle[1]) < reach]
    within.sort(key=lambda face: -face.contrast)
    yield from [face for face in within if face.value > 1][:MOST_FACES]
    yield from [face for face in within if face.value == 1][:MOST_ONES]


def _boxes(face: CountedFace, body: Body) -> Iterator[Box]:
    """Where the die may lie: by its pips, and by its body."""
    if face.value > 1:
        wide = abs(np.cos(face.turn)) + abs(np.sin(face.turn))
        halves = [BOX * face.half * float(wide)]
    else:
        halves = [mm * PX_PER_MM for mm in ONES_MM]
    for half in halves:
        yield face.x - half, face.y - half, face.x + half, face.y + half
    yield body.box
