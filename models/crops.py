"""Endless crops for the recogniser, drawn from YOLO-labelled pictures."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.pictures import DETECTOR_LABELS, Random, load_image, photograph, relight, shrunk, sized
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.recognise import CROP_MARGIN, CROP_SIZE, NOTHING_CLASS, PART

NOTHING_SHARE, PART_SHARE, NOTED_SHARE = 0.08, 0.10, 0.05
# The share of a tile's length or width in the box of a part; the least of both where a corner does.
PART_KEPT, CORNER_KEPT = (0.22, 0.72), (0.35, 0.75)
CROPPED_SIDE = 1000  # px; larger pictures (the dice) are shrunk when loaded
# Of the crops so many are squeezed, as pictures are that their publisher made square, by up to so
# much (a logarithm; the shape changes by twice as much).
SQUEEZED_SHARE, SQUEEZED = 0.3, 0.32
# Tiles cannot overlap; when their boxes do by this share, they lie at an angle to the picture.
ASKEW_OVERLAP = 0.12


@dataclass(frozen=True, slots=True)
class CropSource:
    """A labelled picture.

    Attributes:
        boxes: (n, 4) x1, y1, x2, y2 in pixels.
        turned: its pieces already lie at any angle, so that its boxes are loose around them.
        complete: every piece is labelled; what touches no box is no piece.
        noted: boxes of which it is known that they hold nothing, or only a part of a tile, with
            the class of each: sides of tiles, what peeps out from under an arm.
    """

    image: Image
    labels: NDArray[np.int64]
    boxes: NDArray[np.float64]
    turned: bool
    complete: bool
    noted: tuple[tuple[int, NDArray[np.float64]], ...] = ()


def load_sources(folder: Path, *, turned: bool, complete: set[str] | bool) -> list[CropSource]:
    """Read every labelled picture of a folder with `images/` and `labels/` (or the like).

    One without labelled pieces has nothing to teach or to ask, and is left out.
    """
    return [
        load_source(
            path,
            turned=turned,
            complete=complete if isinstance(complete, bool) else path.name in complete,
        )
        for path in sorted(folder.glob("*.jpg"))
        if labels_of(path).exists() and labels_of(path).stat().st_size > 1
    ]


def load_source(path: Path, *, turned: bool, complete: bool) -> CropSource:
    """Read one picture and its labels."""
    image, _ = shrunk(load_image(path), CROPPED_SIDE)
    labels, boxes = read_labels(path, image.shape[1], image.shape[0])
    noted = tuple(read_noted(path, image.shape[1], image.shape[0]))
    return CropSource(
        image, labels, boxes, turned or _overlap(boxes) > ASKEW_OVERLAP, complete, noted
    )


def read_noted(picture: Path, width: int, height: int) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """The notes of a picture's maker in `noted/`: class and box (4,) in pixels of that size."""
    path = Path(str(picture.with_suffix(".txt")).replace("/images/", "/noted/"))
    if path.exists() and path != picture:
        size = np.array([width, height] * 2)
        lines = filter(None, path.read_text(encoding="utf-8").splitlines())
        for label, x, y, w, h in map(str.split, lines):
            middle = np.array([x, y, x, y], np.float64)
            half = np.array([w, h, w, h], np.float64) / 2 * [-1, -1, 1, 1]
            yield int(label), (middle + half) * size


def labels_of(picture: Path) -> Path:
    """Where YOLO keeps the labels of a picture: in `labels/` beside `images/`."""
    return Path(str(picture.with_suffix(".txt")).replace("/images/", "/labels/"))


def read_labels(
    picture: Path, width: int, height: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Class ids (n,) and boxes (n, 4), x1, y1, x2, y2 in pixels of a picture of that size.

    Labels known to be wrong are put right (corrections.toml).
    """
    lines = labels_of(picture).read_text(encoding="utf-8").splitlines()
    rows = np.array([line.split()[:5] for line in lines if line], np.float64).reshape(-1, 5)
    size = np.array([width, height])
    centre, half = rows[:, 1:3] * size, rows[:, 3:5] * size / 2
    labels = rows[:, 0].astype(np.int64)
    for row, (published, seen) in _corrections().get(picture.name, {}).items():
        if row < len(labels) and labels[row] == published:
            labels[row] = seen
    return labels, np.concatenate([centre - half, centre + half], axis=1)


@cache
def _corrections() -> dict[str, dict[int, tuple[int, int]]]:
    """By picture and row: the published class id and the one that is seen."""
    path = Path(__file__).parent / "corrections.toml"
    found: dict[str, dict[int, tuple[int, int]]] = {}
    for entry in tomllib.loads(path.read_text(encoding="utf-8"))["label"]:
        ids = (DETECTOR_LABELS.index(entry["published"]), DETECTOR_LABELS.index(entry["seen"]))
        found.setdefault(entry["picture"], {})[entry["row"]] = ids
    return found


class CropStream:
    """Draws (crop (3, 64, 64) float32 RGB 0-1, class) without end.

    Classes are drawn with the square root of their frequency; `nothing` has a fixed share.
    """

    def __init__(self, groups: list[list[CropSource]], shares: list[float], seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._groups = groups
        self._shares = np.array(shares) / sum(shares)
        self._places: list[dict[int, list[tuple[int, int]]]] = []
        for group in groups:
            places: dict[int, list[tuple[int, int]]] = {}
            for number, source in enumerate(group):
                # Boxes that the picture's border does not cut
                size = np.tile([source.image.shape[1], source.image.shape[0]], 2)
                margin = 2.0
                low, high = source.boxes[:, :2] > margin, source.boxes[:, 2:] < size[2:] - margin
                for row in np.flatnonzero(np.asarray(np.all(low & high, axis=1), np.bool_)):
                    places.setdefault(int(source.labels[row]), []).append((number, int(row)))
            self._places.append(places)

    def __iter__(self) -> Iterator[tuple[NDArray[np.float32], int]]:
        while True:
            yield self.draw()

    def draw(self) -> tuple[NDArray[np.float32], int]:
        """One crop and its class."""
        random = self._random
        group = int(random.choice(len(self._groups), p=self._shares))
        places = self._places[group]
        classes = list(places)
        weights = np.sqrt([len(places[c]) for c in classes])
        label = int(random.choice(classes, p=weights / weights.sum()))
        number, row = places[label][random.integers(len(places[label]))]
        source = self._groups[group][number]
        label, box = self._other_than_a_tile(source, row) or (label, source.boxes[row])
        crop = draw_crop(random, source, box)
        return np.ascontiguousarray(crop.transpose(2, 0, 1), np.float32) / np.float32(255), label

    def _other_than_a_tile(
        self, source: CropSource, row: int
    ) -> tuple[int, NDArray[np.float64]] | None:
        """Now and then: nothing, a part of that tile, or what the picture's maker has noted."""
        random = self._random
        kind = random.random()
        if kind < NOTHING_SHARE:
            nothing = _box_of_nothing(random, source, row)
            return None if nothing is None else (NOTHING_CLASS, nothing)
        if source.labels[row] == NOTHING_CLASS:
            return None
        if kind < NOTHING_SHARE + PART_SHARE:
            return PART, box_of_part(random, source.boxes[row])
        if source.noted and kind < NOTHING_SHARE + PART_SHARE + NOTED_SHARE:
            return source.noted[int(random.integers(len(source.noted)))]
        return None


def draw_crop(random: Random, source: CropSource, box: NDArray[np.float64]) -> Image:
    """Turn, stretch, shear, jitter and cut one box as the runtime would; (64, 64, 3) RGB."""
    angle = float(random.integers(4) * 90 + random.normal(0, 4))
    if not source.turned and random.random() < 0.5:
        angle = random.uniform(0, 360)
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    shear = np.array([[1, random.normal(0, 0.06)], [random.normal(0, 0.06), 1]])
    stretch = np.exp(random.normal(0, 0.04 if source.turned else 0.13))
    if random.random() < SQUEEZED_SHARE:
        stretch *= np.exp(random.uniform(-SQUEEZED, SQUEEZED))
    linear = np.array([[cos, -sin], [sin, cos]]) @ shear @ np.diag([stretch, 1 / stretch])
    width, height = box[2:] - box[:2]
    cut = 0.06 * min(width, height)  # tiles have round corners
    x, y = width / 2, height / 2
    outline = np.array([[x - cut, y], [x, y - cut], [x, cut - y], [x - cut, -y]])
    reach = np.abs(np.concatenate([outline, -outline]) @ linear.T).max(axis=0)
    jitter = np.clip(random.normal(0, 0.05, 4), -0.12, 0.12) * np.tile(reach, 2) * 2
    low, high = -reach + jitter[:2], reach + jitter[2:]
    side = CROP_MARGIN * (high - low).max()
    resolution = CROP_SIZE
    if random.random() < 0.35:
        resolution = int(random.integers(20, CROP_SIZE))
    # Never finer than twice the source: a large tile is drawn first, then shrunk by area.
    drawn = resolution * 2 if side > 1.6 * resolution else resolution
    scale = drawn / side
    middle = (box[:2] + box[2:]) / 2
    matrix = np.empty((2, 3))
    matrix[:, :2] = linear * scale
    matrix[:, 2] = drawn / 2 - scale * ((low + high) / 2) - matrix[:, :2] @ middle
    warped = cv2.warpAffine(
        source.image,
        matrix,
        (drawn, drawn),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    crop = np.asarray(warped, np.uint8)
    if drawn > resolution:
        crop = sized(crop, (resolution, resolution))
    crop = photograph(random, relight(random, crop))
    if resolution != CROP_SIZE:
        crop = np.asarray(cv2.resize(crop, (CROP_SIZE, CROP_SIZE)), np.uint8)
    return np.ascontiguousarray(crop[..., ::-1])


def _overlap(boxes: NDArray[np.float64]) -> float:
    """Median over the boxes of the largest share that another box covers."""
    if len(boxes) < 2:
        return 0.0
    low = np.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    shared = np.prod(np.clip(high - low, 0, None), axis=-1)
    area = np.diag(shared).copy()
    np.fill_diagonal(shared, 0)
    return float(np.median(shared.max(axis=1) / np.maximum(area, 1e-9)))


def _box_of_nothing(random: Random, source: CropSource, row: int) -> NDArray[np.float64] | None:
    """A box that a careless detector might give: beside, between, inside or around tiles."""
    x1, y1, x2, y2 = source.boxes[row]
    centre, size = np.array([x1 + x2, y1 + y2]) / 2, np.array([x2 - x1, y2 - y1])
    kind = random.random()
    if kind < 0.45:
        if not source.complete:
            return None
        # A box that touches no tile; of a few, the one with most in it (sleeves, standing tiles)
        height, width = source.image.shape[:2]
        best, most = None, -1.0
        for _ in range(8):
            centre = random.uniform(0, 1, 2) * [width, height]
            low, high = centre - size / 2, centre + size / 2
            overlap = np.minimum(high, source.boxes[:, 2:]) - np.maximum(low, source.boxes[:, :2])
            if np.prod(np.clip(overlap, 0, None), axis=1).max() >= 0.12 * np.prod(size):
                continue
            (left, top), (right, bottom) = np.clip(low, 0, None).astype(int), high.astype(int) + 1
            detail = float(source.image[top:bottom, left:right].std())
            if detail > most:
                best, most = np.concatenate([low, high]), detail
            if random.random() < 0.4:
                break
        return best
    if kind < 0.75:  # on a seam
        step = random.uniform(0.42, 0.58) * random.choice([-1, 1])
        centre = centre + size * ([step, 0] if random.random() < 0.5 else [0, step])
    elif kind < 0.82:
        centre = centre + size * random.uniform(-0.3, 0.3, 2)
        size = size * random.uniform(0.2, 0.35)
    else:
        size = size * random.uniform(2.0, 3.0)
    return np.concatenate([centre - size / 2, centre + size / 2])


def box_of_part(random: Random, box: NDArray[np.float64]) -> NDArray[np.float64]:
    """A half, a third or a corner of a tile's box (4,), x1, y1, x2, y2."""
    size = box[2:] - box[:2]
    kept = np.ones(2)
    if random.random() < 0.8:
        # A half is what detectors take for a tile most often, and lengthwise.
        kept[int(random.random() < 0.7)] = random.uniform(*PART_KEPT)
    else:
        kept = random.uniform(*CORNER_KEPT, 2)
    low = box[:2] + size * (1 - kept) * random.integers(0, 2, 2)
    return np.concatenate([low, low + size * kept])
