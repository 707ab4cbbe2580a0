"""Pictures in which only some places stay and everything else is black."""

from collections.abc import Sequence, Set

import cv2
import numpy as np

from table_assist.vision.pictures.picture import jpeg
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.zone_views import zone_polygons
from table_assist.vision.table.zones import Layout, Zone, ZoneKind

# Where tiles lie face up for everybody; elsewhere somebody may be looking at one in secret.
OPEN_KINDS = (ZoneKind.RIVER, ZoneKind.MELDS, ZoneKind.DICE, ZoneKind.BIRDS)

Polygon = tuple[tuple[float, float], ...]
# JPEG codes colours in blocks of 16 pixels and smooths them across the borders: what lies so near
# to a hidden place may still tell of it.
MARGIN_PX = 24


def open_places(
    calibration: Calibration, layout: Layout, hidden: Set[Zone] = frozenset()
) -> tuple[Polygon, ...]:
    """Where in the picture lies what everybody may see: corners in pixels.

    Args:
        hidden: zones that something lay or moved over: somebody may have held a tile there.
    """
    found = []
    for zone, corners_mm in zone_polygons(layout).items():
        if zone.kind in OPEN_KINDS and zone not in hidden:
            places = calibration.to_picture(np.array(corners_mm, np.float32))
            found.append(tuple((float(x), float(y)) for x, y in places))
    return tuple(found)


def blackened(content: bytes, open_places: Sequence[Polygon]) -> bytes | None:
    """The JPEG with everything black but the open places, less a margin at their borders.

    What comes out is the same whatever lay in the hidden places.

    Args:
        open_places: corners in pixels.

    Returns:
        None if the content is no picture.
    """
    image = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR) if content else None
    if image is None:
        return None
    keep = np.zeros(image.shape[:2], np.uint8)
    for place in open_places:
        alone = np.zeros_like(keep)
        cv2.fillPoly(alone, [np.round(np.array(place, np.float64)).astype(np.int32)], 1)
        keep |= alone
    size = 2 * MARGIN_PX + 1
    inside = cv2.erode(keep, np.ones((size, size), np.uint8), borderValue=0)
    return jpeg(np.where(inside[..., None] > 0, image, np.uint8(0)))
