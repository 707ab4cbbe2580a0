"""The well of an automatic table: a console, a ring, and the glass over the dice."""

from collections.abc import Iterator
from math import cos, pi, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.twin.lens import Lens, common, part
from table_assist.twin.looks import Colour, WellLook, toned
from table_assist.vision.pictures.motion import Box
from table_assist.vision.pictures.picture import Image

Shape = tuple[Image, NDArray[np.float64], Colour]
_SHAPE_PX = 256
_DAZZLES = 90.0  # grey levels that a mirror image adds
_SOFT = 0.03  # radii: how soft a light's border is on the glass


def shapes_of(well: WellLook) -> Iterator[Shape]:
    """Ring, buttons and floor: shapes (h, w) 0-255, their corners (4, 2) in mm, their colours."""
    outer = well.radius_mm + well.ring_mm
    yield _disc(), _square(0, 0, outer + 1.2), toned(well.console, 0.5)
    yield _disc(), _square(0, 0, outer), well.ring
    yield _disc(), _square(0, 0, well.radius_mm), toned(well.floor, 0.45)
    yield _disc(), _square(0, 0, well.radius_mm * 0.95), well.floor
    room = well.console_mm - outer
    for index, colour in enumerate(well.buttons):
        turn = radians(45 + 360 * index / len(well.buttons))
        # In a square console's corners there is more room than beside the ring.
        away = outer + 0.5 * room + 0.35 * outer * abs(sin(2 * turn)) ** 4
        x, y = away * cos(turn), away * sin(turn)
        yield _disc(), _square(x, y, min(7.0, 0.4 * room) + 0.8), toned(colour, 0.5)
        yield _disc(), _square(x, y, min(7.0, 0.4 * room)), colour


class DiceDome:
    """The glass over a well, as one camera sees it."""

    def __init__(self, well: WellLook, camera: Lens) -> None:
        width, height = camera.size_wh
        turns = np.arange(64) * (2 * pi / 64)
        circle = well.radius_mm * np.column_stack([np.cos(turns), np.sin(turns)])
        seen = camera.project_points(circle)
        low = np.clip(np.floor(seen.min(axis=0)).astype(int) - 1, 0, (width, height))
        high = np.clip(np.ceil(seen.max(axis=0)).astype(int) + 2, 0, (width, height))
        left, top, right, bottom = (int(side) for side in (*low, *high))
        self._box: Box = left, top, right, bottom
        columns, rows = np.meshgrid(np.arange(left, right), np.arange(top, bottom))
        plane = np.linalg.inv(camera.plane_matrix()) @ np.stack(
            [columns.ravel(), rows.ravel(), np.ones(columns.size)]
        )
        u, v = (plane[:2] / plane[2] / well.radius_mm).reshape(2, *columns.shape)
        away = np.hypot(u, v)
        inside = np.clip((1 - away) * well.radius_mm * camera.px_per_mm, 0, 1)
        veil = (well.haze + 0.5 * well.rim * np.clip(away, 0, 1) ** 6) * inside
        light = 190.0 * veil
        for each in well.reflections:
            # How much of a light each point of the glass shows, 0-1, with a soft border
            turn = radians(each.turn_deg)
            across = (u - each.x) * cos(turn) + (v - each.y) * sin(turn)
            along = (v - each.y) * cos(turn) - (u - each.x) * sin(turn)
            if each.is_lamp:
                beyond = np.hypot(across, along) - each.wide
            else:
                beyond = np.maximum(np.abs(across) - each.wide, np.abs(along) - each.high)
            light += (
                255 * each.level * inside * np.asarray(np.clip(0.5 - beyond / (2 * _SOFT), 0, 1))
            )
        self._through = np.asarray(1 - veil, np.float32)[..., None]
        self._light = np.asarray(light, np.float32)[..., None]

    def dazzled(self, polygon_px: NDArray[np.float64]) -> float:
        """The share of a polygon (n, 2) in the picture where a light's mirror image hides it."""
        mask = np.zeros(self._light.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(polygon_px - self._box[:2]).astype(np.int32), 1)
        inside = mask > 0
        return float((self._light[..., 0][inside] > _DAZZLES).mean()) if inside.any() else 0.0

    def over(self, picture: Image) -> Image:
        """A picture (h, w, 3) with the glass over it."""
        covered = picture.copy()
        self.lay(covered, (0, 0, picture.shape[1], picture.shape[0]))
        return covered

    def lay(self, picture: Image, box: Box) -> None:
        """Lay the glass over a part of a picture."""
        shared = common(self._box, box)
        if shared is None:
            return
        left, top = self._box[:2]
        own = part((shared[0] - left, shared[1] - top, shared[2] - left, shared[3] - top))
        seen = picture[part(shared)]
        seen[:] = np.clip(seen * self._through[own] + self._light[own], 0, 255)


def _disc() -> Image:
    shape = np.zeros((_SHAPE_PX, _SHAPE_PX), np.uint8)
    middle = (_SHAPE_PX - 1) // 2
    cv2.circle(shape, (middle, middle), middle, 255, -1, cv2.LINE_AA)
    return shape


def _square(x: float, y: float, half: float) -> NDArray[np.float64]:
    """Corners around a middle, from the upper left clockwise."""
    return np.array([(x, y)]) + half * np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)])
