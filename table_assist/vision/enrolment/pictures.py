"""Pictures of a tile set laid out: what lies there, as patches, views and guesses."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.enrolment.guess import Guess, guess, look
from table_assist.vision.enrolment.learn import CropReader, Sample
from table_assist.vision.enrolment.patches import Patch, cut_patch, plain_crop
from table_assist.vision.pictures.picture import SUFFIXES, Image, PictureError, jpeg, load_picture
from table_assist.vision.reading.detect import Detector
from table_assist.vision.reading.own_set import OwnSetError
from table_assist.vision.reading.recognise import LABELS, turn_crops
from table_assist.vision.reading.tiling import find_all

VIEW_SIZE = 120  # px, the longer side of what a person is shown of a tile
VIEW_MARGIN = 0.06  # of the box's side, around it
SHOWN_SIZE = 1280  # px, the longer side of a whole picture on the page
OUTLINE = (80, 220, 255)  # BGR
MOST_TILES = 1000  # in all pictures: seven whole sets; comparing more would take minutes
PLAIN, GREY = 24, 8.0  # px and levels: two views are compared so small, flat ones not at all


@dataclass(frozen=True, slots=True)
class EnrolThing:
    """One thing found in the pictures.

    Attributes:
        picture: its number, from 0.
        view: a JPEG of it alone, turned as the others of its kind lie.
    """

    picture: int
    patch: Patch
    view: bytes
    guess: Guess


@dataclass(frozen=True, slots=True)
class LaidOut:
    """All pictures of a set, and what was found in them.

    Attributes:
        names: the pictures' file names.
        shown: each picture as a JPEG with everything found outlined.
    """

    things: tuple[EnrolThing, ...]
    names: tuple[str, ...]
    shown: tuple[bytes, ...]


def lay_out(
    paths: Sequence[Path],
    detector: Detector,
    sight: CropReader,
    told: Callable[[Path, int], None] = lambda path, count: None,
) -> LaidOut:
    """Find and guess everything in the pictures.

    Args:
        told: called after each picture with the number of things found in it.

    Raises:
        PictureError: a file is no picture.
        OwnSetError: nothing was found in any picture, or far too much.
    """
    patches: list[Patch] = []
    views: list[Image] = []
    pictures: list[int] = []
    shown: list[bytes] = []
    for number, path in enumerate(paths):
        image = load_picture(path)
        boxes = find_all(detector, image).xyxy
        boxes = boxes[_reading_order(boxes)]
        patches += [cut_patch(image, box) for box in boxes]
        views += [_view(image, box) for box in boxes]
        pictures += [number] * len(boxes)
        shown.append(jpeg(_outlined(image, boxes)))
        told(path, len(boxes))
    if not patches:
        named = ", ".join(str(path) for path in paths)
        raise OwnSetError(
            "no tile was found in {named}: lay the tiles face up, side by side, and fill the "
            "picture with them",
            "{named} 中没有找到牌：请把牌面朝上并排放好，并让牌占满画面",
            named=named,
        )
    if len(patches) > MOST_TILES:
        raise OwnSetError(
            "{count} things were found, more than {most_tiles}",
            "找到 {count} 件东西，多于 {most_tiles}",
            count=len(patches),
            most_tiles=MOST_TILES,
        )
    crops = np.stack([plain_crop(patch) for patch in patches])
    guesses = guess(look(crops, sight), np.array(pictures, np.int64))
    turns = _turns(views, guesses)
    things = tuple(
        EnrolThing(picture, patch, jpeg(np.ascontiguousarray(np.rot90(view, turn)), 85), guessed)
        for picture, patch, view, turn, guessed in zip(
            pictures, patches, views, turns, guesses, strict=True
        )
    )
    return LaidOut(things, tuple(path.name for path in paths), tuple(shown))


def samples_at(
    image: Image,
    detector: Detector,
    tiles: Sequence[tuple[tuple[float, float], int]],
    picture: int,
) -> list[Sample]:
    """Samples of tiles whose places and classes are known.

    Args:
        tiles: where in the picture each tile's middle is, in pixels, and its class. Where nothing
            is found there is no sample.
    """
    boxes = find_all(detector, image).xyxy
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    found = []
    for point, label in tiles:
        there = ((boxes[:, :2] <= point) & (point <= boxes[:, 2:])).all(axis=1)
        if there.any():
            far = np.linalg.norm(middles - point, axis=1)
            box = boxes[int(np.where(there, far, np.inf).argmin())]
            found.append(Sample(cut_patch(image, box), label, picture))
    return found


def labelled_samples(folder: Path) -> list[Sample]:
    """Samples from a folder with `images/` and `labels/` in YOLO's form.

    The class ids are the places of `recognise.LABELS` (models/tiles.toml). Pictures without a file
    of labels are left out.

    Raises:
        PictureError: a file is no picture.
        OwnSetError: there are no labels, or a line of them cannot be understood.
    """
    pictures = sorted(
        path for path in (folder / "images").glob("*") if path.suffix.lower() in SUFFIXES
    )
    samples: list[Sample] = []
    for number, path in enumerate(pictures):
        labels = folder / "labels" / f"{path.stem}.txt"
        if not labels.is_file():
            continue
        image = load_picture(path)
        size = np.array([image.shape[1], image.shape[0]] * 2, np.float64)
        for label, box in _yolo_boxes(labels):
            samples.append(Sample(cut_patch(image, (box * size).tolist()), label, number))
    if not samples:
        raise OwnSetError(
            "there are no labelled tiles in {folder}: it needs images/ and labels/ (YOLO)",
            "{folder} 中没有标注的牌：须有 images/ 和 labels/（YOLO）",
            folder=folder,
        )
    return samples


def _yolo_boxes(path: Path) -> list[tuple[int, NDArray[np.float64]]]:
    """Class and left, top, right, bottom as shares of the picture, for each line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise PictureError(
            "the labels {path} cannot be read: {error}",
            "标签 {path} 无法读取：{error}",
            path=path,
            error=error,
        ) from error
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            label, x, y, width, height = line.split()[:5]
            box = np.array([x, y, width, height], np.float64)
            known = 0 <= int(label) < len(LABELS)
        except ValueError:
            known = False
        if not known or not np.isfinite(box).all() or (box[2:] <= 0).any() or (box > 1.5).any():
            raise OwnSetError(
                "line {number} of {path} is no label of a tile: {line}",
                "{path} 第 {number} 行不是牌的标注：{line}",
                number=number,
                path=path,
                line=f"{line[:60]!r}",
            )
        found.append((int(label), np.concatenate([box[:2] - box[2:] / 2, box[:2] + box[2:] / 2])))
    return found


def _reading_order(boxes: NDArray[np.float32]) -> list[int]:
    """Roughly by rows from the top left, so that the page shows them as they lie."""
    if not len(boxes):
        return []
    step = float(np.median(boxes[:, 3] - boxes[:, 1])) * 0.7
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    order = np.lexsort((middle[:, 0], np.round(middle[:, 1] / max(step, 1))))
    return [int(index) for index in order]


def _view(image: Image, box: NDArray[np.float32]) -> Image:
    """The box with a little around it, BGR, the longer side VIEW_SIZE."""
    x1, y1, x2, y2 = (float(value) for value in box)
    around = VIEW_MARGIN * max(x2 - x1, y2 - y1)
    left, top = max(0, int(x1 - around)), max(0, int(y1 - around))
    part = image[top : max(top + 1, int(y2 + around) + 1), left : int(x2 + around) + 1]
    return _fitted(part, VIEW_SIZE, enlarge=True)


def _fitted(image: Image, side: int, *, enlarge: bool = False) -> Image:
    scale = side / max(image.shape[:2])
    if scale >= 1 and not enlarge:
        return image
    size = max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, size, interpolation=way), np.uint8)


def _outlined(image: Image, boxes: NDArray[np.float32]) -> Image:
    small = _fitted(image, SHOWN_SIZE).copy()
    scale = small.shape[1] / image.shape[1]
    for x1, y1, x2, y2 in np.round(boxes * scale).astype(int).tolist():
        cv2.rectangle(small, (x1, y1), (x2, y2), (0, 0, 0), 3, cv2.LINE_AA)
        cv2.rectangle(small, (x1, y1), (x2, y2), OUTLINE, 1, cv2.LINE_AA)
    return small


def _turns(views: Sequence[Image], guesses: Sequence[Guess]) -> list[int]:
    """Quarter turns after which the crops of a face lie alike, so that an odd one strikes the eye.

    Each is compared with the first of its face; which way that lies is not known.
    """
    small = np.stack(
        [cv2.resize(view, (PLAIN, PLAIN), interpolation=cv2.INTER_AREA) for view in views]
    )
    first: dict[int, NDArray[np.float64]] = {}
    turns: list[int] = []
    for view, guessed in zip(small.astype(np.float64), guesses, strict=True):
        looks = [
            _normal(np.asarray(turn_crops(view[None].astype(np.uint8), turn))[0])
            for turn in range(4)
        ]
        pattern = first.setdefault(guessed.label, looks[0])
        fits = [float((each * pattern).sum()) for each in looks]
        # A turned one must fit clearly better: round dots fit every way.
        best = int(np.argmax(fits))
        turns.append(best if fits[best] > fits[0] + 0.1 else 0)
    return turns


def _normal(view: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Without its light and contrast."""
    values = view.astype(np.float64) - view.mean()
    return np.asarray(values / max(float(np.linalg.norm(values)), GREY), np.float64)
