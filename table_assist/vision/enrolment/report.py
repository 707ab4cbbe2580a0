"""How well an own set is known: the report at the end of learning, as values and as sentences."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from table_assist.languages.words import Plural, Words
from table_assist.vision.enrolment.mislabelled import Suspect
from table_assist.vision.pictures.picture import Array
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.recognise import LABELS, NOTHING_CLASS, UNKNOWN, name

FACE_LABELS = LABELS[:42]
ORDINARY_LABELS = LABELS[:34]  # what every set has; flowers and seasons are in some only
FEW_SAMPLES = 2  # samples of a face with which it counts as thinly known
CLOSE_FACES = 0.02  # probability that goes to another face, above which two faces are close
CLOSEST = 5  # pairs told


@dataclass(frozen=True, slots=True)
class EnrolOutcome:
    """The readings when each sample was left out.

    Attributes:
        labels: the class of each sample that could be left out.
        probabilities: (n, classes).
    """

    labels: tuple[int, ...]
    probabilities: Array


@dataclass(frozen=True, slots=True)
class ClosePair:
    """Two faces that this set makes easy to take for each other; `share` is the probability."""

    face: str
    taken_for: str
    share: float


@dataclass(frozen=True, slots=True)
class Mislabelled:
    """A tile of a picture, counted from 1, that looks like another face than it is called."""

    face: str
    like: str
    picture: int


@dataclass(frozen=True, slots=True)
class EnrolReport:
    """The learnt set, and how well it is read.

    Attributes:
        counts: tiles by label, in the order of the labels.
        pictures: how many pictures the tiles are from.
        tested: tiles that were read by what the others taught.
        right: of these; asked and wrong are the rest.
        wrong: ``face read as other`` for every wrong one.
        close: the closest first.
        missing: faces of every set that were not shown.
        few: faces of which fewer than three tiles were shown.
        suspects: tiles that look like another face than they are called; nothing was learnt of
            them.
    """

    counts: tuple[tuple[str, int], ...]
    pictures: int
    tested: int
    right: int
    asked: int
    wrong: tuple[str, ...]
    close: tuple[ClosePair, ...]
    missing: tuple[str, ...]
    few: tuple[str, ...]
    suspects: tuple[Mislabelled, ...] = ()

    @property
    def tiles(self) -> int:
        """How many tiles were learnt from."""
        return sum(count for label, count in self.counts if label in FACE_LABELS)


def make_report(
    samples: Sequence[tuple[int, int]],
    outcome: EnrolOutcome,
    limits: Limits,
    suspects: Sequence[Suspect] = (),
) -> EnrolReport:
    """The report on samples, given as (label, picture), and on what leaving them out gave."""
    counts = Counter(label for label, _ in samples)
    found = outcome.probabilities
    right = asked = 0
    wrong: list[str] = []
    for label, row in zip(outcome.labels, found, strict=True):
        read = name(row, limits)
        if read is not None and read.label == UNKNOWN:
            asked += 1
        elif (NOTHING_CLASS if read is None else LABELS.index(read.label)) == label:
            right += 1
        else:
            told = "nothing" if read is None else read.label
            wrong.append(f"{_name(label)} read as {told}")
    shown = {_name(label): count for label, count in sorted(counts.items())}
    return EnrolReport(
        counts=tuple(shown.items()),
        pictures=len({picture for _, picture in samples}),
        tested=len(outcome.labels),
        right=right,
        asked=asked,
        wrong=tuple(wrong),
        close=_close(outcome),
        missing=tuple(face for face in ORDINARY_LABELS if face not in shown),
        few=tuple(face for face in FACE_LABELS if 0 < shown.get(face, 0) <= FEW_SAMPLES),
        suspects=tuple(
            Mislabelled(_name(each.label), _name(each.like), each.picture + 1) for each in suspects
        ),
    )


def _close(outcome: EnrolOutcome) -> tuple[ClosePair, ...]:
    """Pairs by the mean probability that tiles of one face gave to the other.

    What goes to "nothing" or "a part" says how well a box fits, not what the tile looks like.
    """
    pairs: list[ClosePair] = []
    labels = np.array(outcome.labels, np.int64)
    for label in np.unique(labels[labels < NOTHING_CLASS]).tolist():
        mean = outcome.probabilities[labels == label, :NOTHING_CLASS].mean(axis=0)
        mean[label] = 0
        other = int(mean.argmax())
        if mean[other] >= CLOSE_FACES:
            pairs.append(ClosePair(_name(label), _name(other), float(mean[other])))
    return tuple(sorted(pairs, key=lambda pair: -pair.share)[:CLOSEST])


def tell(report: EnrolReport) -> tuple[Words, ...]:
    """The report in sentences."""
    faces = sum(label in FACE_LABELS for label, _ in report.counts)
    lines: list[Words] = [
        Plural(
            report.pictures,
            "{tiles} tiles of {faces} faces from {n} picture.",
            "{tiles} tiles of {faces} faces from {n} pictures.",
            "{n} 张照片，{faces} 种牌面，共 {tiles} 张牌。",
            tiles=report.tiles,
            faces=faces,
        )
    ]
    lines += [
        Words(
            "This {face} in picture {picture} looks like your {like}: which is it? Nothing "
            "was learnt from it.",
            "第 {picture} 张照片里的这张 {face} 看起来像您的 {like}：到底是哪张？这张牌没有用"
            "来学习。",
            face=one.face,
            picture=one.picture,
            like=one.like,
        )
        for one in report.suspects
    ]
    if report.tested:
        share, wrong = report.right / report.tested, len(report.wrong)
        lines.append(
            Words(
                "Left out and read by what the others taught: {right} of {tested} right ("
                "{share}), {asked} asked about (?), {wrong} wrong.",
                "逐一留出、用其余的牌来认：{tested} 张中认对 {right} 张（{share}），存疑（?）"
                "{asked} 张，认错 {wrong} 张。",
                right=report.right,
                tested=report.tested,
                share=f"{share:.1%}",
                asked=report.asked,
                wrong=wrong,
            )
        )
    lines += [
        Words("Wrong: {one}.", "认错：{one}。", one=one) for one in dict.fromkeys(report.wrong)
    ]
    told: set[frozenset[str]] = set()
    for pair in report.close:
        both = frozenset((pair.face, pair.taken_for))
        if both not in told:
            told.add(both)
            lines.append(
                Words(
                    "{one} and {other} are close in your set.",
                    "{one} 与 {other} 很相近。",
                    one=pair.face,
                    other=pair.taken_for,
                )
            )
    if report.missing:
        names = " ".join(report.missing)
        lines.append(
            Words(
                "Not shown, read as before: {names}. Add a picture with them to be sure of them.",
                "未出现，按原样识别：{names}。补拍一张即可学会。",
                names=names,
            )
        )
    if report.few:
        names = " ".join(report.few)
        lines.append(
            Words("Shown once or twice only: {names}.", "只出现过一两次：{names}。", names=names)
        )
    return tuple(lines)


def _name(label: int) -> str:
    return LABELS[label] if label < NOTHING_CLASS else "nothing"
