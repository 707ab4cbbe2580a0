"""A trial's verdict on the evenings to come at its table, in one sentence.

The limits were fitted by ``python -m bench trials``: simulated trials beside simulated evenings
at the same tables (docs/FIGURES.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from table_assist.languages.words import Words
from table_assist.upkeep.trial.compare import ComparedTrial, LaidFate

# Of the events laid those that are on record as they were, without a question.
LIVE_SHARE, ROWS_SHARE = 1.0, 0.9815
LEAST_EVENTS = 20  # fewer say nothing of an evening


class TableFit(StrEnum):
    """The use that the table is fit for."""

    LIVE = "live"
    ROWS = "rows"
    PHOTOGRAPHS = "photographs"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class FitLimits:
    """From which share of right events on a table is fit for what."""

    live: float = LIVE_SHARE
    rows: float = ROWS_SHARE


LIMITS = FitLimits()

FIT_WORDS = {
    TableFit.LIVE: Words("Fit to be followed live.", "适合实时跟踪。"),
    TableFit.ROWS: Words(
        "Fit to be followed where discards lie in rows; not where they lie in a heap.",
        "弃牌排成行时适合实时跟踪；堆放时不适合。",
    ),
    TableFit.PHOTOGRAPHS: Words(
        "Not fit to be followed yet: keep the score by photographs of the hands.",
        "尚不适合实时跟踪：请用手牌照片记分。",
    ),
    TableFit.UNKNOWN: Words(
        "Too little was laid to say: do the short hand to its end.",
        "所摆太少，无法判断：请把短牌摆完。",
    ),
}


def right_share(compared: ComparedTrial) -> float | None:
    """Of the events that count, those that are right; None where too few do."""
    counted = len(compared.judged) - compared.count(LaidFate.VOID)
    return compared.count(LaidFate.RIGHT) / counted if counted >= LEAST_EVENTS else None


def fit_of(share: float | None, *, is_silent: bool, limits: FitLimits = LIMITS) -> TableFit:
    """The use that a table is fit for by its trial.

    Args:
        is_silent: something was wrong in it without a question.
    """
    if share is None:
        return TableFit.UNKNOWN
    if is_silent or share < limits.rows:
        return TableFit.PHOTOGRAPHS
    return TableFit.LIVE if share >= limits.live else TableFit.ROWS


@dataclass(frozen=True, slots=True)
class Foretold:
    """One table's trial, and what its evening was fit for.

    Attributes:
        share: of the trial, as `right_share`.
        evening: LIVE, ROWS or PHOTOGRAPHS, by its hands.
    """

    share: float
    is_silent: bool
    evening: TableFit


def fitted(tables: Sequence[Foretold]) -> FitLimits:
    """The limits by which most trials say what the evening was; of several the strictest."""
    shares = sorted({0.0, *(table.share for table in tables), 1.01})
    every = [FitLimits(live, rows) for rows in shares for live in shares if rows <= live]
    return max(every, key=lambda limits: (hits(tables, limits), limits.live, limits.rows))


def hits(tables: Sequence[Foretold], limits: FitLimits) -> int:
    """Of how many tables the trial says what the evening was."""
    return sum(
        fit_of(each.share, is_silent=each.is_silent, limits=limits) is each.evening
        for each in tables
    )
