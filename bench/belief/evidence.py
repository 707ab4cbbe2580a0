"""One look's evidence on each thing: how likely it would look so, were it this or that.

Nothing is decided here. A row holds log-likelihoods of `CLASSES` hypotheses: each face, the back
of a tile that lies face down or stands, a part of a tile (its side, or what another tile leaves
free of it), and no tile.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.live.read_things import Things
from table_assist.vision.reading.recognise import LABELS, NOTHING
from table_assist.vision.reading.recognise import PART as PART_SEEN
from table_assist.vision.table.occlusion import CELL_MM

FACES = 42
BACK, PART, NONE = FACES, FACES + 1, FACES + 2
CLASSES = FACES + 3
BONUS = slice(34, FACES)
_DICE = slice(LABELS.index("d1"), NOTHING)
# A network says no less than this of anything: what is below is noise of its last digits.
_LEAST = 1e-12
_DOUBT = 1e-5

Rows = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Reliability:
    """The worth of the reader's answers, fitted by ``bench live fit_belief``.

    The log-odds of a class are those of the networks, times what they are worth, and what the box
    itself says.

    Attributes:
        sharpness: of the recogniser's log-probabilities; below 1 where it is surer than it may be.
        none_sharpness: of its log-probability that there is no tile.
        part_sharpness: of its log-probability that it is a part of a tile.
        bonus, back, part, none: added to flowers and seasons, backs, parts, no tile; 0 for faces.
        none_by_score: to "no tile" for each unit of the detector's log-odds.
        part_by_score: to "part", the same.
        part_by_doubt: to "part" for each unit of the logarithm of what the likeliest tile lacks.
        part_by_length: to "part" for each tenth of a tile's width that the box is shorter than
            1.35 tiles are wide, the length of a whole one.
        shares: (CLASSES,) how often each class is met: what is believed before any look.
        stuck: how often a reading that was wrong is wrong the same way when it is made anew.
        readings: how many it was fitted on.
    """

    sharpness: float
    none_sharpness: float
    part_sharpness: float
    bonus: float
    back: float
    part: float
    none: float
    none_by_score: float
    part_by_score: float
    part_by_doubt: float
    part_by_length: float
    shares: tuple[float, ...]
    stuck: float
    readings: int

    @property
    def weights(self) -> NDArray[np.float64]:
        """The fitted numbers: one for each of `features`."""
        return np.array([
            self.sharpness, self.none_sharpness, self.part_sharpness,
            self.bonus, self.back, self.part, self.none,
            self.none_by_score, self.part_by_score, self.part_by_doubt, self.part_by_length,
        ])  # fmt: skip


WEIGHTS = 11
# Of these so many are what the networks say, as they say it.
SAID = 3


@dataclass(frozen=True, slots=True, eq=False)
class LookEvidence:
    """One look.

    Attributes:
        t: seconds since the epoch.
        places_mm: (n, 2) where each thing stands on the table.
        rows: (n, CLASSES) log-likelihoods, each row up to a constant.
        hidden: (cells, cells) as `occlusion.TableView.hidden`: what lies there is not missed.
        tile_mm: how wide a tile is.
    """

    t: float
    places_mm: NDArray[np.float64]
    rows: Rows
    hidden: NDArray[np.bool_]
    tile_mm: float

    def hides(self, x_mm: float, y_mm: float) -> bool:
        """Whether something lies or moves over the place, or so near that it may hide a tile."""
        cells = self.hidden.shape[0]
        column, row = (int((each + cells * CELL_MM / 2) // CELL_MM) for each in (x_mm, y_mm))
        around = self.hidden[max(row - 2, 0) : row + 3, max(column - 2, 0) : column + 3]
        return bool(around.any()) or not around.size


def features(things: Things, lengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, CLASSES, WEIGHTS) what the log-odds of each class are made of.

    Args:
        lengths: (n,) the longer side of each box, in widths of a tile.
    """
    rows = np.log(np.maximum(_of_classes(things.rows), _LEAST))
    score = np.clip(things.score.astype(np.float64), 0.01, 0.99)
    odds = np.log(score / (1 - score))
    found = np.zeros((len(things), CLASSES, WEIGHTS))
    found[:, : BACK + 1, 0] = rows[:, : BACK + 1]
    found[:, NONE, 1] = rows[:, NONE]
    found[:, PART, 2] = rows[:, PART]
    found[:, BONUS, 3] = 1.0
    for weight, one in enumerate((BACK, PART, NONE), start=4):
        found[:, one, weight] = 1.0
    found[:, NONE, 7] = odds
    found[:, PART, 8] = odds
    found[:, PART, 9] = np.log(np.maximum(1 - np.exp(rows[:, : BACK + 1].max(axis=1)), _DOUBT))
    found[:, PART, 10] = 10 * np.maximum(1.35 - lengths, 0.0)
    return found


def _of_classes(rows: NDArray[np.float32]) -> NDArray[np.float64]:
    """The recogniser's 51 classes as ours; a die is no tile."""
    found = np.zeros((len(rows), CLASSES))
    found[:, : BACK + 1] = rows[:, : BACK + 1]
    found[:, PART] = rows[:, PART_SEEN]
    found[:, NONE] = rows[:, NOTHING] + rows[:, _DICE].sum(axis=1)
    return found


def log_softmax(rows: Rows) -> Rows:
    """Log-odds as log-probabilities, row by row."""
    best = rows.max(axis=-1, keepdims=True)
    return np.asarray(rows - best - np.log(np.exp(rows - best).sum(axis=-1, keepdims=True)))


def believed(things: Things, lengths: NDArray[np.float64], by: Reliability) -> Rows:
    """(n, CLASSES) log-probabilities, where each class is met as often as in the fit."""
    return log_softmax(features(things, lengths) @ by.weights)


def weigh(things: Things, lengths: NDArray[np.float64], by: Reliability) -> Rows:
    """(n, CLASSES) log-likelihoods: what is believed, less what was believed before looking."""
    return np.asarray(believed(things, lengths, by) - np.log(np.array(by.shares)))
