"""Advice on a picture that is hard to read: one sentence with the figure in it.

The limits were measured with pictures made worse, on 54 photographs of hands and
trays: beyond each, the share of tiles that are named right had fallen by 2 to 15 points.
"""

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.languages.words import Words
from table_assist.vision.pictures.picture import COARSE_PX, Array, Floats, Image
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.recognise import CLIPPED, UNKNOWN, crop_tile
from table_assist.vision.reading.whole import USUAL_ASPECT, cut_off
from table_assist.vision.table.calibration import LEAST_PX_PER_TILE, Calibration
from table_assist.vision.table.observation import seen_tile_mm
from table_assist.vision.table.tile_size import (
    FARTHEST_WIDTHS,
    IN_ROW,
    LEAST_ROW,
    NEAR_SIZE,
    NEAREST_WIDTHS,
    WIDEST_BOX,
    runs,
)

MOST_CLIPPED = 0.5  # of the tiles' area; 0 to 0.2 in good light, and at 0.7 one more in 20 is lost
MOST_CLIPPED_PICTURE = 0.25  # of a picture in which no tile was found; 0 to 0.03 in good light
LEAST_HIGHLIGHT = 55  # grey level of the tiles' ivory; 190 and more in good light
GROUND_PERCENTILE = 90  # percentile of a tile's grey levels: the ground beside the drawing
LEAST_SHARPNESS = 0.25  # share of edge that a blur of 2 px takes from a 64 px crop; 0.44 and more
MOST_UNSURE = 0.2  # of what is no back is "?"; 0.06 to 0.19 on drawn tables in good light
FAR = 10  # percentile of the widths: where the tiles look smallest

_MOST_CROPS = 40  # more tiles say nothing new about sharpness
WIDEST_GAP = 5  # in tiles, beyond which nothing tells what is between


class PictureFault(StrEnum):
    """The faults of a picture."""

    NO_TILES = "no_tiles"  # none that is named
    TOO_SMALL = "too_small"
    TOO_BRIGHT = "too_bright"
    TOO_DARK = "too_dark"
    BLURRED = "blurred"
    CUT_OFF = "cut_off"
    LACKING = "lacking"  # tiles that their rows imply were not found
    UNSURE = "unsure"  # too many, and nobody knows why
    UNLIKE = "unlike"  # what the reader's limits were fitted on


@dataclass(frozen=True, slots=True)
class Advice:
    """A trouble and what to do about it."""

    trouble: PictureFault
    words: Words


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions under which a picture was read.

    Attributes:
        tiles: how many were found, face up or down.
        unsure: how many of them are "?".
        cut_off: how many are cut off by the picture's border.
        width_px: of a tile at the far side; None where there is none, as with ``sharpness``.
        clipped: share of the tiles' area, or of a picture without tiles, that is white.
        highlight: grey level of the tiles' ivory, or of such a picture's lightest parts.
        sharpness: 0-1, by how much a blur dulls the tiles' drawings.
        is_unlike: its faces are read less surely than those of usual pictures.
        hardly_sure: how many faces are, and of how many.
        unnamed: how many faces are "?", and of how many; a side of a standing tile is none.
        lacking: how many more rows imply.
    """

    tiles: int
    unsure: int
    cut_off: int
    width_px: float | None
    clipped: float
    highlight: float
    sharpness: float | None
    is_unlike: bool = False
    hardly_sure: tuple[int, int] = (0, 0)
    unnamed: tuple[int, int] = (0, 0)
    lacking: int = 0


def advise(
    image: Image, readings: Readings, calibration: Calibration | None = None
) -> tuple[Advice, ...]:
    """The advice on a picture (h, w, 3) BGR and its readings; mostly nothing.

    Args:
        calibration: where the table lies in it; None: nobody knows, or there is none.
    """
    return advice_on(measure(image, readings, calibration))


def advice_on(conditions: Conditions) -> tuple[Advice, ...]:
    """The advice under these conditions, the most important first.

    A cause is told and not its consequence: small tiles look blurred, and both are unsure.
    """
    found: list[Advice] = []
    if conditions.tiles == conditions.unsure:
        found.append(_advice(PictureFault.NO_TILES))
    found += _light(conditions)
    width = conditions.width_px
    if width is not None and width < LEAST_PX_PER_TILE:
        found.append(_advice(PictureFault.TOO_SMALL, n=int(width)))
    elif conditions.sharpness is not None and conditions.sharpness < LEAST_SHARPNESS:
        found.append(_advice(PictureFault.BLURRED))
    if conditions.cut_off:
        found.append(_advice(PictureFault.CUT_OFF, n=conditions.cut_off))
    if not found and conditions.is_unlike:
        n, of = conditions.hardly_sure
        found.append(_advice(PictureFault.UNLIKE, n=n, of=of))
    implied = conditions.tiles + conditions.lacking
    if not found and 2 * conditions.lacking > MOST_UNSURE * implied:
        found.append(_advice(PictureFault.LACKING, n=conditions.lacking, of=implied))
    unnamed, faces = conditions.unnamed
    if not found and unnamed > MOST_UNSURE * faces:
        found.append(_advice(PictureFault.UNSURE, n=unnamed, of=faces))
    return tuple(found)


def measure(image: Image, readings: Readings, calibration: Calibration | None = None) -> Conditions:
    """Measure a picture (h, w, 3) BGR by the tiles that were read in it, or as a whole."""
    tiles = readings.tile_places
    boxes = readings.boxes[tiles].reshape(-1, 4)
    grey = cv2.cvtColor(np.ascontiguousarray(image[::COARSE_PX, ::COARSE_PX]), cv2.COLOR_BGR2GRAY)
    if tiles:
        grey = np.concatenate([_inside(image, box).ravel() for box in boxes[:_MOST_CROPS]])
    usual, faces, lacks = readings.usual, readings.face_confidences, 0
    if calibration and (wide_mm := seen_tile_mm(readings, calibration)):
        middles = np.asarray(readings.polygons[tiles].mean(axis=1), np.float32)
        lacks = lacking(calibration.to_table(middles), wide_mm)
    likely = [(*(each.label for each in readings.candidates[i]), "")[0] for i in tiles]
    shown = [readings.labels[i] for i, first in zip(tiles, likely, strict=True) if first != "back"]
    drawn = [i for i, tile in enumerate(tiles) if readings.labels[tile] not in ("back", "P")]
    # A tile's width by its upright box, which turning makes larger: at most by two fifths.
    wide = np.sqrt((boxes[:, 2:] - boxes[:, :2]).prod(axis=1) / USUAL_ASPECT)
    return Conditions(
        tiles=len(tiles),
        unsure=sum(readings.labels[index] == UNKNOWN for index in tiles),
        cut_off=cut_off(readings),
        width_px=float(np.percentile(wide, FAR)) if tiles else None,
        clipped=float((grey >= CLIPPED).mean()),
        highlight=float(np.percentile(grey, GROUND_PERCENTILE if tiles else 99)),
        sharpness=sharpness(image, boxes[drawn[:_MOST_CROPS]]) if drawn else None,
        is_unlike=usual is not None and usual.is_unlike(faces),
        hardly_sure=(usual.hardly_sure(faces) if usual else 0, len(faces)),
        unnamed=(shown.count(UNKNOWN), len(shown)),
        lacking=lacks,
    )


def _light(conditions: Conditions) -> list[Advice]:
    most = MOST_CLIPPED if conditions.tiles else MOST_CLIPPED_PICTURE
    if conditions.clipped > most:
        return [_advice(PictureFault.TOO_BRIGHT, n=round(100 * conditions.clipped))]
    if conditions.highlight < LEAST_HIGHLIGHT:
        return [_advice(PictureFault.TOO_DARK)]
    return []


def _inside(image: Image, box: Array) -> NDArray[np.uint8]:
    left, top = np.maximum(np.floor(box[:2]).astype(int), 0)
    right, bottom = np.ceil(box[2:]).astype(int)
    step = max(1, (right - left) // 32)
    part = image[top : max(bottom, top + 1) : step, left : max(right, left + 1) : step]
    if not part.size:
        return np.zeros(0, np.uint8)
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2GRAY), np.uint8)


def sharpness(image: Image, boxes: Array) -> float:
    """The median share of its edges that a crop loses when it is blurred once more.

    A picture that is blurred already has little to lose, whatever is drawn on its tiles.

    Source: Crété, Dolmiere, Ladret, Nicolas: The blur effect (2007), the idea.
    """
    shares = []
    for box in boxes:
        grey = cv2.cvtColor(crop_tile(image, box), cv2.COLOR_RGB2GRAY).astype(np.float32)
        edges = _edges(grey)
        if edges > 0:
            dulled = np.asarray(cv2.GaussianBlur(grey, (0, 0), 2.0), np.float32)
            shares.append(1 - _edges(dulled) / edges)
    return float(np.median(shares)) if shares else 1.0


def _edges(grey: Array) -> float:
    return float(np.abs(np.diff(grey, axis=0)).mean() + np.abs(np.diff(grey, axis=1)).mean())


# --- Words


def _advice(trouble: PictureFault, **values: int) -> Advice:
    return Advice(trouble, _FAULT_WORDS[trouble].filled(**values))


_FAULT_WORDS = {
    PictureFault.NO_TILES: Words(
        "no tile could be read: lay them flat, face up, with the whole table or hand in view",
        "未能认出牌：请将牌平放、牌面朝上，并使整个牌桌或整手牌入镜",
    ),
    PictureFault.TOO_DARK: Words(
        "too dark: more light, or a longer exposure", "太暗：请增加光线或延长曝光"
    ),
    PictureFault.BLURRED: Words(
        "blurred: focus on the tiles and hold the camera still",
        "模糊：请对焦于牌面并保持摄像头稳定",
    ),
    PictureFault.TOO_SMALL: Words(
        "{n} pixels a tile at the far side: move the camera closer, or higher",
        "远端每张牌仅 {n} 像素宽：请将摄像头移近或放高",
    ),
    PictureFault.TOO_BRIGHT: Words(
        "too bright: {n} % is plain white; less light, or a shorter exposure",
        "太亮：{n} % 为纯白；请减少光线或缩短曝光",
    ),
    PictureFault.CUT_OFF: Words(
        "cut off at the picture's border: {n}; move the camera back or aside",
        "有 {n} 张牌被画面边缘截断：请将摄像头后移或侧移",
    ),
    PictureFault.LACKING: Words(
        "{n} of {of} tiles in rows were not found: closer, higher, more light, or another lens",
        "成排的 {of} 张牌中有 {n} 张未找到：请将摄像头移近或放高、增加光线，或换镜头",
    ),
    PictureFault.UNSURE: Words(
        "{n} of {of} faces are not named: closer, higher, more light, or another lens",
        "{of} 张牌面中有 {n} 张未能认出：请将摄像头移近或放高、增加光线，或换镜头",
    ),
    PictureFault.UNLIKE: Words(
        "{n} of {of} faces are read less surely than usual: learn the set with three photographs "
        "(enrol), or look at the light",
        "{n} / {of} 张牌认得不如平常有把握：请用三张照片录入这副牌（enrol），或检查光线",
    ),
}


def lacking(places: Floats, wide_mm: float) -> int:
    """How many tiles rows imply that were not found: gaps that are so many tiles wide.

    Args:
        places: (n, 2) of those that were found on the table, in mm.
        wide_mm: about how wide one is.
    """
    far = np.abs(places[:, None] - places) / wide_mm
    beside = (far > NEAREST_WIDTHS) & (far < WIDEST_BOX) & (far[..., ::-1] <= IN_ROW)
    rows, taken = list[tuple[Floats, int]](), list(places)
    for axis, way in enumerate((1, -1)):  # without the ends of rows across
        touched = np.asarray(beside.any(axis=1))
        things = places[touched[:, axis] | ~touched[:, 1 - axis], ::way].tolist()
        found = runs([(along, across, wide_mm) for along, across in things], WIDEST_GAP)
        rows += [(np.array(run)[:, :2], way) for run in found if len(run) >= LEAST_ROW]
    steps = np.concatenate([np.diff(row[:, 0]) for row, _ in rows] or [np.zeros(0)])
    step = float(np.median([*steps[steps < FARTHEST_WIDTHS * wide_mm], *[wide_mm] * (not rows)]))
    for row, way in rows:
        gaps = np.diff(row[:, 0]) / step
        for part in np.split(row, np.flatnonzero(np.abs(gaps - np.round(gaps)) > NEAR_SIZE) + 1):
            for one, other in pairwise(part if len(part) >= LEAST_ROW else ()):
                count = round((other[0] - one[0]) / step)
                for place in (one + (other - one) * share / count for share in range(1, count)):
                    if (
                        np.abs(np.array(taken) - place[::way]).max(axis=1).min()
                        > NEAREST_WIDTHS * step
                    ):
                        taken.append(place[::way])
    return len(taken) - len(places)
