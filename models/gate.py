"""The gate at export: no face of any set may be read worse than before, by more than chance.

Each face of each set of tile pictures, and each labelled piece of the photographs and sheets, is
drawn as a camera has it, and both networks name the very same crops by their own limits. A mean
over all faces hides one that is lost: 8p of one set once went from 0 to 89 unread of 100.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.crops import CropSource, draw_crop, load_sources
from models.sets import is_set_held_out, sets_below
from models.sheets import load_sheets
from table_assist.tiles.tile import Tile
from table_assist.twin.faces import load_faces
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.recognise import LABELS, OnnxRecogniser, name
from table_assist.vision.reading.weights import load_weights

BLANK_FACE = (214.0, 232.0, 238.0)
DRAWN_A_FACE = 24  # of each face of a drawn set
CHANCE = 0.05  # of refusing networks that are no worse anywhere
Cell = tuple[str, str]  # a set and a face
Crops = Mapping[Cell, Image]


def crops_of(data: Path) -> Crops:
    """(n, 64, 64, 3) RGB of each face of each set."""
    random = np.random.default_rng(0)
    found: dict[Cell, list[Image]] = defaultdict(list)
    for at, source, times in _sources(data):
        for label, box in zip(source.labels, source.boxes, strict=True):
            found[at, LABELS[label]] += [draw_crop(random, source, box) for _ in range(times)]
    return {cell: np.stack(each) for cell, each in found.items()}


def _sources(data: Path) -> Iterator[tuple[str, CropSource, int]]:
    """Pictures with labelled pieces: their set, and how often each piece is drawn."""
    for part in ("train", "val"):
        for source in load_sources(data / "photos/images" / part, turned=False, complete=False):
            yield f"photographs {part}", source, 1
    for held in (False, True):
        for number, source in enumerate(load_sheets(data, held=held)):
            yield f"sheet {number}{' held out' if held else ''}", source, 4
    usual = {tile for tile in Tile if tile.is_face and not tile.is_bonus}
    for folder in sets_below(data, usual):
        if not is_set_held_out(folder.name):
            yield from ((folder.name, each, DRAWN_A_FACE) for each in _faces(folder))


def _faces(folder: Path) -> Iterator[CropSource]:
    for tile, picture in load_faces(folder, needed=()).pictures.items():
        label, (height, width) = np.array([LABELS.index(str(tile))]), picture.shape[:2]
        box = np.array([[0.0, 0.0, width, height]])
        yield CropSource(on_ivory(picture), label, box, turned=False, complete=False)


def on_ivory(picture: Image) -> Image:
    """A face (h, w, 3 or 4) BGR as it lies on a tile's body."""
    if picture.shape[2] == 3:
        return picture
    shown = picture[..., 3:].astype(np.float32) / 255
    return np.asarray(picture[..., :3] * shown + np.array(BLANK_FACE) * (1 - shown), np.uint8)


def right(weights: Path, crops: Crops) -> dict[Cell, NDArray[np.bool_]]:
    """(n,) of each cell which crops are named rightly by the networks of a folder."""
    recogniser = load_weights(weights).recogniser
    network = OnnxRecogniser(recogniser)
    found = {}
    for cell, images in crops.items():
        names = [name(row, recogniser.limits) for row in network.see(images).rows]
        found[cell] = np.array([each is not None and each.label == cell[1] for each in names])
    return found


def lost(
    before: Mapping[Cell, NDArray[np.bool_]], after: Mapping[Cell, NDArray[np.bool_]]
) -> Iterable[str]:
    """Which faces are read worse, by an exact sign test over the crops that differ.

    Its level is shared out among all faces (Bonferroni).
    """
    for cell, earlier in before.items():
        later = after[cell]
        worse, better = int((earlier & ~later).sum()), int((later & ~earlier).sum())
        if _chance(worse, better) < CHANCE / len(before):
            was, now = int(earlier.sum()), int(later.sum())
            yield f"{cell[0]}, {cell[1]}: {was} of {len(earlier)} right, now {now}"


def _chance(worse: int, better: int) -> float:
    """That so many or more of all that differ are worse, where neither is likelier."""
    every = worse + better
    return sum(comb(every, n) for n in range(worse, every + 1)) / float(2**every)
