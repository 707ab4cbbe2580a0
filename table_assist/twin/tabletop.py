"""The empty simulated table as the camera sees it: floor, rim, felt, the machine's lids."""

from collections.abc import Iterator
from functools import lru_cache
from math import cos, pi, sin
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.tiles.tile import Tile
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import ClothPattern, Colour, Emblem, EmblemKind, EmblemPlace, TableLook
from table_assist.twin.scene import TABLE_MM, rectangle
from table_assist.twin.wells import shapes_of
from table_assist.vision.pictures.picture import Image

# Emblems and letters that are printed on a cloth: where they lie, and their shapes.

SIDE_PX = 512
# From the table's middle, and how large; one large one lies in the middle, below the console.
_LARGE_MM = 470.0
_BESIDE_MM = {EmblemPlace.MIDDLE: 158.0, EmblemPlace.CORNERS: 432.0, EmblemPlace.SIDES: 292.0}
_SIZES_MM = {EmblemPlace.MIDDLE: 140.0, EmblemPlace.CORNERS: 126.0, EmblemPlace.SIDES: 110.0}
_WORD_TIMES = (2.6, 0.75)  # as wide and as high as another emblem there
_SEALS = (Tile.GREEN, Tile.RED)
_WIND_TILES = (Tile.EAST, Tile.SOUTH, Tile.WEST, Tile.NORTH)
_PRINTED = ("MAHJONG", "GOOD LUCK", "FOUR WINDS")
_PETALS = 8


def prints(emblem: Emblem) -> Iterator[tuple[Image, NDArray[np.float64]]]:
    """Each shape (h, w), 0-255, and its corners on the table in mm, from the upper left (4, 2)."""
    is_large = emblem.kind in (EmblemKind.FLOWER, EmblemKind.KNOT)
    if is_large and emblem.place is EmblemPlace.MIDDLE:
        yield _shape(emblem, 0), _corners(0.0, 0.0, 0.0, (_LARGE_MM, _LARGE_MM))
        return
    away, size = _BESIDE_MM[emblem.place], _SIZES_MM[emblem.place]
    is_word = emblem.kind is EmblemKind.WORD
    wide, high = (size * times for times in (_WORD_TIMES if is_word else (1.0, 1.0)))
    between = 45.0 if emblem.place is EmblemPlace.CORNERS else 0.0
    if is_word and between:
        away -= 75.0  # askew in the corner, it is longer than there is room
    for seat in range(4):
        turn = 90.0 * seat + between
        angle = pi * (turn - 90) / 180
        shape = _shape(emblem, seat)
        yield shape, _corners(away * cos(angle), away * sin(angle), turn, (wide, high))


def _corners(
    x_mm: float, y_mm: float, turn_deg: float, size_mm: tuple[float, float]
) -> NDArray[np.float64]:
    wide, high = size_mm
    return np.array(rectangle(x_mm, y_mm, width=wide, depth=high, turn_deg=turn_deg))


def _shape(emblem: Emblem, seat: int) -> Image:
    match emblem.kind:
        case EmblemKind.SEAL:
            return _seal(_SEALS[emblem.which % len(_SEALS)])
        case EmblemKind.WIND:
            return _character(_WIND_TILES[seat])
        case EmblemKind.WORD:
            # As wide as it is, on one line
            word = _PRINTED[emblem.which % len(_PRINTED)]
            font, scale, thick = cv2.FONT_HERSHEY_TRIPLEX, 5.0, 14
            (wide, high), low = cv2.getTextSize(word, font, scale, thick)
            shape = np.zeros((high + low + 2 * thick, wide + 2 * thick), np.uint8)
            cv2.putText(shape, word, (thick, high + thick), font, scale, 255, thick, cv2.LINE_AA)
            return shape
        case EmblemKind.KNOT:
            return _knot()
        case EmblemKind.FLOWER:
            # A lotus from above: petals in two rounds
            shape, middle = np.zeros((SIDE_PX, SIDE_PX), np.uint8), SIDE_PX / 2
            for far, long, turn in ((0.31, 0.17, 0.0), (0.2, 0.12, 0.5)):
                for petal in range(_PETALS):
                    angle = 2 * pi * (petal + turn) / _PETALS
                    at = (
                        round(middle + far * SIDE_PX * cos(angle)),
                        round(middle + far * SIDE_PX * sin(angle)),
                    )
                    axes = (round(long * SIDE_PX), round(0.42 * long * SIDE_PX))
                    way = 180 * angle / pi
                    thick = round(0.018 * SIDE_PX)
                    cv2.ellipse(shape, at, axes, way, 0, 360, 255, thick, cv2.LINE_AA)
            cv2.circle(
                shape, (round(middle), round(middle)), round(0.06 * SIDE_PX), 255, -1, cv2.LINE_AA
            )
            return shape


def _character(tile: Tile, share: float = 1.0) -> Image:
    """A tile's drawing in the middle of a square, that large of it."""
    ink = load_faces(needed=(tile,)).picture(tile)[..., 3]
    rows, columns = np.nonzero(ink)
    ink = ink[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    fits = share * SIDE_PX / max(ink.shape)
    small = cv2.resize(ink, None, fx=fits, fy=fits, interpolation=cv2.INTER_CUBIC)
    shape = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    top, left = (SIDE_PX - small.shape[0]) // 2, (SIDE_PX - small.shape[1]) // 2
    shape[top : top + small.shape[0], left : left + small.shape[1]] = small
    return shape


def _seal(tile: Tile) -> Image:
    shape, middle = _character(tile, 0.55), (SIDE_PX // 2, SIDE_PX // 2)
    cv2.circle(shape, middle, round(0.47 * SIDE_PX), 255, round(0.03 * SIDE_PX), cv2.LINE_AA)
    cv2.circle(shape, middle, round(0.41 * SIDE_PX), 255, round(0.01 * SIDE_PX), cv2.LINE_AA)
    return shape


def _knot() -> Image:
    """An endless knot: bands that cross each other, and a frame."""
    shape = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    thick, low, high = round(0.035 * SIDE_PX), 0.18 * SIDE_PX, 0.82 * SIDE_PX
    for part in np.linspace(0, 1, 4):
        at = round(low + part * (high - low))
        for ends in (((at, low), (at, high)), ((low, at), (high, at))):
            start, end = (tuple(round(each) for each in point) for point in ends)
            cv2.line(shape, start, end, 255, thick, cv2.LINE_AA)
    middle = (SIDE_PX / 2, SIDE_PX / 2)
    turned = cv2.getRotationMatrix2D(middle, 45.0, 1.05)
    woven = np.asarray(cv2.warpAffine(shape, turned, shape.shape), np.uint8)
    cv2.circle(woven, (SIDE_PX // 2, SIDE_PX // 2), round(0.48 * SIDE_PX), 255, thick, cv2.LINE_AA)
    return woven


_Kind = TypeVar("_Kind", bound=np.generic)

RIM_MM = 62.0
PLATE_MM = 148.0
# The walls rise through four lids around the rivers.
LID_NEAR_MM, LID_FAR_MM, LID_HALF_MM = 223.0, 271.0, 218.0
# How far the floor is drawn; a tilted camera sees its border beyond that.
_HALF_MM, _FLOOR_MM = 800.0, 770.0
# From so wide a blur on, and at so many times less than the full scale, it is worked out coarsely.
_WIDE_PX, _COARSE = 10.0, 4
_DRAWN_AROUND_MM = 64.0  # drawn around what the camera sees: the softest shadow reaches 48 mm


@lru_cache(maxsize=3)
def empty_table(look: TableLook, camera: Lens, seed: int) -> Image:
    """Draw the table without tiles, shape (h, w, 3), evenly lit; nobody may change it."""
    rng = np.random.default_rng((seed, 1))
    sheet = _Sheet(1.1 * camera.px_per_mm, rng, *_seen_mm(camera))
    _draw(sheet, look)
    matrix = camera.plane_matrix() @ np.linalg.inv(sheet.from_table())
    width, height = camera.size_wh
    seen = cv2.warpPerspective(
        cv2.merge(sheet.planes),
        matrix,
        (width, height),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=look.floor,
    )
    grain = rng.standard_normal((height, width), np.float32) * np.float32(3.0)
    drawn = np.empty((height, width, 3), np.uint8)
    for channel in range(3):
        drawn[:, :, channel] = np.clip(seen[:, :, channel] + grain, 0, 255)
    drawn.flags.writeable = False
    return drawn


def _seen_mm(camera: Lens) -> tuple[tuple[float, float], tuple[float, float]]:
    """From where to where the camera sees the floor, along x and y; everything if the horizon."""
    width, height = camera.size_wh
    corners = np.array([(0, 0, 1), (width, 0, 1), (width, height, 1), (0, height, 1)], float)
    x, y, scale = np.linalg.inv(camera.plane_matrix()) @ corners.T
    if not (np.all(scale > 0) or np.all(scale < 0)):
        return (-_HALF_MM, _HALF_MM), (-_HALF_MM, _HALF_MM)
    xs, ys = x / scale, y / scale
    return (xs.min(), xs.max()), (ys.min(), ys.max())


class _Sheet:
    """A drawing of the table from straight above, at its own scale.

    Of the square that reaches ``_HALF_MM`` to each side only the window is drawn that is seen.

    Attributes:
        planes: blue, green and red, each (h, w): one after the other they are drawn much sooner.
    """

    def __init__(
        self,
        px_per_mm: float,
        rng: np.random.Generator,
        xs_mm: tuple[float, float],
        ys_mm: tuple[float, float],
    ) -> None:
        self.px_per_mm = px_per_mm
        self.side = int(2 * _HALF_MM * px_per_mm)
        self._window = (self._part(-ys_mm[1], -ys_mm[0]), self._part(*xs_mm))
        high, wide = self.seen(np.empty((self.side, self.side), np.uint8)).shape
        self.planes = [np.ones((high, wide), np.float32) for _ in range(3)]
        self._rng = rng

    def _part(self, low_mm: float, high_mm: float) -> slice:
        low, high = low_mm - _DRAWN_AROUND_MM + _HALF_MM, high_mm + _DRAWN_AROUND_MM + _HALF_MM
        return slice(max(0, int(low * self.px_per_mm)), max(1, int(high * self.px_per_mm)))

    def seen(self, whole: NDArray[_Kind]) -> NDArray[_Kind]:
        """The window's part of a map that is as large as the square."""
        return np.ascontiguousarray(whole[self._window])

    def from_table(self) -> NDArray[np.float64]:
        """The 3 x 3 matrix from table millimetres to the drawing."""
        scale, shift = self.px_per_mm, _HALF_MM * self.px_per_mm
        rows, columns = self._window
        return np.array(
            [[scale, 0, shift - columns.start], [0, -scale, shift - rows.start], [0, 0, 1]]
        )

    def places_mm(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Where the drawing's columns and rows lie, shapes (1, w) and (h, 1)."""
        at = np.arange(self.side, dtype=np.float32) / np.float32(self.px_per_mm) - _HALF_MM
        rows, columns = self._window
        return at[None, columns], at[rows, None]

    def square(self, half_mm: float, radius_mm: float) -> Image:
        """A mask: a square with round corners around the centre."""
        mask = np.zeros((self.side, self.side), np.uint8)
        middle, half = self.side / 2, half_mm * self.px_per_mm
        low, high, inset = (
            round(middle - half), round(middle + half), round(radius_mm * self.px_per_mm),
        )  # fmt: skip
        cv2.rectangle(mask, (low + inset, low), (high - inset, high), 255, -1)
        cv2.rectangle(mask, (low, low + inset), (high, high - inset), 255, -1)
        for x in (low + inset, high - inset):
            for y in (low + inset, high - inset):
                cv2.circle(mask, (x, y), inset, 255, -1)
        return self.seen(mask)

    def fill(self, mask: Image, colour: Colour, *, gain: float = 1.0) -> None:
        """Paint a shape plainly."""
        inside = mask > 0
        for plane, channel in zip(self.planes, colour, strict=True):
            np.copyto(plane, np.float32(gain * channel), where=inside)

    def shade(self, mask: Image, depth: float, *, blur_mm: float) -> None:
        """Cast a soft shadow of a shape."""
        soft = softened(mask, blur_mm * self.px_per_mm)
        self.multiply(np.float32(1) - np.float32(depth) * soft)

    def multiply(self, gain: NDArray[np.float32], mask: Image | None = None) -> None:
        """Brighten or darken, everywhere or within a shape."""
        if mask is not None:
            gain = np.where(mask > 0, gain, np.float32(1))
        for plane in self.planes:
            plane *= gain

    def lay(self, shape: Image, corners_mm: NDArray[np.float64], colour: Colour) -> None:
        """Mix a colour in where a shape says so (0-255), stretched over four corners (4, 2)."""
        high, wide = shape.shape
        own = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
        matrix = cv2.getPerspectiveTransform(own, corners_mm.astype(np.float32))
        size = self.planes[0].shape[::-1]
        laid = cv2.warpPerspective(shape, self.from_table() @ matrix, size, flags=cv2.INTER_AREA)
        share = np.asarray(laid, np.float32) / np.float32(255)
        for plane, channel in zip(self.planes, colour, strict=True):
            plane += share * (np.float32(channel) - plane)

    def clouds(self, cells: int) -> NDArray[np.float32]:
        """Smooth noise from about -1 to 1 with so many lumps across."""
        coarse = self._rng.uniform(-1, 1, (cells, cells)).astype(np.float32)
        smooth = cv2.resize(coarse, (self.side, self.side), interpolation=cv2.INTER_CUBIC)
        return self.seen(np.asarray(smooth, np.float32))


def softened(mask: Image, sigma_px: float) -> NDArray[np.float32]:
    """A shape (h, w), 0-255, blurred as by a Gaussian, 0-1.

    Wide ones are worked out at a quarter of the scale, in a fiftieth of the time.
    """
    if sigma_px < _WIDE_PX:
        soft = cv2.GaussianBlur(mask, (0, 0), sigma_px)
        return np.asarray(soft, np.float32) / np.float32(255)
    height, width = mask.shape
    size = -(-width // _COARSE), -(-height // _COARSE)
    small = cv2.resize(mask.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    # Averaging and stretching blur a little themselves.
    own = (_COARSE**2 - 1) / 12 + _COARSE**2 / 6
    small = cv2.GaussianBlur(small, (0, 0), (sigma_px**2 - own) ** 0.5 / _COARSE)
    fine = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(fine, np.float32) / np.float32(255)


def _draw(sheet: _Sheet, look: TableLook) -> None:
    half = TABLE_MM / 2
    outer = half + RIM_MM
    sheet.fill(sheet.square(_HALF_MM, 0), look.floor)
    clouds = 0.10 * sheet.clouds(8) + 0.06 * sheet.clouds(54)
    # A tilted camera sees beyond what is drawn: there the floor is plain.
    plain = softened(sheet.square(_FLOOR_MM, 0), 8 * sheet.px_per_mm)
    sheet.multiply(np.asarray(1 + clouds * plain, np.float32))
    sheet.shade(sheet.square(outer + 14, 60), 0.45, blur_mm=16)
    rim = sheet.square(outer, 58)
    sheet.fill(rim, look.rim)
    sheet.multiply(1 + 0.08 * sheet.clouds(36), rim)
    bead = sheet.square(outer - 5, 54) - sheet.square(outer - 11, 50)
    sheet.fill(bead, look.rim, gain=1.35)
    sheet.fill(sheet.square(half + 4, 8), look.rim, gain=0.45)
    if look.is_fitted:
        sheet.fill(sheet.square(half + 14, 8) - sheet.square(half + 4, 8), look.rim, gain=1.6)
        sheet.fill(sheet.square(outer + 26, 70) - sheet.square(outer, 58), look.rim, gain=0.6)
        x, y = map(np.abs, sheet.places_mm())
        out = np.maximum(x, y)
        trays = (np.minimum(x, y) < half / 2) & (half + 20 < out) & (out < outer - 16)
        sheet.fill(trays.astype(np.uint8), look.rim, gain=0.3)
    felt = sheet.square(half, 5)
    sheet.fill(felt, look.felt)
    sheet.multiply(1 + 0.05 * sheet.clouds(6) + 0.03 * sheet.clouds(72), felt)
    if look.pattern is not ClothPattern.PLAIN:
        sheet.multiply(1 + _pattern(sheet, look.pattern), felt)
    if look.emblem is not None:
        for shape, corners in prints(look.emblem):
            inked = cv2.convertScaleAbs(shape, alpha=look.emblem.ink)
            sheet.lay(np.asarray(inked, np.uint8), corners, look.emblem.colour)
    # Less light falls into the edge below the rim.
    inner = softened(felt, 14 * sheet.px_per_mm)
    light = np.sqrt(np.clip(2 * inner - 1, 0, 1))
    sheet.multiply(np.asarray(0.55 + 0.45 * light, np.float32), felt)
    _draw_lids(sheet)
    if look.well is None:
        half = PLATE_MM / 2
        sheet.shade(sheet.square(half + 4, 18), 0.35, blur_mm=4)
        sheet.fill(sheet.square(half, 16), (96, 104, 108))
        sheet.fill(sheet.square(half - 2.2, 15), (48, 46, 44))
        sheet.fill(sheet.square(half - 7, 12), look.plate)
        return
    half = look.well.console_mm
    sheet.shade(sheet.square(half + 4, 18), 0.35, blur_mm=4)
    sheet.fill(sheet.square(half, 16), look.well.console, gain=0.6)
    sheet.fill(sheet.square(half - 2.5, 14), look.well.console)
    for shape, corners, colour in shapes_of(look.well):
        sheet.lay(shape, corners, colour)


def _pattern(sheet: _Sheet, pattern: ClothPattern) -> NDArray[np.float32]:
    """How much lighter, or darker, each point of the cloth is."""
    x, y = sheet.places_mm()
    match pattern:
        case ClothPattern.WOVEN:
            shade = 0.05 * (np.sin(x * 2 * np.pi / 7) + np.sin(y * 2 * np.pi / 7))
        case ClothPattern.PRINTED:
            rings = [np.hypot(np.abs(x) - place, np.abs(y) - place) for place in (0.0, 290.0)]
            waves = [np.sin(ring / 6) * np.exp(-ring / 60) for ring in rings]
            shade = 0.30 * sum(np.sign(wave) * np.sqrt(np.abs(wave)) for wave in waves)
        case ClothPattern.SEAMED:
            tone = np.floor((x + 400) / 270) + np.floor((y + 400) / 400)
            seam = (np.abs((x + 400) % 270) < 2) | (np.abs((y + 400) % 400) < 2)
            shade = 0.08 * (tone % 2) - 0.35 * seam
        case ClothPattern.WOODEN:
            board = np.floor((y + 400) / 90)
            grain = np.sin(y / 3 + 5 * np.sin(x / 160 + board)) * np.sin(y / 11 + board)
            shade = 0.10 * grain - 0.4 * (np.abs((y + 400) % 90) < 1.5) + 0.06 * (board % 2)
        case _:
            shade = np.zeros(1)
    return np.asarray(np.broadcast_to(shade, sheet.planes[0].shape), np.float32)


def _draw_lids(sheet: _Sheet) -> None:
    seams = np.zeros((sheet.side, sheet.side), np.uint8)
    box = np.array(
        [
            (-LID_HALF_MM, -LID_FAR_MM), (LID_HALF_MM, -LID_FAR_MM),
            (LID_HALF_MM, -LID_NEAR_MM), (-LID_HALF_MM, -LID_NEAR_MM),
        ]
    )  # fmt: skip
    for _ in range(4):
        box = np.column_stack([-box[:, 1], box[:, 0]])
        corners = np.round((box + _HALF_MM) * sheet.px_per_mm * 16).astype(np.int32)
        cv2.polylines(seams, [corners], True, 255, 1, cv2.LINE_AA, shift=4)
    sheet.multiply(1 - 0.4 / 255 * sheet.seen(seams).astype(np.float32))
