"""Boxes on a thing that is too large for a tile: an emblem on the cloth, a tray.

With an emblem's ring around them the detector finds the emblem, and of the tiles that lie on it
none. Without its edge there is no emblem, and they are found as on plain cloth.
"""

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.detect import Detections, Detector
from table_assist.vision.reading.occluded_background import join
from table_assist.vision.reading.settled_recheck import select
from table_assist.vision.reading.tiling import Found, PicturePiece, in_picture

# Times a tile's width: a tile across a square is 1.7 of it, seen from low above twice as much at
# the near side of the table.
LARGEST = 3.4
EDGE = 0.1  # of a large thing's sides, each way, that is left out
# Tiles on four emblems had 0.73 to 0.84 each without the ring; on the bare ones nothing was found.
SURE = 0.5


def of_a_tiles_size(
    detector: Detector, image: Image, piece: PicturePiece, found: Found, tile_px: float
) -> Found:
    """A piece's boxes, without those too large for a tile, and with those on them.

    Args:
        image: the picture.
    """
    is_large = _is_large(found, tile_px)
    small = select(found, ~is_large)
    for box in found.detections.xyxy[is_large]:
        small = join(small, _seen_on(detector, image, piece, box, tile_px))
    return small


def _seen_on(
    detector: Detector, image: Image, piece: PicturePiece, box: NDArray[np.float32], tile_px: float
) -> Found:
    """The boxes whole within a large thing's edge."""
    edge = EDGE * (box[2:] - box[:2])
    left, top, right, bottom = np.round([*(box[:2] + edge), *(box[2:] - edge)]).astype(int).tolist()
    width, height = round((right - left) / piece.gain), round((bottom - top) / piece.gain)
    if min(width, height) < 1:
        return Found(Detections(box[:0].reshape(-1, 4), box[:0]), np.empty(0, np.bool_))
    inside = PicturePiece((left, top, right, bottom), (width, height), (True,) * 4, piece.level)
    found = in_picture(detector.detect_part(inside.cut(image)), inside)
    is_sure = found.detections.score >= SURE
    return select(found, is_sure & ~found.cut_off & ~_is_large(found, tile_px))


def _is_large(found: Found, tile_px: float) -> NDArray[np.bool_]:
    xyxy = found.detections.xyxy
    longest = (xyxy[:, 2:] - xyxy[:, :2]).max(axis=1, initial=0.0)
    return np.asarray(longest > LARGEST * tile_px, np.bool_)
