"""Tile sets without end, for training: real ones, drawn ones, restyled and invented ones."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.invented import chinese_fonts, invented_set
from models.pictures import sized
from models.sets import is_set_held_out
from table_assist.tiles.tile import Tile
from table_assist.twin.faces import FaceSet, load_faces
from table_assist.vision.pictures.picture import Image

RESTYLED_WH = (108, 144)  # px of every restyled face
_GRID = 4  # points across and down that the warp moves
_HONOUR_LETTERS = "ESWNCFP"


@dataclass(frozen=True, slots=True)
class Style:
    """How one set departs from the faces it was made of.

    Attributes:
        hues: where each hue (0 to 179) goes, (180,) uint8.
        saturation, gamma: of the inks; 1 leaves them.
        stroke: px of `RESTYLED_WH` by which dark strokes grow, negative: shrink.
        scale: of the print, across and down; 1 leaves it.
        warp: (4, 4, 2) px, smoothed over the face.
        index: ink (BGR) of a small Latin index in a corner; None: it has none.
    """

    hues: NDArray[np.uint8]
    saturation: float
    gamma: float
    stroke: int
    scale: tuple[float, float]
    warp: NDArray[np.float32]
    index: tuple[float, float, float] | None


def random_style(random: np.random.Generator) -> Style:
    """Any style; one in eight is printed in one dark ink."""
    wave = random.normal(0, 6) * np.sin(np.arange(180) / 90 * np.pi + random.uniform(0, 2 * np.pi))
    hues = (np.arange(180) + wave + random.normal(0, 3)).round().astype(int) % 180
    saturation = 0.0 if random.random() < 0.12 else float(np.exp(random.normal(0, 0.3)))
    index = tuple(random.uniform(0, 160, 3)) if random.random() < 0.12 else None
    return Style(
        hues.astype(np.uint8),
        saturation,
        float(np.exp(random.normal(0, 0.25))),
        int(random.choice([-1, 0, 0, 0, 1, 2])),
        (float(random.uniform(0.8, 1.06)), float(random.uniform(0.84, 1.06))),
        random.normal(0, 1.1, (_GRID, _GRID, 2)).astype(np.float32),
        index,
    )


def restyled(random: np.random.Generator, faces: FaceSet) -> FaceSet:
    """All faces of a set in one style: as they were, (144, 108, 4) or (144, 108, 3)."""
    style = random_style(random)
    made = {
        tile: _indexed(
            _moved(random, _inked(sized(face, RESTYLED_WH), style), style), str(tile), style
        )
        for tile, face in faces.pictures.items()
    }
    return FaceSet(f"{faces.name}, restyled", made)


def _inked(face: Image, style: Style) -> Image:
    """Strokes grown or shrunk, in other shades. What is transparent stays so."""
    colour = face[..., :3]
    if face.shape[2] == 4:  # on white, so that what grows takes its own ink along
        opacity = face[..., 3:] / np.float32(255)
        colour = (colour * opacity + 255 * (1 - opacity)).astype(np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (abs(style.stroke) + 1,) * 2)
    grow, shrink = cv2.erode, cv2.dilate  # dark on light
    if style.stroke:
        colour = np.asarray((grow if style.stroke > 0 else shrink)(colour, kernel), np.uint8)
    hue, saturation, value = cv2.split(cv2.cvtColor(colour, cv2.COLOR_BGR2HSV))
    if style.saturation == 0:  # red is as dark as any other ink then
        value = cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY)
    levels = np.arange(256) / 255
    more = np.clip(style.saturation * np.arange(256), 0, 255).astype(np.uint8)
    darker = (255 * levels**style.gamma).astype(np.uint8)
    shaded = cv2.merge([style.hues[hue], cv2.LUT(saturation, more), cv2.LUT(value, darker)])
    made = np.asarray(cv2.cvtColor(shaded, cv2.COLOR_HSV2BGR), np.uint8)
    if face.shape[2] == 3:
        return made
    shape = face[..., 3]
    if style.stroke:
        shape = np.asarray((shrink if style.stroke > 0 else grow)(shape, kernel))
    return np.dstack([made, shape])


def _moved(random: np.random.Generator, face: Image, style: Style) -> Image:
    width, height = RESTYLED_WH
    across, down = style.scale
    if face.shape[2] == 3:  # a photograph ends with its tile: it can be cut into, not shrunk
        across, down = max(1.0, across), max(1.0, down)
    warp = style.warp + random.normal(0, 0.35, style.warp.shape).astype(np.float32)
    moved = cv2.resize(warp, RESTYLED_WH, interpolation=cv2.INTER_CUBIC)
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    x = (x - width / 2) / across + width / 2 + moved[..., 0] + random.normal(0, 0.6)
    y = (y - height / 2) / down + height / 2 + moved[..., 1] + random.normal(0, 0.6)
    border = cv2.BORDER_CONSTANT if face.shape[2] == 4 else cv2.BORDER_REPLICATE
    return np.asarray(
        cv2.remap(face, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR,
                  borderMode=border),
        np.uint8,
    )  # fmt: skip


def _indexed(face: Image, name: str, style: Style) -> Image:
    """With the index that sets for people who read no Chinese have; flowers carry numbers as is."""
    if style.index is None or name[-1] not in "mps" + _HONOUR_LETTERS:
        return face
    ink = (*style.index, 255.0)[: face.shape[2]]
    made = face.copy()
    cv2.putText(made, name[0], (6, 24), cv2.FONT_HERSHEY_SIMPLEX, 0.7, ink, 2, cv2.LINE_AA)
    return made


# Drawn in white for dark tiles; on ivory they could not be seen.
LIGHT_ARTWORK = ("fluffystuff_black", "kde_jade")
INVENTED = 48  # each is restyled whenever it is drawn


class VariousSets:
    """Draws a set: 0.2 our own, 0.1 a drawn one, 0.2 one restyled, 0.25 photographs, 0.25 invented.

    Photographs of several sets are mixed, face by face: few sets have been photographed whole.

    Raises:
        FileNotFoundError: no font below the folder has the characters of a set.
    """

    def __init__(self, data: Path, fonts: Path, invented: int = INVENTED) -> None:
        self._count = invented
        self._drawn = [
            load_faces(folder, needed=())
            for folder in sorted((data / "artwork").glob("*"))
            if not is_set_held_out(folder.name) and folder.name not in LIGHT_ARTWORK
        ]
        self._own = load_faces()
        self._photographed = photographed(data / "faces")
        self._fonts = chinese_fonts(fonts)

    @cached_property
    def _invented(self) -> list[FaceSet]:
        others = [self._own, *self._drawn]
        return [
            invented_set(np.random.default_rng([number, 0x5E7]), self._fonts, others)
            for number in range(self._count)
        ]

    def draw(self, random: np.random.Generator) -> FaceSet:
        """A set as it lies in one picture."""
        kind = random.random()
        if kind < 0.2 or not self._drawn:
            return self._own
        if kind < 0.5:
            drawn = self._drawn[int(random.integers(len(self._drawn)))]
            return drawn if kind < 0.3 else restyled(random, drawn)
        if kind < 0.75 and self._photographed:
            chosen = {
                tile: pictures[int(random.integers(len(pictures)))]
                for tile, pictures in self._photographed.items()
            }
            faces = FaceSet("photographs", chosen)
            return faces if kind < 0.62 else restyled(random, faces)
        return restyled(random, self._invented[int(random.integers(self._count))])


def photographed(folder: Path) -> dict[Tile, list[Image]]:
    """All photographs of each face below a folder of folders, none of a held-out set."""
    found: dict[Tile, list[Image]] = {}
    for each in sorted(folder.glob("*")):
        if is_set_held_out(each.name):
            continue
        most = max((len(list(face.iterdir())) for face in each.glob("*")), default=0)
        for variant in range(most):
            for tile, picture in load_faces(each, needed=(), variant=variant).pictures.items():
                found.setdefault(tile, []).append(picture)
    return found
