"""Which pieces of a picture show an area, and how areas lie to each other, in pixels."""

from collections.abc import Sequence

import numpy as np

from table_assist.vision.pictures.motion import Box
from table_assist.vision.pictures.picture import Array, Mask
from table_assist.vision.reading.tiling import PicturePiece, largest_whole


def pieces_for(area: Box, pieces: tuple[PicturePiece, ...]) -> set[int]:
    """The pieces to read for a change: one that holds it whole, if its scale shows it well.

    A large change may be one large tile or many small ones: every scale is read up to the first at
    which the change as a whole is no longer larger than what pieces are sure to hold.
    """
    picked: set[int] = set()
    for level in range(pieces[-1].level + 1):
        own = [index for index, piece in enumerate(pieces) if piece.level == level]
        whole = {index for index in own if holds(pieces[index], area)}
        if not whole:
            picked |= {index for index in own if meet(area, pieces[index].ltrb)}
        else:
            picked.add(max(whole, key=lambda index: _room(pieces[index], area)))
        if max(area[2] - area[0], area[3] - area[1]) <= largest_whole(pieces, level):
            break
    return picked


def holds(piece: PicturePiece, area: Box) -> bool:
    """Whether an area lies in a piece, clear of the edges beyond which the picture goes on."""
    return _room(piece, area) >= 0


def _room(piece: PicturePiece, area: Box) -> int:
    """Pixels between an area and the piece's nearest inner edge; negative: it reaches beyond."""
    left, top, right, bottom = piece.ltrb
    gaps = (area[0] - left, area[1] - top, right - area[2], bottom - area[3])
    inner = [gap for gap, is_inner in zip(gaps, piece.inner, strict=True) if is_inner]
    return min(inner, default=max(right - left, bottom - top))


def meet(one: Box, other: Box) -> bool:
    """Whether two areas overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def outwards(box: Array) -> Box:
    """The whole pixels that hold a box (4,)."""
    left, top = np.floor(box[:2]).astype(int).tolist()
    right, bottom = np.ceil(box[2:]).astype(int).tolist()
    return left, top, right, bottom


def grown(change: Box, boxes: Array) -> Box:
    """The change with all of the boxes that it touches: they are to be found again, whole."""
    meeting = [box for box in boxes.tolist() if meet(change, box)]
    left, top, right, bottom = (list(values) for values in zip(change, *meeting, strict=True))
    return int(min(left)), int(min(top)), int(np.ceil(max(right))), int(np.ceil(max(bottom)))


def in_any(xyxy: Array, areas: Sequence[Box]) -> Mask:
    """(n,) of boxes whether their middle lies in an area."""
    middle = (xyxy[:, :2] + xyxy[:, 2:]) / 2
    inside = np.zeros(len(xyxy), np.bool_)
    for area in areas:
        inside |= ((area[:2] <= middle) & (middle < area[2:])).all(axis=1)
    return inside
