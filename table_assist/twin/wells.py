"""The well of an automatic table: a console, a ring, and the glass over the dice."""

from collections.abc import Iterator
from math import cos, pi, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.twin.lens import Lens, common, part
from table_assist.twin.looks import Colour, DieLook, Reflection, WellLook
from table_assist.vision.pictures.motion import Box
from table_assist.vision.pictures.picture import Image

Shape = tuple[Image, NDArray[np.float64], Colour]
_SHAPE_PX = 256
_DAZZLES = 90.0  # grey levels that a mirror image adds
_SOFT = 0.03  # radii: how soft a light's border is on the glass

RINGS: tuple[Colour, ...] = (
    (200, 204, 206), (60, 58, 58), (70, 160, 200), (36, 34, 34), (150, 120, 60), (70, 60, 170),
)  # fmt: skip
FLOORS: tuple[Colour, ...] = (
    (40, 38, 38), (62, 104, 42), (122, 78, 34), (190, 194, 196), (52, 34, 104), (90, 120, 150),
)  # fmt: skip
CONSOLES: tuple[Colour, ...] = (
    (48, 46, 44), (210, 212, 212), (58, 74, 92), (96, 104, 108), (120, 60, 30), (40, 60, 120),
)  # fmt: skip
BUTTONS: tuple[Colour, ...] = (
    (60, 60, 200), (80, 170, 60), (190, 120, 40), (230, 230, 230), (40, 190, 220), (40, 40, 44),
)  # fmt: skip
_WHITE, _BLACK, _RED = (238, 242, 244), (40, 34, 32), (38, 30, 190)
# Bodies with the colours of their pips, of those of one and four, and how clear they are.
DICE: tuple[tuple[Colour, Colour, Colour, float], ...] = (
    (_WHITE, _BLACK, _RED, 0.0),
    (_WHITE, _BLACK, _BLACK, 0.0),
    (_WHITE, (150, 70, 30), _RED, 0.0),
    ((44, 34, 196), (240, 240, 240), (240, 240, 240), 0.6),
    ((170, 96, 30), (240, 240, 240), (240, 240, 240), 0.6),
    ((40, 130, 224), (250, 250, 250), (250, 250, 250), 0.5),
    ((42, 40, 40), (240, 240, 240), (240, 240, 240), 0.0),
    ((70, 120, 40), (240, 240, 240), (240, 240, 240), 0.4),
    ((214, 232, 240), _BLACK, _RED, 0.0),
)


def well_of(seed: int) -> tuple[WellLook, DieLook]:
    """One of many wells and the dice in it; the same seed is the same well."""
    rng = np.random.default_rng((seed, 0x3E11))

    def pick(colours: tuple[Colour, ...]) -> Colour:
        gain = rng.uniform(0.88, 1.1)
        blue, green, red = (
            int(np.clip(gain * channel + rng.normal(0, 4), 8, 250))
            for channel in colours[int(rng.integers(len(colours)))]
        )
        return blue, green, red

    radius = float(rng.uniform(36, 62))
    ring = float(rng.uniform(2, 9))
    well = WellLook(
        radius_mm=radius,
        ring_mm=ring,
        ring=pick(RINGS),
        floor=pick(FLOORS),
        console=pick(CONSOLES),
        console_mm=radius + ring + float(rng.uniform(6, 34)),
        buttons=tuple(pick(BUTTONS) for _ in range(int(rng.integers(0, 9)))),
        haze=float(rng.uniform(0, 0.14)),
        rim=float(rng.uniform(0, 0.45)),
        reflections=tuple(_reflection(rng) for _ in range(int(rng.integers(0, 4)))),
    )
    body, pips, accent, clear = DICE[int(rng.integers(len(DICE)))]
    size = float(rng.uniform(12, 18))
    return well, DieLook(
        body=body,
        pips=pips,
        accent=accent,
        clear=clear * float(rng.uniform(0.4, 1)),
        round_mm=size * float(rng.uniform(0.08, 0.3)),
        one=float(rng.uniform(0.24, 0.5)),
        pip=float(rng.uniform(0.2, 0.27)),
        size_mm=size,
        has_sides=True,
    )


def _reflection(rng: np.random.Generator) -> Reflection:
    """A ceiling's lamp is small on a dome, a window or a strip light longer."""
    away, turn = np.sqrt(rng.uniform()) * 0.9, rng.uniform(0, 2 * pi)
    is_lamp = bool(rng.uniform() < 0.6)
    wide = float(rng.uniform(0.03, 0.09))
    return Reflection(
        x=float(away * np.cos(turn)),
        y=float(away * np.sin(turn)),
        wide=wide,
        high=wide if is_lamp else wide * float(rng.uniform(1.5, 5)),
        turn_deg=float(np.degrees(turn) + rng.normal(0, 12)),
        level=float(rng.uniform(0.25, 1.3)),
        is_lamp=is_lamp,
    )


def shapes_of(well: WellLook) -> Iterator[Shape]:
    """Ring, buttons and floor: shapes (h, w) 0-255, their corners (4, 2) in mm, their colours."""
    outer = well.radius_mm + well.ring_mm
    yield _disc(), _square(0, 0, outer + 1.2), _darker(well.console, 0.5)
    yield _disc(), _square(0, 0, outer), well.ring
    yield _disc(), _square(0, 0, well.radius_mm), _darker(well.floor, 0.45)
    yield _disc(), _square(0, 0, well.radius_mm * 0.95), well.floor
    room = well.console_mm - outer
    for index, colour in enumerate(well.buttons):
        turn = radians(45 + 360 * index / len(well.buttons))
        # In a square console's corners there is more room than beside the ring.
        away = outer + 0.5 * room + 0.35 * outer * abs(sin(2 * turn)) ** 4
        x, y = away * cos(turn), away * sin(turn)
        yield _disc(), _square(x, y, min(7.0, 0.4 * room) + 0.8), _darker(colour, 0.5)
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


def _darker(colour: Colour, gain: float) -> Colour:
    blue, green, red = (round(gain * channel) for channel in colour)
    return blue, green, red
