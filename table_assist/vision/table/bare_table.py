"""The bare table: a thing that was there before any tile was dealt is the cloth's print.

Emblems, lattices and letters on a cloth are read as backs and unread things. Which they are, no
colour tells for sure; but a tile that is laid there hides them, and until then they look as they
did while all tiles stood in the wall. Faces that were named are left alone, unless they are as
faint as a weave, or show the cloth's colour where something was read before the deal, too: where a
picture was kept at a wrong moment, nothing that is known may be lost by it. They hide the cloth
themselves: of a print that reaches under one, what is beside it tells.
"""

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np

from table_assist.tiles.tile import Tile
from table_assist.vision.pictures.picture import Array, Image
from table_assist.vision.reading.readings import Readings, tile_of
from table_assist.vision.reading.recognise import BACK, UNKNOWN
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.colours import are_alike, logarithms, sampled
from table_assist.vision.table.observation import foot_of
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.viewpoint import Viewpoint
from table_assist.vision.table.zones import FLAT, Layout, ZoneKind, zone_at

PICTURES_KEPT = 3  # pictures: of a place over which an arm lay in one, another tells
TILE_PX = 24  # of a usual tile, in what is kept
PATCH_WH = (24, 32)  # points that are compared of each thing
ROOM_PX = 3  # of these, each way: corners are known to a pixel or two
FREE_SHARE = 0.9  # of a thing's sides: beside it something may have come to lie
BORDER = 0.08  # of a face's sides, around its box: its edge and what is seen of its side
BESIDE_FACES = 0.4  # of a thing, at least, must lie beside the faces: less shows too little
LOOKS_SAME = 0.75  # the least correlation of what looks the same
# Grey levels; what varies less has no print, and resembles all other plain things
PRINTED_LEVELS = 6.0
# By how much the logarithms of a faint thing's points differ: those of a weave by 0.05 to 0.07; of
# 8,916 faces on drawn tables, white dragons left out, one in thirty by less than this.
FAINT = 0.1


@dataclass(frozen=True, slots=True)
class _Kept:
    """A picture of the undealt table, reduced, and where the table lay in the whole one.

    Attributes:
        read_mm: (n, 2) the middles of all that was read in it, on the table.
    """

    small: Image
    share: float
    calibration: Calibration
    cloth: Array
    read_mm: Array


@dataclass(frozen=True, slots=True)
class BarePlace:
    """By what a thing's zone is told: as `observe` does it."""

    layout: Layout
    viewpoint: Viewpoint | None
    times: float

    def is_empty(self, corners_mm: Array, label: str) -> bool:
        """Whether nothing lies before the deal where a thing stands that is seen there.

        Hands stand soon: of these only what is not read is doubted. A tile that stands looks
        otherwise when it is laid open.
        """
        x, y = (float(each) for each in corners_mm.mean(axis=0))
        foot = foot_of(x, y, tile_of(label), self.viewpoint, self.times)
        kind = zone_at(*foot, self.layout).kind
        return kind in FLAT or (kind is ZoneKind.HAND and label == UNKNOWN)


class BareTable:
    """Remembers how the table looked before tiles were dealt. Not for several threads."""

    def __init__(self) -> None:
        self._kept: deque[_Kept] = deque(maxlen=PICTURES_KEPT)

    @property
    def is_known(self) -> bool:
        """There is a picture to compare with."""
        return bool(self._kept)

    def keep(
        self,
        image: Image,
        calibration: Calibration,
        cloth: Array | None,
        readings: Readings,
    ) -> None:
        """All tiles stand in the wall in this picture, (h, w, 3) BGR, and nothing moves.

        Args:
            calibration: which holds in it.
            readings: all that was read in it, prints too.
            cloth: (3,) the table's colour; None: not known, and the picture is not kept.
        """
        if cloth is not None:
            small, share = _reduced(image, calibration)
            read_mm = _on_table(readings.polygons, calibration).mean(axis=1)
            self._kept.append(_Kept(small, share, calibration, cloth, read_mm))

    def without_print(
        self,
        readings: Readings,
        image: Image,
        calibration: Calibration,
        cloth: Array | None,
        place: BarePlace,
    ) -> Readings:
        """The readings without what was there before the deal; of faces what was read then, too.

        Args:
            image: in which they were read, and the calibration holds.
            cloth: (3,) as in `keep`, now.
            place: only where nothing lies before the deal a thing is doubted.

        Returns:
            The very same value where there is none.
        """
        if not self._kept or cloth is None:
            return readings
        corners_mm = _on_table(readings.polygons, calibration)
        faint, on_cloth = _doubtful_faces(readings, image, cloth)
        # Faces where something was read before the deal, as whatever it was
        middles, halves = corners_mm.mean(axis=1), np.ptp(corners_mm, axis=1) / 2
        faces = faint | {
            index
            for index in on_cloth
            for kept in self._kept
            if (np.abs(kept.read_mm - middles[index]) < halves[index]).all(axis=1).any()
        }
        doubted = [
            index
            for index, label in enumerate(readings.labels)
            if (label in (UNKNOWN, BACK) or index in faces)
            and place.is_empty(corners_mm[index], label)
        ]
        if not doubted:
            return readings
        small, share = _reduced(image, calibration)
        outlines = _beside_faces(readings, doubted)
        prints = set()
        for index, outline in zip(doubted, outlines, strict=True):
            now = _patch(small, _grown(outline, FREE_SHARE) * share, 0)
            there_mm = _on_table(outline[None], calibration)[0]
            if any(_is_same(now, cloth, kept, there_mm) for kept in self._kept):
                prints.add(index)
        if not prints:
            return readings
        return readings.select([i for i in range(len(readings)) if i not in prints])


def _doubtful_faces(readings: Readings, image: Image, cloth: Array) -> tuple[set[int], set[int]]:
    """Of the faces that were named, which may be no tiles.

    Returns:
        Those that differ in themselves as little as a weave does, and those on cloth.
    """
    faces = [
        index
        for index, tile in enumerate(readings.tiles)
        if tile is not None and tile.is_face and tile is not Tile.WHITE  # plain as it is
    ]
    points = logarithms(sampled(image, readings.polygons[faces]))
    is_faint = points.std(axis=1).max(axis=1, initial=0.0) < FAINT
    is_cloth = are_alike(points - logarithms(cloth)).mean(axis=1) >= 0.5
    return (
        {index for index, found in zip(faces, is_faint, strict=True) if found},
        {index for index, found in zip(faces, is_cloth, strict=True) if found},
    )


def _on_table(outlines: Array, calibration: Calibration) -> Array:
    """(n, 4, 2) outlines of the picture in the table's mm."""
    return calibration.to_table(outlines.reshape(-1, 2)).reshape(-1, 4, 2)


def _beside_faces(readings: Readings, doubted: list[int]) -> list[Array]:
    """The doubted things' outlines (4, 2), without what reaches into faces that were named."""
    boxes = readings.boxes
    low, high = boxes[:, :2], boxes[:, 2:]
    border = BORDER * (high - low)
    faces = [
        index for index, tile in enumerate(readings.tiles) if tile is not None and tile.is_face
    ]
    hidden = np.concatenate([low - border, high + border], axis=1)[faces]
    outlines = []
    for index in doubted:
        own = boxes[index]
        rest = own.copy()
        for face in hidden:
            _cut(rest, face)
        left, top, right, bottom = rest
        is_enough = (right - left) * (bottom - top) >= BESIDE_FACES * np.prod(own[2:] - own[:2])
        corners = (left, top), (right, top), (right, bottom), (left, bottom)
        is_cut = is_enough and (rest != own).any()
        outlines.append(np.array(corners, np.float32) if is_cut else readings.polygons[index])
    return outlines


def _cut(box: Array, other: Array) -> None:
    """Move that side of a box by which the least of it is lost, until the other is outside."""
    if (box[:2] >= other[2:]).any() or (other[:2] >= box[2:]).any():
        return
    lost = np.concatenate([other[2:] - box[:2], box[2:] - other[:2]])
    side = int(lost.argmin())
    box[side] = other[(side + 2) % 4]


def _is_same(
    now: Array,
    cloth: Array,
    kept: _Kept,
    corners_mm: Array,
) -> bool:
    """Whether a patch shows what a kept picture has at that place of the table."""
    outline = kept.calibration.to_picture(_grown(corners_mm, FREE_SHARE)) * kept.share
    then = _patch(kept.small, outline, ROOM_PX)
    if now.std(axis=(0, 1)).max() < PRINTED_LEVELS:
        return False
    _, likeness, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(then, now, cv2.TM_CCOEFF_NORMED))
    if likeness < LOOKS_SAME:
        return False
    there = then[y : y + PATCH_WH[1], x : x + PATCH_WH[0]]
    lamp = logarithms(cloth) - logarithms(kept.cloth)
    colours = [logarithms(each.mean(axis=(0, 1))) for each in (now, there)]
    return bool(are_alike(colours[0] - colours[1] - lamp))


def _reduced(image: Image, calibration: Calibration) -> tuple[Image, float]:
    """The picture in which a tile is as small as tells it, and how many times as large it is."""
    share = min(1.0, TILE_PX / (calibration.px_per_mm * TILE_MM))
    if share == 1.0:
        return image.copy(), 1.0
    small, left = image, share
    # By halves as far as that goes, and the rest between neighbours: a sixth of the time.
    while left <= 0.5:
        half = small.shape[1] // 2, small.shape[0] // 2
        small, left = np.asarray(cv2.resize(small, half, interpolation=cv2.INTER_AREA)), 2 * left
    rest = cv2.resize(small, None, fx=left, fy=left, interpolation=cv2.INTER_LINEAR)
    return np.asarray(rest, np.uint8), share


def _grown(outline: Array, times: float) -> Array:
    """(4, 2) the outline about its middle."""
    middle = outline.mean(axis=0)
    return np.asarray(middle + times * (outline - middle), np.float32)


def _patch(image: Image, outline: Array, room: int) -> Array:
    """(h, w, 3) what lies within an outline (4, 2), with so many points around it."""
    wide, high = PATCH_WH
    low, right, bottom = room, room + wide, room + high
    square = np.array([(low, low), (right, low), (right, bottom), (low, bottom)], np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(outline, np.float32), square)
    size = wide + 2 * room, high + 2 * room
    warped = cv2.warpPerspective(image, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.float32)
