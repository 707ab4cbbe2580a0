"""How large a tile can be: a picture is read, too, at scales at which its largest tiles are tiles.

The detector knows tiles up to a fifth of its input. Of one that fills the picture it finds the
drawing, and a ring is a 1p. Seen smaller the same tile is found whole, and its ring is not.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from table_assist.tiles.tile import Tile
from table_assist.vision.pictures.picture import Array, Image, Mask, resized
from table_assist.vision.reading.detect import Detector, box_area, shared_areas
from table_assist.vision.reading.readings import tile_of
from table_assist.vision.reading.recognise import UNKNOWN, Name
from table_assist.vision.reading.tiling import in_picture, merge, plan_pieces
from table_assist.vision.reading.why import WhyDoubtful

Names = Sequence[Name | None]
# Of the picture as a whole, and the least share of its longer side that a thing has there: smaller
# ones are found better at the next finer scale.
SCALES = ((0.5, 0.25), (0.25, 0.5))
REACH_INTO = 0.3  # of the smaller one: so far two things may reach into each other
# Of a thing in a larger one, and of the larger one's area at most
INSIDE_WHOLE, SMALLER_AREA = 0.6, 0.7
MOST_DRAWN = 9  # things that are found in one tile: a 9p has as many dots


def find_larger(detector: Detector, image: Image) -> Array:
    """Boxes (n, 4) of things that take at least a quarter of a picture (h, w, 3) BGR."""
    height, width = image.shape[:2]
    whole = plan_pieces(width, height, detector.input_size)[-1]
    small = whole.cut(image)  # once: at 4K reducing takes as long as detecting
    found = []
    for scale, least in SCALES:
        smaller = resized(small, scale)
        piece = replace(whole, size_wh=(smaller.shape[1], smaller.shape[0]))
        boxes = merge([in_picture(detector.detect_part(smaller), piece)]).xyxy
        sides = (boxes[:, 2:] - boxes[:, :2]).max(axis=1)
        found.append(boxes[sides >= least * max(width, height)])
    return np.concatenate(found)


def outermost(
    xyxy: Array, names: Names, larger: Array, name_boxes: Callable[[Array], Names]
) -> tuple[Array, list[Name | None]]:
    """Boxes (n, 4) and names, in which what lies in a larger tile has given way to it.

    Where the larger thing is no whole tile, it is perhaps one that is cut off: the faces in it are
    ``?``. A larger one in which and around which nothing was found counts if it shows a face.

    Args:
        larger: (m, 4) of `find_larger`.
        name_boxes: names further boxes of the same picture.
    """
    larger = larger[[_inside(box, xyxy).sum() <= MOST_DRAWN for box in larger]]
    found = name_boxes(larger)
    names, kept = [*names], np.ones(len(xyxy), np.bool_)
    taken: list[int] = []
    named = [(name.label == UNKNOWN, -name.confidence, i) for i, name in enumerate(found) if name]
    for *_, index in sorted(named):
        box, name = larger[index], found[index]
        if name is None or _meets(box, larger[taken]):
            continue
        inside = _inside(box, xyxy) & kept
        if inside.any() and name.is_rather_a_part:
            for at in np.flatnonzero(inside).tolist():
                part = names[at]
                names[at] = part and replace(part, label=UNKNOWN, why=WhyDoubtful.PART, row=None)
        elif _is_drawn(name) and (
            inside.any() or (name.label != UNKNOWN and not _meets(box, xyxy[kept]))
        ):
            kept &= ~inside
            taken.append(index)
    return (
        np.concatenate([xyxy[kept], larger[taken]]),
        [*(names[i] for i in np.flatnonzero(kept).tolist()), *(found[i] for i in taken)],
    )


def _inside(box: Array, xyxy: Array) -> Mask:
    area = box_area(xyxy)
    is_smaller = area < SMALLER_AREA * box_area(box[None])[0]
    return np.asarray(is_smaller & (shared_areas(box, xyxy) > INSIDE_WHOLE * area), np.bool_)


def _meets(box: Array, xyxy: Array) -> bool:
    smaller = np.minimum(box_area(xyxy), box_area(box[None]))
    return bool((shared_areas(box, xyxy) > REACH_INTO * smaller).any())


def _is_drawn(name: Name) -> bool:
    """Whether it shows a face: on what is plain there may lie tiles, as on a tray or a cloth."""
    tile = tile_of(name.candidates[0].label if name.why is WhyDoubtful.FACE else name.label)
    return tile is not None and tile.is_face and tile is not Tile.WHITE
