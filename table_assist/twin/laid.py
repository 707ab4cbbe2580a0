"""The table with the pieces that lie on it, in even light."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.twin.faces import FaceSet
from table_assist.twin.lens import Lens
from table_assist.twin.looks import TableLook
from table_assist.twin.regions import around, grown, joined, part
from table_assist.twin.solids import Piece, PieceArtist, top_mm
from table_assist.twin.sprites import Sprite
from table_assist.twin.wells import DiceDome
from table_assist.vision.pictures.motion import Box
from table_assist.vision.pictures.picture import Image

# Pieces kept as they were drawn: more than those of a hand in all places that they come to lie in.
KEPT = 2048
# How far a shadow falls, in millimetres per millimetre of height and metre from the lamp.
SHADOW_REACH = 0.9
_SHADOW_DEPTH, _CONTACT_DEPTH = 0.38, 0.42
_SHADOW_MM, _CONTACT_MM = 5.0, 2.2  # how soft they are
# Points of the half scale around a part, by which its borders are those of the whole.
_BESIDE = 2


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A piece, and what of the table is in its shadow.

    Attributes:
        contact, cast: outlines at half the scale, convex.
        box: outside of it nothing of the piece is seen.
    """

    sprite: Sprite
    contact: NDArray[np.int32]
    cast: NDArray[np.int32]
    box: Box


class LaidTable:
    """Draws what lies on one table; of each new picture only what differs from the one before.

    Attributes:
        pieces: that lie there.
        image: the table with them; nobody may change it.
    """

    def __init__(self, faces: FaceSet, look: TableLook, camera: Lens, empty: Image) -> None:
        self.pieces: tuple[Piece, ...] = ()
        self._dome = None if look.well is None else DiceDome(look.well, camera)
        self.image = empty if self._dome is None else self._dome.over(empty)
        self._empty = empty
        self._look = look
        self._camera = camera
        self._artist = PieceArtist(faces, look, camera)
        self._drawn: dict[Piece, _Drawn] = {}
        # Through glass comes light.
        self._dark = 1.0 if look.glass is None else 1 - look.glass.see_through

    def lay(self, pieces: tuple[Piece, ...]) -> tuple[Box, ...] | None:
        """Bring the picture up to date.

        Returns:
            Where it is not as it was; None: anywhere.

        Raises:
            FacesError: the face set lacks the face of a piece.
        """
        if pieces == self.pieces:
            return ()
        boxes = self._changed(pieces)
        picture = self.image.copy()
        masks = self._masks(pieces)
        ordered = [self._of(piece) for piece in self.far_to_near(pieces)]
        for box in ((0, 0, *self._camera.size_wh),) if boxes is None else boxes:
            picture[part(box)] = self._shadowed(masks, box)
            for drawn in ordered:
                drawn.sprite.paste(picture, box)
            if self._dome is not None:
                self._dome.lay(picture, box)
        self.pieces, self.image = pieces, picture
        return boxes

    def far_to_near(self, pieces: Iterable[Piece]) -> list[Piece]:
        """The pieces from far to near: a standing one hides those further out."""
        x, y, _ = self._camera.position_mm
        return sorted(pieces, key=lambda piece: -((piece.x_mm - x) ** 2 + (piece.y_mm - y) ** 2))

    def _changed(self, pieces: tuple[Piece, ...]) -> tuple[Box, ...] | None:
        size = self._camera.size_wh
        if size[0] % 2 or size[1] % 2:
            return None  # the half scale is none
        before, now = Counter(self.pieces), Counter(pieces)
        moved = (before - now) + (now - before)
        return joined((self._of(piece).box for piece in moved), size)

    def _of(self, piece: Piece) -> _Drawn:
        if piece not in self._drawn:
            if len(self._drawn) >= KEPT:
                self._drawn.pop(next(iter(self._drawn)))
            self._drawn[piece] = self._draw(piece)
        return self._drawn[piece]

    def _draw(self, piece: Piece) -> _Drawn:
        sprite = self._artist.draw(piece)
        contact, cast = self._half_px(top_mm(piece) * (1, 1, 0)), self._cast(piece)
        shade = 2 * np.concatenate([contact, cast.reshape(-1, 2)])
        height, width = sprite.colour.shape[:2]
        corners = np.array([(sprite.x, sprite.y), (sprite.x + width, sprite.y + height)])
        size = self._camera.size_wh
        softest = _reach(self._softness(_SHADOW_MM))
        left, top, right, bottom = around(shade, 2 * (softest + _BESIDE), size)
        both = np.concatenate([corners, [(left, top), (right, bottom)]])
        left, top, right, bottom = around(both, 0, size)
        even = left - left % 2, top - top % 2, right + right % 2, bottom + bottom % 2
        return _Drawn(sprite, contact, cast, grown(even, 0, size))

    def _masks(self, pieces: Iterable[Piece]) -> tuple[Image, Image]:
        """All that is in a shadow, and in the deep one of contact, at half the scale."""
        width, height = self._camera.size_wh
        cast = np.zeros((-(-height // 2), -(-width // 2)), np.uint8)
        contact = np.zeros_like(cast)
        for piece in pieces:
            drawn = self._of(piece)
            cv2.fillConvexPoly(contact, drawn.contact, 255)
            cv2.fillConvexPoly(cast, drawn.cast, 255)
        return cast, contact

    def _shadowed(self, masks: tuple[Image, Image], box: Box) -> Image:
        """A part of the empty table with the shadows of all pieces, which are soft."""
        height, width = masks[0].shape
        size = width, height
        half = box[0] // 2, box[1] // 2, -(-box[2] // 2), -(-box[3] // 2)
        beside = grown(half, _BESIDE, size)
        cast, contact = (
            self._softened(mask, beside, mm)
            for mask, mm in zip(masks, (_SHADOW_MM, _CONTACT_MM), strict=True)
        )
        dark = self._dark * (cast * _SHADOW_DEPTH + contact * _CONTACT_DEPTH)
        light = np.round(255 - np.minimum(dark, 200)).astype(np.uint8)
        whole = half == (0, 0, width, height)
        full_wh = self._camera.size_wh if whole else (2 * light.shape[1], 2 * light.shape[0])
        full = cv2.resize(light, full_wh, interpolation=cv2.INTER_LINEAR)
        left, top = box[0] - 2 * beside[0], box[1] - 2 * beside[1]
        full = full[top : top + box[3] - box[1], left : left + box[2] - box[0]]
        shade = cv2.cvtColor(full, cv2.COLOR_GRAY2BGR)
        return np.asarray(cv2.multiply(self._empty[part(box)], shade, scale=1 / 255), np.uint8)

    def _softened(self, mask: Image, box: Box, mm: float) -> NDArray[np.float32]:
        """A part of the blurred mask."""
        sigma = self._softness(mm)
        around_it = grown(box, _reach(sigma), (mask.shape[1], mask.shape[0]))
        soft = cv2.GaussianBlur(mask[part(around_it)], (0, 0), sigma)
        left, top = box[0] - around_it[0], box[1] - around_it[1]
        own = soft[top : top + box[3] - box[1], left : left + box[2] - box[0]]
        return np.asarray(own, np.float32)

    def _softness(self, mm: float) -> float:
        return mm * self._camera.px_per_mm / 2

    def _cast(self, piece: Piece) -> NDArray[np.int32]:
        top = top_mm(piece)
        lamp_x, lamp_y = self._look.lamp_mm
        away = np.array([piece.x_mm - lamp_x, piece.y_mm - lamp_y, 0.0])
        far = top * (1, 1, 0) + away * (top[0, 2] / 1000 * SHADOW_REACH)
        outline = self._half_px(np.concatenate([top * (1, 1, 0), far]))
        return np.asarray(cv2.convexHull(outline), np.int32)

    def _half_px(self, points: NDArray[np.float64]) -> NDArray[np.int32]:
        return np.round(self._camera.project_points(points) / 2).astype(np.int32)


def _reach(sigma: float) -> int:
    """Pixels each way from which OpenCV's Gaussian of that width takes anything, and one more."""
    return round(3 * sigma) + 2
