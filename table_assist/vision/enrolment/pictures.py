"""Pictures of a tile set laid out: what lies there, as patches, views and guesses."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.enrolment.labelled import read_folder
from table_assist.vision.enrolment.learn import (
    KNOWN_OF_A_FACE,
    CropReader,
    Integers,
    Sample,
    evenly,
)
from table_assist.vision.enrolment.patches import Patch, cut_patch, plain_crop
from table_assist.vision.pictures.picture import Array, Image, jpeg, load_picture, resized
from table_assist.vision.reading.detect import Detector
from table_assist.vision.reading.own_set import OwnSetError, directions, probabilities
from table_assist.vision.reading.recognise import CANDIDATES_TOLD, LABELS, NOTHING_CLASS, turn_crops
from table_assist.vision.reading.tiling import find_all

# The guess at all tiles of an unknown set together.
#
# Crops that look alike are put into one kind; each kind gets one face by all its crops' evidence,
# and a face that one kind has is dearer for the next.

# The best assignment of rows to columns: each row gets a column of its own.


def assign(costs: NDArray[np.float64]) -> NDArray[np.int64]:
    """Columns (n,) for the rows such that the sum of their costs is least.

    Source: Jonker and Volgenant, "A shortest augmenting path algorithm for dense and sparse linear
    assignment problems" (1987), its augmenting part: one shortest path for each row.

    >>> assign(np.array([[1.0, 2.0, 9.0], [1.0, 9.0, 9.0]])).tolist()
    [1, 0]

    Raises:
        ValueError: there are more rows than columns, or a cost is not finite.
    """
    count, width = costs.shape
    if count > width or not np.isfinite(costs).all():
        raise ValueError(f"{costs.shape} costs cannot be assigned: more rows than columns, or none")
    row_price, column_price = np.zeros(count), np.zeros(width)
    row_of = np.full(width, -1)
    for start in range(count):
        shortest, before = np.full(width, np.inf), np.full(width, -1)
        done = np.zeros(width, np.bool_)
        row, column, length = start, -1, 0.0
        while True:
            # `length` is the way to this row; a step on costs what is left of its cost.
            way = length + costs[row] - row_price[row] - column_price
            better = ~done & (way < shortest)
            shortest[better], before[better] = way[better], column
            column = int(np.where(done, np.inf, shortest).argmin())
            length, done[column] = float(shortest[column]), True
            if row_of[column] < 0:
                break
            row = int(row_of[column])
        row_price[start] += length
        settled = np.flatnonzero(done & (row_of >= 0))
        row_price[row_of[settled]] += length - shortest[settled]
        column_price[done] -= length - shortest[done]
        while column >= 0:
            previous = int(before[column])
            row_of[column] = start if previous < 0 else row_of[previous]
            column = previous
    found = np.empty(count, np.int64)
    taken = np.flatnonzero(row_of >= 0)
    found[row_of[taken]] = taken
    return found


FACES = 42  # the classes before this one are faces; of the others there are any number
COPIES = 4  # of a face in a set, and so in one picture
SPARE = 1  # a thing found twice
# Mean cosine from which two kinds are one. Of crops in any turn of one face of one set 95 in 100
# pairs are above 0.89, of different faces one tile in a hundred has one above 0.88.
SAME_KIND_COSINE = 0.88
FLOOR = np.float32(-7.0)  # nats: no single look may rule a face out
# Crops of one kind are looks at one thing, but not independent: so many count at most
LOOKS_AT_MOST = 6.0
SECOND_COST = 1.0  # nats, for the second kind of one face; twice for the third
MOST_KINDS = 3  # of one face
SURE_KIND, SURE_MEAN = 0.9, 0.6  # probability of a kind together, and of its crops by themselves
OFFERED = 0.001  # less likely faces are not offered
NO_COSINE = -9.0  # a cosine that none has


@dataclass(frozen=True, slots=True)
class Guess:
    """One crop's guessed face.

    Attributes:
        label: the class; NOTHING: it is no tile.
        sure: nothing speaks for another face; a person need not look twice.
        candidates: the likeliest classes, best first, the label among them.
        kind: crops that look alike have the same number.
    """

    label: int
    sure: bool
    candidates: tuple[int, ...]
    kind: int


@dataclass(frozen=True, slots=True)
class CropLooks:
    """The network's output for n crops in their four quarter turns.

    Attributes:
        evidence: (n, classes) logarithms of the mean probability.
        cosine: (n, n) how alike two crops are, however turned.
    """

    evidence: Array
    cosine: Array


def look(crops: Image, sight: CropReader) -> CropLooks:
    """Look at every crop in four turns."""
    turned = [sight.look(turn_crops(crops, turn)) for turn in range(4)]
    mean = sum((probabilities(logits) for _, logits in turned), np.float32(0)) / 4
    plain = directions(turned[0][0])
    cosine = np.max([plain @ directions(features).T for features, _ in turned], axis=0)
    return CropLooks(
        np.asarray(np.log(np.maximum(mean, 1e-12)), np.float32),
        np.asarray(np.maximum(cosine, cosine.T), np.float32),
    )


def guess(looks: CropLooks, pictures: Integers) -> list[Guess]:
    """Guess every crop.

    Args:
        pictures: (n,) which picture each crop is from.
    """
    if not len(pictures):
        return []
    kinds = find_kinds(looks.cosine, pictures)
    # (kinds, classes) what all crops of a kind say together
    evidence = looks.evidence
    total = np.zeros((kinds.max() + 1, evidence.shape[1]), np.float32)
    np.add.at(total, kinds, np.maximum(evidence, FLOOR))
    shared = np.asarray(
        total * np.minimum(1, LOOKS_AT_MOST / np.bincount(kinds))[:, None], np.float32
    )
    faces = _assign_faces(shared)
    belief = probabilities(shared)
    # Of which kinds nothing is doubtful: their evidence, every crop, and no other has the face
    own = np.exp(evidence)
    sure = belief[np.arange(len(faces)), faces] >= SURE_KIND
    for kind in range(len(faces)):
        members = own[kinds == kind]
        contradicted = (members.max(axis=1) >= SURE_KIND) & (members.argmax(axis=1) != faces[kind])
        sure[kind] &= not contradicted.any() and members[:, faces[kind]].mean() >= SURE_MEAN
    sizes = np.bincount(kinds)
    for label in np.unique(faces[faces < NOTHING_CLASS]):
        same = np.flatnonzero(faces == label)
        if label < FACES and len(same) > 1:
            largest = same[sizes[same].argmax()]
            sure[same[same != largest]] = False
    guesses = []
    for kind in kinds.tolist():
        label = int(faces[kind])
        best = np.argsort(-belief[kind], kind="stable")[:CANDIDATES_TOLD].tolist()
        likely = [other for other in best if belief[kind, other] >= OFFERED]
        candidates = [label, *(other for other in likely if other != label)]
        guesses.append(Guess(label, bool(sure[kind]), tuple(candidates[:CANDIDATES_TOLD]), kind))
    return guesses


def find_kinds(cosine: Array, pictures: Integers) -> Integers:
    """Number the crops by what they show: average linkage down to `SAME_KIND_COSINE`.

    No kind has more crops of one picture than a set has copies of a face.
    """
    count = len(pictures)
    near = cosine.astype(np.float64)
    np.fill_diagonal(near, NO_COSINE)
    size, kind = np.ones(count), np.arange(count)
    copies = (pictures[:, None] == np.unique(pictures)).astype(np.int64)
    while count > 1:
        one, other = divmod(int(near.argmax()), count)
        if near[one, other] < SAME_KIND_COSINE:
            break
        if (copies[one] + copies[other]).max() > COPIES + SPARE:
            near[one, other] = near[other, one] = NO_COSINE
            continue
        mean = (near[one] * size[one] + near[other] * size[other]) / (size[one] + size[other])
        mean[(near[one] == NO_COSINE) | (near[other] == NO_COSINE)] = NO_COSINE
        near[one] = near[:, one] = mean
        near[other] = near[:, other] = NO_COSINE
        near[one, one] = NO_COSINE
        size[one] += size[other]
        copies[one] += copies[other]
        kind[kind == other] = one
    return np.unique(kind, return_inverse=True)[1].astype(np.int64)


def _assign_faces(shared: Array) -> NDArray[np.int64]:
    """The likeliest faces of all kinds together."""
    classes: list[int] = []
    costs: list[float] = []
    for label in range(shared.shape[1]):
        places = MOST_KINDS if label < FACES else len(shared)
        classes += [label] * places
        costs += [SECOND_COST * number if label < FACES else 0.0 for number in range(places)]
    columns = np.array(classes, np.int64)
    return columns[assign(np.array(costs) - shared[:, columns].astype(np.float64))]


VIEW_SIZE = 120  # px, the longer side of what a person is shown of a tile
VIEW_MARGIN = 0.06  # of the box's side, around it
SHOWN_SIZE = 1280  # px, the longer side of a whole picture on the page
OUTLINE = (80, 220, 255)  # BGR
MOST_ENROLLED = 1000  # in all pictures: seven whole sets; comparing more would take minutes
# Px and levels: two views are compared so small, flat ones not at all
VIEW_PX, VIEW_LEVELS = 24, 8.0


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
        small = _fitted(image, SHOWN_SIZE).copy()
        scale = small.shape[1] / image.shape[1]
        for x1, y1, x2, y2 in np.round(boxes * scale).astype(int).tolist():
            cv2.rectangle(small, (x1, y1), (x2, y2), (0, 0, 0), 3, cv2.LINE_AA)
            cv2.rectangle(small, (x1, y1), (x2, y2), OUTLINE, 1, cv2.LINE_AA)
        shown.append(jpeg(small))
        told(path, len(boxes))
    if not patches:
        named = ", ".join(str(path) for path in paths)
        raise OwnSetError(
            "no tile was found in {named}: lay the tiles face up, side by side, and fill the "
            "picture with them",
            "{named} 中没有找到牌：请把牌面朝上并排放好，并让牌占满画面",
            named=named,
        )
    if len(patches) > MOST_ENROLLED:
        raise OwnSetError(
            "{count} things were found, more than {most_tiles}",
            "找到 {count} 件东西，多于 {most_tiles}",
            count=len(patches),
            most_tiles=MOST_ENROLLED,
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


def labelled_samples(folder: Path) -> list[Sample]:
    """Samples from a labelled folder, evenly chosen where a face has more than are ever kept of it.

    Raises:
        PictureError: a file is no picture.
        LabelError: the folder cannot be used, or a line of its labels cannot be understood.
    """
    pictures = read_folder(folder)
    places: dict[str, list[tuple[int, int]]] = {}
    for number, picture in enumerate(pictures):
        for row, label in enumerate(picture.labels.names):
            places.setdefault(label, []).append((number, row))
    chosen = {
        found[each] for found in places.values() for each in evenly(len(found), KNOWN_OF_A_FACE)
    }
    samples: list[Sample] = []
    for number in sorted({number for number, _ in chosen}):
        image, labels = load_picture(pictures[number].path), pictures[number].labels
        boxes = labels.xyxy((image.shape[1], image.shape[0])).tolist()
        for row, label in enumerate(labels.names):
            if (number, row) in chosen:
                patch = cut_patch(image, boxes[row])
                samples.append(Sample(patch, LABELS.index(label), number))
    return samples


def _reading_order(boxes: Array) -> list[int]:
    """Roughly by rows from the top left, so that the page shows them as they lie."""
    if not len(boxes):
        return []
    step = float(np.median(boxes[:, 3] - boxes[:, 1])) * 0.7
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    order = np.lexsort((middle[:, 0], np.round(middle[:, 1] / max(step, 1))))
    return [int(index) for index in order]


def _view(image: Image, box: Array) -> Image:
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
    return resized(image, scale, cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)


def _turns(views: Sequence[Image], guesses: Sequence[Guess]) -> list[int]:
    """Quarter turns after which the crops of a face lie alike, so that an odd one strikes the eye.

    Each is compared with the first of its face; which way that lies is not known.
    """
    small = np.stack(
        [cv2.resize(view, (VIEW_PX, VIEW_PX), interpolation=cv2.INTER_AREA) for view in views]
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
    return np.asarray(values / max(float(np.linalg.norm(values)), VIEW_LEVELS), np.float64)
