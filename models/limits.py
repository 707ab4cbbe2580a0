"""Fits how sure is sure enough: `python -m models.limits --data DATA --drawn DIR… --test DIR…`.

Conformal risk control, by what a thing is taken for (Angelopoulos, Bates, Fisch, Lei, Schuster:
Conformal risk control, 2022). A limit is the lowest at which, of n pictured things of a kind of
which k are named as something else, (k + 1) / (n + 1) is at most the share that is allowed. A
further thing of the same kind of pictures is then named wrong with at most that probability,
whatever the network's probabilities are worth. Pictures of a kind count by a weight, as few tables
are as hard as the drawn ones. First come *whole* and *thing*, on parts cut from photographs and on
boxes without a tile; then each kind's *face*.

Fitted is on half of the photographs of val, on two of the sets held out (split.toml) and on drawn
pictures; tested on the others. No picture is in both, and training drew none. `--write` puts the
limits into the manifest: again after every change of the networks.
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

from models.crops import NOTHING, PART, box_of_part, read_labels, read_noted
from models.evaluate import folder_examples, match, photo_examples
from models.materials import LABELS
from models.sheets import seen_by_camera, sheets_to_fit
from table_assist.vision.pictures.picture import Image as Picture
from table_assist.vision.reading.detect import box_area, intersection
from table_assist.vision.reading.limits import CAUTIOUS, FEWEST, Kind, Limits, Usual, kind_of
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.recognise import UNKNOWN, burnt_out, name
from table_assist.vision.reading.weights import MANIFEST, WEIGHTS

ALLOWED = 0.001  # of what is named, wrong
USUALLY, UNUSUAL_PICTURES = 0.9, 0.02  # what `Usual` tells: of the faces, of the pictures
ALLOWED_PARTS = 0.003  # of parts and of boxes of nothing, named
VIEWS = 6  # of each sheet, as a camera might see it, beside the sheet itself
PARTS = 3  # cut from each tile of a photograph
# How much a thing counts: of an evening's tiles one in ten may be as hard as the drawn ones.
WEIGHT = {"photographs": 1.0, "sheets": 0.5, "drawn": 0.03}
LOWEST, LOWEST_WHOLE = 0.7, 0.6  # below a half, what `whole.PART_SURE` doubts would be named
# A kind too rare for `ALLOWED` may have as much wrong as one photographed tile, or this share.
RAREST = 0.02
SEED, UNCLEAR, MOST_SHARED = 33, -1, 0.3
STEPS = np.concatenate([np.arange(0.5, 0.9, 0.02), np.arange(0.9, 0.98, 0.01),
                        np.arange(0.98, 0.9996, 0.001)])  # fmt: skip
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Things:
    """What the reader found in pictures, or was asked about.

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
        faces, thing = rows[:, :NOTHING].sum(axis=1), 1 - rows[:, NOTHING]
        face = rows[:, :NOTHING].max(axis=1) / np.maximum(faces, 1e-9)
        face = np.where(self.burnt, 1 - 2 * (1 - face), face)
        return face, 1 - rows[:, PART] / np.maximum(thing, 1e-9), thing

    @property
    def kinds(self) -> NDArray[np.object_]:
        """(n,) what each is taken for."""
        best = self.rows[:, :NOTHING].argmax(axis=1).tolist()
        return np.array([kind_of(LABELS[label]) for label in best], object)


def together(parts: Sequence[Things]) -> Things:
    """All of them."""
    return Things(*(np.concatenate([getattr(p, f) for p in parts]) for f in Things.__slots__))


# --- Pictures


def look(
    reader: Reader, image: Picture, boxes: Array, labels: NDArray[np.int64], weight: float,
    *, complete: bool, by_middle: bool = False,
) -> Things:  # fmt: skip
    """What the reader finds in a labelled picture; what nobody labelled counts if it is complete.

    What overlaps a label and does not match it is left out: nobody knows what it should be.
    """
    read = replace(reader, limits=Limits.alike(0.0)).read(image)
    found = read.polygons[:, [0, 2]].reshape(-1, 4)
    truth = np.full(len(found), UNCLEAR, np.int64)
    for row, index in match(boxes, found.astype(np.float64), by_middle=by_middle):
        truth[index] = labels[row]
    for index in np.flatnonzero(truth == UNCLEAR) if complete else ():
        shared = intersection(found[index], boxes.astype(np.float32)) if len(boxes) else np.zeros(1)
        if shared.max() <= MOST_SHARED * box_area(found[[index]])[0]:
            truth[index] = NOTHING
    doubted = np.array([label == UNKNOWN for label in read.labels], np.bool_)
    return rows_of(replace(ask(reader, image, found, truth, weight), doubted=doubted),
                   truth != UNCLEAR)  # fmt: skip


def ask(
    reader: Reader, image: Picture, boxes: NDArray[np.float32], truth: NDArray[np.int64],
    weight: float,
) -> Things:  # fmt: skip
    """What the reader says of given boxes (n, 4)."""
    crops = reader.crops(image, boxes)
    rows = reader.recogniser.probabilities(crops).reshape(-1, PART + 1)
    doubted = np.zeros(len(boxes), np.bool_)
    return Things(rows, truth, burnt_out(crops), doubted, np.full(len(boxes), weight))


def rows_of(things: Things, chosen: NDArray[np.bool_]) -> Things:
    """Only some of them."""
    return Things(*(getattr(things, field)[chosen] for field in Things.__slots__))


def pictured(
    reader: Reader, data: Path, drawn: Sequence[Path], *, fitted: bool, sheets: bool = True
) -> list[Things]:
    """All that is found in each picture to fit on, or to test on."""
    found = []
    for place, example in enumerate(photo_examples(data, "val")):
        if (place % 2 == 0) == fitted:
            image, labels, boxes = _labelled(example.path)
            found.append(look(reader, image, boxes, labels, WEIGHT["photographs"],
                              complete=example.complete, by_middle=True))  # fmt: skip
    for number, source in enumerate(sheets_to_fit(data, fitted=fitted) if sheets else ()):
        found.append(look(reader, source.image, source.boxes, source.labels, WEIGHT["sheets"],
                          complete=False))  # fmt: skip
        for view in range(VIEWS):
            random = np.random.default_rng([SEED, int(fitted), number, view])
            image, outlines = seen_by_camera(random, source)
            boxes = np.array([[*o.min(axis=0), *o.max(axis=0)] for o in outlines])
            found.append(look(reader, image, boxes, source.labels, WEIGHT["sheets"],
                              complete=False))  # fmt: skip
    for example in (each for folder in drawn for each in folder_examples(folder)):
        image, labels, boxes = _labelled(example.path)
        found.append(look(reader, image, boxes, labels, WEIGHT["drawn"], complete=True))
    return found


def parts_and_nothing(reader: Reader, data: Path, drawn: Sequence[Path], *, fitted: bool) -> Things:
    """Parts cut from the photographs' tiles, and the sides that drawn pictures have noted."""
    random, found = np.random.default_rng([SEED, int(fitted)]), []
    for place, example in enumerate(photo_examples(data, "val")):
        if (place % 2 == 0) == fitted:
            image, labels, boxes = _labelled(example.path)
            cut = [box_of_part(random, box) for box in boxes for _ in range(PARTS)]
            truth = np.full(len(cut), PART, np.int64)
            said = ask(reader, image, np.array(cut, np.float32).reshape(-1, 4), truth, 1.0)
            harmless = said.rows[:, :NOTHING].argmax(axis=1) == np.repeat(labels, PARTS)
            found.append(replace(said, doubted=harmless))
    for example in (each for folder in drawn for each in folder_examples(folder)):
        image = np.asarray(cv2.imread(str(example.path)), np.uint8)
        noted = [each for each in read_noted(example.path, image.shape[1], image.shape[0])
                 if each[0] == NOTHING]  # fmt: skip
        boxes = np.array([box for _, box in noted], np.float32).reshape(-1, 4)
        found.append(ask(reader, image, boxes, np.full(len(boxes), NOTHING, np.int64), 1.0))
    return together(found)


def _labelled(path: Path) -> tuple[Picture, NDArray[np.int64], Array]:
    image = np.asarray(cv2.imread(str(path)), np.uint8)
    return (image, *read_labels(path, image.shape[1], image.shape[0]))


# --- Fitting


def lowest(
    steps: Array, score: Array, wrong: NDArray[np.bool_], weight: Array, share: float
) -> float:
    """The lowest limit at which that share is not exceeded.

    Args:
        score: (n,) what is named from the limit on; (n,) `wrong` if it is named.
    """
    total = float(weight.sum())
    found = float(steps[-1])
    for limit in steps[::-1]:
        named = score >= limit
        errors = float(weight[named & wrong].sum())
        if (errors + weight.max(initial=0.0)) / (total + weight.max(initial=0.0)) > share:
            break
        found = float(limit)
    return found


def fit(things: Things, beside: Things, share: float = ALLOWED) -> Limits:
    """Limits by what was found in pictures, and by parts and boxes of nothing beside it."""
    face, whole, thing = beside.scales
    passes = face >= [CAUTIOUS.faces[kind] for kind in beside.kinds]
    passes &= (beside.kinds != Kind.BACK) & ~beside.doubted  # half a back is a back
    chosen = {}
    for name_of, scale, of in (("whole", whole, PART), ("thing", thing, NOTHING)):
        own = beside.truth == of
        score = np.where(passes, scale, 0.0)[own]
        chosen[name_of] = lowest(
            STEPS[STEPS >= LOWEST_WHOLE], score, np.ones(own.sum(), np.bool_),
            beside.weight[own], ALLOWED_PARTS,
        )  # fmt: skip
    face, whole, thing = things.scales
    wrong = are_wrong(things)
    open_ = (whole >= chosen["whole"]) & (thing >= chosen["thing"]) & ~things.doubted
    faces = {}
    for kind in Kind:
        own = open_ & (things.kinds == kind)
        weight = things.weight[own]
        rare = min(2 * weight.max(initial=0.0) / max(float(weight.sum()), 1e-9), RAREST)
        faces[kind] = lowest(
            STEPS[STEPS >= LOWEST], face[own], wrong[own], weight, max(share, rare)
        ) if own.any() else CAUTIOUS.faces[kind]  # fmt: skip
    return Limits(faces, chosen["whole"], chosen["thing"])


def usual_of(pictures: Sequence[Things]) -> Usual:
    """How sure the faces of usual pictures are; `most` is conformal by whole pictures.

    A further such picture has more hardly sure faces with at most the probability
    `UNUSUAL_PICTURES`.
    """
    sure = [each for each in map(sureness, pictures) if len(each) >= FEWEST]
    surer_than = float(np.quantile(np.concatenate(sure), 1 - USUALLY))
    shares = np.sort([float((each <= surer_than).mean()) for each in sure])
    rank = int(np.ceil((1 - UNUSUAL_PICTURES) * (len(shares) + 1)))
    return Usual(surer_than, float(shares[min(rank, len(shares)) - 1]))


def sureness(things: Things) -> Array:
    """How sure each face of a picture is that is taken for a whole tile."""
    confidence = things.rows[:, :NOTHING].max(axis=1).astype(np.float64)
    is_face = ~np.isin(things.kinds, [Kind.BACK, Kind.DICE]) & ~things.doubted
    doubts = things.rows[:, [NOTHING, PART]].max(axis=1)
    return confidence[is_face & (doubts < np.maximum(confidence, 0.5))]


def are_wrong(things: Things) -> NDArray[np.bool_]:
    """(n,) whether the likeliest name would be wrong; a back that is no tile says nothing."""
    best = things.rows[:, :NOTHING].argmax(axis=1)
    harmless = (things.kinds == Kind.BACK) & (things.truth >= NOTHING)
    return np.asarray((best != things.truth) & ~harmless, np.bool_)


def report(things: Things, beside: Things, limits: Limits) -> dict[str, object]:
    """What these limits come to by kind, and how many parts and sides they name."""
    rows: dict[str, object] = {}
    said = [
        name(row, limits, burnt_out=bool(burnt))
        for row, burnt in zip(things.rows, things.burnt, strict=True)
    ]
    errs = are_wrong(things)
    named = np.array([each is not None and each.label != UNKNOWN for each in said], np.bool_)
    named &= ~things.doubted
    for weight in sorted(set(things.weight.tolist()), reverse=True):
        of = things.weight == weight
        where = next(key for key, value in WEIGHT.items() if value == weight)
        for kind in (None, *Kind):
            own = of & ((things.kinds == kind) if kind else True)
            tiles = own & (things.truth < NOTHING)
            right = int((named & tiles & ~errs).sum())
            wrong = int((named & own & errs).sum())
            rows[f"{where}: {kind or 'all'}"] = {
                "tiles": int(tiles.sum()), "right": right, "wrong": wrong,
                "asked": int((tiles & ~named).sum()),
            }  # fmt: skip
    for what, of_class in (("parts", PART), ("nothing", NOTHING)):
        own = (beside.truth == of_class) & ~beside.doubted
        told = [name(row, limits) for row in beside.rows[own]]
        faces = [each.label for each in told if each and each.label not in (UNKNOWN, "back")]
        rows[what] = {"asked about": int(own.sum()), "named": len(faces)}
    return rows


# --- The manifest


def write(limits: Limits, weights: Path, made_with: str) -> None:
    """Put the limits into the manifest, in the place of those that are there."""
    path = weights / MANIFEST
    before = path.read_text(encoding="utf-8").split("\n[limits]")[0].rstrip()
    lines = [f"{key} = {value:.3f}" for key, value in _values(limits).items()]
    text = "\n".join([before, "", "[limits]", f"# {made_with}", *lines])
    path.write_text(text + "\n", encoding="utf-8")


def _values(limits: Limits) -> dict[str, float]:
    values = {str(kind): limit for kind, limit in limits.faces.items()}
    values |= {"whole": limits.whole, "thing": limits.thing}
    if limits.usual is not None:
        values |= {"usual": limits.usual.surer_than, "most_unusual": limits.usual.most}
    return values


def main(arguments: list[str] | None = None) -> None:
    """Fit, test, print both as JSON, and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--drawn", type=Path, nargs="*", default=[], help="hard ones to fit on")
    parser.add_argument("--usual", type=Path, nargs="*", default=[], help="usual tables to fit on")
    parser.add_argument("--test", type=Path, nargs="*", default=[], help="drawn ones to test on")
    parser.add_argument("--share", type=float, default=ALLOWED)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    reader = open_reader(options.weights, options.threads)
    things = together(pictured(reader, options.data, options.drawn, fitted=True))
    beside = parts_and_nothing(reader, options.data, options.drawn, fitted=True)
    usual = usual_of(pictured(reader, options.data, options.usual, fitted=True, sheets=False))
    limits = replace(fit(things, beside, options.share), usual=usual)
    today = datetime.datetime.now(datetime.UTC).date()
    made_with = (
        f"Fitted by models/limits.py, {today}: {len(things.truth)} things in pictures, "
        f"{len(beside.truth)} parts and sides; {options.share:.2%} of a kind may be wrong."
    )
    if options.write:
        write(limits, options.weights, made_with)
    found: dict[str, object] = {"made with": made_with, "limits": _values(limits)}
    if options.test:
        held = together(pictured(reader, options.data, options.test, fitted=False))
        held_beside = parts_and_nothing(reader, options.data, options.test, fitted=False)
        for when, of in (("cautious", CAUTIOUS), ("fitted", limits)):
            found[f"on the others, {when}"] = report(held, held_beside, of)
    sys.stdout.write(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
