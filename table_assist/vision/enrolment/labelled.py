"""A folder of labelled pictures: which picture has which labels, checked line by line.

Two layouts are read: ``images/`` beside ``labels/`` with any folders alike below them, and label
files beside their pictures. A label file has a line for each thing, YOLO's
``class x y width height`` (the middle and the sides as shares of the picture's) or
``class x1 y1 x2 y2 x3 y3 …`` (an outline, whose upright box counts). The class ids are those of
models/tiles.toml. An empty file says that there is nothing in the picture.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from table_assist.languages.words import UserError
from table_assist.vision.pictures.picture import PICTURE_SUFFIXES
from table_assist.vision.reading.recognise import LABELS

# Publishers round their labels and crop through things: a little beyond the border is no mistake.
BEYOND_BORDER = 0.02
BOX_VALUES = 5  # values of a line: class, middle, sides
FEWEST_OF_OUTLINE = 7  # class and three corners


class LabelError(UserError):
    """A folder or a label file that cannot be used; one sentence with the file and the line."""


@dataclass(frozen=True, slots=True)
class Labels:
    """A picture's labels.

    Attributes:
        names: ``5m``, ``back`` or ``d3``.
        shares: (n, 4) left, top, right, bottom as shares of the picture's sides.
    """

    names: tuple[str, ...]
    shares: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.names)

    def xyxy(self, size_wh: tuple[int, int]) -> NDArray[np.float64]:
        """(n, 4) boxes in the pixels of a picture of that size."""
        return np.asarray(self.shares * np.array(size_wh * 2, np.float64), np.float64)


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """A picture and its labels."""

    path: Path
    labels: Labels


def read_folder(folder: Path) -> tuple[LabelledPicture, ...]:
    """Find a folder's pictures and read their labels; those without a label file are left out.

    Raises:
        LabelError: there is no such folder, there are no pictures or no labels in it, or a label
            file is broken.
    """
    if not folder.is_dir():
        raise LabelError(f"there is no folder {folder}")
    images, labels = folder / "images", folder / "labels"
    root = images if images.is_dir() else folder
    paths = sorted(path for path in root.rglob("*") if path.suffix.lower() in PICTURE_SUFFIXES)
    if not paths:
        raise LabelError(f"there are no pictures in {root}")
    pictures: list[LabelledPicture] = []
    for path in paths:
        beside = path.with_suffix(".txt")
        apart = (labels / path.relative_to(root)).with_suffix(".txt")
        file = next((each for each in (apart, beside) if each.is_file()), None)
        if file is not None:
            pictures.append(LabelledPicture(path, read_labels(file)))
    if not pictures:
        raise LabelError(f"no picture in {root} has a label file")
    return tuple(pictures)


def read_labels(path: Path) -> Labels:
    """Read one label file.

    Raises:
        LabelError: it cannot be read, or a line of it is no label.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise LabelError(f"the labels {path} cannot be read: {error}") from error
    names: list[str] = []
    boxes: list[tuple[float, float, float, float]] = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            name, box = _parse(line.split(), f"{path}, line {number}")
            names.append(name)
            boxes.append(box)
    return Labels(tuple(names), np.array(boxes, np.float64).reshape(-1, 4))


def _parse(words: list[str], where: str) -> tuple[str, tuple[float, float, float, float]]:
    try:
        values = [float(word) for word in words]
    except ValueError as error:
        raise LabelError(f"{where}: {' '.join(words)[:60]!r} is not numbers") from error
    is_outline = len(values) >= FEWEST_OF_OUTLINE and len(values) % 2 == 1
    if len(values) != BOX_VALUES and not is_outline:
        raise LabelError(
            f"{where}: {len(values)} values; a label has {BOX_VALUES}, or an outline's corners"
        )
    if values[0] not in range(len(LABELS)):
        raise LabelError(f"{where}: class {words[0]}; there are 0 to {len(LABELS) - 1}")
    xs, ys = values[1::2], values[2::2]
    box = min(xs), min(ys), max(xs), max(ys)
    if not is_outline:
        x, y, width, height = values[1:]
        box = x - width / 2, y - height / 2, x + width / 2, y + height / 2
    left, top, right, bottom = box
    if not (left < right and top < bottom):
        raise LabelError(f"{where}: the box is empty or not a number")
    if min(left, top) < -BEYOND_BORDER or max(right, bottom) > 1 + BEYOND_BORDER:
        raise LabelError(
            f"{where}: the box reaches from {left:g}, {top:g} to {right:g}, {bottom:g}; "
            "it is given in shares of the picture, 0 to 1"
        )
    return LABELS[int(values[0])], box
