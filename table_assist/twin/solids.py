"""Single pieces as the camera sees them: tiles that lie, stand or are stacked, and dice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import cos, exp, hypot, pi, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.tiles.tile import Tile
from table_assist.twin.faces import FaceSet
from table_assist.twin.lens import Lens
from table_assist.twin.looks import Colour, TableLook, toned
from table_assist.twin.scene import (
    TILE_LENGTH_MM,
    TILE_THICKNESS_MM,
    TILE_WIDTH_MM,
    PlacedDie,
    PlacedTile,
    Pose,
)
from table_assist.vision.pictures.motion import Box
from table_assist.vision.pictures.picture import Image

# Small pictures of single pieces: drawn oversampled, pasted with soft edges.

Points = NDArray[np.float64]

OVERSAMPLING = 3
_FIXED_POINT_BITS = 4


@dataclass(frozen=True, slots=True)
class Sprite:
    """A drawn piece and where it goes; pieces keep their place, so sprites can be kept.

    Attributes:
        colour: shape (h, w, 3), already multiplied by the opacity.
        behind: shape (h, w, 1), 0 where the piece hides the picture, 256 where it is not.
    """

    x: int
    y: int
    colour: Image
    behind: NDArray[np.uint16]

    def paste(self, picture: Image, within: Box) -> None:
        """Draw into a picture, clipped to a part of it."""
        height, width = self.colour.shape[:2]
        left, top = max(self.x, within[0]), max(self.y, within[1])
        right, bottom = min(self.x + width, within[2]), min(self.y + height, within[3])
        if left >= right or top >= bottom:
            return
        own = np.s_[top - self.y : bottom - self.y, left - self.x : right - self.x]
        below = picture[top:bottom, left:right]
        below[:] = (below * self.behind[own] >> 8).astype(np.uint8) + self.colour[own]


class SpritePatch:
    """A small oversampled canvas around one piece.

    Args:
        see_through: how much of what lies below shows through its body, 0-1; print hides it.
    """

    def __init__(self, camera: Lens, silhouette: Points, see_through: float = 0.0) -> None:
        low, high = np.floor(silhouette.min(0)) - 2, np.ceil(silhouette.max(0)) + 2
        self._camera = camera
        self._origin = low
        width, height = (int(side) * OVERSAMPLING for side in high - low)
        self._colour = np.zeros((height, width, 3), np.uint8)
        self._mask = np.zeros((height, width), np.uint8)
        self._body = round(255 * (1 - see_through))

    def wall(self, outline: Points, low: float, high: float, colour: Colour) -> None:
        """Fill what an upright body with this outline covers, from one height to another."""
        points = self._seen(np.concatenate([raised(outline, low), raised(outline, high)]))
        hull = cv2.convexHull(points.astype(np.float32))
        fixed = np.round(hull * (1 << _FIXED_POINT_BITS)).astype(np.int32)
        cv2.fillConvexPoly(self._colour, fixed, colour, cv2.LINE_8, _FIXED_POINT_BITS)
        cv2.fillConvexPoly(self._mask, fixed, self._body, cv2.LINE_8, _FIXED_POINT_BITS)

    def stretch(
        self, texture: Image, corners: Points, gain: float, ink: Image | None = None
    ) -> None:
        """Lay a picture over four corners, the picture's upper left first.

        Args:
            ink: (h, w) how much of what lies below the picture hides, 0-255; None: as the body.
        """
        height, width = texture.shape[:2]
        own = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        # Pixel centres lie half a pixel inside the corner.
        matrix = cv2.getPerspectiveTransform(own - 0.5, self._seen(corners).astype(np.float32))
        size = (self._colour.shape[1], self._colour.shape[0])
        cv2.warpPerspective(
            cv2.convertScaleAbs(texture, alpha=gain),
            matrix,
            size,
            self._colour,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_TRANSPARENT,
        )
        if ink is not None:
            inked = cv2.warpPerspective(ink, matrix, size, flags=cv2.INTER_LINEAR)
            self._mask = np.asarray(cv2.max(self._mask, inked), np.uint8)

    def sprite(self) -> Sprite:
        """The finished piece at the picture's own scale."""
        size = (self._mask.shape[1] // OVERSAMPLING, self._mask.shape[0] // OVERSAMPLING)
        own = self._colour
        if self._body < 255:
            own = np.asarray(
                cv2.multiply(own, cv2.merge([self._mask] * 3), scale=1 / 255), np.uint8
            )
        colour = cv2.resize(own, size, interpolation=cv2.INTER_AREA)
        opacity = cv2.resize(self._mask, size, interpolation=cv2.INTER_AREA)
        return Sprite(
            int(self._origin[0]),
            int(self._origin[1]),
            np.asarray(colour, np.uint8),
            np.round(256 - opacity.astype(np.float32) * (256 / 255)).astype(np.uint16)[..., None],
        )

    def _seen(self, points: Points) -> Points:
        """From millimetres to the canvas; whole numbers are pixel centres, as OpenCV has it."""
        seen = self._camera.project_points(points) - self._origin
        return np.asarray((seen + 0.5) * OVERSAMPLING - 0.5)


def raised(outline: Points, height: float) -> Points:
    """A level outline (n, 2) at a height, shape (n, 3)."""
    return np.column_stack([outline, np.full(len(outline), height)])


# Faces as use and carelessness leave them: worn, engraved, or badly cut out of a photograph.

_MOST_TURN_DEG, _MOST_SHIFT, _MOST_UNEVEN = 4.0, 0.05, 0.35
_FIBRES, _KNOTS, _FIBRE_LEVEL = 22, 3, 0.14  # across a back and along it, and how much they differ
_PATCHES = 7  # lumps of wear across a face
_RELIEF = 0.4  # grey levels of an edge's light side for each level of its contrast


def used(face: Image, look: TableLook, seed: int) -> Image:
    """A face (h, w, 3) BGR on its ground as this set has it; the same seed is the same tile."""
    rng = np.random.default_rng((seed, 0xFACE))
    if look.careless > 0:
        # Turned and shifted, with what lay beside it, in light from one side
        height, width = face.shape[:2]
        turn, across, down = look.careless * rng.uniform(-1, 1, 3)
        zoom = 1 + look.careless * rng.uniform(-0.1, 0.06)
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), _MOST_TURN_DEG * turn, zoom)
        matrix[:, 2] += _MOST_SHIFT * width * across, _MOST_SHIFT * height * down
        beside = tuple(0.75 * channel for channel in look.ivory)
        moved = cv2.warpAffine(
            face, matrix, (width, height), borderMode=cv2.BORDER_CONSTANT, borderValue=beside
        )
        angle = rng.uniform(0, 2 * np.pi)
        x = np.linspace(-0.5, 0.5, width)[None, :] * np.cos(angle)
        y = np.linspace(-0.5, 0.5, height)[:, None] * np.sin(angle)
        light = 1 + _MOST_UNEVEN * look.careless * (x + y)
        face = np.asarray(np.clip(moved * light[..., None], 0, 255), np.uint8)
    if look.engraved > 0:
        # Edges are lit on one side and dark on the other
        grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY).astype(np.float32)
        slope = np.asarray(
            cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.25)
            + cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.25)
        )
        lit = face + _RELIEF * look.engraved * slope[..., None]
        face = np.asarray(np.clip(lit, 0, 255), np.uint8)
    if look.wear > 0:
        # Rubbed off in patches, and a little everywhere
        height, width = face.shape[:2]
        coarse = rng.uniform(0, 1, (_PATCHES, _PATCHES)).astype(np.float32)
        patches = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
        gone = np.clip(look.wear * (0.3 + 0.9 * patches), 0, 0.9)[..., None]
        rubbed = face * (1 - gone) + np.array(look.ivory) * gone
        face = np.asarray(np.clip(rubbed, 0, 255), np.uint8)
    return face


def fibres(width: int, length: int, grain: float) -> NDArray[np.float32]:
    """How much lighter or darker each point of a bamboo back is, shape (length, width)."""
    rng = np.random.default_rng(0xBA3B00)
    across = rng.uniform(-1, 1, _FIBRES).astype(np.float32)
    along = rng.uniform(-1, 1, (_KNOTS, _FIBRES)).astype(np.float32)
    lines = cv2.resize(across[None] + 0.5 * along, (width, length), interpolation=cv2.INTER_CUBIC)
    return np.asarray(1 + _FIBRE_LEVEL * grain * lines, np.float32)


Piece = PlacedTile | PlacedDie

# Of usual tiles: a corner's radius, and the coloured back's share of the thickness.
CORNER_MM, BEVEL_MM = 2.2, 1.0
BACK_LAYER_MM = 6.0
LAMP_HEIGHT_MM = 1100.0
# A grey level that differs from the ground by more is print, and soon hides all below it.
_GROUND_LEVELS, _INK_GAIN = 14.0, 5.0
_LAYER_SHARE = 0.5
_FACING = 0.4  # the cosine of how far aside a camera may stand that sees a standing tile's face


def top_mm(piece: Piece) -> Points:
    """The upper side's corners, shape (4, 3): as read, from the upper left clockwise."""
    height = piece.size_mm if isinstance(piece, PlacedDie) else piece.size_mm[2]
    return np.array([(x, y, height) for x, y in piece.corners_mm()])


def front_mm(tile: PlacedTile) -> Points:
    """The face of a standing tile, shape (4, 3): as read, from the upper left clockwise."""
    width, depth, height = tile.size_mm
    return _Body(tile, width=width, depth=depth, corner=0.0).front(0, height, inset=0)


def shows_its_front(tile: PlacedTile, camera: Lens) -> bool:
    """Whether a camera sees the face of a tile that stands, and not only along it."""
    width, depth, _ = tile.size_mm
    before = _Body(tile, width=width, depth=depth, corner=0.0).toward_front(camera.position_mm)
    x, y, _ = camera.position_mm
    stands = tile.pose is Pose.STANDING and tile.tile.is_face
    return stands and before > max(depth / 2, _FACING * hypot(x - tile.x_mm, y - tile.y_mm))


def silhouette_px(piece: Piece, camera: Lens) -> Points:
    """The outline of the whole piece in the picture, shape (n, 2), convex."""
    top = top_mm(piece)
    points = camera.project_points(np.concatenate([top, top * (1, 1, 0)]))
    return np.asarray(cv2.convexHull(points.astype(np.float32)).reshape(-1, 2), np.float64)


class PieceArtist:
    """Draws pieces of one set on one table for one camera."""

    def __init__(self, faces: FaceSet, look: TableLook, camera: Lens) -> None:
        self._faces = faces
        self._look = _of_its_material(look)
        glass = look.glass
        self._see_through = glass.see_through if glass is not None and glass.is_whole else 0.0
        self._camera = camera
        self._textures: dict[tuple[Tile, float], Image] = {}
        self._die_faces: dict[int, Image] = {}

    def draw(self, piece: Piece) -> Sprite:
        """Draw one piece.

        Raises:
            FacesError: the face set lacks its face.
        """
        outline = silhouette_px(piece, self._camera)
        if isinstance(piece, PlacedDie):
            patch = SpritePatch(self._camera, outline)
            look, side = self._look.die, piece.size_mm
            body = _Body(piece, width=side, depth=side, corner=look.round_mm)
            sides, gain = self._side_gain(piece), self._top_gain(piece)
            patch.wall(body.outline(), 0, 2, toned(look.body, 0.68 * sides))
            patch.wall(body.outline(), 2, side - 2, toned(look.body, 0.9 * sides))
            if look.has_sides:
                for value, corners in self._seen_sides(piece, body):
                    patch.stretch(self._die_face(value), corners, 0.9 * sides)
            patch.wall(
                body.outline(inset=side / 20), side - 2, side - 0.4, toned(look.body, 0.95 * gain)
            )
            patch.wall(body.outline(inset=side / 9), side, side, toned(look.body, gain))
            patch.stretch(
                self._die_face(piece.value), raised(body.rectangle(inset=side / 8), side), gain
            )
            return patch.sprite()
        patch = SpritePatch(self._camera, outline, self._see_through)
        if piece.pose is Pose.STANDING:
            self._draw_standing(patch, piece)
        else:
            for layer in range(piece.pieces - 1):
                floor = layer * TILE_THICKNESS_MM * piece.scale
                self._draw_lying(patch, piece, floor=floor, face_up=False)
            floor = piece.size_mm[2] - TILE_THICKNESS_MM * piece.scale
            face_up = piece.shows is not Tile.BACK
            self._draw_lying(patch, piece, floor=floor, face_up=face_up)
        return patch.sprite()

    def _draw_lying(
        self, patch: SpritePatch, tile: PlacedTile, *, floor: float, face_up: bool
    ) -> None:
        width, depth, _ = tile.size_mm
        thick, back = TILE_THICKNESS_MM * tile.scale, BACK_LAYER_MM * tile.scale
        body = _Body(tile, width=width, depth=depth, corner=CORNER_MM * tile.scale)
        look, sides = self._look, self._side_gain(tile)
        low, high = (look.back, look.ivory) if face_up else (look.ivory, look.back)
        split = floor + (back if face_up else thick - back)
        top = floor + thick
        gain = self._top_gain(tile)
        patch.wall(body.outline(), floor, floor + 2, toned(low, 0.72 * sides))
        patch.wall(body.outline(), floor + 2, split, toned(low, 0.94 * sides))
        patch.wall(body.outline(), split, top - BEVEL_MM, toned(high, sides))
        patch.wall(body.outline(inset=0.2), top - BEVEL_MM, top - 0.3, toned(high, 0.86 * gain))
        shift = self._to_lamp(body.piece) * 0.5
        lifted = body.outline(inset=BEVEL_MM) + shift
        patch.wall(lifted, top - 0.2, top - 0.2, toned(high, 1.12 * gain))
        patch.wall(body.outline(inset=BEVEL_MM), top, top, toned(high, gain))
        shows = tile.tile if face_up and tile.tile.is_face else Tile.BACK if not face_up else None
        if shows is not None:
            corners = body.rectangle(inset=BEVEL_MM)
            texture = self._texture(shows, tile.scale)
            patch.stretch(texture, raised(corners, top), gain, self._ink(shows, texture))

    def _draw_standing(self, patch: SpritePatch, tile: PlacedTile) -> None:
        width, depth, top = tile.size_mm
        body = _Body(tile, width=width, depth=depth, corner=CORNER_MM * tile.scale)
        cut = depth / 2 - BACK_LAYER_MM * tile.scale
        front = (body.outline(below=cut), self._look.ivory)
        behind = (body.outline(above=cut), self._look.back)
        toward_owner = body.toward_front(self._camera.position_mm) > depth / 2
        sides, gain = self._side_gain(tile), self._top_gain(tile)
        for outline, colour in (behind, front) if toward_owner else (front, behind):
            patch.wall(outline, 0, 3, toned(colour, 0.72 * sides))
            patch.wall(outline, 3, top - BEVEL_MM, toned(colour, sides))
            patch.wall(outline, top - BEVEL_MM, top, toned(colour, 0.97 * gain))
            inner = outline * 0.96 + outline.mean(axis=0) * 0.04
            patch.wall(inner, top, top, toned(colour, 1.04 * gain))
        if toward_owner and tile.tile.is_face:
            corners = body.front(BEVEL_MM, top - BEVEL_MM, inset=BEVEL_MM)
            texture = self._texture(tile.tile, tile.scale)
            patch.stretch(texture, corners, sides, self._ink(tile.tile, texture))

    def _die_face(self, value: int) -> Image:
        if value not in self._die_faces:
            # A die's upper side (60, 60, 3) BGR; as in Chinese sets one and four have another
            # colour
            look = self._look.die
            side = 60
            face = np.full((side, side, 3), look.body, np.uint8)
            if look.clear > 0:
                across = np.linspace(-look.clear, look.clear, side)
                light = 1 + 0.5 * (across[:, None] + across[None])
                face = np.clip(face * light[..., None], 0, 255).astype(np.uint8)
            colour = look.accent if value in (1, 4) else look.pips
            radius = round((look.one if value == 1 else look.pip) * side / 2)
            low, middle, high = 14, 30, 46
            corners = [(x, y) for x in (low, high) for y in (low, high)]
            places = {
                1: [(middle, middle)],
                2: [(low, low), (high, high)],
                3: [(low, low), (middle, middle), (high, high)],
                4: corners,
                5: [*corners, (middle, middle)],
                6: [(x, y) for x in (low, high) for y in (low, middle, high)],
            }
            for place in places[value]:
                cv2.circle(face, place, radius, colour, -1, cv2.LINE_AA)
            self._die_faces[value] = face
        return self._die_faces[value]

    def _seen_sides(self, die: PlacedDie, body: "_Body") -> Iterator[tuple[int, Points]]:
        """The numbers and corners of those sides that look at the camera."""
        corners = body.rectangle(inset=0.3)
        middle, camera = corners.mean(axis=0), np.array(self._camera.position_mm[:2])
        for index, value in enumerate(beside(die.value)):
            left, right = corners[index], corners[(index + 1) % 4]
            out = (left + right) / 2 - middle
            if (camera - (left + right) / 2) @ out > 0:
                high, low = die.size_mm - 1.5, 1.0
                yield value, np.column_stack([[left, right, right, left], [high, high, low, low]])

    def _texture(self, tile: Tile, tile_scale: float) -> Image:
        """The picture of a tile's upper side, near the size at which it is drawn."""
        key = tile, tile_scale
        if key not in self._textures:
            scale = self._camera.px_per_mm * OVERSAMPLING * tile_scale
            width, length = round(TILE_WIDTH_MM * scale), round(TILE_LENGTH_MM * scale)
            if tile is Tile.BACK:
                plain = np.full((length, width, 3), self._look.back, np.float32)
                sheen = np.linspace(1.03, 0.95, length, dtype=np.float32)[:, None, None]
                if self._look.grain > 0:
                    sheen = sheen * fibres(width, length, self._look.grain)[..., None]
                self._textures[key] = np.clip(plain * sheen, 0, 255).astype(np.uint8)
            else:
                face = self._faces.on_ground(tile, self._look.ivory)
                face = used(face, self._look, tile)
                shrinks = face.shape[1] > width
                way = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
                resized = cv2.resize(face, (width, length), interpolation=way)
                self._textures[key] = np.asarray(resized, np.uint8)
        return self._textures[key]

    def _ink(self, tile: Tile, texture: Image) -> Image | None:
        """How much of what lies below a texture hides: print does, glass does not."""
        if self._see_through == 0:
            return None
        ground = np.array(self._look.back if tile is Tile.BACK else self._look.ivory, np.float32)
        off = np.abs(texture.astype(np.float32) - ground).max(axis=2)
        return np.asarray(np.clip((off - _GROUND_LEVELS) * _INK_GAIN, 0, 255), np.uint8)

    def _to_lamp(self, piece: Piece) -> Points:
        """The level direction to the lamp, at most one long."""
        way = np.array(self._look.lamp_mm) - (piece.x_mm, piece.y_mm)
        return np.asarray(way / max(float(np.hypot(*way)), 300.0))

    def _side_gain(self, piece: Piece) -> float:
        """Only the sides that look at the camera are seen, so one gain does for all of them."""
        camera_x, camera_y, _ = self._camera.position_mm
        way = np.array([camera_x - piece.x_mm, camera_y - piece.y_mm])
        seen = way / max(float(np.hypot(*way)), 1.0)
        return 0.76 + 0.14 * float(seen @ self._to_lamp(piece))

    def _top_gain(self, piece: Piece) -> float:
        """Above 1 where the tile mirrors the lamp into the camera; no two tiles quite alike."""
        camera_x, camera_y, camera_z = self._camera.position_mm
        lamp_x, lamp_y = self._look.lamp_mm
        share = LAMP_HEIGHT_MM / (LAMP_HEIGHT_MM + camera_z)
        away = hypot(
            piece.x_mm - lamp_x - share * (camera_x - lamp_x),
            piece.y_mm - lamp_y - share * (camera_y - lamp_y),
        )
        own = 0.012 * sin(1.7 * piece.x_mm + 2.3 * piece.y_mm)
        return 0.94 + own + self._look.optics.glare * exp(-((away / 190) ** 2))


class _Body:
    """A piece's footprint in its own axes, mapped to the table's."""

    def __init__(self, piece: Piece, *, width: float, depth: float, corner: float) -> None:
        self.piece = piece
        self._half = (width / 2, depth / 2)
        self._corner = corner
        turn = radians(piece.turn_deg)
        self._axes = np.array([[cos(turn), sin(turn)], [-sin(turn), cos(turn)]])
        self._centre = np.array([piece.x_mm, piece.y_mm])

    def outline(
        self, *, inset: float = 0.0, below: float | None = None, above: float | None = None
    ) -> Points:
        """The rounded outline, or its part on one side of a depth; shape (n, 2)."""
        half_x, half_y = (half - inset for half in self._half)
        radius = max(self._corner - inset / 2, 0.3)
        angles = np.arange(16) * pi / 8 + pi / 16
        across, along = np.cos(angles), np.sin(angles)
        own = np.column_stack(
            [
                np.sign(across) * (half_x - radius) + radius * across,
                np.sign(along) * (half_y - radius) + radius * along,
            ]
        )
        if below is not None:
            own = np.vstack([own[own[:, 1] < below], [(-half_x, below), (half_x, below)]])
        if above is not None:
            own = np.vstack([own[own[:, 1] > above], [(-half_x, above), (half_x, above)]])
        return self._placed(own)

    def rectangle(self, *, inset: float) -> Points:
        """Corners from the upper left clockwise."""
        half_x, half_y = (half - inset for half in self._half)
        signs = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)])
        return self._placed(signs * (half_x, half_y))

    def front(self, low: float, high: float, *, inset: float) -> Points:
        """The side that a standing tile's owner sees, upper left first, shape (4, 3)."""
        half_x, half_y = self._half[0] - inset, self._half[1]
        ends = self._placed(np.array([(-half_x, -half_y), (half_x, -half_y)]))
        (left, right), heights = ends, (high, high, low, low)
        return np.column_stack([np.array([left, right, right, left]), heights])

    def toward_front(self, point: Sequence[float]) -> float:
        """How far a point lies before the piece's middle, on its owner's side."""
        return float(-((np.array(point[:2]) - self._centre) @ self._axes[1]))

    def _placed(self, own: Points) -> Points:
        return np.asarray(own @ self._axes + self._centre)


def _of_its_material(look: TableLook) -> TableLook:
    """The look with the colours of tiles through which light passes, where they are such."""
    glass = look.glass
    if glass is None:
        return look
    if glass.is_whole:
        return replace(look, ivory=glass.tint, back=glass.tint)
    # The back's layer is seen through the body, and not the cloth; and only dimly, for the light
    # comes from above and goes through it twice.
    below, share = look.back, _LAYER_SHARE * glass.see_through
    blue, green, red = (
        round((1 - share) * own + share * back) for own, back in zip(glass.tint, below, strict=True)
    )
    return replace(look, ivory=(blue, green, red))


def beside(value: int) -> tuple[int, int, int, int]:
    """The numbers on a die's sides in order; what lies across adds up to seven.

    >>> beside(1)
    (2, 3, 5, 4)
    """
    one, other = [n for n in (1, 2, 3) if n not in (value, 7 - value)]
    return one, other, 7 - one, 7 - other
