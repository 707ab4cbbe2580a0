"""The gain of a change at simulated tables, for the report to say it.

The counts are in ``gains.json``, which ``python -m models.advised`` writes.
"""

import json
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from table_assist.languages.words import Words
from table_assist.vision.table.advice import PictureFault

UNMEASURED = 5
GAINS = Path(__file__).with_name("gains.json")


class Helps(StrEnum):
    """A change that was measured."""

    NEARER = "nearer"  # more pixels a tile
    LAMP = "lamp"  # a lamp that shines into the camera off the tiles goes off
    DARK = "dark"  # more light
    ABOVE = "above"  # the camera looks down instead of askew
    LEARN = "learn"  # the set, from act one's pictures


HELPS = {  # of a tile that is too small to be read nothing was measured: the smallest tried is not
    PictureFault.TOO_BRIGHT: Helps.LAMP,
    PictureFault.TOO_DARK: Helps.DARK,
    PictureFault.UNLIKE: Helps.LEARN,
}


@dataclass(frozen=True, slots=True)
class TableChange:
    """Something to do at a table.

    Attributes:
        helps: what was measured of it; None: nothing was.
    """

    says: Words
    helps: Helps | None = None


@cache
def _gains() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = json.loads(GAINS.read_text(encoding="utf-8"))["gains"]
    return found


def gain_of(helps: Helps | None) -> Words | None:
    """The gain at simulated tables; None where it was not measured."""
    counts = _gains().get(helps) if helps else None
    if counts is None:
        return None
    tables = counts["tables"]
    before, after = _unread(counts)
    if after >= before:
        return Words(
            "At {tables} simulated tables it did not help: {before} and {after} % of the "
            "faces were not read.",
            "在 {tables} 张模拟牌桌上没有帮助：未能认出的牌面为 {before}% 和 {after}%。",
            tables=tables,
            before=before,
            after=after,
        )
    return Words(
        "At {tables} simulated tables it brought the faces that were not read from {before} "
        "to {after} %.",
        "在 {tables} 张模拟牌桌上，未能认出的牌面由 {before}% 降到 {after}%。",
        tables=tables,
        before=before,
        after=after,
    )


def worth_of(helps: Helps | None) -> int:
    """Of a hundred faces that many fewer were not read then; what was not measured comes between.

    >>> worth_of(None)
    5
    """
    counts = _gains().get(helps) if helps else None
    if counts is None:
        return UNMEASURED
    before, after = _unread(counts)
    return before - after


def _unread(counts: dict[str, int]) -> tuple[int, int]:
    """Of a hundred faces those that were not read as what they are, before and after."""
    faces = counts["faces"]
    before, after = (faces - counts[f"right_{when}"] for when in ("before", "after"))
    return round(100 * before / faces), round(100 * after / faces)
