"""Reads a labelled folder and counts."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from table_assist.vision.enrolment.labelled import LabelledFolder, LabelledPicture
from table_assist.vision.evaluate.compare import ComparedPicture, compare
from table_assist.vision.evaluate.spoil import Spoil
from table_assist.vision.evaluate.tally import OTHER_SOURCES, EvaluationTally, source_of
from table_assist.vision.pictures.picture import Image, PictureError, load_picture
from table_assist.vision.reading.readings import Readings

# Sees every picture that was compared, as the gallery does.
Watcher = Callable[[LabelledPicture, Image, ComparedPicture], None]


@dataclass(slots=True)
class Evaluation:
    """An evaluation's results.

    Attributes:
        sources: by the pictures' origin, in falling order of tiles; empty if all have one origin.
        unlabelled: pictures left out because they have no labels.
        unreadable: a sentence for each picture that is none.
    """

    total: EvaluationTally = field(default_factory=EvaluationTally)
    sources: dict[str, EvaluationTally] = field(default_factory=dict)
    unlabelled: int = 0
    unreadable: list[str] = field(default_factory=list)


def evaluate(
    folder: LabelledFolder,
    read: Callable[[Image], Readings],
    *,
    partial: bool = False,
    spoil: Spoil | None = None,
    watcher: Watcher | None = None,
    now: Callable[[], float] = time.perf_counter,
) -> Evaluation:
    """Read every picture and compare it with its labels.

    Args:
        read: names what lies in a picture (h, w, 3) BGR; only its time counts.
        partial: not everything is labelled; what is read beyond the labels does not count.
        spoil: how the pictures are made worse before they are read.
    """
    result = Evaluation(unlabelled=len(folder.unlabelled))
    source_of_picture = _sources(folder.pictures)
    for picture in folder.pictures:
        try:
            image = load_picture(picture.path)
        except PictureError as error:
            result.unreadable.append(str(error))
            continue
        labels = picture.labels
        if spoil is not None:
            image, labels = spoil.picture(image), spoil.labels(labels)
        started = now()
        readings = read(image)
        milliseconds = (now() - started) * 1000
        compared = compare(labels, readings, partial=partial)
        result.total.add(compared, milliseconds)
        source = source_of_picture[picture.path]
        result.sources.setdefault(source, EvaluationTally()).add(compared, milliseconds)
        if watcher is not None:
            watcher(picture, image, compared)
    ordered = sorted(result.sources.items(), key=lambda item: (-item[1].tiles, item[0]))
    result.sources = dict(ordered) if len(ordered) > 1 else {}
    return result


def _sources(pictures: tuple[LabelledPicture, ...]) -> dict[Path, str]:
    """The source of each picture; what only one picture has is none."""
    named = {picture.path: source_of(picture.path.stem) for picture in pictures}
    counts: dict[str, int] = {}
    for source in named.values():
        counts[source] = counts.get(source, 0) + 1
    return {path: name if counts[name] > 1 else OTHER_SOURCES for path, name in named.items()}
