"""Choices for a dealt hand before its own first discard: openings and eggs."""

from itertools import combinations

from table_assist.game.choices import Choice
from table_assist.game.events import EggLaid, StartingHandShown
from table_assist.game.holding import dealt_tiles, may_still_open
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.rules.reckoning import instant_wins

_EGG_SIZES = (3, 4)


def may_open(state: TableState, seat: int) -> bool:
    """Whether the seat may show its dealt hand for what scores in it, once (CS-29)."""
    shown = any(opening.seat == seat for opening in state.openings)
    return bool(rules_in_force(state).opening) and may_still_open(state, seat) and not shown


def opening_choices(state: TableState, seat: int) -> tuple[Choice, ...]:
    """Showing the dealt hand, where that scores before play."""
    rules = rules_in_force(state)
    held = state.seats[seat].concealed
    if held is None or not may_open(state, seat):
        return ()
    tiles = held[: rules.starting_tiles(seat == state.dealer, rules.chosen)]
    if not instant_wins(rules, tiles, seat=seat, dealer=state.dealer).wins:
        return ()
    return (Choice(seat, (StartingHandShown(seat, tiles),)),)


def egg_choices(state: TableState, seat: int) -> tuple[Choice, ...]:
    """Each egg that the dealt tiles in hand would make, as long as eggs may be laid (CC-10)."""
    rules = rules_in_force(state)
    own = state.seats[seat]
    if rules.eggs is None or own.concealed is None or own.discards:
        return ()
    if rules.chosen.get("egg_timing") == "before_dealer_first_discard" and (
        state.seats[state.dealer].discards
    ):
        return ()
    dealt = dealt_tiles(state, seat)
    found = {
        tuple(sorted(tiles))
        for size in _EGG_SIZES
        for tiles in combinations(sorted(dealt), size)
        if rules.eggs.kind_of(tiles, rules.chosen) is not None
    }
    return tuple(Choice(seat, (EggLaid(seat, tiles),)) for tiles in sorted(found))
