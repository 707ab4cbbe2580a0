"""Learning a tile set from labelled patches: no picture, file or person, and no torch.

Every patch is seen in many ways, the network gives its features, and a logistic regression finds
the correction of the network's own logits that names them all. What the set would read without
each picture in turn (leave one out) calibrates it and is the report.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.enrolment.mislabelled import FACES, find_suspects, how_alike
from table_assist.vision.enrolment.patches import Patch, plain_crop, vary
from table_assist.vision.enrolment.report import EnrolOutcome, EnrolReport, make_report
from table_assist.vision.pictures.picture import Array, Image, Mask
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.own_set import (
    ORDINARY_FACES,
    OwnSet,
    OwnSetError,
    corrected,
    directions,
    probabilities,
    taught_by,
)

Integers = NDArray[np.int64]
Progress = Callable[[float], None]

VARIANTS = 16  # ways a patch is seen beside the plain one: four turns, upright and loose
MOST_SEEN = 9000  # crops in all: ten seconds of one core; more patches get fewer variants
KNOWN_OF_A_FACE = 40  # crops kept for telling what looks like the set, and tiles of a folder
# Full-batch Adam with a falling rate, at the end of which nothing moves
LEARNING_STEPS, RATE = 150, 0.02
# Small enough to name every enrolled crop, large enough that a face seen once does not overrule
# all: the flat part between 0.003 and 0.00002, tried on mirrored pictures of tables.
SHRINKING = 5e-5
FEATURE_LENGTH = 15.0  # features are scaled to this mean length, for which rate and shrinking hold
FOLDS = 5  # at most; with more pictures, several are left out at once
ALIKE_MARGIN = 0.02  # how far below the least alike crop of a face the correction still counts
# Other faces of the set are mostly below, rarely above; pictures taken alike would say too much.
ALIKE_RANGE = (0.85, 0.88)
# Where every ordinary face was shown, a tile that looks less alike is one of them, seen worse.
# Dice, backs, felt and what lies between tiles stay below, but for one in a hundred.
ALIKE_COMPLETE = 0.8
SHARPNESS = np.linspace(0.5, 1.2, 15)  # no more: few tiles can show doubt, not certainty


class CropReader(Protocol):
    """The network as learning needs it."""

    def look(self, crops: Image) -> tuple[Array, Array]:
        """Features (n, d) and logits (n, classes) of crops as they lie."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A labelled tile.

    Attributes:
        label: the class, as in `recognise.LABELS`; NOTHING teaches that there is no tile.
        picture: which picture it is from, for leaving pictures out.
    """

    patch: Patch
    label: int
    picture: int


@dataclass(frozen=True, slots=True)
class SeenCrops:
    """Everything the network saw of the samples.

    Attributes:
        sample: (n,) which sample each row shows.
        plain: (n,) the row is the crop as it was photographed.
    """

    features: Array
    logits: Array
    labels: Integers
    sample: Integers
    plain: Mask

    def rows(self, chosen: Mask) -> "SeenCrops":
        """Only some rows."""
        return SeenCrops(
            self.features[chosen],
            self.logits[chosen],
            self.labels[chosen],
            self.sample[chosen],
            self.plain[chosen],
        )


def learn(
    samples: Sequence[Sample],
    sight: CropReader,
    *,
    name: str,
    recogniser: str,
    limits: Limits,
    progress: Progress = lambda share: None,
) -> tuple[OwnSet, EnrolReport]:
    """Learn a set and judge it by leaving pictures out.

    Nothing is learnt from what looks like another face than it is called; the report tells. The
    same samples give the same set.

    Args:
        recogniser: sha256 of the network behind `sight`.
        limits: by which the reader names or asks.
        progress: told the share that is done, 0-1.

    Raises:
        OwnSetError: no sample shows a face.
    """
    if not any(sample.label < FACES for sample in samples):
        raise OwnSetError(
            "there is no tile from which to learn the set {name}: none shows its face",
            "没有可学牌套 {name} 的牌：没有一张露出牌面",
            name=f"{name!r}",
        )
    seen = see(samples, sight, lambda share: progress(0.6 * share))
    alike = how_alike(seen.features, seen.sample, seen.plain)
    suspects = find_suspects(
        alike, [each.label for each in samples], [each.picture for each in samples]
    )
    doubtful = {suspect.sample for suspect in suspects}
    kept = [i for i in range(len(samples)) if i not in doubtful]
    if not any(samples[i].label < FACES for i in kept):
        kept = [*range(len(samples))]  # nothing is left that could say otherwise
    samples = [samples[i] for i in kept]
    seen = seen.rows(np.isin(seen.sample, kept))
    seen = replace(seen, sample=np.searchsorted(kept, seen.sample))
    folds = fold(samples)
    taught = taught_by(seen.labels, seen.logits.shape[1])
    held, alike_from = _leave_out(seen, folds, lambda share: progress(0.6 + 0.3 * share))
    if taught[:ORDINARY_FACES].all():
        alike_from = min(alike_from, ALIKE_COMPLETE)
    sharpness = _fit_sharpness(held, seen, alike_from, taught)
    own = OwnSet(name, recogniser, _fit(seen), _known(seen), alike_from, sharpness, taught)
    # Of each sample that could be left out, its probabilities then
    plain = seen.plain[held.rows]
    found = _corrected(held, seen, alike_from, sharpness, taught)[plain]
    tested = seen.sample[held.rows][plain]
    outcome = EnrolOutcome(tuple(samples[index].label for index in tested.tolist()), found)
    learnt = [(each.label, each.picture) for each in samples]
    report = make_report(learnt, outcome, limits, suspects)
    progress(1.0)
    return own, report


def see(
    samples: Sequence[Sample], sight: CropReader, progress: Progress = lambda share: None
) -> SeenCrops:
    """Show the network every sample plainly and in its variants."""
    random = np.random.default_rng(0)
    variants = max(4, min(VARIANTS, MOST_SEEN // len(samples) - 1))
    features: list[Array] = []
    logits: list[Array] = []
    for number, sample in enumerate(samples):
        crops = [plain_crop(sample.patch)]
        for variant in range(variants):
            loose = variant >= 4 and variant % 2 == 1
            crops.append(vary(sample.patch, random, quarters=variant % 4, loose=loose))
        for part, into in zip(sight.look(np.stack(crops)), (features, logits), strict=True):
            into.append(part)
        progress((number + 1) / len(samples))
    order = np.repeat(np.arange(len(samples)), 1 + variants)
    labels = np.array([sample.label for sample in samples], np.int64)[order]
    plain = np.tile(np.arange(1 + variants) == 0, len(samples))
    return SeenCrops(np.concatenate(features), np.concatenate(logits), labels, order, plain)


def fold(samples: Sequence[Sample]) -> Integers:
    """Which samples are left out together: those of a picture.

    A face that lies in one picture only is spread, so that some of its copies stay. One sample of
    a face can never be left out usefully; its fold is -1.
    """
    pictures = sorted({sample.picture for sample in samples})
    count = min(FOLDS, len(pictures)) if len(pictures) > 1 else FOLDS
    where: dict[int, set[int]] = {}
    for sample in samples:
        where.setdefault(sample.label, set()).add(pictures.index(sample.picture) % count)
    copies = Counter(sample.label for sample in samples)
    met: Counter[int] = Counter()
    folds = []
    for sample in samples:
        if copies[sample.label] == 1:
            folds.append(-1)
        elif len(where[sample.label]) > 1:
            folds.append(pictures.index(sample.picture) % count)
        else:
            folds.append(met[sample.label] % count)
        met[sample.label] += 1
    return np.array(folds, np.int64)


@dataclass(frozen=True, slots=True)
class _Held:
    """Crops read with the rest only: rows of `SeenCrops`, their corrections, their alikeness."""

    rows: Integers
    corrections: Array
    cosine: Array


def _leave_out(seen: SeenCrops, folds: Integers, progress: Progress) -> tuple[_Held, float]:
    """Read each fold by what the others teach; how alike crops of one face are comes of it too."""
    own_folds = folds[seen.sample]
    rows: list[Integers] = []
    corrections: list[Array] = []
    cosines: list[Array] = []
    same: list[Array] = []
    numbers = [number for number in np.unique(folds).tolist() if number >= 0]
    for done, number in enumerate(numbers):
        rest, left_out = seen.rows(own_folds != number), np.flatnonzero(own_folds == number)
        weights, known = _fit(rest), directions(rest.features)
        cosine = directions(seen.features[left_out]) @ known.T
        alike = np.where(rest.labels[None] == seen.labels[left_out, None], cosine, -1).max(axis=1)
        rows.append(left_out)
        corrections.append(seen.features[left_out] @ weights[:-1] + weights[-1])
        cosines.append(cosine.max(axis=1))
        same.append(alike[seen.plain[left_out]])
        progress((done + 1) / len(numbers))
    if not rows:
        classes = seen.logits.shape[1]
        nothing = _Held(
            np.empty(0, np.int64), np.empty((0, classes), np.float32), np.empty(0, np.float32)
        )
        # Where each face was seen once: how alike a crop's variants are to it
        found = directions(seen.features)
        cosine = found @ found[seen.plain].T
        own = seen.sample[:, None] == seen.sample[seen.plain][None]
        return nothing, _alike_from(
            np.asarray(np.where(own, cosine, -1).max(axis=1)[~seen.plain], np.float32)
        )
    held = _Held(np.concatenate(rows), np.concatenate(corrections), np.concatenate(cosines))
    return held, _alike_from(np.concatenate(same))


def _alike_from(same: Array) -> float:
    return float(np.clip(np.quantile(same, 0.01) - ALIKE_MARGIN, *ALIKE_RANGE))


def _fit(seen: SeenCrops) -> Array:
    """The correction of the logits: (d + 1, classes)."""
    scale = FEATURE_LENGTH / max(float(np.linalg.norm(seen.features, axis=1).mean()), 1e-6)
    ones = np.ones((len(seen.features), 1), np.float32)
    inputs = np.concatenate([seen.features * np.float32(scale), ones], axis=1)
    # Between every tile the same and every face the same.
    weight = 1 / np.sqrt(np.bincount(seen.labels)[seen.labels])
    weight = (weight / weight.sum()).astype(np.float32)[:, None]
    rows = np.arange(len(inputs))
    found = np.zeros((inputs.shape[1], seen.logits.shape[1]), np.float32)
    mean, square = np.zeros_like(found), np.zeros_like(found)
    for step in range(1, LEARNING_STEPS + 1):
        error = probabilities(np.asarray(seen.logits + inputs @ found, np.float32))
        error[rows, seen.labels] -= 1
        slope = inputs.T @ (error * weight) + np.float32(SHRINKING) * found
        mean = np.float32(0.9) * mean + np.float32(0.1) * slope
        square = np.float32(0.99) * square + np.float32(0.01) * slope * slope
        rate = RATE * (1 + np.cos(np.pi * step / LEARNING_STEPS)) / 2
        size = np.sqrt(square / np.float32(1 - 0.99**step)) + np.float32(1e-6)
        found -= np.float32(rate / (1 - 0.9**step)) * mean / size
    found[:-1] *= np.float32(scale)
    return found


def _known(seen: SeenCrops) -> Array:
    """Directions of the enrolled crops, every face's plain ones first, evenly chosen."""
    chosen: list[int] = []
    for label in np.unique(seen.labels):
        own = np.flatnonzero(seen.labels == label)
        own = own[np.argsort(~seen.plain[own], kind="stable")]
        chosen += own[evenly(len(own), KNOWN_OF_A_FACE)].tolist()
    return directions(seen.features[chosen])


def evenly(count: int, most: int) -> list[int]:
    """Of so many, places for as many as there may be."""
    return [int(place) for place in np.linspace(0, count - 1, min(most, count)).round()]


def _corrected(
    held: _Held, seen: SeenCrops, alike_from: float, sharpness: float, taught: Mask
) -> Array:
    logits = seen.logits[held.rows]
    return corrected(logits, held.corrections, held.cosine, alike_from, sharpness, taught)


def _fit_sharpness(held: _Held, seen: SeenCrops, alike_from: float, taught: Mask) -> float:
    """The sharpness under which what was left out is likeliest.

    The truth is taken as not quite certain, as in Platt, "Probabilistic outputs for support vector
    machines" (1999), section 2.2: a hundred tiles without an error do not prove that there is none.
    """
    if not len(held.rows):
        return 1.0
    labels = seen.labels[held.rows]
    doubt = 1 / (len(labels) + 2)

    def loss(sharpness: float) -> float:
        found = _corrected(held, seen, alike_from, sharpness, taught)
        right = np.clip(found[np.arange(len(labels)), labels], 1e-7, 1 - 1e-7)
        return float(-((1 - doubt) * np.log(right) + doubt * np.log(1 - right)).mean())

    return float(min(SHARPNESS, key=loss))
