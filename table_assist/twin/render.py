"""Pictures of a simulated table, as an overhead camera would take them."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.tiles.tile import Tile
from table_assist.twin.faces import FaceSet
from table_assist.twin.laid import SHADOW_REACH, LaidTable
from table_assist.twin.lens import Lens
from table_assist.twin.looks import TableLook
from table_assist.twin.optics import CameraFaults
from table_assist.twin.regions import RegionChange, common, joined, part
from table_assist.twin.scene import Cover, PlacedDie, PlacedTile, Scene
from table_assist.twin.solids import Piece, front_mm, shows_its_front, silhouette_px, top_mm
from table_assist.twin.tabletop import empty_table
from table_assist.vision.pictures.motion import Box
from table_assist.vision.pictures.picture import Image

__all__ = ["Lens", "Renderer", "TrueBox"]


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
        owner = self._ownership(pieces, scene.covers)
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
                self._draw_covers(self._drawing, box)
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
            soft = self._softened_glare(lights)
            self._glare = pieces, covers, np.asarray(cv2.min(soft, glossy), np.uint8)
        return self._glare[2]

    def _softened_glare(self, lights: Image) -> Image:
        half = cv2.resize(lights, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        soft = cv2.GaussianBlur(half, (0, 0), _GLARE_SOFT_MM * self.camera.px_per_mm / 2)
        full = cv2.resize(soft, lights.shape[::-1], interpolation=cv2.INTER_LINEAR)
        return np.asarray(cv2.convertScaleAbs(full, alpha=_GLARE_STRENGTH), np.uint8)

    def _cover_px(
        self, cover: Cover, *, shift: tuple[float, float] = (0.0, 0.0)
    ) -> NDArray[np.int32]:
        lifted = [(x + shift[0], y + shift[1], cover.height_mm) for x, y in cover.polygon_mm]
        return np.round(self.camera.project_points(np.array(lifted))).astype(np.int32)

    def _draw_covers(self, picture: Image, within: Box) -> None:
        """Into a part of the picture."""
        for soft in self._soft.values():
            shared = common(soft.box, within)
            if shared is None:
                continue
            left, top = soft.box[:2]
            own = part((shared[0] - left, shared[1] - top, shared[2] - left, shared[3] - top))
            seen = picture[part(shared)]
            below = seen * soft.shade[own]
            seen[:] = np.clip(below + (soft.own[own] - below) * soft.edge[own], 0, 255)

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

    def _ownership(self, pieces: list[Piece], covers: tuple[Cover, ...]) -> NDArray[np.int32]:
        """Which piece each picture point shows, counted from 1; 0 is the table, -1 a cover."""
        width, height = self.camera.size_wh
        owner = np.zeros((height, width), np.int32)
        for index, piece in enumerate(pieces, start=1):
            outline = np.round(silhouette_px(piece, self.camera)).astype(np.int32)
            cv2.fillConvexPoly(owner, outline, index)
        for cover in covers:
            cv2.fillPoly(owner, [self._cover_px(cover)], -1)
        return owner


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
