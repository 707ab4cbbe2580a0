"""Emblems and letters that are printed on a cloth: where they lie, and their shapes."""

from collections.abc import Iterator
from math import cos, pi, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.tiles.tile import Tile
from table_assist.twin.faces import load_faces
from table_assist.twin.looks import Emblem, EmblemKind, EmblemPlace
from table_assist.twin.scene import rectangle
from table_assist.vision.pictures.picture import Image

SIDE_PX = 512
# From the table's middle, and how large; one large one lies in the middle, below the console.
_LARGE_MM = 470.0
_BESIDE_MM = {EmblemPlace.MIDDLE: 158.0, EmblemPlace.CORNERS: 432.0, EmblemPlace.SIDES: 292.0}
_SIZES_MM = {EmblemPlace.MIDDLE: 140.0, EmblemPlace.CORNERS: 126.0, EmblemPlace.SIDES: 110.0}
_WORD_TIMES = (2.6, 0.75)  # as wide and as high as another emblem there
_SEALS = (Tile.GREEN, Tile.RED)
_WINDS = (Tile.EAST, Tile.SOUTH, Tile.WEST, Tile.NORTH)
_WORDS = ("MAHJONG", "GOOD LUCK", "FOUR WINDS")
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
            return _character(_WINDS[seat])
        case EmblemKind.WORD:
            return _word(_WORDS[emblem.which % len(_WORDS)])
        case EmblemKind.KNOT:
            return _knot()
        case EmblemKind.FLOWER:
            return _flower()


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


def _word(word: str) -> Image:
    """As wide as it is, on one line."""
    font, scale, thick = cv2.FONT_HERSHEY_TRIPLEX, 5.0, 14
    (wide, high), low = cv2.getTextSize(word, font, scale, thick)
    shape = np.zeros((high + low + 2 * thick, wide + 2 * thick), np.uint8)
    cv2.putText(shape, word, (thick, high + thick), font, scale, 255, thick, cv2.LINE_AA)
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


def _flower() -> Image:
    """A lotus from above: petals in two rounds."""
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
    cv2.circle(shape, (round(middle), round(middle)), round(0.06 * SIDE_PX), 255, -1, cv2.LINE_AA)
    return shape
