"""Where tiles of the wall lie now, by the dice that opened it.

``next_tile``, ``replacement_tile``, ``indicator``: a stack and ``top`` or ``bottom``; None as long
as the dice are not known.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from table_assist.game.events import Throw
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import Phase, Rolled, TableState, Wall, replace
from table_assist.languages.words import Words, phrase
from table_assist.rules import wall
from table_assist.rules.play_rules import Replaces, RollCounted, WallEnd
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import SEAT_COUNT
from table_assist.rules.wall import Break, WallPlace


def gone(wall: Wall, tiles: int) -> frozenset[int]:
    """The places of a wall of so many tiles that are empty."""
    holes = {each.tile for each in wall.rolled}.union(wall.aside)
    front = islice((place for place in range(tiles) if place not in holes), wall.from_front)
    tail = islice((place for place in from_tail(tiles) if place not in holes), wall.from_tail)
    return frozenset((*holes, *front, *tail))


def stacks_left(wall: Wall, tiles: int) -> list[int]:
    """The places of the stacks that still hold a tile, by their top one, from the tail on."""
    empty = gone(wall, tiles)
    return [top for top in range(tiles - 2, -1, -2) if not {top, top + 1} <= empty]


def top_of_column(wall: Wall, tiles: int, column: int) -> int | None:
    """The place of the tile on top of so many stacks left from the tail; None if there are fewer.

    Args:
        column: counts from 1.
    """
    left = stacks_left(wall, tiles)
    if not 1 <= column <= len(left):
        return None
    top = left[column - 1]
    return top + (top in gone(wall, tiles))


def laid_aside(wall: Wall, tiles: int, column: int) -> Wall:
    """The wall less the tile on top of a column: a live one or a dead one, by where it lay."""
    place = top_of_column(wall, tiles, column)
    if place is None:
        return wall
    empty = gone(wall, tiles)
    before = sum(each not in empty for each in range(place))
    is_live = before < wall.left
    return replace(
        wall,
        left=wall.left - is_live,
        dead=wall.dead - (not is_live),
        aside=(*wall.aside, place),
    )


def last_was_rolled(wall: Wall) -> bool:
    """Whether the latest replacement came from where dice said."""
    return bool(wall.rolled) and wall.rolled[-1].from_tail == wall.from_tail


def first_left(order: Iterable[int], empty: frozenset[int]) -> int | None:
    """The first of the places that still holds its tile."""
    return next((place for place in order if place not in empty), None)


def from_tail(tiles: int) -> Iterable[int]:
    """The places of a wall in the order in which the tail gives them."""
    return (stack + layer for stack in range(tiles - 2, -1, -2) for layer in (0, 1))


# Tiles of the stack that is lifted out, which lie on the wall beside the breach.
LOOSE_TILES = 2


_LAYERS = {
    "top": Words("top", "上"),
    "bottom": Words("bottom", "下"),
    "loose": Words("loose", "顶"),
}


@dataclass(frozen=True, slots=True)
class Spot:
    """One tile of the wall.

    Attributes:
        layer: ``top`` or ``bottom`` of its stack, or ``loose``: lying on top of it.
    """

    place: WallPlace
    layer: str

    @property
    def words(self) -> Words:
        """The spot as it is said at the table: a side is called after the seat behind it."""
        seat, stack = self.place.seat, self.place.stack
        return phrase(
            "places.tile_of_stack_before", layer=_LAYERS[self.layer], stack=stack, seat=seat
        )


def total_thrown(state: TableState, throw: Throw) -> int | None:
    """The sum of the last such throw for this hand; None if there was none."""
    thrown = [dice.values for dice in state.throws if dice.throw is throw and dice.values]
    return sum(thrown[-1]) if thrown else None


def breached_side(rules: RuleSet, dealer: int, first: int) -> int:
    """The seat whose wall the first throw names."""
    on = 1 - first if rules.wall.clockwise(rules.chosen) else first - 1
    return (dealer + rules.wall.first_side(rules.chosen) + on) % SEAT_COUNT


def opened(state: TableState, rules: RuleSet | None = None) -> Break | None:
    """Where the wall was opened; None as long as the dice do not tell.

    Args:
        rules: those of the hand that is being prepared; else of the hand that is played.
    """
    rules = rules or rules_in_force(state)
    dealer = dealing(state)
    first = total_thrown(state, Throw.BREAK)
    if first is None or not rules.wall.is_built(rules.chosen):
        return None
    side = breached_side(rules, dealer, first)
    count = first
    if rules.wall.breach is not None:
        second = total_thrown(state, Throw.SECOND_BREAK)
        if second is None:
            return None
        count = rules.wall.breach.count(first, second, rules.chosen)
    return wall.open_at(wall.stacks_of(rules, dealer), side, count)


def dealing(state: TableState) -> int:
    """The dealer of the hand that is played or, between hands, of the next one."""
    between = state.phase in (Phase.WAITING, Phase.WALL_READY, Phase.SETTLED)
    if between and state.dealer_next is not None:
        return state.dealer_next
    return state.dealer


def next_tile(state: TableState) -> Spot | None:
    """The tile that is drawn next; None where none is left, or the dice are not known."""
    rules, open_at = rules_in_force(state), opened(state)
    if open_at is None or state.wall.left <= 0:
        return None
    stacks = wall.stacks_of(rules, state.dealer)
    if state.wall.has_holes:
        return _left_first(state, range(2 * sum(stacks)))
    drawn, tail = state.wall.from_front, _tail_passed(state)
    # Of the last stack the top tile may have left as a replacement already.
    if tail % 2 and drawn == 2 * sum(stacks) - tail - 1:
        drawn += 1
    if drawn >= 2 * sum(stacks):
        return None
    place, layer = wall.tile_after(stacks, open_at.first_draw, drawn)
    return Spot(place, layer)


def replacement_tile(state: TableState, what: Replaces) -> Spot | None:
    """The tile that replaces a kong's, an egg's or a flower; None as for `next_tile`."""
    rules, open_at = rules_in_force(state), opened(state)
    if open_at is None:
        return None
    end = rules.wall.replaced_from(what, rules.chosen)
    if end is WallEnd.FRONT:
        return next_tile(state)
    stacks = wall.stacks_of(rules, state.dealer)
    if state.wall.has_holes:
        return _left_first(state, from_tail(2 * sum(stacks)))
    taken = state.wall.from_tail
    if end is WallEnd.BOX and rules.wall.breach is not None and taken < LOOSE_TILES:
        # The lower tile was laid nearer to the breach; the one farthest from it goes first.
        # Column 1 is the stack that was lifted out: its two tiles are the loose ones.
        column = rules.wall.breach.loose(rules.chosen)[1 - taken] + 1
        return Spot(wall.column_from_tail(stacks, open_at.first_draw, column), "loose")
    passed = _tail_passed(state)
    column = passed // 2 + 1
    top_is_gone = 2 * (sum(stacks) - column) < state.wall.from_front
    layer = "bottom" if passed % 2 or top_is_gone else "top"
    return Spot(wall.column_from_tail(stacks, open_at.first_draw, column), layer)


def unnamed_tile(state: TableState) -> Spot | None:
    """The replacement tile that is counted already, and whose face was not told."""
    if not state.unnamed or state.replacing is None:
        return None
    due, was = len(state.unnamed), state.wall
    if last_was_rolled(was):
        return spot_at(state, was.rolled[-1].tile)
    rules = rules_in_force(state)
    front = rules.wall.replaced_from(state.replacing, rules.chosen) is WallEnd.FRONT
    back = replace(
        was,
        left=was.left + due,
        from_front=was.from_front - due * front,
        from_tail=was.from_tail - due * (not front),
    )
    return replacement_tile(replace(state, wall=back), state.replacing)


def spot_at(state: TableState, drawn: int) -> Spot | None:
    """The tile at a place in the order of drawing, from 0 at the break."""
    broken = opened(state)
    if broken is None:
        return None
    stacks = wall.stacks_of(rules_in_force(state), state.dealer)
    return Spot(*wall.tile_after(stacks, broken.first_draw, drawn))


def _left_first(state: TableState, order: Iterable[int]) -> Spot | None:
    place = first_left(order, gone(state.wall, _tiles(state)))
    return None if place is None else spot_at(state, place)


def bird_tile(state: TableState, undrawn: int) -> Spot | None:
    """The next tile that is turned after a win.

    Args:
        undrawn: tiles of the winners that are not counted as drawn yet.
    """
    turned, was = len(state.birds), state.wall
    if rules_in_force(state).chosen.get("bird_source") == "wall_tail":
        tail = replace(was, from_tail=was.from_tail + turned)
        return replacement_tile(replace(state, wall=tail), Replaces.KONG)
    gone = turned + undrawn
    front = replace(was, left=was.left - gone, from_front=was.from_front + gone)
    return next_tile(replace(state, wall=front))


def columns_left(state: TableState) -> int:
    """Stacks that the wall still has, those with a single tile included."""
    left = state.wall.left + state.wall.dead
    if state.wall.has_holes:
        return min(left, len(stacks_left(state.wall, _tiles(state))))
    halves = state.wall.from_front % 2 + state.wall.from_tail % 2
    return min(left, (left + halves + 1) // 2)


def indicator(state: TableState, column: int) -> Spot | None:
    """The tile that is turned for so many columns from the tail of what is left (CC-27)."""
    place = top_of_column(state.wall, _tiles(state), column)
    return None if place is None else spot_at(state, place)


def _tiles(state: TableState) -> int:
    """Of the wall as it was built."""
    return 2 * sum(wall.stacks_of(rules_in_force(state), state.dealer))


def _tail_passed(state: TableState) -> int:
    """Tiles of the tail that are gone, or passed over because the turned tile lies there."""
    taken = state.wall.from_tail
    if rules_in_force(state).wilds is None or not state.indicators:
        return taken
    column = state.indicators[0].column
    return taken + 2 if column and taken >= 2 * (column - 1) else taken


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
    replacing = (each.values for each in state.throws if each.throw is Throw.REPLACEMENT)
    thrown = [values for values in replacing if values]
    return sum(thrown[-1]) if len(thrown) > used else None
