"""Where the tiles of the wall lie: building, breaking, drawing, dealing.

Stacks of two are numbered from 1 at the right-hand end of the player behind that side. Tiles leave
the wall to higher numbers, then from stack 1 of the side before (seat ``s - 1``), the top tile of a
stack first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from table_assist.rules.ruleset import Deal, RuleSet
from table_assist.rules.shown import SEATS, check_seat


@dataclass(frozen=True, slots=True)
class WallPlace:
    """A stack of the wall.

    Attributes:
        seat: the side, by the player who sits behind it.
        stack: counts from 1.
    """

    seat: int
    stack: int


@dataclass(frozen=True, slots=True)
class Break:
    """Where the wall is opened.

    Attributes:
        side: the side that the dice named.
        stack: the last stack counted off.
        first_draw: the stack after it, where the live wall begins.
    """

    side: int
    stack: int
    first_draw: WallPlace


def stacks_of(rules: RuleSet, dealer: int) -> tuple[int, int, int, int]:
    """Stacks on each side when the wall is built.

    Raises:
        ValueError: the dealer is no seat.
    """
    check_seat("dealer", dealer)
    return rules.wall.stacks(dealer, rules.chosen)


def break_wall(rules: RuleSet, dealer: int, dice: Sequence[int]) -> Break:
    """Count the dice round the table, then along the side they name.

    Raises:
        ValueError: the dealer is no seat, or a die shows none of 1 to 6.
    """
    check_seat("dealer", dealer)
    total = sum_of_dice(dice)
    sides_on = 1 - total if rules.wall.clockwise(rules.chosen) else total - 1
    side = (dealer + rules.wall.first_side(rules.chosen) + sides_on) % SEATS
    return open_at(stacks_of(rules, dealer), side, total)


def sum_of_dice(dice: Sequence[int]) -> int:
    """The sum of the dice.

    Raises:
        ValueError: there are none, or one shows none of 1 to 6.
    """
    for die in dice:
        if type(die) is not int or not 1 <= die <= 6:
            raise ValueError(f"a die shows {die!r}; it is 1 to 6")
    if not dice:
        raise ValueError("no dice were thrown")
    return sum(dice)


def open_at(stacks: tuple[int, int, int, int], side: int, count: int) -> Break:
    """Count off so many stacks of a side, on to the next side if it is shorter.

    Raises:
        ValueError: no such side, or nothing or too much is counted.
    """
    check_seat("side", side)
    if not 1 <= count <= sum(stacks):
        raise ValueError(f"{count} stacks counted off; the wall has {sum(stacks)}")
    counted = stack_after(stacks, WallPlace(side, 1), count - 1)
    return Break(counted.seat, counted.stack, stack_after(stacks, counted, 1))


def stack_after(stacks: tuple[int, int, int, int], place: WallPlace, steps: int) -> WallPlace:
    """The stack so many steps on in the order of drawing; back, if negative."""
    order = _stacks_in_order(stacks)
    return order[(order.index(place) + steps) % len(order)]


@lru_cache(maxsize=64)
def _stacks_in_order(stacks: tuple[int, int, int, int]) -> tuple[WallPlace, ...]:
    return tuple(
        WallPlace(-turn % SEATS, stack)
        for turn in range(SEATS)
        for stack in range(1, stacks[-turn % SEATS] + 1)
    )


def tile_after(
    stacks: tuple[int, int, int, int], first_draw: WallPlace, drawn: int
) -> tuple[WallPlace, str]:
    """Where the next tile lies after so many were drawn: its stack, and ``top`` or ``bottom``.

    Raises:
        ValueError: no tile is left after so many.
    """
    if not 0 <= drawn < 2 * sum(stacks):
        raise ValueError(f"{drawn} tiles drawn; the wall has {2 * sum(stacks)}")
    return stack_after(stacks, first_draw, drawn // 2), "bottom" if drawn % 2 else "top"


def column_from_tail(
    stacks: tuple[int, int, int, int], first_draw: WallPlace, column: int
) -> WallPlace:
    """The stack so many columns from the tail; column 1 is the last stack counted off."""
    return stack_after(stacks, first_draw, -column)


def deal(rules: RuleSet, dealer: int) -> tuple[tuple[int, int], ...]:
    """The numbers of tiles taken in the deal, in order, as (seat, tiles).

    Raises:
        ValueError: the dealer is no seat.
    """
    check_seat("dealer", dealer)
    return tuple(((dealer + offset) % SEATS, tiles) for offset, tiles in _blocks(rules))


def dealt_in_order(rules: RuleSet, dealer: int) -> tuple[int, ...]:
    """The seat that gets each tile of the deal, in the order of drawing.

    Raises:
        ValueError: the dealer is no seat.
    """
    seats = [seat for seat, tiles in deal(rules, dealer) for _ in range(tiles)]
    if rules.wall.dealer_jumps(rules.chosen):
        last = len(seats) - 1 - seats[::-1].index(dealer)
        seats.append(seats.pop(last))
    return tuple(seats)


def tiles_after_deal(rules: RuleSet) -> int:
    """Tiles left in the wall when every hand is dealt, a dead wall included."""
    built = 2 * sum(rules.wall.stacks(0, rules.chosen))
    return min(built, rules.tiles_in_wall) - sum(tiles for _, tiles in _blocks(rules))


def dead_tiles(rules: RuleSet, counted: int | None = None) -> int:
    """Tiles of a fresh wall that stay out of play.

    Args:
        counted: the stacks that the dice counted off; none if not known.

    Raises:
        ValueError: it depends on the dice, and they are not known.
    """
    if rules.wall.dead_by is None:
        return rules.wall.dead
    return rules.wall.dead_by(counted, rules.chosen)


def live_after_deal(rules: RuleSet, counted: int | None = None) -> int:
    """Tiles to draw once every hand is dealt.

    Raises:
        ValueError: it depends on the dice, and they are not known.
    """
    return tiles_after_deal(rules) - dead_tiles(rules, counted)


def fours_in_turn(*, dealer_eight: bool = False) -> Deal:
    """Four tiles at a time to 12 each, from the dealer on; then two to the dealer, one to others.

    Args:
        dealer_eight: the dealer begins with eight tiles at once.
    """
    rounds = [(seat, 4) for _ in range(3) for seat in range(SEATS)]
    if dealer_eight:
        rounds = [(0, 8), (1, 4), (2, 4), (3, 4), *rounds[:4], *rounds[1:4]]
    return (*rounds, (0, 2), (1, 1), (2, 1), (3, 1))


def seat_counted_clockwise(roller: int, total: int, *, roller_is_one: bool) -> int:
    """The seat that the dice name, counted clockwise from the one who rolled.

    >>> seat_counted_clockwise(0, 5, roller_is_one=True)
    0
    """
    return (roller - total + roller_is_one) % SEATS


def _blocks(rules: RuleSet) -> Deal:
    return rules.wall.deal if rules.wall.deal_by is None else rules.wall.deal_by(rules.chosen)
