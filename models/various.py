"""Tile sets without end, for training: real ones, drawn ones, restyled and invented ones."""

from functools import cached_property
from pathlib import Path

import numpy as np

from models.invented import chinese_fonts, invented_set
from models.restyled import restyled
from models.sets import is_set_held_out
from table_assist.tiles.tile import Tile
from table_assist.twin.faces import FaceSet, load_faces
from table_assist.vision.pictures.picture import Image

Random = np.random.Generator
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

    def draw(self, random: Random) -> FaceSet:
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
