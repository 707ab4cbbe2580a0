"""What a change at a table brought at simulated tables, for the report to say it.

The counts are in ``gains.json``, which ``python -m models.advised`` writes.
"""

import json
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from table_assist.vision.table.advice import PictureFault
from table_assist.words import Words

GAINS = Path(__file__).with_name("gains.json")


class Helps(StrEnum):
    """A change that was measured."""

    NEARER = "nearer"  # more pixels a tile
    LAMP = "lamp"  # a lamp that shines into the camera off the tiles goes off
    DARK = "dark"  # more light
    ABOVE = "above"  # the camera looks down instead of askew
    LEARN = "learn"  # the set, from act one's pictures


HELPS = {
    PictureFault.TOO_SMALL: Helps.NEARER,
    PictureFault.TOO_BRIGHT: Helps.LAMP,
    PictureFault.TOO_DARK: Helps.DARK,
    PictureFault.UNLIKE: Helps.LEARN,
}


@dataclass(frozen=True, slots=True)
class Change:
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
    """What it brought at simulated tables; None where it was not measured."""
    counts = _gains().get(helps) if helps else None
    if counts is None:
        return None
    tables, faces = counts["tables"], counts["faces"]
    before, after = (
        round(100 * (faces - counts[f"right_{when}"]) / faces) for when in ("before", "after")
    )
    if before == after:
        return Words(
            f"At {tables} simulated tables it made no difference to how many faces were read.",
            f"在 {tables} 张模拟牌桌上，认出的牌面数没有变化。",
        )
    return Words(
        f"At {tables} simulated tables it brought the faces that were not read from {before} to "
        f"{after} %.",
        f"在 {tables} 张模拟牌桌上，未能认出的牌面由 {before}% 降到 {after}%。",
    )
