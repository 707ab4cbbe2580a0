"""Whose turn it is by the discards, and who may pass."""

from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.tiles.tile import Tile


def on_turn(state: TableState) -> int:
    """The seat that discards next."""
    return state.turn if state.holder is None else state.holder


def thrown(state: TableState) -> tuple[Tile, ...]:
    """All recorded discards that lie there."""
    return tuple(tile for seat in state.seats for tile in seat.river)


def may_pass(state: TableState) -> bool:
    """Whether who is to draw may leave the wall's last tile to the next."""
    last = state.holder is None and state.wall_left == 1
    return last and rules_in_force(state).last_tile_may_be_passed
