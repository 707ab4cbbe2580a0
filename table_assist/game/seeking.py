"""When a tile of the wall may be turned: a wild one once, a treasure when it is due."""

from table_assist.game.events import IndicatorTurned
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.game.win import counted_left
from table_assist.rules.ruleset import RuleSet


def may_seek(rules: RuleSet, state: TableState) -> bool:
    """Whether somebody is ready, and tiles enough are left for a treasure (CC-27, CC-31)."""
    if rules.treasure is None or state.first_ready is None:
        return False
    return state.wall_left >= rules.treasure.fewest_tiles


def may_rush(rules: RuleSet, state: TableState) -> bool:
    """Whether tiles enough are left to win by the treasure alone (CC-29, CC-33)."""
    left = counted_left(state, state.wall_left)
    return rules.treasure is not None and left >= rules.treasure.rushing_from


def may_seek_again(rules: RuleSet, state: TableState) -> bool:
    """Whether the first ready player may roll for another treasure (CC-31, CC-32)."""
    if not may_seek(rules, state) or not state.treasures or rules.treasure is None:
        return False
    # How many treasures lie in rivers and melds, what was appended to eggs with them (CC-32)
    lying = [tile for seat in state.seats for tile in seat.river]
    melds = [meld for seat in state.seats for meld in seat.melds]
    lying += [tile for meld in melds for tile in (*meld.tiles, *meld.supplements)]
    return sum(tile in state.treasures for tile in lying) >= rules.treasure.visible


def may_turn(state: TableState) -> bool:
    """Whether a tile may be turned now; as far as is known, where a treasure is a secret."""
    rules = rules_in_force(state)
    if rules.wilds is not None:
        return not state.indicators
    if not may_seek(rules, state):
        return False
    return not (state.indicators and state.treasures) or may_seek_again(rules, state)


def names_the_last(state: TableState, event: IndicatorTurned) -> bool:
    """Nobody has thrown for another: it is said what the secret one was."""
    last = state.indicators[-1] if state.indicators else None
    if last is None or last.tile.is_face or state.seeking or not event.tile.is_face:
        return False
    return event.column in (0, last.column)
