"""The pictures of people at the table, by evening: told, and deleted when somebody wishes it.

A picture shows the whole table, and who sat at it is nowhere in it. So a person's pictures are
those of the evenings on which the person played.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from table_assist.evidence.store import KeptHand

NIGHT = timedelta(hours=6)  # what is played after midnight belongs to the evening before


@dataclass(frozen=True, slots=True)
class EveningPictures:
    """One evening's pictures.

    Attributes:
        day: as ``2026-11-22``, in the table's zone.
        held: how many of the hands are held for a dispute.
    """

    day: str
    hands: tuple[int, ...]
    pictures: int
    bytes: int
    held: int


def evenings(hands: Iterable[KeptHand]) -> tuple[EveningPictures, ...]:
    """The evenings of which there are pictures, oldest first."""
    by_day: dict[str, list[KeptHand]] = {}
    for hand in hands:
        by_day.setdefault(day_of(hand.first_t), []).append(hand)
    return tuple(
        EveningPictures(
            day,
            tuple(each.hand for each in there),
            sum(each.pictures for each in there),
            sum(each.bytes for each in there),
            sum(each.is_held for each in there),
        )
        for day, there in sorted(by_day.items())
    )


def date_of_evening(t: float) -> date:
    """To which evening a time belongs, in the table's zone; an evening is its first hand's."""
    return (datetime.fromtimestamp(t) - NIGHT).date()


def zone_said() -> str:
    """Behind a date: that the machine knows no zone of its own, and so not the table's."""
    return " UTC" if time.localtime().tm_zone == "UTC" else ""


def day_of(t: float) -> str:
    """As `date_of_evening`, in letters."""
    return date_of_evening(t).isoformat()
