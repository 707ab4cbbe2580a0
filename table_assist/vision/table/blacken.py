"""Pictures in which only some places stay and everything else is black."""

from collections.abc import Callable, Sequence, Set

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Image, jpeg
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.viewpoint import viewpoint
from table_assist.vision.table.zone_views import zone_polygons
from table_assist.vision.table.zones import Layout, Zone, ZoneKind, from_seat

# Where tiles lie face up for everybody; elsewhere somebody may be looking at one in secret.
OPEN_KINDS = (ZoneKind.RIVER, ZoneKind.MELDS, ZoneKind.DICE, ZoneKind.BIRDS)

Polygon = tuple[tuple[float, float], ...]
# JPEG codes colours in blocks of 16 pixels and smooths them across the borders: what lies so near
# to a hidden place may still tell of it.
MARGIN_PX = 24
# A camera that looks askew sees the faces of whoever sits before it: up to where a tile that
# stands hides the table behind it. Hands also stand over the table's edge.
STANDING_MM, BESIDE_HAND_MM = 45.0, 80.0

# Of a picture of such a width and height: places in it that must not be seen; None: all of it.
Hidden = Callable[[tuple[int, int]], Sequence[Polygon] | None]


def none_hidden(size_wh: tuple[int, int]) -> Sequence[Polygon]:
    """No such places."""
    return ()


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


def standing_hands(
    calibration: Calibration, layout: Layout, size_wh: tuple[int, int]
) -> tuple[Polygon, ...]:
    """Where in the picture the faces of each seat's standing tiles may be: corners in pixels.

    Anywhere, where it is not known from where the camera looks.
    """
    above = viewpoint(calibration, size_wh)
    if above is None or above.z_mm <= 2 * STANDING_MM:
        width, height = size_wh
        return (((0.0, 0.0), (width, 0.0), (width, height), (0.0, height)),) * 4
    reach, far = layout.melds + BESIDE_HAND_MM, layout.edge + BESIDE_HAND_MM
    found = []
    for seat in range(4):
        sides = ((-reach, layout.melds), (reach, layout.melds), (reach, far), (-reach, far))
        feet = [from_seat(r, d, seat) for r, d in sides]
        heads = [above.seen_at(x, y, STANDING_MM) for x, y in feet]
        places = calibration.to_picture(np.array([*feet, *heads], np.float32))
        hull = cv2.convexHull(np.asarray(places, np.float32)).reshape(-1, 2)
        found.append(tuple((float(x), float(y)) for x, y in hull))
    return tuple(found)


def without(image: Image, places: Sequence[Polygon]) -> Image:
    """A copy of the picture in which these places are black."""
    found = image.copy()
    for place in places:
        cv2.fillConvexPoly(found, _corners(place), (0, 0, 0))
    return found


def _corners(place: Polygon) -> NDArray[np.int32]:
    return np.round(np.array(place, np.float64)).astype(np.int32)


def blackened(
    content: bytes, open_places: Sequence[Polygon], hidden: Hidden = none_hidden
) -> bytes | None:
    """The JPEG with everything black but the open places, less a margin at their borders.

    What comes out is the same whatever lay in the hidden places.

    Args:
        open_places: corners in pixels.
        hidden: what of them is black all the same.

    Returns:
        None if the content is no picture, or nothing of it may be seen.
    """
    image = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR) if content else None
    places = None if image is None else hidden((image.shape[1], image.shape[0]))
    if image is None or places is None:
        return None
    keep = np.zeros(image.shape[:2], np.uint8)
    for place in open_places:
        alone = np.zeros_like(keep)
        cv2.fillPoly(alone, [_corners(place)], 1)
        keep |= alone
    for place in places:
        cv2.fillConvexPoly(keep, _corners(place), 0)
    size = 2 * MARGIN_PX + 1
    inside = cv2.erode(keep, np.ones((size, size), np.uint8), borderValue=0)
    return jpeg(np.where(inside[..., None] > 0, image, np.uint8(0)))
