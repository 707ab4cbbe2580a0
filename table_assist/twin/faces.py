"""Face sets: the pictures on the tiles, our own or anybody's folder of pictures."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from table_assist.languages.words import UserError
from table_assist.tiles.tile import Tile, format_tiles
from table_assist.vision.pictures.picture import Image

BUILT_IN = Path(__file__).parent / "rasters"
ALL_FACES = tuple(tile for tile in Tile if tile.is_face)
# Pictures of published sets that lie in another face's folder: which, and what the eye sees there.
MISFILED = {
    "camerash": {"8m/133.jpg": "8p", "8p/350.jpg": "9p"},
    "camerash_pr4": {"7s/706.jpg": "9s", "8s/707.jpg": "7s", "9s/708.jpg": "8s"},
}
_ENDINGS = (".png", ".jpg", ".jpeg")
# Pictures of one set differ so much in shape only where each is cut at the edges of its print.
_CUT_SHAPES = 1.2
_FACE_SHAPE, _PRINTED = 0.75, 0.86  # a face's width over its height; the share that a print takes


class FacesError(UserError):
    """A face set lacks what is needed of it; the message says what in one sentence."""


@dataclass(frozen=True, slots=True)
class FaceSet:
    """One picture per face.

    Attributes:
        pictures: BGR, or BGRA where the ground shows through; any size.
    """

    name: str
    pictures: Mapping[Tile, Image]

    def picture(self, tile: Tile) -> Image:
        """One face, shape (h, w, 3) or (h, w, 4).

        Raises:
            FacesError: the set has no such face.
        """
        try:
            return self.pictures[tile]
        except KeyError:
            raise FacesError(f"the face set {self.name!r} has no {tile}") from None

    def on_ground(self, tile: Tile, ground: tuple[int, int, int]) -> Image:
        """One face on a plain ground (BGR), shape (h, w, 3).

        Raises:
            FacesError: the set has no such face.
        """
        face = self.picture(tile)
        if face.shape[2] == 3:
            return face
        opacity = face[..., 3:].astype(np.float32) / 255
        mixed = face[..., :3] * opacity + np.array(ground, np.float32) * (1 - opacity)
        return np.round(mixed).astype(np.uint8)


def load_faces(
    folder: Path | None = None, *, needed: Iterable[Tile] = ALL_FACES, variant: int = 0
) -> FaceSet:
    """Load the built-in set, or a folder of ``1m.png`` ... or of ``1m/*.jpg`` ... .

    Args:
        folder: named as in the text notation; None is the built-in set.
        needed: faces without which the set is of no use; others may be missing.
        variant: which picture to take where a face has several, in the order of their names;
            counted round.

    Raises:
        FacesError: a needed face is missing, or a file is no picture.
    """
    source = BUILT_IN if folder is None else folder
    pictures: dict[Tile, Image] = {}
    for tile in ALL_FACES:
        candidates = pictures_of(source, str(tile))
        if candidates:
            pictures[tile] = _read(candidates[variant % len(candidates)])
    missing = [tile for tile in dict.fromkeys(needed) if tile.is_face and tile not in pictures]
    if missing:
        raise FacesError(f"the face set {str(source)!r} lacks {format_tiles(missing)}")
    shapes = [face.shape[1] / face.shape[0] for face in pictures.values() if face.shape[2] == 4]
    if shapes and max(shapes) > _CUT_SHAPES * min(shapes):
        pictures = {tile: _on_a_face(face) for tile, face in pictures.items()}
    return FaceSet(source.name if folder else "built-in", pictures)


def faces_in(folder: Path) -> frozenset[Tile]:
    """The faces of which a folder has a picture; none where it is no tile set."""
    return frozenset(tile for tile in ALL_FACES if pictures_of(folder, str(tile)))


def pictures_of(source: Path, name: str) -> list[Path]:
    """A folder's pictures of a face, by their names; what lies in a wrong folder is put right."""
    single = [path for ending in _ENDINGS if (path := source / f"{name}{ending}").is_file()]
    if single:
        return single
    wrong = {source / where: shown for where, shown in MISFILED.get(source.name, {}).items()}
    filed = (path for path in (source / name).glob("*") if path.suffix.lower() in _ENDINGS)
    right = [path for path in filed if path not in wrong]
    moved = [path for path, shown in wrong.items() if shown == name and path.is_file()]
    return sorted(right + moved, key=lambda path: path.name)


def _on_a_face(print_: Image) -> Image:
    """A transparent print in the middle of a face, in its own proportions."""
    height, width = print_.shape[:2]
    tall = max(height, width / _FACE_SHAPE) / _PRINTED
    down, across = round((tall - height) / 2), round((tall * _FACE_SHAPE - width) / 2)
    return np.pad(print_, ((down, down), (across, across), (0, 0)))


def _read(path: Path) -> Image:
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if image is None or image.dtype != np.uint8:
        raise FacesError(f"{str(path)!r} is not a picture of 8 bits per channel")
    if image.ndim == 2:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    if image.shape[2] not in (3, 4):
        raise FacesError(f"{str(path)!r} has {image.shape[2]} channels, not 1, 3 or 4")
    return np.asarray(image, np.uint8)
