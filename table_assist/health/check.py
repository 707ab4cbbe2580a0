"""What the health page says of one thing: how it is, since when, and what to do."""

from dataclasses import dataclass
from enum import StrEnum

from table_assist.words import Words


class State(StrEnum):
    """How a thing is."""

    GOOD = "good"
    DOUBT = "doubt"  # it may be meant so, or will become bad
    BAD = "bad"
    NONE = "none"  # there is nothing to look at


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes:
        id: such as ``camera``; also its anchor on the page.
        says: how it is, in one sentence.
        advice: what to do; None when nothing is to be done.
        since_s: when it became so, seconds since the epoch.
    """

    id: str
    state: State
    says: Words
    advice: Words | None = None
    since_s: float = 0.0
