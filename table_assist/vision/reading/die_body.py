"""The body around a face that was counted: how large it is, and whether all on it are pips."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.pips import PLACES, PX_PER_MM, CountedFace

SOFT_PX = 1.6
RAYS = 32
ENDED, FROM_FLOOR = 0.75, 20.0  # of the rays, and how far its colour is from the floor's
# A die's body with the sides that a camera askew sees, and its shape.
LEAST, MOST, LONGEST = 9.5 * PX_PER_MM, 27.0 * PX_PER_MM, 1.6
FARTHEST = 13.5 * PX_PER_MM
BESIDE = 0.72  # of half the distance of two corner pips: what lies so far from every pip is body
RING, ON_BODY = 0.7, 0.5  # around a pip, and how much of it has the body's colour
_TURNS = np.arange(RAYS) * (2 * np.pi / RAYS)
_ALONG = np.array([np.cos(_TURNS), np.sin(_TURNS)])
# A face's points in half distances of its pips.
_X, _Y = np.meshgrid(np.linspace(-1.75, 1.75, 36), np.linspace(-1.75, 1.75, 36))
_PIP_AREA = np.pi * 0.45**2 * (35 / 3.5) ** 2  # in these points
_OF_A_FACE = {1: (4,), 2: (0, 1), 3: (0, 1, 4), 4: (0, 1, 2, 3), 5: (0, 1, 2, 3, 4)}
_OF_A_SIX = ((0, 1, 2, 3, 5, 6), (0, 1, 2, 3, 7, 8))
Floats = NDArray[np.float32]


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
    colour: Floats
    from_floor: float
    is_die: bool
    has_pips: bool


def soft_colours(view: Image) -> Floats:
    """(h, w, 3) in the CIE's L, a and b, in which distances are as people see them."""
    soft = cv2.GaussianBlur(view, (0, 0), SOFT_PX)
    return np.asarray(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB), np.float32)


def body_around(colours: Floats, floor: Floats, face: CountedFace) -> Body | None:
    """Where the die's colour gives way to the floor's, by rays; None: it does not."""
    is_one = face.value == 1
    own = _own_colour(colours, face)
    away = np.arange(3.4 * PX_PER_MM if is_one else 1.5 * face.half, FARTHEST)
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
        and short >= LEAST
        and long <= min(MOST, LONGEST * short)
    )
    has_pips = is_one or _least_on_body(colours, floor, own, face) >= ON_BODY
    box = float(left), float(top), float(right), float(bottom)
    return Body(box, own, from_floor, is_die, has_pips)


def _own_colour(colours: Floats, face: CountedFace) -> Floats:
    """(3,) the median of what lies beside the pips."""
    if face.value == 1:
        beside = _on_rays(colours, face.x, face.y, np.arange(3.4, 5.2, 0.3) * PX_PER_MM)
    else:
        beside = _face_of(colours, face)[_from_pips(_pips_of(face)) > BESIDE]
    return np.asarray(np.median(beside.reshape(-1, 3), axis=0), np.float32)


def _least_on_body(colours: Floats, floor: Floats, own: Floats, face: CountedFace) -> float:
    """Of a ring around each corner pip, the least share that is more like the body than the floor.

    A face of more pips is told by the others.
    """
    if face.value > 3:
        return 1.0
    turned = face.half * np.exp(1j * face.turn)
    shares = []
    for x, y in PLACES[:2]:
        off = turned * complex(x, y)
        ring = np.array([RING * face.half])
        seen = _on_rays(colours, face.x + off.real, face.y + off.imag, ring)
        is_own = np.linalg.norm(seen - own, axis=2) < np.linalg.norm(seen - floor, axis=2)
        shares.append(float(is_own.mean()))
    return min(shares)


def _pips_of(face: CountedFace) -> tuple[int, ...]:
    """Its places; of a six those of both ways it may lie."""
    return (0, 1, 2, 3, 5, 6, 7, 8) if face.value == 6 else _OF_A_FACE[face.value]


def _from_pips(places: Sequence[int]) -> NDArray[np.float64]:
    """(36, 36) how far each point of a face is from the nearest of these places."""
    return np.asarray(np.min([np.hypot(_X - x, _Y - y) for x, y in PLACES[list(places)]], axis=0))


def not_pips(grey: Floats, face: CountedFace) -> float:
    """The area of marks on a face in the pips' shade, or brighter than the body, in pips' areas."""
    if face.value == 1:
        return _not_the_one(grey, face)
    patch = _face_of(grey, face)
    least = np.inf
    for places in _OF_A_SIX if face.value == 6 else (_OF_A_FACE[face.value],):
        away = _from_pips(places)
        body, pip = float(np.median(patch[away > 0.75])), float(np.median(patch[away < 0.25]))
        if abs(pip - body) >= 1:
            share = (patch - body) / (pip - body)
            other = ((share > 0.5) | (share < -0.35)) & (away > 0.72)
            least = min(least, float(other.sum()) / _PIP_AREA)
    return least


def _not_the_one(grey: Floats, face: CountedFace) -> float:
    """The same of a single pip, whose size is not known."""
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


def as_white_die(grey: Floats, face: CountedFace) -> Image | None:
    """The view (h, w, 3) with the face's body white and its pips black, as most dice are.

    What a network has learnt of white dice counts so for those of any colour. None: the pips
    do not stand out.
    """
    if face.value == 1:
        ring = _on_rays(grey[..., None], face.x, face.y, np.array([15.0, 17.0, 19.0]))
        body, pip = float(np.median(ring)), _at(grey, face.x, face.y)
    else:
        patch = _face_of(grey, face)
        away, corner = _from_pips(range(len(PLACES))), _from_pips((0, 1))
        body, pip = float(np.median(patch[away > 0.5])), float(patch[corner < 0.1].mean())
    if abs(pip - body) < 10:
        return None
    plain = np.clip(235 - (grey - body) / (pip - body) * 200, 0, 255).astype(np.uint8)
    return np.asarray(cv2.merge([plain] * 3), np.uint8)


def _face_of(values: Floats, face: CountedFace) -> Floats:
    """The face's own square (36, 36) or (36, 36, channels), turned upright."""
    along, across = face.half * np.cos(face.turn), face.half * np.sin(face.turn)
    x, y = face.x + _X * along - _Y * across, face.y + _X * across + _Y * along
    seen = cv2.remap(values, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(seen, np.float32)


def _on_rays(values: Floats, x_px: float, y_px: float, away: NDArray[np.float64]) -> Floats:
    """(distances, rays, channels) around a point."""
    height, width = values.shape[:2]
    x, y = away[:, None] * _ALONG[0] + x_px, away[:, None] * _ALONG[1] + y_px
    rows = np.clip(np.round(y).astype(int), 0, height - 1)
    return np.asarray(values[rows, np.clip(np.round(x).astype(int), 0, width - 1)], np.float32)


def _at(grey: Floats, x: float, y: float) -> float:
    height, width = grey.shape
    return float(grey[min(max(round(y), 0), height - 1), min(max(round(x), 0), width - 1)])
