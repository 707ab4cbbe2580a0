"""One picture's readings beside its labels: each thing right, asked, wrong, missed or extra."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.enrolment.labelled import Labels
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.recognise import UNKNOWN, Candidate

# Which of the boxes read is which of the boxes labelled: one to one, as many as there can be.

Boxes = NDArray[np.float64]

FOUND_IOU = 0.5


def overlaps(labelled: Boxes, read: Boxes) -> Boxes:
    """(n, m) intersection over union of (n, 4) and (m, 4) boxes; 0 where a box is empty."""
    low = np.maximum(labelled[:, None, :2], read[None, :, :2])
    high = np.minimum(labelled[:, None, 2:], read[None, :, 2:])
    shared = np.clip(high - low, 0, None).prod(axis=2)
    union = _area(labelled)[:, None] + _area(read)[None] - shared
    return np.asarray(np.divide(shared, union, out=np.zeros_like(shared), where=union > 0))


def match(iou: Boxes, least: float = FOUND_IOU) -> list[tuple[int, int]]:
    """Pairs (row, column) in which no row and no column stands twice.

    The best overlap goes first. Where it took the only partner of another box and has a second
    one itself, they are parted again: a tile that can be paired counts as found.

    Args:
        iou: (n, m), as ``overlaps`` gives it.
        least: pairs that overlap less are none.
    """
    partners = [np.flatnonzero(row >= least) for row in iou]
    partners = [own[np.argsort(-iou[row, own], kind="stable")] for row, own in enumerate(partners)]
    taken: dict[int, int] = {}  # column: row
    free = set(range(len(iou)))
    rows, columns = np.nonzero(iou >= least)
    for index in np.argsort(-iou[rows, columns], kind="stable"):
        row, column = int(rows[index]), int(columns[index])
        if row in free and column not in taken:
            taken[column] = row
            free.discard(row)
    for row in sorted(free):
        _take(row, partners, taken, set())
    return sorted((row, column) for column, row in taken.items())


def _take(
    row: int, partners: list[NDArray[np.intp]], taken: dict[int, int], asked: set[int]
) -> bool:
    """Find a partner for a row, if need be by giving others another one (augmenting path)."""
    for column in partners[row].tolist():
        if column in asked:
            continue
        asked.add(column)
        if column not in taken or _take(taken[column], partners, taken, asked):
            taken[column] = row
            return True
    return False


def _area(boxes: Boxes) -> Boxes:
    return np.asarray(np.clip(boxes[:, 2:] - boxes[:, :2], 0, None).prod(axis=1), np.float64)


LEAST_TOLD = 0.01


class ThingOutcome(StrEnum):
    """The outcome of one labelled thing, or of one that is read and not labelled."""

    RIGHT = "right"
    ASKED = "asked"  # found, and marked "?"
    WRONG = "wrong"  # found, and surely named as another: a silent error
    MISSED = "missed"
    EXTRA = "extra"  # read where nothing is labelled


@dataclass(frozen=True, slots=True)
class ComparedThing:
    """One labelled thing, one read thing, or both.

    Attributes:
        labelled: its label; empty where nothing is labelled.
        said: what was read; empty where nothing was.
        xyxy: (4,) the labelled box, or of an extra thing the read one, in pixels.
        candidates: the likeliest names, best first.
    """

    outcome: ThingOutcome
    labelled: str
    said: str
    xyxy: NDArray[np.float64]
    candidates: tuple[Candidate, ...] = ()

    @property
    def invented(self) -> bool:
        """A tile or die that is surely named where nothing is labelled."""
        return self.outcome is ThingOutcome.EXTRA and self.said != UNKNOWN


@dataclass(frozen=True, slots=True)
class ComparedPicture:
    """Everything in one picture."""

    things: tuple[ComparedThing, ...]

    def count(self, outcome: ThingOutcome) -> int:
        """How many there are of one kind."""
        return sum(thing.outcome is outcome for thing in self.things)

    @property
    def is_right(self) -> bool:
        """Every labelled thing is named right, and there is nothing else."""
        return all(thing.outcome is ThingOutcome.RIGHT for thing in self.things)

    @property
    def is_right_or_asked(self) -> bool:
        """Whether all that is not right is marked "?": nothing is missed, wrong or invented."""
        return all(
            thing.outcome in (ThingOutcome.RIGHT, ThingOutcome.ASKED)
            or (thing.outcome is ThingOutcome.EXTRA and not thing.invented)
            for thing in self.things
        )


def compare(labels: Labels, readings: Readings, *, partial: bool = False) -> ComparedPicture:
    """Match what was read to what is labelled.

    Args:
        partial: not everything in the picture is labelled; what is read beyond does not count.
    """
    labelled = labels.xyxy(readings.size_wh)
    read = readings.boxes.astype(np.float64)
    pairs = dict(match(overlaps(labelled, read)))
    things = [
        _labelled_thing(name, box, readings, pairs.get(index))
        for index, (name, box) in enumerate(zip(labels.names, labelled, strict=True))
    ]
    if not partial:
        spare = sorted(set(range(len(readings))) - set(pairs.values()))
        things += [
            ComparedThing(
                ThingOutcome.EXTRA, "", readings.labels[i], read[i], readings.candidates[i]
            )
            for i in spare
        ]
    return ComparedPicture(tuple(things))


def asked_names(candidates: Sequence[Candidate]) -> str:
    """The possible names of a thing, in words; those that are hardly likely are left out.

    >>> asked_names([Candidate("7s", 0.5), Candidate("9s", 0.25), Candidate("1s", 0.001)])
    '7s 50 %, 9s 25 %'
    """
    return ", ".join(
        f"{each.label} {100 * each.confidence:.0f} %"
        for each in candidates
        if each.confidence >= LEAST_TOLD
    )


def _labelled_thing(
    name: str, box: NDArray[np.float64], readings: Readings, index: int | None
) -> ComparedThing:
    if index is None:
        return ComparedThing(ThingOutcome.MISSED, name, "", box)
    said = readings.labels[index]
    outcome = {name: ThingOutcome.RIGHT, UNKNOWN: ThingOutcome.ASKED}.get(said, ThingOutcome.WRONG)
    return ComparedThing(outcome, name, said, box, readings.candidates[index])
