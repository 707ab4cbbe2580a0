"""A quick fold over hands that are over: only what outlives them.

What lies before the seats ends with the hand, so that where the next hand has started, skimming has
come to the same state as folding everything (`tests/record/test_skim.py` holds it to that).
"""

from dataclasses import replace
from typing import get_args

from table_assist.game.events import (
    Agreed,
    Answered,
    Asked,
    Attested,
    BoardSaid,
    Discarded,
    Event,
    OfAHand,
    WinRefused,
)
from table_assist.game.fold import apply
from table_assist.game.state import Phase, TableState

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
