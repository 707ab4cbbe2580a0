"""A kong's replacement from where dice say, where its player may throw them (SPEC CS-11)."""

from dataclasses import replace

from table_assist.game.events import Throw
from table_assist.game.in_force import rules_in_force
from table_assist.game.places import (
    breached_side,
    first_left,
    gone,
    last_was_rolled,
    opened,
    stacks_left,
)
from table_assist.game.state import Rolled, TableState
from table_assist.rules import wall
from table_assist.rules.ruleset import Replaces, RollCounted

__all__ = ["may_roll", "rolled_tile", "taken_by_roll"]


def may_roll(state: TableState) -> bool:
    """Whether who draws a kong's replacement may throw dice for its place, and has not yet."""
    if rules_in_force(state).wall.rolled is None:
        return False
    if state.owed is not None:
        return state.owed is Replaces.KONG and _thrown(state) is None
    unnamed = bool(state.unnamed) and state.replacing is Replaces.KONG
    return unnamed and not last_was_rolled(state.wall)


def rolled_tile(state: TableState, seat: int) -> Rolled | None:
    """The replacement that the seat's dice name; None where none were thrown for it.

    Stacks counted off from the tail are those that are left. A place that is empty stands for the
    next tile in the order of drawing.
    """
    rules, total, broken = rules_in_force(state), _thrown(state), opened(state)
    if rules.wall.rolled is None or total is None or broken is None:
        return None
    stacks = wall.stacks_of(rules, state.dealer)
    tiles = 2 * sum(stacks)
    empty = gone(state.wall, tiles)
    if rules.wall.rolled(rules.chosen) is RollCounted.STACKS_FROM_TAIL:
        left = stacks_left(state.wall, tiles)
        start = left[total - 1] if total <= len(left) else tiles
    else:
        # The place after so many stacks of the side that the dice name, the thrower dealing
        side = breached_side(rules, seat, total)
        aim = wall.open_at(stacks, side, total).first_draw
        steps = (
            n for n in range(sum(stacks)) if wall.stack_after(stacks, broken.first_draw, n) == aim
        )
        start = 2 * next(steps)
    place = first_left((*range(start, tiles), *range(start)), empty)
    if place is None:
        return None
    return Rolled(
        place,
        sum(each.throw is Throw.REPLACEMENT and bool(each.values) for each in state.throws),
        state.wall.from_tail,
    )


def taken_by_roll(state: TableState) -> TableState:
    """After a throw: the replacement that was counted from the tail was taken where it says."""
    if not state.unnamed or state.replacing is not Replaces.KONG or state.owed is not None:
        return state
    was = state.wall
    if last_was_rolled(was):  # thrown anew
        wall_before = replace(was, rolled=was.rolled[:-1])
    else:
        wall_before = replace(was, from_tail=was.from_tail - 1)
    rolled = rolled_tile(replace(state, wall=wall_before), state.unnamed[-1])
    if rolled is None:
        return state
    return replace(state, wall=replace(wall_before, rolled=(*wall_before.rolled, rolled)))


def _thrown(state: TableState) -> int | None:
    """The throw for the replacement that is due; None if nothing was thrown."""
    used = state.wall.rolled[-1].throws if state.wall.rolled else 0
    thrown = [each.values for each in state.throws if each.throw is Throw.REPLACEMENT]
    thrown = [values for values in thrown if values]
    return sum(thrown[-1]) if len(thrown) > used else None
