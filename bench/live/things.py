"""The things that a camera could read in a scene, by geometry alone: nothing is drawn."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.tiles.tile import Tile
from table_assist.twin.lens import Lens
from table_assist.twin.scene import Cover, PlacedDie, Scene
from table_assist.twin.solids import Piece, silhouette_px, top_mm

STANDING = "standing"
# Hiding is worked out on a picture reduced so far: a tile is still ten points wide.
REDUCED = 4
LEAST_VISIBLE = 0.02
MOST_OUTLINES = 8192  # more than the pieces of some hands, in all places that they come to lie in

A_COVER = -1  # among whom points of the picture show

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class SceneThing:
    """A piece as one picture shows it.

    Attributes:
        label: what a faultless reader would say, as in ``models/tiles.toml``; or ``standing``.
        box: the upright box around its upper side, or around all of a standing tile; in pixels.
        visible: the share of the box's own part that nothing hides, 0-1.
        covered: the share that covers hide; tiles or the picture's rim hide the rest.
    """

    piece: Piece
    label: str
    box: Box
    visible: float
    covered: float


@dataclass(frozen=True, slots=True)
class _Outline:
    label: str
    box: Box
    whole: NDArray[np.int32]
    shown: NDArray[np.int32]


class Geometry:
    """Where one camera sees the pieces of any scene."""

    def __init__(self, camera: Lens) -> None:
        self.camera = camera
        self._outlines = lru_cache(MOST_OUTLINES)(self._outline)
        self._latest: tuple[Scene, tuple[SceneThing, ...]] | None = None

    def things(self, scene: Scene) -> tuple[SceneThing, ...]:
        """Everything of which a little is seen; tiles without a readable side are left out.

        The very same tuple for the very same scene.
        """
        if self._latest is not None and self._latest[0] is scene:
            return self._latest[1]
        x, y, _ = self.camera.position_mm
        pieces: list[Piece] = [*scene.tiles, *scene.dice]  # from far to near
        pieces.sort(key=lambda piece: -((piece.x_mm - x) ** 2 + (piece.y_mm - y) ** 2))
        outlines = [self._outlines(piece) for piece in pieces]
        owner = self._empty(np.int32)  # whom each point shows, from 1; 0 table
        for index, outline in enumerate(outlines, start=1):
            cv2.fillConvexPoly(owner, outline.whole, index)
        self._put_over(owner, scene.covers, A_COVER)
        found = []
        for index, (piece, outline) in enumerate(zip(pieces, outlines, strict=True), start=1):
            if outline.label:
                visible, covered = _shares(owner, outline.shown, index)
                if visible > LEAST_VISIBLE:
                    found.append(SceneThing(piece, outline.label, outline.box, visible, covered))
        self._latest = scene, tuple(found)
        return self._latest[1]

    def covered(self, covers: Iterable[Cover], margin_px: int) -> NDArray[np.bool_]:
        """Where in the reduced picture covers are seen, and so far around them."""
        mask, side = self._empty(np.uint8), 2 * (margin_px // REDUCED) + 1
        self._put_over(mask, covers, 1)
        return np.asarray(cv2.dilate(mask, np.ones((side, side), np.uint8)), np.bool_)

    def _outline(self, piece: Piece) -> _Outline:
        label, whole = _label(piece), silhouette_px(piece, self.camera)
        shown = whole if label == STANDING else self.camera.project_points(top_mm(piece))
        low, high = shown.min(axis=0), shown.max(axis=0)
        box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        return _Outline(label, box, _reduced(whole), _reduced(shown))

    def _empty(self, kind: type) -> NDArray[Any]:
        width, height = (-(-side // REDUCED) for side in self.camera.size_wh)
        return np.zeros((height, width), kind)

    def _put_over(self, mask: NDArray[Any], covers: Iterable[Cover], value: int) -> None:
        for cover in covers:
            lifted = np.array([(x, y, cover.height_mm) for x, y in cover.polygon_mm])
            cv2.fillPoly(mask, [_reduced(self.camera.project_points(lifted))], value)


def _reduced(points_px: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.round(points_px / REDUCED).astype(np.int32)


def _label(piece: Piece) -> str:
    """Empty for a tile that shows a face that nobody knows."""
    if isinstance(piece, PlacedDie):
        return f"d{piece.value}"
    if piece.shows is None:
        return STANDING
    return "back" if piece.shows is Tile.BACK else str(piece.shows) * piece.shows.is_face


def _shares(
    owner: NDArray[np.int32], polygon: NDArray[np.int32], index: int
) -> tuple[float, float]:
    """How much of a polygon belongs to a piece and to covers; the rest may be off the picture."""
    left, top = polygon.min(axis=0).tolist()
    right, bottom = (polygon.max(axis=0) + 1).tolist()
    mask = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillConvexPoly(mask, polygon - (left, top), 1)
    height, width = owner.shape
    part = owner[max(top, 0) : min(bottom, height), max(left, 0) : min(right, width)]
    if part.size == 0:
        return 0.0, 0.0
    y, x = max(-top, 0), max(-left, 0)
    own = mask[y : y + part.shape[0], x : x + part.shape[1]]
    every = max(int(mask.sum()), 1)
    visible, covered = (np.count_nonzero((part == one) & (own > 0)) for one in (index, A_COVER))
    return float(visible / every), float(covered / every)
