"""The wall as it stands: the height of every stack, where it was opened, what is taken next."""

from dataclasses import replace
from functools import lru_cache

from table_assist.game.events import Event, IndicatorTurned
from table_assist.game.fold import replay
from table_assist.game.in_force import rules_in_force
from table_assist.game.places import LOOSE_TILES, Spot, dealing, indicator, next_tile, opened
from table_assist.game.places import gone as empty_places
from table_assist.game.state import Phase, TableState
from table_assist.languages.words import View
from table_assist.record.snapshot import Snapshot
from table_assist.rules import wall
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import SEAT_COUNT
from table_assist.rules.wall import WallPlace
from web.view.vocabulary import happened

_LYING = (Phase.PLAYING, Phase.SHOWING, Phase.SETTLED)


def wall_view(snapshot: Snapshot, due: Spot | None = None) -> View | None:
    """Where the wall's tiles lie; None as long as the dice do not tell.

    Args:
        due: the tile that the next step is about, if it is about one.
    """
    state = snapshot.state
    if state.phase is Phase.WALL_READY:
        # A new wall, before the deal; None of cards
        rules = snapshot.rules
        if not rules.wall.is_built(rules.chosen):
            return None
        stacks = wall.stacks_of(rules, dealing(state))
        open_at = opened(state, rules)
        return {
            "sides": [[2] * count for count in stacks],
            "break": None if open_at is None else {"seat": open_at.side, "stack": open_at.stack},
            "next": None if open_at is None else {**_place(open_at.first_draw), "layer": "top"},
            "dead": [],
            "turned": [],
        }
    if state.phase not in _LYING:
        return None
    rules = rules_in_force(state)
    lying = replace(state, phase=Phase.PLAYING)  # settled, the dice would be the next dealer's
    open_at = opened(lying, rules)
    if open_at is None:
        return None
    # Every stack, from the first that is drawn from to the last one counted off
    stacks = wall.stacks_of(rules, state.dealer)
    order = [
        WallPlace(-turn % SEAT_COUNT, stack)
        for turn in range(SEAT_COUNT)
        for stack in range(1, stacks[-turn % SEAT_COUNT] + 1)
    ]
    first = order.index(open_at.first_draw)
    order = order[first:] + order[:first]
    heights = stack_heights(rules, lying, order)
    taken_next = due or (next_tile(lying) if state.phase is Phase.PLAYING else None)
    sides: list[list[int]] = [[], [], [], []]
    for place in sorted(heights, key=lambda place: place.stack):
        sides[place.seat].append(heights[place])
    return {
        "sides": sides,
        "break": {"seat": open_at.side, "stack": open_at.stack},
        "next": None if taken_next is None else _spot(taken_next),
        "dead": [_place(place) for place in _dead(state, heights, order)],
        "turned": _turned(snapshot, rules),
    }


def stack_heights(
    rules: RuleSet, state: TableState, order: list[WallPlace]
) -> dict[WallPlace, int]:
    """How many tiles each stack still has; three where a loose tile lies on top.

    Args:
        order: the stacks in the order of drawing.
    """
    if state.wall.has_holes:
        empty = empty_places(state.wall, 2 * len(order))
        return {
            place: 2 - sum(tile in empty for tile in (2 * number, 2 * number + 1))
            for number, place in enumerate(order)
        }
    heights = dict.fromkeys(order, 2)
    from_tail = state.wall.from_tail
    if rules.wall.breach is not None:
        heights[order[-1]] = 0  # the stack that was lifted out: its tiles lie loose on others
        for tile, back in enumerate(reversed(rules.wall.breach.loose(rules.chosen))):
            heights[order[-1 - back]] += from_tail <= tile
        from_tail = max(0, from_tail - LOOSE_TILES)
    kept = None
    if rules.wilds is not None and state.indicators and state.indicators[0].column:
        kept = order[-state.indicators[0].column]  # the tile that makes others wild stays there
    for place in reversed(order):
        if place != kept:
            gone = min(from_tail, heights[place])
            heights[place] -= gone
            from_tail -= gone
    from_front = state.wall.from_front
    for place in order:
        gone = min(from_front, heights[place])
        heights[place] -= gone
        from_front -= gone
    return heights


def _dead(
    state: TableState, heights: dict[WallPlace, int], order: list[WallPlace]
) -> list[WallPlace]:
    """The stacks of the tail that stay out of play."""
    left, dead = state.wall.dead, []
    for place in reversed(order):
        if left <= 0:
            break
        left -= heights[place]
        if heights[place]:
            dead.append(place)
    return dead


def _turned(snapshot: Snapshot, rules: RuleSet) -> list[View]:
    """The tiles that were turned or looked at, each in its place."""
    if not snapshot.state.indicators:
        return []
    events: list[Event] = []
    views = []
    kind = "treasure" if rules.treasure is not None else "wild"
    for _, event in happened(snapshot):
        if isinstance(event, IndicatorTurned) and event.column:
            spot = _spot_then(tuple(events), event.column)
            if spot is not None:
                views.append({**_spot(spot), "tile": str(event.tile), "kind": kind})
        events.append(event)
    return views


@lru_cache(maxsize=32)
def _spot_then(before: tuple[Event, ...], column: int) -> Spot | None:
    """Where the tile lay when it was turned; asked anew with every view, it stays the same."""
    return indicator(replay(before), column)


def _place(place: WallPlace) -> View:
    return {"seat": place.seat, "stack": place.stack}


def _spot(spot: Spot) -> View:
    return {**_place(spot.place), "layer": spot.layer}
