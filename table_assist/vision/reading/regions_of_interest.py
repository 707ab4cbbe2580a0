"""A small change is looked at in a small part of the picture: a pass costs what its area costs.

A discard on a table of 1080 lines takes a sixth of a whole piece's time, and only one pass where
up to four pieces show it.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.motion import Box
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.detect import STEP, Detections, Detector
from table_assist.vision.reading.named_boxes import same_boxes
from table_assist.vision.reading.occluded_background import join
from table_assist.vision.reading.tiling import Found, PicturePiece, in_picture

# Pixels of the detector's around a change. With two tiles' widths of a small picture one back of a
# wall in twenty was not found that a whole piece shows; with 96 no more than another piece misses.
CONTEXT_PX = 96
MOST = 0.75  # of a whole input's area: a larger change is read in whole pieces


def part_around(
    area: Box, piece: PicturePiece, size_wh: tuple[int, int], input_size: int
) -> PicturePiece | None:
    """The part in which a change is looked at; None: whole pieces show it better.

    Args:
        area: what changed, with all that it touches, in the picture's pixels.
        piece: any, for its scale.
        size_wh: the picture's.
    """
    gain = round(piece.gain)
    if not math.isclose(gain, piece.gain, rel_tol=1e-3):
        return None  # the whole picture is one piece
    spans = [
        _span(area[axis] // gain, -(-area[axis + 2] // gain), size_wh[axis] // gain)
        for axis in (0, 1)
    ]
    (left, right), (top, bottom) = spans
    width, height = right - left, bottom - top
    if max(width, height) > input_size or width * height > MOST * input_size**2:
        return None
    ltrb = left * gain, top * gain, right * gain, bottom * gain
    inner = left > 0, top > 0, right < size_wh[0] // gain, bottom < size_wh[1] // gain
    return PicturePiece(ltrb, (width, height), inner, piece.level)


def joined(areas: Sequence[Box], part_of: Callable[[Box], PicturePiece | None]) -> list[Box]:
    """The areas, of which those are one that are looked at sooner together than one by one."""
    left, done = list(areas), []
    while left:
        one = left.pop()
        for index, other in enumerate(left):
            both = _around_both(one, other)
            parts = [part_of(area) for area in (both, one, other)]
            if None not in parts and _pixels(parts[0]) <= _pixels(parts[1]) + _pixels(parts[2]):
                left[index] = both
                break
        else:
            done.append(one)
    return done


def _around_both(one: Box, other: Box) -> Box:
    low = min(one[0], other[0]), min(one[1], other[1])
    return *low, max(one[2], other[2]), max(one[3], other[3])


def _pixels(part: PicturePiece | None) -> int:
    return 0 if part is None else part.size_wh[0] * part.size_wh[1]


def _span(low: int, high: int, most: int) -> tuple[int, int]:
    """With what is around, in whole steps where there is room for them."""
    wanted = high - low + 2 * CONTEXT_PX
    length = min(-(-wanted // STEP) * STEP, most)
    start = min(max((low + high - length) // 2, 0), most - length)
    return start, start + length


def look_at_part(detector: Detector, image: Image, part: PicturePiece, area: Box) -> Found:
    """The boxes in the area; one that the part's edges cut off lies outside of it."""
    found = in_picture(detector.detect_part(part.cut(image)), part)
    xyxy = found.detections.xyxy
    middle = (xyxy[:, :2] + xyxy[:, 2:]) / 2
    inside = ((area[:2] <= middle) & (middle <= area[2:])).all(axis=1)
    return _only(found, inside & ~found.cut_off)


def put_in(found: Sequence[Found], pieces: Sequence[PicturePiece], new: Found) -> list[Found]:
    """The boxes of all pieces with a part's new ones: each piece gets those it would see whole."""
    xyxy, together = new.detections.xyxy, []
    for piece, each in zip(pieces, found, strict=True):
        is_new = [old is None for old in same_boxes(xyxy, each.detections.xyxy)]
        together.append(join(each, _only(new, np.array(is_new, bool) & _whole_in(piece, xyxy))))
    return together


def _whole_in(piece: PicturePiece, xyxy: NDArray[np.float32]) -> NDArray[np.bool_]:
    low, high = np.array(piece.ltrb[:2]), np.array(piece.ltrb[2:])
    return np.asarray(((low <= xyxy[:, :2]) & (xyxy[:, 2:] <= high)).all(axis=1), np.bool_)


def _only(found: Found, mask: NDArray[np.bool_]) -> Found:
    seen = found.detections
    return Found(Detections(seen.xyxy[mask], seen.score[mask]), found.cut_off[mask])
