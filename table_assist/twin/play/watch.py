"""Invariants after every event of a hand that is played by the rules."""

from collections import Counter

from table_assist.game.events import Event
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import irregularities
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.tiles.tile import Tile
from table_assist.twin.play.deck import Deck


class BrokenError(AssertionError):
    """Something that must hold does not."""


def check(deck: Deck, before: TableState, event: Event, after: TableState) -> None:
    """Check one event of a hand that is played by the rules.

    Nothing that the engine allowed may be flagged, and every tile is somewhere, once.

    Args:
        deck: the wall in play, as it is at the moment.
        before: the state before the event.
        event: what happened.
        after: the state after it.

    Raises:
        BrokenError: with the event and what is wrong.
    """
    flagged = irregularities(before, event)
    if flagged:
        raise BrokenError(f"{event} is flagged {list(flagged)}")
    if sum(after.scores) != len(SEATS) * after.game.points:
        raise BrokenError(f"after {event} the scores are {after.scores}")
    if after.phase is Phase.PLAYING:
        _check_tiles(deck, event, after)
        _check_sizes(deck, event, after)


def _check_tiles(deck: Deck, event: Event, state: TableState) -> None:
    """Every tile of the set is somewhere, once; unnamed replacements lie in the wall still."""
    rules = rules_in_force(state)
    there = Counter((*deck.rest, *deck.aside, *deck.beside))
    for seat in state.seats:
        there.update(tile for tile in seat.concealed or () if tile is not Tile.UNKNOWN)
        there.update(seat.bonus)
        there.update(seat.river)
        for meld in seat.melds:
            there.update(meld.tiles + meld.supplements)
    there.update(state.birds)
    wanted = Counter({tile: rules.copies_of(tile) for tile in (*rules.kinds, *rules.bonus_tiles)})
    if there != wanted:
        lost, extra = dict(wanted - there), dict(there - wanted)
        raise BrokenError(f"after {event} {lost} is missing and {extra} too many")


def _check_sizes(deck: Deck, event: Event, state: TableState) -> None:
    in_wall = len(deck.rest) - len(state.unnamed)
    if state.wall.left + state.wall.dead != in_wall:
        raise BrokenError(f"after {event} {in_wall} tiles lie in the wall, not {state.wall}")
    for seat in SEATS:
        held = state.seats[seat].concealed
        due = state.hand_size(seat)
        if held is None or len(held) != due:
            raise BrokenError(f"after {event} seat {seat} holds {held}, not {due} tiles")
