"""Fits how sure is sure enough: `python -m models.limits --data DATA --drawn DIR…`.

Conformal risk control, by what a thing is taken for (Angelopoulos, Bates, Fisch, Lei, Schuster:
Conformal risk control, 2022). A limit is the lowest at which, of n pictured things of a kind of
which k are named as something else, (k + 1) / (n + 1) is at most the share that is allowed. A
further thing of the same kind of pictures is then named wrong with at most that probability,
whatever the network's probabilities are worth. Pictures of a kind count by a weight, as few tables
are as hard as the drawn ones. First come *whole* and *thing*, on parts cut from photographs and on
boxes without a tile; then each kind's *face*.

Fitted is on half of the photographs of val, on two of the sets held out (split.toml) and on drawn
pictures. Training drew none of them. `--before WEIGHTS`
puts the limits into the manifest, again after every change of the networks, if no face of any set
is read worse than by those (`models/gate.py`).
"""

import argparse
import datetime
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models import gate
from models.crops import box_of_part, read_labels, read_noted
from models.evaluate import Example, folder_examples, match, photo_examples
from models.pictures import DETECTOR_LABELS, load_image
from models.sheets import seen_by_camera, sheets_to_fit
from table_assist.vision.pictures.picture import Image as Picture
from table_assist.vision.reading.detect import box_area, shared_areas
from table_assist.vision.reading.limits import CAUTIOUS, FEWEST, LimitKind, Limits, Usual, kind_of
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.readings import box_readings
from table_assist.vision.reading.recognise import NOTHING_CLASS, PART, UNKNOWN, burnt_out, name
from table_assist.vision.reading.tiling import find_all
from table_assist.vision.reading.weights import WEIGHTS, WEIGHTS_MANIFEST
from table_assist.vision.reading.whole import checked

# The reader's readings of pictures that training never drew, with the true things.

CUTS = 3  # cut from each tile of a photograph
# How much a thing counts: of an evening's tiles one in ten may be as hard as the drawn ones.
WEIGHT = {"photographs": 1.0, "sheets": 0.5, "drawn": 0.03}
LIMITS_SEED, UNCLEAR, MOST_SHARED = 33, -1, 0.3
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LimitThings:
    """Things that the reader found in pictures, or was asked about.

    Attributes:
        rows: (n, 51) probabilities.
        truth: (n,) classes; NOTHING and PART, too.
        burnt: (n,) are burnt out.
        doubted: (n,) are doubted by their size, whatever they show; of parts: named as what they
            are a part of, they do no harm.
        weight: (n,) how much each counts.
    """

    rows: NDArray[np.float32]
    truth: NDArray[np.int64]
    burnt: NDArray[np.bool_]
    doubted: NDArray[np.bool_]
    weight: Array

    @property
    def scales(self) -> tuple[Array, Array, Array]:
        """(n,) each: the face's share in all faces, whole against part, thing against nothing."""
        rows = self.rows.astype(np.float64)
        faces, thing = rows[:, :NOTHING_CLASS].sum(axis=1), 1 - rows[:, NOTHING_CLASS]
        face = rows[:, :NOTHING_CLASS].max(axis=1) / np.maximum(faces, 1e-9)
        face = np.where(self.burnt, 1 - 2 * (1 - face), face)
        return face, 1 - rows[:, PART] / np.maximum(thing, 1e-9), thing

    @property
    def kinds(self) -> NDArray[np.object_]:
        """(n,) what each is taken for."""
        best = self.rows[:, :NOTHING_CLASS].argmax(axis=1).tolist()
        return np.array([kind_of(DETECTOR_LABELS[label]) for label in best], object)


def together(parts: Sequence[LimitThings]) -> LimitThings:
    """All of them."""
    return LimitThings(
        *(np.concatenate([getattr(p, f) for p in parts]) for f in LimitThings.__slots__)
    )


def look(
    reader: Reader, image: Picture, boxes: Array, labels: NDArray[np.int64], weight: float,
    *, complete: bool, by_middle: bool = False,
) -> LimitThings:  # fmt: skip
    """The things in a labelled picture; one that nobody labelled counts if it is complete.

    What overlaps a label and does not match it is left out: nobody knows what it should be.
    """
    found = find_all(reader.detector, image).xyxy
    things = ask(reader, image, found, np.full(len(found), UNCLEAR, np.int64), weight)
    truth = things.truth
    for row, index in match(boxes, found.astype(np.float64), by_middle=by_middle):
        truth[index] = labels[row]
    for at in np.flatnonzero(truth == UNCLEAR) if complete else ():
        shared = shared_areas(found[at], boxes.astype(np.float32)) if len(boxes) else np.zeros(1)
        if shared.max() <= MOST_SHARED * box_area(found[[at]])[0]:
            truth[at] = NOTHING_CLASS
    names = [name(row, Limits.alike(0.0)) for row in things.rows]
    read = box_readings((image.shape[1], image.shape[0]), found, names)
    told = checked(read)
    told_boxes = told.polygons[:, [0, 2]].reshape(-1, 4)
    named = {box.tobytes() for box, label in zip(told_boxes, told.labels, strict=True)
             if label != UNKNOWN}  # fmt: skip
    doubted = np.array([box.tobytes() not in named for box in found], np.bool_)
    return rows_of(replace(things, doubted=doubted), truth != UNCLEAR)


def ask(
    reader: Reader, image: Picture, boxes: NDArray[np.float32], truth: NDArray[np.int64],
    weight: float,
) -> LimitThings:  # fmt: skip
    """The reader's answers for given boxes (n, 4)."""
    crops = reader.crops(image, boxes)
    rows = reader.recogniser.see(crops).rows.reshape(-1, PART + 1)
    doubted = np.zeros(len(boxes), np.bool_)
    return LimitThings(rows, truth, burnt_out(crops), doubted, np.full(len(boxes), weight))


def rows_of(things: LimitThings, chosen: NDArray[np.bool_]) -> LimitThings:
    """Only some of them."""
    return LimitThings(*(getattr(things, field)[chosen] for field in LimitThings.__slots__))


def pictured(reader: Reader, data: Path, drawn: Sequence[Example], views: int) -> list[LimitThings]:
    """All that is found in each picture to fit on.

    Args:
        views: of each sheet, as a camera might see it, beside the sheet itself.
    """
    found = []
    for example in _half_of_val(data):
        image, labels, boxes = _labelled(example.path)
        found.append(look(reader, image, boxes, labels, WEIGHT["photographs"],
                          complete=example.complete, by_middle=True))  # fmt: skip
    for number, source in enumerate(sheets_to_fit(data)):
        found.append(look(reader, source.image, source.boxes, source.labels, WEIGHT["sheets"],
                          complete=False))  # fmt: skip
        for view in range(views):
            random = np.random.default_rng([LIMITS_SEED, 1, number, view])
            image, outlines = seen_by_camera(random, source)
            boxes = np.array([[*o.min(axis=0), *o.max(axis=0)] for o in outlines])
            found.append(look(reader, image, boxes, source.labels, WEIGHT["sheets"],
                              complete=False))  # fmt: skip
    for example in drawn:
        image, labels, boxes = _labelled(example.path)
        found.append(look(reader, image, boxes, labels, WEIGHT["drawn"], complete=True))
    return found


def parts_and_nothing(reader: Reader, data: Path, drawn: Sequence[Example]) -> LimitThings:
    """Parts cut from the photographs' tiles, and the sides that drawn pictures have noted."""
    random, found = np.random.default_rng([LIMITS_SEED, 1]), []
    for example in _half_of_val(data):
        image, labels, boxes = _labelled(example.path)
        cut = [box_of_part(random, box) for box in boxes for _ in range(CUTS)]
        truth = np.full(len(cut), PART, np.int64)
        said = ask(reader, image, np.array(cut, np.float32).reshape(-1, 4), truth, 1.0)
        harmless = said.rows[:, :NOTHING_CLASS].argmax(axis=1) == np.repeat(labels, CUTS)
        found.append(replace(said, doubted=harmless))
    for example in drawn:
        image = load_image(example.path)
        noted = [each for each in read_noted(example.path, image.shape[1], image.shape[0])
                 if each[0] == NOTHING_CLASS]  # fmt: skip
        sides = np.array([box for _, box in noted], np.float32).reshape(-1, 4)
        found.append(ask(reader, image, sides, np.full(len(sides), NOTHING_CLASS, np.int64), 1.0))
    return together(found)


def _half_of_val(data: Path) -> list[Example]:
    return list(photo_examples(data, "val"))[::2]


def _labelled(path: Path) -> tuple[Picture, NDArray[np.int64], Array]:
    image = load_image(path)
    return (image, *read_labels(path, image.shape[1], image.shape[0]))


ALLOWED = 0.001  # of what is taken for a kind, named wrong
# What lies face down counts by its place, and dice by many looks: of both nobody is ever asked. So
# a back that is none does no harm by itself, and its `thing_back` is not fitted either. Of what is
# taken for a white dragon in photographs and is none, nobody has labelled the most.
NOT_FITTED = (LimitKind.BACK, LimitKind.DICE, LimitKind.WHITE)
USUALLY, UNUSUAL_PICTURES = 0.9, 0.03  # what `Usual` tells: of the faces, of the pictures
ALLOWED_PARTS = 0.0012  # of parts and of boxes of nothing, named
# Of a face: at 0.7 more dragons and winds were named wrong, drawn ones and those of a learnt set.
LOWEST, LOWEST_WHOLE = 0.8, 0.6  # below a half, what `whole.checked` doubts would be named
# A kind too rare to prove `ALLOWED` may have as much wrong as one photographed tile, at most this;
# where even that cannot be proven, all its things count alike.
ALLOWED_RARE = 0.02
LIMIT_STEPS = np.concatenate(
    [np.arange(0.5, 0.9, 0.02), np.arange(0.9, 0.98, 0.01), np.arange(0.98, 0.9996, 0.001)]
)


def lowest(
    steps: Array, score: Array, wrong: NDArray[np.bool_], weight: Array, share: float
) -> float:
    """The lowest limit at which that share is not exceeded.

    Args:
        score: (n,) what is named from the limit on; (n,) `wrong` if it is named.
    """
    total, found = float(weight.sum()), float(steps[-1])
    if not total:
        return found
    for limit in steps[::-1]:
        named = score >= limit
        errors = float(weight[named & wrong].sum())
        if (errors + weight.max(initial=0.0)) / (total + weight.max(initial=0.0)) > share:
            break
        found = float(limit)
    return found


def fit(things: LimitThings, beside: LimitThings) -> Limits:
    """Limits by what was found in pictures, and by parts and boxes of nothing beside it."""
    face, whole, thing = beside.scales
    passes = face >= [CAUTIOUS.faces[kind] for kind in beside.kinds]
    # Half a back is a back, and what is blank needs another proof (`vision/reading/whites.py`).
    passes &= ~np.isin(beside.kinds, [LimitKind.BACK, LimitKind.WHITE]) & ~beside.doubted
    chosen = {}
    for name_of, scale, of in (("whole", whole, PART), ("thing", thing, NOTHING_CLASS)):
        own = beside.truth == of
        score = np.where(passes, scale, 0.0)[own]
        chosen[name_of] = lowest(
            LIMIT_STEPS[LIMIT_STEPS >= LOWEST_WHOLE], score, np.ones(own.sum(), np.bool_),
            beside.weight[own], ALLOWED_PARTS,
        )  # fmt: skip
    face, whole, thing = things.scales
    wrong = are_wrong(things)
    is_back, least = things.kinds == LimitKind.BACK, CAUTIOUS.thing_back
    open_ = ~things.doubted & (whole >= np.where(is_back, least, chosen["whole"]))
    open_ &= thing >= np.where(is_back, least, chosen["thing"])
    faces = {}
    for kind in LimitKind:
        own = open_ & (things.kinds == kind)
        faces[kind] = CAUTIOUS.faces[kind]
        if own.any() and kind not in NOT_FITTED:
            weight, allowed = _provable(things.weight[own])
            faces[kind] = lowest(
                LIMIT_STEPS[LIMIT_STEPS >= LOWEST], face[own], wrong[own], weight, allowed
            )
    return Limits(faces, chosen["whole"], chosen["thing"], CAUTIOUS.thing_back)


def _provable(weight: Array) -> tuple[Array, float]:
    """How much each thing of a kind counts, and which share of it may be wrong."""
    total, one = float(weight.sum()), float(weight.max())
    allowed = min(max(ALLOWED, 2 * one / total), ALLOWED_RARE)
    if one / (total + one) > allowed:
        return np.ones(len(weight)), ALLOWED_RARE
    return weight, allowed


def usual_of(pictures: Sequence[LimitThings]) -> Usual:
    """How sure the faces of usual pictures are; `most` is conformal by whole pictures.

    A further such picture has more hardly sure faces with at most the probability
    `UNUSUAL_PICTURES`.
    """
    sure = [each for each in map(sureness, pictures) if len(each) >= FEWEST]
    surer_than = float(np.quantile(np.concatenate(sure), 1 - USUALLY))
    shares = np.sort([float((each <= surer_than).mean()) for each in sure])
    rank = int(np.ceil((1 - UNUSUAL_PICTURES) * (len(shares) + 1)))
    return Usual(surer_than, float(shares[min(rank, len(shares)) - 1]))


def sureness(things: LimitThings) -> Array:
    """How sure each face of a picture is that is taken for a whole tile."""
    confidence: Array = things.rows[:, :NOTHING_CLASS].max(axis=1).astype(np.float64)
    is_face = ~np.isin(things.kinds, [LimitKind.BACK, LimitKind.DICE]) & ~things.doubted
    doubts = things.rows[:, [NOTHING_CLASS, PART]].max(axis=1)
    is_meant: NDArray[np.bool_] = is_face & (doubts < np.maximum(confidence, 0.5))
    return confidence[is_meant]


def are_wrong(things: LimitThings) -> NDArray[np.bool_]:
    """(n,) whether the likeliest name would be wrong; a back that is no tile says nothing."""
    best = things.rows[:, :NOTHING_CLASS].argmax(axis=1)
    harmless = (things.kinds == LimitKind.BACK) & (things.truth >= NOTHING_CLASS)
    return np.asarray((best != things.truth) & ~harmless, np.bool_)


def write_if_none_is_lost(limits: Limits, options: argparse.Namespace, made_with: str) -> None:
    """Put the limits into the manifest where the gate lets the networks pass with them.

    Raises:
        SystemExit: a face of a set is read worse; the manifest is as it was.
    """
    manifest = options.weights / WEIGHTS_MANIFEST
    earlier = manifest.read_text(encoding="utf-8")
    crops = gate.crops_of(options.data)
    before = gate.right(options.before, crops)
    write(limits, options.weights, made_with)
    found = list(gate.lost(before, gate.right(options.weights, crops)))
    if found:
        manifest.write_text(earlier, encoding="utf-8")
        sys.exit("\n".join(["nothing was written, as these are read worse:", *found]))


def write(limits: Limits, weights: Path, made_with: str) -> None:
    """Put the limits into the manifest, in the place of those that are there."""
    path = weights / WEIGHTS_MANIFEST
    before = path.read_text(encoding="utf-8").split("\n[limits]")[0].rstrip()
    lines = [f"{key} = {value:.3f}" for key, value in _values(limits).items()]
    text = "\n".join([before, "", "[limits]", f"# {made_with}", *lines])
    path.write_text(text + "\n", encoding="utf-8")


def _values(limits: Limits) -> dict[str, float]:
    values = {str(kind): limit for kind, limit in limits.faces.items()}
    values |= {"whole": limits.whole, "thing": limits.thing, "thing_back": limits.thing_back}
    if limits.usual is not None:
        values |= {"usual": limits.usual.surer_than, "most_unusual": limits.usual.most}
    return values


def main(arguments: list[str] | None = None) -> None:
    """Fit, print as JSON, and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--drawn", type=Path, nargs="*", default=[], help="hard ones to fit on")
    parser.add_argument("--most", type=int, default=60, help="pictures of each drawn folder")
    parser.add_argument("--views", type=int, default=3, help="of each sheet held out")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument(
        "--before", type=Path, help="write the limits, if no face is read worse than by these"
    )
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    reader = open_reader(options.weights, options.threads)
    drawn = [each for folder in options.drawn
             for each in list(folder_examples(folder))[: options.most]]  # fmt: skip
    pictures = pictured(reader, options.data, drawn, options.views)
    beside = parts_and_nothing(reader, options.data, drawn)
    photographs = [each for each in pictures if (each.weight == WEIGHT["photographs"]).all()]
    things = together(pictures)
    limits = replace(fit(things, beside), usual=usual_of(photographs))
    today = datetime.datetime.now(datetime.UTC).date()
    made_with = (
        f"Fitted by models/limits.py, {today}: {len(things.truth)} things in pictures, "
        f"{len(beside.truth)} parts and sides; {ALLOWED:.2%} of a kind may be wrong."
    )
    if options.before is not None:
        write_if_none_is_lost(limits, options, made_with)
    found = {"made with": made_with, "limits": _values(limits)}
    sys.stdout.write(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
