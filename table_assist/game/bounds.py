"""Bounds of an event's numbers, and of its lists: said beside their types."""

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class Within:
    """From `low` to `high`: a number, or how many a list holds."""

    low: int
    high: int


Seat = Annotated[int, Within(0, 3)]
OfTheWall = Annotated[int, Within(0, 144)]
"""So many of its tiles."""
