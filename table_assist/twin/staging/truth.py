"""A perfect observer's record of a hand: no face that nobody but a player has seen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from table_assist.game.events import (
    Drew,
    Event,
    HandShown,
    HandStarted,
    IndicatorTurned,
    TilesExchanged,
    WinDeclared,
)
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.tiles.tile import Tile


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


def moments(state: TableState, events: Sequence[Event]) -> Iterator[StagedMoment]:
    """The events of a hand one by one, beside what can be recorded of each.

    Args:
        state: before them.
    """
    events = in_order(events)
    for number, event in enumerate(events):
        then = events[number + 1] if number + 1 < len(events) else None
        after = apply(state, event)
        yield StagedMoment(event, observed(state, event, then), state, after, then)
        state = after


def in_order(events: Sequence[Event]) -> list[Event]:
    """With several winners all press their keys before the first one shows a hand."""
    ordered: list[Event] = []
    for event in events:
        at = len(ordered)
        if isinstance(event, WinDeclared):
            while at and isinstance(ordered[at - 1], HandShown):
                at -= 1
        ordered.insert(at, event)
    return ordered


def observed(before: TableState, event: Event, then: Event | None) -> tuple[Event, ...]:
    """The recordable part of an event."""
    match event:
        case HandStarted():
            return (replace(event, hands=()),)
        case TilesExchanged():
            return (replace(event, given=()),)
        case IndicatorTurned() if rules_in_force(before).treasure is not None:
            return (replace(event, tile=Tile.UNKNOWN),)
        case Drew(seat):
            # A discard, a kong, a flower says that it was drawn for; two draws are told.
            return (Drew(seat),) if _is_one_of_two(before, event, then) else ()
        case _:
            return (event,)


def _is_one_of_two(before: TableState, event: Drew, then: Event | None) -> bool:
    if event.seat in before.unnamed or before.owed is not None:
        return False
    draws_again = isinstance(then, Drew) and then.seat == event.seat
    return draws_again or before.holder == event.seat


def revealed(state: TableState) -> IndicatorTurned | None:
    """The secret that is turned up for a win of somebody who may profit from it; None if none is.

    Args:
        state: as the players know it.
    """
    if rules_in_force(state).treasure is None or not state.indicators:
        return None
    if not any(state.seats[seat].ready for seat in state.declared):
        return None
    return state.indicators[-1]
