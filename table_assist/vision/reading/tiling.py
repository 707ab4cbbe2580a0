"""Pictures larger than the detector's input: cut into overlapping pieces, results made one.

A picture is read at one or more scales: at native size in pieces as large as the input, and as a
whole, shrunk, so that a tile too large for a piece is found too. Pieces of one scale overlap, so a
tile on a seam lies whole in at least one of them.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from table_assist.vision.pictures.picture import Array, Image, Mask
from table_assist.vision.reading.detect import (
    COARSEST_STEP,
    Detections,
    Detector,
    box_area,
    shared_areas,
)

OVERLAP = 0.2  # of a piece's side: 128 of 640 px, the largest tile that is whole wherever it lies
# A scale finds tiles up to 128 px and down to 20 px: the next coarser one may shrink by 6.4.
COARSER = 6.4
# More pixels than this are averaged away first: beyond it lenses add pixels, not detail, and a
# picture of any usual shape takes at most about 80 passes.
MOST_PIXELS = 16_000_000
SAME_THING = 0.7  # share of the smaller box inside the other above which both are one thing
MANY = 13  # fine pieces from which it pays to read at half the scale first
# Pixels of the fine scale, the root of a box's area: 37 is a tile 32 px wide, of 16 px at half the
# scale, where as many are found as at any larger size.
SMALL_PX = 37.0
AS_FINE = 28.0  # pixels of the root of a tile's area where it is as wide as `ENOUGH_PX`
ENOUGH_PX = 24.0  # px that a tile is wide when nothing more is found at a finer scale
OF_A_HAND = 8  # things found in a picture as a whole from which they are taken for a hand
# Pixels that the root of a box's area has in the detector's input: nothing more is found beyond.
CLOSE_PX = 45.0
CUT_OFF_PX = 3.0  # a box that ends this close to a piece's edge may be cut off there


@dataclass(frozen=True, slots=True)
class PicturePiece:
    """A part of a picture and the size at which the detector sees it.

    Attributes:
        ltrb: left, top, right, bottom in the picture's pixels.
        size_wh: the size to which the part is brought.
        inner: for left, top, right, bottom: the edge lies inside the picture.
        level: 0 is the finest scale.
    """

    ltrb: tuple[int, int, int, int]
    size_wh: tuple[int, int]
    inner: tuple[bool, bool, bool, bool]
    level: int

    @property
    def gain(self) -> float:
        """The picture's pixels for one of the piece's."""
        return (self.ltrb[2] - self.ltrb[0]) / self.size_wh[0]

    def cut(self, image: Image) -> Image:
        """The part of the picture at the piece's size."""
        left, top, right, bottom = self.ltrb
        part = image[top:bottom, left:right]
        if self.size_wh == (right - left, bottom - top):
            return np.ascontiguousarray(part)
        return np.asarray(cv2.resize(part, self.size_wh, interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True, slots=True)
class Found:
    """The boxes of one piece, in the picture's pixels.

    Attributes:
        cut_off: (n,) the box ends at an edge that is not the picture's.
    """

    detections: Detections
    cut_off: Mask


def plan_pieces(
    width: int, height: int, input_size: int, *, tile_px: float | None = None
) -> tuple[PicturePiece, ...]:
    """The pieces in which a picture of that size is read, finest first, the whole last.

    Args:
        tile_px: how wide a tile is in the picture, where that is known: one scale is enough, at
            which it is no narrower than ``ENOUGH_PX``.
    """
    whole = min(1.0, input_size / max(width, height))
    finest = max(whole, min(1.0, math.sqrt(MOST_PIXELS / (width * height))))
    if tile_px is not None:
        # A whole fraction, where there is one: reducing by it takes a fifth of the time.
        finest = max(whole, min(finest, 1 / max(1, math.floor(tile_px / ENOUGH_PX))))
    scales = [finest]
    if tile_px is None:  # down to the whole picture in even steps, none too large
        steps = math.ceil(round(math.log(finest / whole, COARSER), 6))
        scales = [finest * (whole / finest) ** (n / max(steps, 1)) for n in range(steps + 1)]
    pieces: list[PicturePiece] = []
    for level, scale in enumerate(scales):
        pieces += _pieces_at(scale, level, (width, height), input_size)
    return tuple(pieces)


def largest_whole(pieces: tuple[PicturePiece, ...], level: int) -> float:
    """The largest thing, in the picture's pixels, that is whole in some piece of that scale."""
    own = [piece for piece in pieces if piece.level == level]
    if len(own) == 1:
        return math.inf
    left, top, right, bottom = own[0].ltrb
    return OVERLAP * max(right - left, bottom - top)


def find(detector: Detector, image: Image, piece: PicturePiece) -> Found:
    """Detect in one piece."""
    return in_picture(detector.detect(piece.cut(image)), piece)


def in_picture(seen: Detections, piece: PicturePiece) -> Found:
    """A piece's boxes, in the picture's pixels."""
    left, top, right, bottom = piece.ltrb
    gain = np.array(
        [(right - left) / piece.size_wh[0], (bottom - top) / piece.size_wh[1]] * 2, np.float32
    )
    distance = np.abs(seen.xyxy - np.array((0, 0, *piece.size_wh), np.float32))
    cut_off = ((distance < CUT_OFF_PX) & np.array(piece.inner)).any(axis=1)
    xyxy = seen.xyxy * gain + np.array((left, top) * 2, np.float32)
    return Found(Detections(np.asarray(xyxy, np.float32), seen.score), cut_off)


def select(found: Found, mask: Mask) -> Found:
    """Of what was found, what the mask says."""
    seen = found.detections
    return Found(Detections(seen.xyxy[mask], seen.score[mask]), found.cut_off[mask])


def find_all(detector: Detector, image: Image) -> Detections:
    """Detect in a picture of any size; each thing is reported once.

    A large picture is read at half its scale first, or at a third where its tiles are large, and
    then again at native size only around what turned out small: on tables seen at 4K a third of the
    passes find as much. Where little is found so, everything is read again: all may be too small.
    """
    height, width = image.shape[:2]
    pieces = plan_pieces(width, height, detector.input_size)
    fine = [piece for piece in pieces if piece.level == 0]
    if len(fine) < MANY:
        return merge(find(detector, image, piece) for piece in pieces)
    found = [
        in_picture(detector.detect_part(piece.cut(image)), piece) for piece in pieces[len(fine) :]
    ]
    scale = 0.5 / fine[0].gain
    sides = np.sqrt(box_area(merge(found).xyxy))
    if len(sides) >= OF_A_HAND:  # at less where nearly all are large: a tilted camera sees far ones
        scale *= float(np.clip(AS_FINE / scale / np.percentile(sides, 10), 0.7, 1))
    found += [
        in_picture(detector.detect_part(piece.cut(image)), piece)
        for piece in _large_pieces(scale, (width, height), detector)
    ]
    # (n, 2) middles of the boxes that are smaller than a square of that side, and whole
    side = SMALL_PX * fine[0].gain
    xyxy = np.concatenate([part.detections.xyxy[~part.cut_off] for part in found])
    small = xyxy[box_area(xyxy) < side**2]
    small = np.asarray((small[:, :2] + small[:, 2:]) / 2, np.float32)
    is_little = len(xyxy) < OF_A_HAND
    found += [find(detector, image, each) for each in fine if is_little or _shows_any(each, small)]
    return merge(found)


def find_close(detector: Detector, image: Image) -> Detections:
    """Detect in a photograph that one hand fills: as a whole, and finer only where it is needed.

    A quarter of the passes find as much (`tests.photos.close_up`). Where little is found, the
    picture is read as any other.
    """
    pieces = plan_pieces(image.shape[1], image.shape[0], detector.input_size)
    whole = pieces[-1]
    found = [find(detector, image, whole)]
    xyxy = found[0].detections.xyxy
    if len(xyxy) < OF_A_HAND:
        return merge([*found, *(find(detector, image, piece) for piece in pieces[:-1])])
    side = float(np.median(np.sqrt(box_area(xyxy)))) / whole.gain
    if side < CLOSE_PX and whole.gain > 1:
        scale = min(1.0, CLOSE_PX / side / whole.gain)
        size_wh = (image.shape[1], image.shape[0])
        finer = _pieces_at(scale, 0, size_wh, detector.input_size)
        middles = np.asarray((xyxy[:, :2] + xyxy[:, 2:]) / 2, np.float32)
        found += [find(detector, image, piece) for piece in finer if _shows_any(piece, middles)]
    return merge(found)


def merge(found: Iterable[Found]) -> Detections:
    """Make one list of what pieces gave, whatever their order.

    Of boxes that lie in one another the whole one stays before the cut-off one, then the surer one.
    Containment decides and not only the overlap's share of both: half a tile in one piece lies
    wholly in the tile that its neighbour saw, though it is only half as large.
    """
    parts = tuple(found)
    if not parts:
        return Detections(np.empty((0, 4), np.float32), np.empty(0, np.float32))
    xyxy = np.concatenate([part.detections.xyxy for part in parts])
    score = np.concatenate([part.detections.score for part in parts])
    cut_off = np.concatenate([part.cut_off for part in parts])
    # The box itself breaks ties, so that the order in which pieces were read cannot matter.
    order = np.lexsort((*xyxy.T, -score, cut_off))
    xyxy, score = xyxy[order], score[order]
    area = box_area(xyxy)
    alive = area > 0
    # All at once: one by one takes most of the time that a small change takes beside the network.
    apart = shared_areas(xyxy[:, None], xyxy) <= SAME_THING * np.minimum(area[:, None], area)
    kept: list[int] = []
    for index in range(len(xyxy)):
        if alive[index]:
            kept.append(index)
            alive &= apart[index]
    return Detections(xyxy[kept], score[kept])


def _large_pieces(
    scale: float, size_wh: tuple[int, int], detector: Detector
) -> tuple[PicturePiece, ...]:
    """Cover the picture at that scale with few parts as large as the detector takes.

    What pieces share is looked at twice: of a picture at 4K two parts take two thirds of the time
    of eight pieces of the input's size.
    """
    lap = round(OVERLAP * detector.input_size)
    ends = [math.ceil(size * scale) for size in size_wh]
    columns, rows = (_even_spans(end, detector.largest_part, lap) for end in ends)
    return tuple(
        PicturePiece(
            (
                round(left / scale),
                round(top / scale),
                min(round(right / scale), size_wh[0]),
                min(round(bottom / scale), size_wh[1]),
            ),
            (right - left, bottom - top),
            (left > 0, top > 0, right < ends[0], bottom < ends[1]),
            1,
        )
        for top, bottom in rows
        for left, right in columns
    )


def _even_spans(length: int, most: int, lap: int) -> list[tuple[int, int]]:
    """The fewest spans over [0, length), ``most`` long at most, with so much in common."""
    count = max(1, math.ceil((length - lap) / (most - lap)))
    side = min(
        length, math.ceil((length + (count - 1) * lap) / count / COARSEST_STEP) * COARSEST_STEP
    )
    starts = (round(index * (length - side) / max(count - 1, 1)) for index in range(count))
    return [(start, start + side) for start in starts]


def _shows_any(piece: PicturePiece, points: Array) -> bool:
    low, high = np.array(piece.ltrb[:2]), np.array(piece.ltrb[2:])
    return bool(((low < points) & (points < high)).all(axis=1).any())


def _pieces_at(
    scale: float, level: int, size_wh: tuple[int, int], input_size: int
) -> tuple[PicturePiece, ...]:
    """Cover the picture with pieces that are input-sized at that scale."""
    columns, rows = (_spans(size, input_size / scale) for size in size_wh)
    return tuple(
        PicturePiece(
            (left, top, right, bottom),
            (_scaled(right - left, scale, input_size), _scaled(bottom - top, scale, input_size)),
            (left > 0, top > 0, right < size_wh[0], bottom < size_wh[1]),
            level,
        )
        for top, bottom in rows
        for left, right in columns
    )


def _scaled(length: int, scale: float, input_size: int) -> int:
    return max(1, min(input_size, round(length * scale)))


def _spans(length: int, side: float) -> tuple[tuple[int, int], ...]:
    """Evenly spread spans over [0, length), each ``side`` long, overlapping by a fifth or more."""
    side = round(side)
    if side >= length:
        return ((0, length),)
    count = math.ceil((length - side) / (side * (1 - OVERLAP))) + 1
    starts = (round(index * (length - side) / (count - 1)) for index in range(count))
    return tuple((start, start + side) for start in starts)
