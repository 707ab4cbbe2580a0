"""Two courses of events beside each other: what agrees, whatever was recorded of it otherwise."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import get_args

from table_assist.game.events import (
    Agreed,
    Answered,
    Asked,
    Attested,
    Beside,
    BoardSaid,
    Discarded,
    Drew,
    Event,
    HandLaidDown,
    IndicatorTurned,
    OfAHand,
    WinDeclared,
    WinRefused,
)
from table_assist.game.fold import apply
from table_assist.game.state import Phase, TableState
from table_assist.tiles.tile import Tile

# No events of play; and draws, which nobody sees: the next discard tells them.
BESIDE_PLAY = (*get_args(Beside), Drew)
# Several people may do these at the same time.
TOLD_AT_ONCE = (HandLaidDown, IndicatorTurned, WinDeclared)


def differences(
    one: Sequence[Hashable], other: Sequence[Hashable]
) -> Iterator[tuple[str, int, int, int, int]]:
    """How one becomes the other: as difflib says it, ``equal`` parts among them."""
    yield from SequenceMatcher(None, one, other, autojunk=False).get_opcodes()


def in_order(truth: Sequence[Event], got: Sequence[Event]) -> list[tuple[int, int]]:
    """The places of what agrees, in its order."""
    parts = differences([key_of(each) for each in truth], [key_of(each) for each in got])
    same = (part for part in parts if part[0] == "equal")
    return [(at + n, other + n) for _, at, end, other, _ in same for n in range(end - at)]


def matched(truth: Sequence[Event], got: Sequence[Event]) -> list[tuple[int, int]]:
    """The same with events at one time, and a treasure that is known only when it is turned up."""
    pairs = in_order(truth, got)
    free = set(range(len(got))) - {place for _, place in pairs}
    for place in sorted(set(range(len(truth))) - {place for place, _ in pairs}):
        event = truth[place]
        if not isinstance(event, TOLD_AT_ONCE):
            continue
        hidden = isinstance(event, IndicatorTurned) and event.tile is Tile.UNKNOWN
        places = range(len(got)) if hidden else sorted(free)
        other = next((at for at in places if _is_same(event, got[at])), None)
        if other is not None:
            if not hidden:  # the entry stands for the tile that is turned up, too
                free.discard(other)
            pairs.append((place, other))
    return pairs


def key_of(event: Event) -> Hashable:
    """The common part of two records of an event: words and a hand's order of tiles may differ."""
    names: tuple[str, ...] = getattr(event, "agree_on", event.__match_args__)
    values = ((name, getattr(event, name)) for name in names)
    return type(event), *(
        tuple(sorted(value)) if name in _IN_ANY_ORDER else value for name, value in values
    )


_IN_ANY_ORDER = ("winners", "tiles", "concealed")


def _is_same(event: Event, other: Event) -> bool:
    if isinstance(event, IndicatorTurned) and isinstance(other, IndicatorTurned):
        hidden = event.tile is Tile.UNKNOWN
        return event.column == other.column and (hidden or event.tile is other.tile)
    return key_of(event) == key_of(other)


# Of these nothing is left when the hand is over.
_ENDS_WITH_THE_HAND = frozenset(get_args(OfAHand | BoardSaid | Attested | Agreed)) - {
    Discarded,
    WinRefused,
}


def skim(state: TableState, event: Event) -> TableState:
    """The state after the event, as far as it outlives the hand."""
    if type(event) in _ENDS_WITH_THE_HAND:
        return state
    match event:
        case Discarded(seat):
            # A discard ends the seat's own declaration, and opens a hand that was over
            if not state.rules or (state.phase is Phase.PLAYING and not state.declared):
                return state  # before any hand was begun no play changes the table
            declared = tuple(other for other in state.declared if other != seat)
            return replace(
                state, phase=Phase.SHOWING if declared else Phase.PLAYING, declared=declared
            )
        case Asked() if not event.lasts:
            return state
        case Answered() if not state.questions:
            return state
        case _:
            return apply(state, event)
