"""Pictures of a simulated table, as an overhead camera would take them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.tiles.tile import Tile
from table_assist.twin.faces import FaceSet
from table_assist.twin.lens import Lens, RegionChange, around, common, grown, joined, part
from table_assist.twin.looks import TableLook
from table_assist.twin.optics import CameraFaults
from table_assist.twin.scene import Cover, PlacedDie, PlacedTile, Scene
from table_assist.twin.solids import (
    Piece,
    PieceArtist,
    Sprite,
    front_mm,
    shows_its_front,
    silhouette_px,
    top_mm,
)
from table_assist.twin.tabletop import empty_table
from table_assist.twin.wells import DiceDome
from table_assist.vision.pictures.motion import Box
from table_assist.vision.pictures.picture import Image

# The table with the pieces that lie on it, in even light.

# Pieces kept as they were drawn: more than those of a hand in all places that they come to lie in.
PIECES_KEPT = 2048
# How far a shadow falls, in millimetres per millimetre of height and metre from the lamp.
SHADOW_REACH = 0.9
_SHADOW_DEPTH, _CONTACT_DEPTH = 0.38, 0.42
_SHADOW_MM, _CONTACT_MM = 5.0, 2.2  # how soft they are
# Points of the half scale around a part, by which its borders are those of the whole.
_POINTS_AROUND = 2


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
            # A part of the empty table with the shadows of all pieces, which are soft
            height, width = masks[0].shape
            size = width, height
            half = box[0] // 2, box[1] // 2, -(-box[2] // 2), -(-box[3] // 2)
            beside = grown(half, _POINTS_AROUND, size)
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
            picture[part(box)] = np.asarray(
                cv2.multiply(self._empty[part(box)], shade, scale=1 / 255), np.uint8
            )
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
            if len(self._drawn) >= PIECES_KEPT:
                self._drawn.pop(next(iter(self._drawn)))
            sprite = self._artist.draw(piece)
            upper = top_mm(piece)
            below = upper * (1, 1, 0)
            lamp_x, lamp_y = self._look.lamp_mm
            away = np.array([piece.x_mm - lamp_x, piece.y_mm - lamp_y, 0.0])
            far = below + away * (upper[0, 2] / 1000 * SHADOW_REACH)
            contact = self._half_px(below)
            shadow = self._half_px(np.concatenate([below, far]))
            cast = cv2.convexHull(shadow).astype(np.int32)
            shade = 2 * np.concatenate([contact, cast.reshape(-1, 2)])
            height, width = sprite.colour.shape[:2]
            corners = np.array([(sprite.x, sprite.y), (sprite.x + width, sprite.y + height)])
            size = self._camera.size_wh
            softest = _reach(self._softness(_SHADOW_MM))
            left, top, right, bottom = around(shade, 2 * (softest + _POINTS_AROUND), size)
            both = np.concatenate([corners, [(left, top), (right, bottom)]])
            left, top, right, bottom = around(both, 0, size)
            even = left - left % 2, top - top % 2, right + right % 2, bottom + bottom % 2
            self._drawn[piece] = _Drawn(sprite, contact, cast, grown(even, 0, size))
        return self._drawn[piece]

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

    def _half_px(self, points: NDArray[np.float64]) -> NDArray[np.int32]:
        return np.round(self._camera.project_points(points) / 2).astype(np.int32)


def _reach(sigma: float) -> int:
    """Pixels each way from which OpenCV's Gaussian of that width takes anything, and one more."""
    return round(3 * sigma) + 2


# A lamp's mirror image: how soft its borders are, and how far it outshines white.
_GLARE_SOFT_MM, _GLARE_STRENGTH = 4.0, 1.6


@dataclass(frozen=True, slots=True)
class TrueBox:
    """A thing's true box in a picture. For training and measuring, never for the pipeline.

    Attributes:
        label: as in ``models/tiles.toml``: a face's name, ``back``, or ``d1`` to ``d6``.
        polygon_px: the piece's side that is read, four corners from its upper left.
        visible: the share of the polygon that nothing hides and that lies in the picture, 0-1.
    """

    label: str
    polygon_px: tuple[tuple[float, float], ...]
    visible: float


@dataclass(frozen=True, slots=True)
class _SoftCover:
    """How a cover changes a part of the picture: shade what is below, then mix its own in.

    Attributes:
        shade: (h, w, 1) how much light its shadow leaves, 0-1.
        own: (h, w, 3) its colour, darker at its borders.
        edge: (h, w, 1) how much of it hides what is below, 0-1.
    """

    box: Box
    shade: NDArray[np.float32]
    own: NDArray[np.float32]
    edge: NDArray[np.float32]


class Renderer:
    """Draws scenes of one table for one camera; each picture has its own noise.

    The same arguments and the same scenes in the same order give the same pictures.
    """

    def __init__(
        self, faces: FaceSet, look: TableLook, camera: Lens | None = None, seed: int = 0
    ) -> None:
        self.camera = camera or Lens()
        self._look = look
        self._faults = CameraFaults(look, self.camera, seed)
        self._laid = LaidTable(faces, look, self.camera, empty_table(look, self.camera, seed))
        # The newest covers, and the table with them.
        self._covers: tuple[Cover, ...] = ()
        self._soft: dict[Cover, _SoftCover] = {}
        self._drawing = self._laid.image
        self._glare: tuple[tuple[Piece, ...], tuple[Cover, ...], Image] | None = None

    def picture(self, scene: Scene) -> Image:
        """Take a picture: shape (h, w, 3), BGR.

        Raises:
            FacesError: the face set lacks a face that lies in the scene.
        """
        drawn, change = self._drawn(scene)
        return self._faults.apply(drawn, self._mirrored(scene.covers), change)

    def true_boxes(
        self, scene: Scene, *, least_visible: float = 0.5, standing: bool = False
    ) -> tuple[TrueBox, ...]:
        """Tiles that show their face or back upwards, and dice, unless too little is seen.

        Args:
            standing: the faces of tiles that stand before the camera, too.
        """
        pieces = self._laid.far_to_near((*scene.tiles, *scene.dice))
        found = []
        width, height = self.camera.size_wh
        owner = np.zeros((height, width), np.int32)
        for at, drawn in enumerate(pieces, start=1):
            outline = np.round(silhouette_px(drawn, self.camera)).astype(np.int32)
            cv2.fillConvexPoly(owner, outline, at)
        for cover in scene.covers:
            cv2.fillPoly(owner, [self._cover_px(cover)], -1)
        for index, piece in enumerate(pieces, start=1):
            label, corners_mm = _label(piece), top_mm(piece)
            if standing and isinstance(piece, PlacedTile) and shows_its_front(piece, self.camera):
                label, corners_mm = str(piece.tile), front_mm(piece)
            if label is None:
                continue
            polygon = self.camera.project_points(corners_mm)
            visible = _share(owner, polygon, index)
            if visible >= least_visible:
                corners = tuple((float(x), float(y)) for x, y in polygon)
                found.append(TrueBox(label, corners, visible))
        return tuple(found)

    def _drawn(self, scene: Scene) -> tuple[Image, RegionChange | None]:
        """The scene in even light, before lens, sensor and compression; not to be changed.

        And how it came from the one before; None where all of it may be new.
        """
        moved = self._laid.lay((*scene.tiles, *scene.dice))
        covers = tuple(cover for cover in scene.covers if not cover.is_light)
        before = self._drawing
        if moved == () and covers == self._covers:
            return before, RegionChange(before, ())
        came = self._come_and_gone(covers)
        self._covers = covers
        size = self.camera.size_wh
        boxes = None if moved is None or came is None else joined((*moved, *came), size)
        if not covers:
            self._drawing = self._laid.image
        else:
            everywhere = ((0, 0, *size),) if boxes is None else boxes
            self._drawing = before.copy()
            for box in everywhere:
                self._drawing[part(box)] = self._laid.image[part(box)]
                # Into a part of the picture
                for soft in self._soft.values():
                    shared = common(soft.box, box)
                    if shared is None:
                        continue
                    left, top = soft.box[:2]
                    own = part(
                        (shared[0] - left, shared[1] - top, shared[2] - left, shared[3] - top)
                    )
                    seen = self._drawing[part(shared)]
                    below = seen * soft.shade[own]
                    seen[:] = np.clip(below + (soft.own[own] - below) * soft.edge[own], 0, 255)
        return self._drawing, None if boxes is None else RegionChange(before, boxes)

    def _come_and_gone(self, covers: tuple[Cover, ...]) -> list[Box] | None:
        """Where covers were or are that do not stay; None: those that stay lie in other order."""
        known = self._soft
        # Clutter stays where it lies: its soft shapes are worked out once.
        self._soft = {cover: known.get(cover) or self._softly(cover) for cover in covers}
        stayed = [cover for cover in self._covers if cover in self._soft]
        if stayed != [cover for cover in covers if cover in known]:
            return None
        return [
            soft.box
            for cover, soft in (known | self._soft).items()
            if (cover in known) is not (cover in self._soft)
        ]

    def _mirrored(self, covers: tuple[Cover, ...]) -> Image | None:
        """(h, w) how much of a lamp's mirror image each point shows; None where there is none.

        Tiles are glossy, cloth and what lies over the table are not.
        """
        if not any(cover.is_light for cover in covers):
            return None
        pieces = self._laid.pieces
        if self._glare is None or self._glare[0] is not pieces or self._glare[1] != covers:
            width, height = self.camera.size_wh
            lights = np.zeros((height, width), np.uint8)
            glossy = np.zeros_like(lights)
            for piece in pieces:
                outline = np.round(silhouette_px(piece, self.camera)).astype(np.int32)
                cv2.fillConvexPoly(glossy, outline, 255)
            for cover in covers:
                shade = lights if cover.is_light else glossy
                cv2.fillPoly(shade, [self._cover_px(cover)], 255 if cover.is_light else 0)
            half = cv2.resize(lights, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            soft = cv2.GaussianBlur(half, (0, 0), _GLARE_SOFT_MM * self.camera.px_per_mm / 2)
            full = cv2.resize(soft, lights.shape[::-1], interpolation=cv2.INTER_LINEAR)
            soft = np.asarray(cv2.convertScaleAbs(full, alpha=_GLARE_STRENGTH), np.uint8)
            self._glare = pieces, covers, np.asarray(cv2.min(soft, glossy), np.uint8)
        return self._glare[2]

    def _cover_px(
        self, cover: Cover, *, shift: tuple[float, float] = (0.0, 0.0)
    ) -> NDArray[np.int32]:
        lifted = [(x + shift[0], y + shift[1], cover.height_mm) for x, y in cover.polygon_mm]
        return np.round(self.camera.project_points(np.array(lifted))).astype(np.int32)

    def _softly(self, cover: Cover) -> "_SoftCover":
        """A soft-edged body, rounder at its borders, with a wide shadow."""
        outline = self._cover_px(cover)
        lamp_x, lamp_y = self._look.lamp_mm
        middle = np.mean(cover.polygon_mm, axis=0)
        away = (middle - (lamp_x, lamp_y)) * (cover.height_mm / 1000 * SHADOW_REACH)
        fall = self._cover_px(cover, shift=(float(away[0]), float(away[1])))
        reach = round(40 * self.camera.px_per_mm)
        both = np.concatenate([outline, fall])
        low = np.maximum(both.min(0) - reach, 0)
        high = np.maximum(np.minimum(both.max(0) + reach, self.camera.size_wh), low)
        size = (int(high[1] - low[1]), int(high[0] - low[0]))
        wide = self._softened(fall - low, size, blur_mm=11)
        rounded = self._softened(outline - low, size, blur_mm=9)
        edge = np.clip((self._softened(outline - low, size, blur_mm=2) - 0.42) * 6, 0, 1)
        return _SoftCover(
            (int(low[0]), int(low[1]), int(high[0]), int(high[1])),
            (1 - 0.45 * wide)[..., None],
            np.array(cover.colour, np.float32) * (0.6 + 0.44 * rounded)[..., None],
            edge[..., None],
        )

    def _softened(
        self, outline: NDArray[np.int32], size: tuple[int, int], *, blur_mm: float
    ) -> NDArray[np.float32]:
        """A blurred shape over a part of the picture, 0-1, worked out at half the scale."""
        height, width = size
        if not height or not width:
            return np.zeros(size, np.float32)
        mask = np.zeros((-(-height // 2), -(-width // 2)), np.uint8)
        cv2.fillPoly(mask, [outline // 2], 255)
        soft = cv2.GaussianBlur(mask, (0, 0), blur_mm * self.camera.px_per_mm / 2)
        return np.asarray(cv2.resize(soft, (width, height)) / np.float32(255), np.float32)


def _label(piece: Piece) -> str | None:
    if isinstance(piece, PlacedDie):
        return f"d{piece.value}"
    shown = piece.shows
    if shown is None or shown is Tile.BACK:
        return None if shown is None else "back"
    return str(shown) if shown.is_face else None


def _share(owner: NDArray[np.int32], polygon: NDArray[np.float64], index: int) -> float:
    """How much of a polygon belongs to a piece; what lies outside the picture does not."""
    low = np.floor(polygon.min(0)).astype(int)
    high = np.ceil(polygon.max(0)).astype(int) + 1
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round(polygon - low).astype(np.int32), 1)
    inside_low = np.clip(low, 0, owner.shape[::-1])
    inside_high = np.clip(high, 0, owner.shape[::-1])
    part = owner[inside_low[1] : inside_high[1], inside_low[0] : inside_high[0]]
    x, y = inside_low - low
    own = mask[y : y + part.shape[0], x : x + part.shape[1]]
    return float(((part == index) & (own > 0)).sum() / max(int(mask.sum()), 1))
