"""One event of a hand as it is staged: what all know, what only the players know."""

from dataclasses import dataclass

from table_assist.game.events import Event
from table_assist.game.state import TableState


@dataclass(frozen=True, slots=True)
class StagedMoment:
    """An event with what was so before and is so after it.

    Attributes:
        event: what happened, hidden faces included.
        truth: what a perfect observer can record of it.
        before: the state that the players are in, hidden faces included.
        then: the event that follows; None for the last one.
    """

    event: Event
    truth: tuple[Event, ...]
    before: TableState
    after: TableState
    then: Event | None = None
