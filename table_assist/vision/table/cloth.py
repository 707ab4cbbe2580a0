"""What the tiles lie on: the parts of a picture that have the cloth's own colour.

The cloth is what is seen around tiles. Where none are seen, the colours of the picture's middle
and its strong colours are tried. Lamps make it lighter here than there: the colour's strength
follows the light, and only its tone must stay.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from table_assist.vision.pictures.picture import Floats, Image, Mask

CLOTH_AROUND, CLOTH_BESIDE = (
    0.5,
    0.12,
)  # of a tile's longer side: so far the cloth is looked for, and not nearer
LEAST_SEEN = 200  # px around tiles, to be worth asking
COLOURS_TRIED = 3  # so many are tried, and so many strong ones
STRENGTH = 14.0  # of a strong colour, 8-bit Lab
LEAST_CLOTH = 0.012  # of the picture: less is no table that could be read
TIGHTNESS = (0.75, 1.0, 1.5)
GREY_CHROMA = 12  # of a colour that has hardly any, 8-bit Lab
# By so much a colour may differ, 8-bit Lab: in tone and in light, of a strong colour and of a grey.
TONE, LIGHT = (9.0, 6.0), (60.0, 30.0)
SMALLEST_PIECE = 0.01  # of the largest; hands and walls cut a cloth into pieces
NEARBY = (1.0, 1.7, 2.6)  # times the largest piece's outline, within which others belong to it


@dataclass(frozen=True, slots=True)
class Cloth:
    """A region of one colour.

    Attributes:
        colour: (3,) 8-bit Lab.
        mask: (h, w) 1 where it is seen.
        tightness: times what a colour may differ by.
        hidden: (h, w) 1 where tiles lie: beside them the cloth goes on.
    """

    colour: Floats
    mask: Image
    tightness: float
    hidden: Image

    @property
    def is_grey(self) -> bool:
        """Whether only its light tells it."""
        return bool(np.hypot(*(self.colour[1:] - 128)) < GREY_CHROMA)

    def is_free(self, places: Floats) -> Mask:
        """(n,) whether no tile lies at (n, 2) places."""
        at = np.round(places).astype(int).clip(0, np.array(self.hidden.shape[::-1]) - 1)
        return np.asarray(self.hidden[at[:, 1], at[:, 0]] == 0)


def unlike(lab: Floats, colour: Floats) -> Floats:
    """How far (..., 3) Lab colours are from a cloth's, in what one may differ by."""
    is_grey = int(np.hypot(*(colour[1:] - 128)) < GREY_CHROMA)
    light = np.clip(lab[..., 0] / max(colour[0], 10.0), 0.35, 1.4)
    a, b = (lab[..., i] - 128 - (colour[i] - 128) * light for i in (1, 2))
    tone = np.hypot(a, b) / (TONE[is_grey] * np.clip(light, 0.5, 1.0))
    return np.asarray(np.maximum(tone, np.abs(lab[..., 0] - colour[0]) / LIGHT[is_grey]))


def cloths(lab: Floats, things: Floats, known: Floats | None) -> Iterator[Cloth]:
    """What may be the cloth in a picture (h, w, 3) Lab with (n, 4) boxes of tiles.

    Args:
        known: (3,) its colour, where that is known.
    """
    hidden = _boxes(lab.shape, things, CLOTH_BESIDE)
    ring = np.asarray((_boxes(lab.shape, things, CLOTH_AROUND) > 0) & (hidden == 0))
    is_seen = ring.sum() > LEAST_SEEN
    height, width = lab.shape[:2]
    middle = lab[height // 6 : -height // 6 : 2, width // 6 : -width // 6 : 2].reshape(-1, 3)
    colours = _colours(lab[ring] if is_seen else middle, COLOURS_TRIED, 0.06)
    for colour in _colours(lab[::2, ::2].reshape(-1, 3), 8, 0.02):
        is_new = all(np.abs(colour - other).max() > 12 for other in colours)
        if is_new and np.hypot(*(colour[1:] - 128)) > STRENGTH and len(colours) < 2 * COLOURS_TRIED:
            colours.append(colour)
    for colour in colours if known is None else [known]:
        for tightness in TIGHTNESS:
            mask = np.asarray(unlike(lab, colour) < tightness, np.uint8)
            for whole in _pieces(mask, ring if is_seen else None):
                yield Cloth(colour, whole, tightness, hidden)


def _boxes(shape: tuple[int, ...], things: Floats, share: float) -> Image:
    """(h, w) 1 in the boxes and around them, by a share of their longer side."""
    mask = np.zeros(shape[:2], np.uint8)
    for left, top, right, bottom in things:
        more = share * max(right - left, bottom - top)
        low, high = (int(left - more), int(top - more)), (int(right + more), int(bottom + more))
        cv2.rectangle(mask, low, high, 1, -1)
    return mask


def _colours(pixels: Floats, most: int, least: float) -> list[Floats]:
    """The commonest colours of (n, 3) Lab pixels, the commonest first."""
    left, found = pixels.astype(np.float64), list[Floats]()
    while len(found) < most and len(left) > max(30, least * len(pixels)):
        bins = (left / (20, 6, 6)).astype(np.int64) @ (10_000, 100, 1)
        numbers, counts = np.unique(bins, return_counts=True)
        colour = np.median(left[bins == numbers[counts.argmax()]], axis=0)
        for _ in range(2):
            off = np.abs(left - colour)
            near = (off[:, 0] < 30) & (np.hypot(off[:, 1], off[:, 2]) < 9)
            colour = np.median(left[near], axis=0) if near.any() else colour
        found.append(colour)
        left = left[~near]
    return found


def _pieces(mask: Image, ring: Mask | None) -> Iterator[Image]:
    """The mask's part around tiles, or its largest: what lies in its outline too, and near it."""
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    sizes: Floats = np.asarray(stats[:, cv2.CC_STAT_AREA], np.float64)
    sizes[0] = 0
    weight: Floats = sizes
    if ring is not None:
        weight = sizes**0.5 * np.bincount(labels[ring], minlength=count)
    first = int(weight.argmax())
    if sizes[first] < LEAST_CLOTH * mask.size:
        return
    main = np.asarray(labels == first, np.uint8)
    hull = cv2.convexHull(cv2.findNonZero(main)).reshape(-1, 2).astype(np.float64)
    others = [i for i in np.flatnonzero(sizes > SMALLEST_PIECE * sizes[first]) if i != first]
    before = 0
    for times in NEARBY:
        outline, whole = np.zeros_like(mask), main.copy()
        grown = hull.mean(axis=0) + times * (hull - hull.mean(axis=0))
        cv2.fillConvexPoly(outline, np.round(grown).astype(np.int32), 1)
        for index in others:
            piece = labels == index
            if outline[piece].mean() > 0.8:
                whole[piece] = 1
        if whole.sum() > 1.02 * before:
            before = int(whole.sum())
            yield whole
