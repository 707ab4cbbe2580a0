"""Counts and shares over many pictures."""

import itertools
from collections import Counter
from dataclasses import dataclass, field

from table_assist.vision.evaluate.compare import ComparedPicture, ThingOutcome

# Confidences between which the reliability curve tells how often the likeliest name was right.
BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 1.0)
# Pixels of the labelled box's shorter side: how small may a tile be?
WIDTHS = (0, 12, 16, 20, 24, 32, 48, 96, 10**6)
OTHER_SOURCES = "(single pictures)"


@dataclass(slots=True)
class EvaluationTally:
    """Counts over pictures.

    Attributes:
        outcomes: things by what became of them.
        invented: extra things that are surely named.
        empty: pictures in which nothing is labelled.
        confusions: (labelled, said) of the silent errors.
        asked_confusions: (labelled, likeliest) of the things marked "?" whose likeliest is wrong.
        widths: things by the lower end of their width's bin and what became of them.
        answers: of each thing found, the likeliest name's confidence and whether it was right.
    """

    pictures: int = 0
    right_pictures: int = 0
    right_or_asked_pictures: int = 0
    empty: int = 0
    extra_in_empty: int = 0
    invented: int = 0
    outcomes: Counter[ThingOutcome] = field(default_factory=Counter)
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    asked_confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    widths: Counter[tuple[int, ThingOutcome]] = field(default_factory=Counter)
    answers: list[tuple[float, bool]] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)

    @property
    def tiles(self) -> int:
        """Labelled things; found are all but the missed ones."""
        return sum(self.outcomes.values()) - self.outcomes[ThingOutcome.EXTRA]

    @property
    def found(self) -> int:
        """Labelled things that were found, whatever they were named."""
        return self.tiles - self.outcomes[ThingOutcome.MISSED]

    def add(self, compared: ComparedPicture, milliseconds: float) -> None:
        """Count one picture, which took so long to read."""
        self.pictures += 1
        self.right_pictures += compared.is_right
        self.right_or_asked_pictures += compared.is_right_or_asked
        self.milliseconds.append(milliseconds)
        if compared.count(ThingOutcome.EXTRA) == len(compared.things):
            self.empty += 1
            self.extra_in_empty += len(compared.things)
        for thing in compared.things:
            self.outcomes[thing.outcome] += 1
            self.invented += thing.invented
            if thing.outcome is ThingOutcome.WRONG:
                self.confusions[thing.labelled, thing.said] += 1
            if thing.labelled:
                width = (thing.xyxy[2:] - thing.xyxy[:2]).min()
                self.widths[max(low for low in WIDTHS if low <= width), thing.outcome] += 1
            if thing.labelled and thing.candidates:
                best = thing.candidates[0]
                self.answers.append((best.confidence, best.label == thing.labelled))
                if thing.outcome is ThingOutcome.ASKED and best.label != thing.labelled:
                    self.asked_confusions[thing.labelled, best.label] += 1

    def reliability(self) -> list[dict[str, object]]:
        """How often the likeliest name was right, by its confidence."""
        rows: list[dict[str, object]] = []
        for low, high in itertools.pairwise(BINS):
            inside = [
                right for sure, right in self.answers if low <= sure < high or sure == high == 1.0
            ]
            if inside:
                rows.append({"from": low, "to": high, "tiles": len(inside), "right": share(inside)})
        return rows

    def by_width(self) -> list[dict[str, object]]:
        """The outcomes of the labelled things, by how wide they are in the picture."""
        rows: list[dict[str, object]] = []
        for low, high in itertools.pairwise(WIDTHS):
            counts = {
                each: self.widths[low, each] for each in ThingOutcome if each != ThingOutcome.EXTRA
            }
            tiles = sum(counts.values())
            if tiles:
                shares = {each.value: round(count / tiles, 4) for each, count in counts.items()}
                rows.append({"from_px": low, "to_px": high, "tiles": tiles, **shares})
        return rows

    def to_json(self) -> dict[str, object]:
        """Counts, and shares of the labelled things or of the pictures."""
        counts = {outcome.value: self.outcomes[outcome] for outcome in ThingOutcome}
        milliseconds = sorted(self.milliseconds)
        return {
            "pictures": self.pictures,
            "pictures_right": self.right_pictures,
            "pictures_right_or_asked": self.right_or_asked_pictures,
            "tiles": self.tiles,
            "found": self.found,
            **counts,
            "invented": self.invented,
            "silent_errors": self.outcomes[ThingOutcome.WRONG],
            "found_share": _of(self.found, self.tiles),
            "right_share": _of(self.outcomes[ThingOutcome.RIGHT], self.tiles),
            "asked_share": _of(self.outcomes[ThingOutcome.ASKED], self.tiles),
            "silent_error_share": _of(self.outcomes[ThingOutcome.WRONG], self.tiles),
            "pictures_right_share": _of(self.right_pictures, self.pictures),
            "pictures_right_or_asked_share": _of(self.right_or_asked_pictures, self.pictures),
            "empty_pictures": self.empty,
            "false_per_empty_picture": _of(self.extra_in_empty, self.empty),
            "ms_per_picture": round(sum(milliseconds) / len(milliseconds), 1)
            if milliseconds
            else None,
            "ms_median": round(milliseconds[len(milliseconds) // 2], 1) if milliseconds else None,
        }


def source_of(stem: str) -> str:
    """Where a picture comes from, by its file's name: up to the first ``_`` or ``-``.

    A name without either is its own up to the number at its end.

    >>> source_of("table3_0012"), source_of("IMG-20"), source_of("photo17"), source_of("17")
    ('table3', 'IMG', 'photo', '17')
    """
    first = min((stem.index(mark) for mark in "_-" if mark in stem[1:]), default=0)
    return stem[:first] or stem.rstrip("0123456789") or stem


def share(flags: list[bool]) -> float:
    """Of some, how many."""
    return round(sum(flags) / len(flags), 4)


def _of(count: int, total: int) -> float | None:
    return round(count / total, 5) if total else None
