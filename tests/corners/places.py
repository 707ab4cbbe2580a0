"""Where things stand in the events of a hand that was won."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from table_assist.game.events import (
    BirdTurned,
    BonusLaid,
    Discarded,
    Drew,
    Event,
    HandLaidDown,
    HandShown,
    HandStarted,
    WinDeclared,
)
from table_assist.tiles.tile import Tile

Events = list[Event]
_THE_END = (WinDeclared, HandShown, HandLaidDown, BirdTurned)


def started_of(events: Events) -> tuple[int, HandStarted]:
    return next((at, e) for at, e in enumerate(events) if isinstance(e, HandStarted))


def shown_of(events: Events) -> HandShown:
    return next(e for e in reversed(events) if isinstance(e, HandShown))


def declared_at(events: Events) -> int:
    """Where the wins that count begin to be declared."""
    at = len(events)
    while at and isinstance(events[at - 1], _THE_END):
        at -= 1
    return at


def won_discard(events: Events) -> int | None:
    """Where the discard lies that was won; none where none was."""
    at, shown = declared_at(events), shown_of(events)
    if shown.self_drawn or shown.rush or not at or not isinstance(events[at - 1], Discarded):
        return None
    return at - 1


def drew_it(events: Events, at: int) -> bool:
    """Whether the winner has just drawn the winning tile, where the wins begin."""
    shown, before = shown_of(events), events[at - 1]
    return shown.self_drawn and isinstance(before, Drew) and before.seat == shown.seat


def unclaimed(events: Events) -> int | None:
    """The first discard after the first round that nobody takes: what is put in changes no claim.

    In the first round it would be a second turn of somebody, of which no rule set says a word.
    """
    thrown: set[int] = set()
    for at, (event, after) in enumerate(pairwise(events[: declared_at(events)])):
        if isinstance(event, Discarded):
            if len(thrown) == 4 and isinstance(after, Drew):
                return at
            thrown.add(event.seat)
    return None


def first_that(events: Events, is_it: Callable[[Event], bool]) -> int | None:
    return next((at for at, event in enumerate(events) if is_it(event)), None)


def bonus_lying(events: Events) -> set[Tile]:
    return {tile for e in events if isinstance(e, BonusLaid) for tile in e.tiles}


def with_event(events: Events, at: int, event: Event) -> Events:
    return [*events[:at], event, *events[at + 1 :]]


def with_fewer_held(events: Events, seat: int) -> Events:
    """Three tiles of a hand that is laid down lie in the new meld instead."""
    return [
        replace(e, concealed=e.concealed[:-3])
        if isinstance(e, HandLaidDown) and e.seat == seat
        else e
        for e in events
    ]
