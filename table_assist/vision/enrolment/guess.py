"""The guess at all tiles of an unknown set together.

Crops that look alike are put into one kind; each kind gets one face by all its crops' evidence,
and a face that one kind has is dearer for the next.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.enrolment.learn import CropReader, Integers
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.own_set import Array, directions, probabilities
from table_assist.vision.reading.recognise import CANDIDATES, NOTHING, turn_crops

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
ALIKE = 0.88
FLOOR = np.float32(-7.0)  # nats: no single look may rule a face out
LOOKS = 6.0  # crops of one kind are looks at one thing, but not independent: so many count at most
SECOND_COST = 1.0  # nats, for the second kind of one face; twice for the third
MOST_KINDS = 3  # of one face
SURE, SURE_MEAN = 0.9, 0.6  # probability of a kind together, and of its crops by themselves
LIKELY = 0.001  # less likely faces are not offered
NEVER = -9.0  # a cosine that none has


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
    shared = _shared_evidence(looks.evidence, kinds)
    faces = _assign_faces(shared)
    belief = probabilities(shared)
    sure = _sure_kinds(looks.evidence, kinds, faces, belief)
    guesses = []
    for kind in kinds.tolist():
        label = int(faces[kind])
        best = np.argsort(-belief[kind], kind="stable")[:CANDIDATES].tolist()
        likely = [other for other in best if belief[kind, other] >= LIKELY]
        candidates = [label, *(other for other in likely if other != label)]
        guesses.append(Guess(label, bool(sure[kind]), tuple(candidates[:CANDIDATES]), kind))
    return guesses


def find_kinds(cosine: Array, pictures: Integers) -> Integers:
    """Number the crops by what they show: average linkage down to `ALIKE`.

    No kind has more crops of one picture than a set has copies of a face.
    """
    count = len(pictures)
    near = cosine.astype(np.float64)
    np.fill_diagonal(near, NEVER)
    size, kind = np.ones(count), np.arange(count)
    copies = (pictures[:, None] == np.unique(pictures)).astype(np.int64)
    while count > 1:
        one, other = divmod(int(near.argmax()), count)
        if near[one, other] < ALIKE:
            break
        if (copies[one] + copies[other]).max() > COPIES + SPARE:
            near[one, other] = near[other, one] = NEVER
            continue
        mean = (near[one] * size[one] + near[other] * size[other]) / (size[one] + size[other])
        mean[(near[one] == NEVER) | (near[other] == NEVER)] = NEVER
        near[one] = near[:, one] = mean
        near[other] = near[:, other] = NEVER
        near[one, one] = NEVER
        size[one] += size[other]
        copies[one] += copies[other]
        kind[kind == other] = one
    return np.unique(kind, return_inverse=True)[1].astype(np.int64)


def _shared_evidence(evidence: Array, kinds: Integers) -> Array:
    """(kinds, classes) what all crops of a kind say together."""
    total = np.zeros((kinds.max() + 1, evidence.shape[1]), np.float32)
    np.add.at(total, kinds, np.maximum(evidence, FLOOR))
    return np.asarray(total * np.minimum(1, LOOKS / np.bincount(kinds))[:, None], np.float32)


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


def _sure_kinds(
    evidence: Array, kinds: Integers, faces: NDArray[np.int64], belief: Array
) -> NDArray[np.bool_]:
    """Of which kinds nothing is doubtful: their evidence, every crop, and no other has the face."""
    count = len(faces)
    own = np.exp(evidence)
    sure = belief[np.arange(count), faces] >= SURE
    for kind in range(count):
        members = own[kinds == kind]
        best = members.argmax(axis=1)
        contradicted = (members.max(axis=1) >= SURE) & (best != faces[kind])
        sure[kind] &= not contradicted.any() and members[:, faces[kind]].mean() >= SURE_MEAN
    sizes = np.bincount(kinds)
    for label in np.unique(faces[faces < NOTHING]):
        same = np.flatnonzero(faces == label)
        if label < FACES and len(same) > 1:
            largest = same[sizes[same].argmax()]
            sure[same[same != largest]] = False
    return sure
