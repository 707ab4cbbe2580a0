"""The zones as they lie in the picture, and whether tiles could be read in each."""

from dataclasses import dataclass
from math import cos, pi, sin

import cv2
import numpy as np

from table_assist.languages.words import NOTHING, Words
from table_assist.vision.pictures.camera import DARK_LEVEL
from table_assist.vision.pictures.picture import Array, Image
from table_assist.vision.reading.recognise import CLIPPED
from table_assist.vision.table.advice import MOST_CLIPPED_PICTURE
from table_assist.vision.table.calibration import LEAST_PX_PER_TILE, Calibration, Point
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.zones import Layout, Zone, ZoneKind, from_seat

BRIGHTEST = 95  # percentile of a zone's grey levels: a tile's ivory, or the cloth's lightest part
CIRCLE = 32  # corners of a round zone
ZONE_INSIDE = 0.97  # of a zone must lie in the picture


@dataclass(frozen=True, slots=True)
class ZoneView:
    """One zone in a picture.

    Attributes:
        polygon_px: its corners.
        px_per_tile: how wide a tile would be where it would be the smallest.
        light: grey level of its lightest parts, 0-255.
        refused: why nothing could be read there; None where it can.
        doubt: what would make it easier to read.
    """

    zone: Zone
    polygon_px: tuple[Point, ...]
    px_per_tile: float
    light: float
    refused: Words | None = None
    doubt: Words | None = None


def zone_polygons(layout: Layout) -> dict[Zone, tuple[Point, ...]]:
    """Each zone's corners in mm on the table; every point inside is of that zone by `zone_at`."""
    side, well = layout.centre, layout.well
    dice = ((-side, -side), (0.0, -side), (0.0, side), (-side, side))
    turns = (2 * pi * step / CIRCLE for step in range(CIRCLE))
    round_well = tuple((well * cos(turn), well * sin(turn)) for turn in turns)
    found: dict[Zone, tuple[Point, ...]] = {
        Zone(ZoneKind.DICE): round_well if well else dice,
        Zone(ZoneKind.BIRDS): ((well, -side), (side, -side), (side, side), (well, side)),
    }
    for seat in range(4):
        shapes = {
            ZoneKind.RIVER: _between(layout.centre, layout.river),
            ZoneKind.WALL: _between(layout.river, layout.wall),
            ZoneKind.MELDS: _box(-layout.wall, layout.melds, layout.wall, layout.melds),
            ZoneKind.HAND: _box(-layout.melds, layout.melds, layout.melds, layout.edge),
        }
        for kind, shape in shapes.items():
            found[Zone(kind, seat)] = tuple(from_seat(r, d, seat) for r, d in shape)
    return found


def zone_views(image: Image, calibration: Calibration, layout: Layout) -> tuple[ZoneView, ...]:
    """Every zone in a picture (h, w, 3) BGR."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    return tuple(
        _view(zone, np.array(corners, np.float32), calibration, grey)
        for zone, corners in zone_polygons(layout).items()
    )


def small_tiles(px_per_tile: float) -> Words:
    """The remark on tiles so wide in the picture; nothing where they are wide enough."""
    return NOTHING if px_per_tile >= LEAST_PX_PER_TILE else _SMALL.filled(n=int(px_per_tile))


def _box(left: float, right: float, near: float, far: float) -> tuple[Point, ...]:
    return (left, far), (right, far), (right, near), (left, near)


def _between(near: float, far: float) -> tuple[Point, ...]:
    """Up to where the next seat's part begins, at the table's diagonals."""
    return (-far, far), (far, far), (near, near), (-near, near)


def _view(zone: Zone, corners_mm: Array, calibration: Calibration, grey: Image) -> ZoneView:
    polygon = calibration.to_picture(corners_mm)
    # In pixels, at the corner and in the direction in which it is the smallest
    steps = np.array([[TILE_MM, 0], [0, TILE_MM]], np.float32)
    widths = [
        np.linalg.norm(calibration.to_picture(corners_mm + step) - polygon, axis=1).min()
        for step in steps
    ]
    px_per_tile = float(min(widths))
    limit = np.array(grey.shape[::-1])
    low = np.floor(polygon.min(0)).astype(int).clip(0, limit - 1)
    high = np.ceil(polygon.max(0)).astype(int).clip(low + 1, limit)
    mask = np.zeros(tuple((high - low)[::-1].tolist()), np.uint8)
    cv2.fillConvexPoly(mask, np.round(polygon - low).astype(np.int32), 1)
    values = grey[low[1] : high[1], low[0] : high[0]][mask > 0]
    area = float(cv2.contourArea(polygon))
    light = float(np.percentile(values, BRIGHTEST)) if values.size else 0.0
    refused = doubt = None
    if values.size < ZONE_INSIDE * area - cv2.arcLength(polygon, True):
        refused = _OUTSIDE
    elif too_small := small_tiles(px_per_tile):
        refused = too_small
    elif light < DARK_LEVEL:
        refused = _DARK
    elif (values >= CLIPPED).mean() > MOST_CLIPPED_PICTURE:
        doubt = _BRIGHT
    places = tuple((float(x), float(y)) for x, y in polygon)
    return ZoneView(zone, places, px_per_tile, light, refused, doubt)


_OUTSIDE = Words(
    "partly outside the picture: move the camera back or aside",
    "部分在画面之外：请将摄像头后移或侧移",
)
_SMALL = Words(
    "{n} pixels a tile: move the camera closer, or use a higher resolution",
    "每张牌仅 {n} 像素宽：请将摄像头移近，或提高分辨率",
)
_DARK = Words("too dark: more light, or a longer exposure", "太暗：请增加光线或延长曝光")
_BRIGHT = Words("very bright: less light, or a shorter exposure", "很亮：请减少光线或缩短曝光")
