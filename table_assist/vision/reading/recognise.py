"""From a found box to its name: the crop, the recogniser, and how sure is sure enough."""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.tiles.tile import Tile
from table_assist.vision.pictures.channels import brightest, darkest
from table_assist.vision.pictures.picture import Array, Image, Mask
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.network import Network
from table_assist.vision.reading.own_set import OwnSet, digest, directions, probabilities
from table_assist.vision.reading.weights import RecogniserWeights, WeightsError
from table_assist.vision.reading.why import WhyDoubtful

# The recogniser's classes in order, as in models/tiles.toml; after them comes NOTHING.
LABELS = (
    *(str(Tile(value)) for value in range(42)),
    "back",
    *(f"d{number}" for number in range(1, 7)),
)
NOTHING_CLASS = len(LABELS)  # the class of boxes in which there is no tile and no die
PART = NOTHING_CLASS + 1  # of boxes in which there is only a part of one
CLASSES = PART + 1
WHITE_DRAGON, BACK = "P", "back"
BACK_CLASS = LABELS.index(BACK)
BURNT_OUT = 0.4  # of a crop: one of 3,055 things in the photographs of val has as much
CLIPPED = 250  # grey level from which a sensor's highlights have no drawing left
MIDDLE_MARGIN = 0.4  # of a crop's sides are left out, each way
# Of a black tile's middle a third is so dark, and its drawing so much lighter. In 328 photographs
# of other sets no thing was named so.
DARK_MIDDLE, LIGHTER_DRAWING = 90, 60
UNKNOWN = "?"
UNSURE_LOOKS = (UNKNOWN, BACK, WHITE_DRAGON)  # what other things look like, too
CANDIDATES_TOLD = 3  # told for an unsure tile
BATCH = 64  # crops a run: bounds the memory on a table of a hundred tiles
CROP_SIZE = 64  # px, the side of the recogniser's input
CROP_MARGIN = (
    1.35  # the crop's side over the box's longer side: a turned tile's corners stay inside
)

LOGITS, FEATURES = "logits", "features"  # the network's outputs


class Seen(NamedTuple):
    """The recogniser's answer for n crops.

    Attributes:
        rows: (n, 51) the probabilities of each class, each row summing to 1.
        looks: of each crop as `Name.looks`; empty: nobody can tell.
    """

    rows: Array
    looks: Sequence[Array] = ()


class Colour(NamedTuple):
    """In CIELAB as OpenCV has it, 0-255 each."""

    light: int
    red: int
    yellow: int

    def differs(self, other: "Colour") -> int:
        """By how many levels, in what differs most."""
        return max(abs(a - b) for a, b in zip(self, other, strict=True))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible name of a tile."""

    label: str
    confidence: float  # 0-1


@dataclass(frozen=True, slots=True)
class Name:
    """The recogniser's answer for one crop.

    Attributes:
        label: a label, or ``?`` when nothing is sure enough.
        confidence: of the label; of the best candidate where it is ``?``.
        candidates: the best three, best first, also where the label is sure.
        why: what is in doubt about it; None: nothing.
        colour: of what is rather a back; None: it is none.
        row: (51,) the probabilities that it was decided by; two names are the same without it.
        looks: (k, d) by which others of its set are like it, in each of the turns that it was read
            in; None: nobody can tell.
    """

    label: str
    confidence: float
    candidates: tuple[Candidate, ...]
    why: WhyDoubtful | None = None
    colour: Colour | None = field(default=None, compare=False)
    row: Array | None = field(default=None, compare=False, repr=False)
    looks: Array | None = field(default=None, compare=False, repr=False)

    @property
    def is_rather_a_part(self) -> bool:
        """Whether its box holds a part of a tile rather than all else together."""
        return self.row is not None and float(self.row[PART]) > 0.5


class Recogniser(Protocol):
    """Tells how likely each class is, calibrated: of the answers at 0.9, nine in ten are right."""

    def see(self, crops: Image) -> Seen:
        """Look at (n, 64, 64, 3) RGB; the last classes are NOTHING and PART."""


class OnnxRecogniser:
    """The trained recogniser on ONNX Runtime.

    Attributes:
        digest: the sha256 of the network, by which own sets know it.
    """

    def __init__(
        self,
        weights: RecogniserWeights,
        threads: int | None = None,
        own_set: OwnSet | None = None,
    ) -> None:
        """Load the network.

        Args:
            own_set: what was learnt of the set that will be read, from this very network.

        Raises:
            WeightsError: the network does not load, or was exported without features.
        """
        self._network = Network(weights.network, threads)
        missing = {LOGITS, FEATURES} - set(self._network.output_names)
        if missing:
            raise WeightsError(
                "the recogniser has no output {names}",
                "识别网络缺少输出 {names}",
                names=" + ".join(sorted(missing)),
            )
        self._temperature = weights.temperature
        self._turns_below = weights.turns_below
        self._own_set = own_set
        self.digest = digest(weights.network)

    def apart(self) -> "OnnxRecogniser":
        """Another one on the same network: what it learns, this one does not know."""
        return copy(self)

    def know(self, own_set: OwnSet | None) -> None:
        """Read by what was learnt of this set, from this very network, from now on."""
        self._own_set = own_set

    def see(self, crops: Image) -> Seen:
        """Class probabilities; unsure crops are read in all four quarter turns.

        Raises:
            WeightsError: the network has other classes.
        """
        rows, looks = [np.empty((0, CLASSES), np.float32)], list[Array]()
        for part in _batches(crops):
            answer, seen = self._read(part)
            rows.append(answer)
            looks += seen
        return Seen(np.concatenate(rows), looks)

    def look(self, crops: Image) -> tuple[Array, Array]:
        """Features (n, d) and logits (n, 51) over the temperature, of crops as they lie.

        Raises:
            WeightsError: the network has other classes.
        """
        passes = [self._look(part) for part in _batches(crops)]
        features, logits = zip(*passes, strict=True)
        return np.concatenate(features), np.concatenate(logits)

    def _read(self, crops: Image) -> Seen:
        features, logits = self._look(crops)
        answer, looks = self._decided(features, logits), [*directions(features)[:, None]]
        unsure = np.flatnonzero(answer.max(axis=1) < self._turns_below)
        if len(unsure):
            turned = [self._look(turn_crops(crops[unsure], turn)) for turn in (1, 2, 3)]
            answer[unsure] = (answer[unsure] + sum(self._decided(*each) for each in turned)) / 4
            seen = [directions(each) for each, _ in turned]
            for at, index in enumerate(unsure):
                looks[index] = np.stack([looks[index][0], *(each[at] for each in seen)])
        # Who knows the set has weighed already what is alike
        return Seen(answer, () if self._own_set else looks)

    def _decided(self, features: Array, logits: Array) -> Array:
        if self._own_set is not None:
            return self._own_set.refine(features, logits)
        return probabilities(logits)

    def _look(self, crops: Image) -> tuple[Array, Array]:
        logits, features = self._run(crops, LOGITS, FEATURES)
        if logits.ndim != 2 or logits.shape[1] != CLASSES:
            raise WeightsError(
                "the recogniser's output is {shape}, expected (n, {classes})",
                "识别网络的输出为 {shape}，应为 (n, {classes})",
                shape=logits.shape,
                classes=CLASSES,
            )
        return features, np.asarray(logits / self._temperature, np.float32)

    def _run(self, crops: Image, *outputs: str) -> tuple[Array, ...]:
        planes = np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32)
        planes /= 255
        return self._network.outputs(planes, *outputs)


def turn_crops(crops: Image, quarters: int) -> Image:
    """(n, h, w, 3) turned counter-clockwise by quarter turns."""
    return np.rot90(crops, quarters, axes=(1, 2))


def _batches(crops: Image) -> Iterator[Image]:
    return (crops[start : start + BATCH] for start in range(0, len(crops), BATCH))


def name(
    probabilities: Array,
    limits: Limits,
    *,
    burnt_out: bool = False,
    colour: Colour | None = None,
) -> Name | None:
    """Decide on one crop's (51,) probabilities; None: there is no tile.

    A box is dropped only where "nothing" is more likely than all else together: a tile that is
    hard to see is asked about, not lost. What is burnt out has lost lines (an 8s looks like a 6s):
    the doubt about its face counts twice, and where all are lost, it is no white dragon.
    """
    nothing, part = float(probabilities[NOTHING_CLASS]), float(probabilities[PART])
    if nothing > 0.5:
        return None
    tiles = probabilities[:NOTHING_CLASS]
    best = np.argsort(-tiles, kind="stable")[:CANDIDATES_TOLD]
    candidates = tuple(Candidate(LABELS[index], float(probabilities[index])) for index in best)
    first = candidates[0]
    other = 1 - first.confidence / max(float(tiles.sum()), 1e-9)
    allowed = 1 - limits.face_of(first.label)
    # How often each doubt is as large as it may be.
    doubts = {
        WhyDoubtful.FACE: _times(other, allowed),
        WhyDoubtful.PART: _times(part / (1 - nothing), 1 - limits.whole_of(first.label)),
        WhyDoubtful.NOTHING: _times(nothing, 1 - limits.thing_of(first.label)),
    }
    why = max(doubts, key=lambda each: doubts[each])
    if doubts[why] > 1:
        return Name(UNKNOWN, first.confidence, candidates, why, colour, probabilities)
    if burnt_out and (first.label == WHITE_DRAGON or 2 * doubts[WhyDoubtful.FACE] > 1):
        return Name(UNKNOWN, first.confidence, candidates, WhyDoubtful.GLARE, colour, probabilities)
    return Name(first.label, first.confidence, candidates, None, colour, probabilities)


def _times(doubt: float, allowed: float) -> float:
    return doubt / max(allowed, 1e-6)


def without_parts(names: Sequence[Name | None]) -> list[Name | None]:
    """On a followed table a part is no thing by itself: something hides the rest of its tile."""
    return [None if name and name.is_rather_a_part else name for name in names]


def burnt_out(crops: Image) -> Mask:
    """Which of (n, h, w, 3) crops are so bright that their drawing may be lost."""
    white = (darkest(crops) >= CLIPPED).mean(axis=(1, 2))
    return np.asarray(white >= BURNT_OUT, np.bool_)


def light_on_dark(crops: Image) -> NDArray[np.intp]:
    """Which of (n, 64, 64, 3) crops show something dark with something much lighter on it.

    A black tile without a drawing may be a back: it is no white dragon.
    """
    inner = slice(CROP_SIZE // 4, -CROP_SIZE // 4)
    bright = brightest(crops[:, inner, inner]).reshape(len(crops), (CROP_SIZE // 2) ** 2)
    ground, light = np.percentile(bright, (30, 95), axis=1)
    return np.flatnonzero((ground <= DARK_MIDDLE) & (light - ground >= LIGHTER_DRAWING))


def negative(crops: Image) -> Image:
    """(n, h, w, 3) RGB with light for dark, each colour what it is."""
    lab = cv2.cvtColor(crops.reshape(-1, *crops.shape[2:]), cv2.COLOR_RGB2LAB)
    lab[..., 0] = 255 - lab[..., 0]
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2RGB), np.uint8).reshape(crops.shape)


def by_both(seen: Name | None, shown: Name | None) -> Name | None:
    """What something dark is as it is seen, and as it shows itself in the negative."""
    first = LABELS.index(shown.candidates[0].label) if shown else NOTHING_CLASS
    if not shown or first >= Tile.BACK or shown.confidence < 0.5:
        return seen
    if seen is None or seen.label == UNKNOWN:
        return seen if shown.why is WhyDoubtful.NOTHING else replace(shown, row=None)
    if shown.label in (UNKNOWN, WHITE_DRAGON, seen.label) or shown.confidence < seen.confidence:
        return seen
    return replace(seen, label=UNKNOWN, why=WhyDoubtful.FACE, row=None)


def middle_colour(crop: Image) -> Colour:
    """The usual colour in the middle of a crop (h, w, 3) RGB."""
    high, wide = (round(side * MIDDLE_MARGIN) for side in crop.shape[:2])
    middle = crop[high : crop.shape[0] - high, wide : crop.shape[1] - wide].reshape(-1, 3)
    usual = np.median(middle, axis=0).astype(np.uint8)
    return Colour(*cv2.cvtColor(usual[None, None], cv2.COLOR_RGB2LAB)[0, 0].astype(int).tolist())


def crop_tile(image: Image, xyxy: Sequence[float] | Array, stretch: float = 1.0) -> Image:
    """Cut the square around a box that the recogniser reads; training cuts with this too.

    Args:
        image: (h, w, 3) BGR.
        xyxy: one box in pixels; it may reach beyond the picture, whose border is then repeated.
        stretch: times as high as in the picture the thing is to be shown, 1 or more.

    Returns:
        (64, 64, 3) RGB.
    """
    height, width = image.shape[:2]
    x1, y1, x2, y2 = (float(value) for value in xyxy)
    side = max(1, round(CROP_MARGIN * max(x2 - x1, stretch * (y2 - y1))))
    high = max(1, round(side / stretch))
    left = round((x1 + x2) / 2 - side / 2)
    top = round((y1 + y2) / 2 - high / 2)
    # A box wholly outside still gets the nearest border, never an empty slice.
    inner_left, inner_right = _inside(left, left + side, width)
    inner_top, inner_bottom = _inside(top, top + high, height)
    piece = image[inner_top:inner_bottom, inner_left:inner_right]
    before_x, after_x = _missing(left, side, inner_left, inner_right)
    before_y, after_y = _missing(top, high, inner_top, inner_bottom)
    if before_x or after_x or before_y or after_y:
        piece = cv2.copyMakeBorder(
            piece, before_y, after_y, before_x, after_x, cv2.BORDER_REPLICATE
        ).astype(np.uint8, copy=False)
    shrinking = side > CROP_SIZE
    resized = cv2.resize(
        piece,
        (CROP_SIZE, CROP_SIZE),
        interpolation=cv2.INTER_AREA if shrinking else cv2.INTER_LINEAR,
    )
    return np.ascontiguousarray(resized[:, :, ::-1]).astype(np.uint8, copy=False)


def _inside(start: int, end: int, size: int) -> tuple[int, int]:
    """The part of [start, end) within [0, size), at least one pixel of it."""
    first = min(max(start, 0), size - 1)
    return first, max(min(end, size), first + 1)


def _missing(start: int, side: int, first: int, last: int) -> tuple[int, int]:
    """Pixels to repeat before and after so that [first, last) grows to the side."""
    before = min(max(first - start, 0), side - (last - first))
    return before, side - (last - first) - before
