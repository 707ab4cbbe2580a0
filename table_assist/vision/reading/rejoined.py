"""A box that holds only a part of a tile is grown to the whole tile, where there is one.

A detector that never met tiles so high finds each half of one. The part tells in which picture
something was found; where a whole tile lies around it, the recogniser names that one.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.reading.detect import box_area, intersection
from table_assist.vision.reading.recognise import Name
from table_assist.vision.reading.why import WhyDoubtful

Boxes = NDArray[np.float32]
NEAREST = 4  # other things whose size a part may have
LONGEST = 3.5  # times its other side: no tile in any picture is longer
BESIDE = 0.25  # of a part's side: so far another part of the same tile may lie away or reach in
INSIDE = 0.6  # of a thing that lies in a whole tile: it is a part of that one


def rejoined(
    xyxy: Boxes,
    names: Sequence[Name | None],
    name_boxes: Callable[[Boxes], Sequence[Name | None]],
) -> tuple[Boxes, list[Name | None]]:
    """Boxes (n, 4) and names, in which parts of tiles have given way to whole tiles.

    Args:
        name_boxes: names further boxes of the same picture.
    """
    parts = [i for i, name in enumerate(names) if name is not None and name.why is WhyDoubtful.PART]
    if not parts:
        return xyxy, list(names)
    proposed = np.array([box for part in parts for box in _wholes(xyxy, names, part, parts)])
    if not len(proposed):
        return xyxy, list(names)
    boxes = proposed.astype(np.float32)
    found = list(name_boxes(boxes))
    whole = [i for i, name in enumerate(found) if name is not None and name.why is None]
    whole.sort(key=lambda i: -_sureness(found[i]))
    kept, left = list(range(len(xyxy))), set(parts)
    taken: list[int] = []
    for index in whole:
        box = boxes[index]
        share = intersection(box, xyxy) / np.maximum(box_area(xyxy), 1e-6)
        inside = {i for i in kept if share[i] > INSIDE}
        covers_new = intersection(box, boxes[taken]) > BESIDE * box_area(boxes[[index]])
        if not inside & left or inside - left or covers_new.any():
            continue
        taken.append(index)
        kept = [i for i in kept if i not in inside]
        left -= inside
    return (
        np.concatenate([xyxy[kept], boxes[taken]]),
        [*(names[i] for i in kept), *(found[i] for i in taken)],
    )


def _wholes(
    xyxy: Boxes, names: Sequence[Name | None], part: int, parts: Sequence[int]
) -> list[Boxes]:
    """Boxes that may be the whole: as large as its neighbours, or with another part beside it."""
    box = xyxy[part]
    found = [
        _around(box, xyxy[other])
        for other in parts
        if other != part and _are_beside(box, xyxy[other])
    ]
    sizes = _sizes_beside(xyxy, names, part)
    for size in sizes:
        for right in (False, True):
            for low in (False, True):
                left, top = (
                    box[2] - size[0] if right else box[0],
                    box[3] - size[1] if low else box[1],
                )
                found.append(np.array([left, top, left + size[0], top + size[1]], np.float32))
    return [each for each in found if _is_a_tiles(each)]


def _sizes_beside(
    xyxy: Boxes, names: Sequence[Name | None], part: int
) -> list[NDArray[np.float32]]:
    """The usual width and height of the whole things nearest to it, if there are any."""
    whole = [i for i, name in enumerate(names) if name is not None and name.why is None]
    if not whole:
        return []
    middle = (xyxy[:, :2] + xyxy[:, 2:]) / 2
    away = np.abs(middle[whole] - middle[part]).max(axis=1)
    nearest = np.array(whole)[np.argsort(away, kind="stable")[:NEAREST]]
    return [np.median(xyxy[nearest, 2:] - xyxy[nearest, :2], axis=0)]


def _around(one: Boxes, other: Boxes) -> Boxes:
    return np.concatenate([np.minimum(one[:2], other[:2]), np.maximum(one[2:], other[2:])])


def _are_beside(one: Boxes, other: Boxes) -> bool:
    """Whether two boxes share a side, nearly: one above the other, or one left of it."""
    size = np.minimum(one[2:] - one[:2], other[2:] - other[:2])
    shared = np.minimum(one[2:], other[2:]) - np.maximum(one[:2], other[:2])
    along = shared > (1 - BESIDE) * size
    touch = np.abs(shared) < BESIDE * size
    return bool(along[0] and touch[1]) or bool(along[1] and touch[0])


def _is_a_tiles(box: Boxes) -> bool:
    width, height = (box[2:] - box[:2]).tolist()
    return bool(0 < max(width, height) < LONGEST * min(width, height))


def _sureness(name: Name | None) -> float:
    return 0.0 if name is None else name.confidence
