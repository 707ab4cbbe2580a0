"""Tiles of the wall that lie face up: they make others wild, or are the treasure."""

from collections import Counter
from dataclasses import replace

from table_assist.following.opening import has_begun
from table_assist.following.proposed import Proposed, Reveal
from table_assist.following.rivers import is_on_its_way
from table_assist.following.seen_table import (
    DOUBTFUL_PICTURES,
    LONG_PICTURES,
    TableSight,
    faces_of,
    pictures_needed,
    turned_in_wall,
    turned_treasures,
)
from table_assist.game.events import IndicatorTurned
from table_assist.game.in_force import rules_in_force
from table_assist.game.places import columns_left, opened
from table_assist.game.state import Phase, TableState
from table_assist.rules import wall
from table_assist.rules.play_rules import must_throw_again
from table_assist.rules.wall import make_wild
from table_assist.tiles.tile import Tile
from table_assist.vision.table.calibration import Point
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.zones import Layout, ZoneKind, from_seat, to_seat

# By so much the wall stands nearer than the middle of its zone.
BEFORE_MIDDLE_MM = 3.0
USUAL_LAYOUT = Layout()
# A turned tile lies nearer to its stack than this across the wall: from aside it is seen farther
# out than it lies, by 36 mm from 32 degrees askew.
ITS_WALL_MM = 60.0


def turned(state: TableState, sight: TableSight) -> Proposed | None:
    """The tile that makes others wild is turned, in the column that the dice named."""
    rules = rules_in_force(state)
    if rules.wilds is None or state.indicators:
        return None
    if not state.seeking and not has_begun(state):
        return None  # the dice come first: what is seen before them was not turned
    again = state.seeking and must_throw_again(state.seeking, columns_left(state))
    column = 0 if again else sum(state.seeking)
    seen = _turned_at(state, column, sight.observation)
    if seen is None:
        return None
    event = IndicatorTurned(seen.tile, column)
    return Proposed(event, seen.confidence, faces_of(seen), seen=(seen,))


def _turned_at(state: TableState, column: int, observation: Observation) -> SeenTile | None:
    """The open tile in that column; else a face that has lain elsewhere for long.

    What the dice named comes to light before. What is not read elsewhere in the wall is rather the
    side of a stack.
    """
    lying = [seen for seen in turned_in_wall(observation) if seen.pictures >= pictures_needed(seen)]
    spots = _spots(state, column, observation)
    if not spots:
        return next(iter(lying), None)
    there = [seen for seen in lying if _is_at(seen, spots, observation.times)]
    if there:
        return min(there, key=lambda seen: not seen.tile.is_face)
    long = (seen for seen in lying if seen.pictures >= LONG_PICTURES)
    return next((seen for seen in long if seen.tile.is_face), None)


def treasure_unannounced(state: TableState, sight: TableSight) -> Proposed | None:
    """A treasure lies open whose dice nobody has told."""
    rules = rules_in_force(state)
    if rules.treasure is None or state.indicators or state.first_ready is None:
        return None
    if state.phase is not Phase.SHOWING:
        return None
    for seen in _treasures(state, sight):
        if seen.tile.is_face and seen.pictures >= DOUBTFUL_PICTURES:
            event = IndicatorTurned(seen.tile, sum(state.seeking))
            return Proposed(event, seen.confidence, seen=(seen,))
    return None


def _treasures(state: TableState, sight: TableSight) -> list[SeenTile]:
    """What may be a treasure: nothing that lay there before the first player declared ready."""
    lying, seat = turned_treasures(sight.observation), state.first_ready
    if seat is None:
        return lying
    own = state.seats[seat]
    then = sight.known.get((seat, own.ready_discard - 1 - own.discards + len(own.river)))
    if then is None:
        return lying
    return [x for x in lying if not (0 < x.id < then.id and x.pictures > then.pictures)]


def reveal(state: TableState, sight: TableSight) -> Reveal | None:
    """A tile that was a secret, or could not be read, is seen now."""
    unread = [n for n, each in enumerate(state.indicators) if not each.tile.is_face]
    if not unread:
        return None
    read = Counter(each.tile for each in state.indicators)
    lying = []
    is_treasure = rules_in_force(state).treasure is not None
    turned = _treasures(state, sight) if is_treasure else turned_in_wall(sight.observation)
    for tile in turned:
        if not tile.tile.is_face or tile.pictures < pictures_needed(tile):
            continue
        if is_on_its_way(state, sight, tile):
            continue
        if read[tile.tile] > 0:
            read[tile.tile] -= 1  # it is on record, and no earlier secret
        else:
            lying.append(tile)
    if not lying:
        return _unreadable(state, unread[-1], sight) if is_treasure else None
    for number in reversed(unread):
        # The tile where this indicator must be
        spots = _spots(state, state.indicators[number].column, sight.observation)
        for seen in lying:
            if _is_at(seen, spots, sight.observation.times):
                return Reveal(number, seen.tile, seen.confidence)
    shown = [seen for seen in lying if not _is_false(state, unread[-1], seen, sight.observation)]
    return Reveal(unread[-1], shown[0].tile, shown[0].confidence) if len(shown) == 1 else None


def _unreadable(state: TableState, number: int, sight: TableSight) -> Reveal | None:
    """The treasure was turned up after a win, and cannot be read."""
    observation = sight.observation
    lying = [
        seen
        for seen in _treasures(state, sight)
        if seen.is_clear
        and not seen.tile.is_face
        and seen.pictures >= LONG_PICTURES
        and not _is_false(state, number, seen, observation)
    ]
    if state.phase is not Phase.SHOWING or len(lying) != 1:
        return None
    return Reveal(number, Tile.UNKNOWN, 0.0, lying[0])


def _is_false(state: TableState, number: int, seen: SeenTile, observation: Observation) -> bool:
    """In the wall, and not where the secret stands: it is turned there, or shown in the middle."""
    is_in_wall = seen.zone.kind is ZoneKind.WALL
    return is_in_wall and bool(_spots(state, state.indicators[number].column, observation))


def with_revealed(state: TableState, found: Reveal | None) -> TableState:
    """The state as it is once the revealed tile is on record."""
    if found is None or not found.tile.is_face:
        return state
    turned = list(state.indicators)
    turned[found.number] = replace(turned[found.number], tile=found.tile)
    state = replace(state, indicators=tuple(turned))
    if found.number != len(turned) - 1:
        return state
    rules = rules_in_force(state)
    if rules.wilds is not None:
        return replace(state, wilds=make_wild(rules, found.tile).kinds)
    if rules.treasure is not None:
        return replace(state, treasures=rules.treasure.named_by(found.tile, rules.chosen))
    return state


def _spots(state: TableState, column: int, observation: Observation) -> list[tuple[int, Point]]:
    """Where that column may stand, with the tail as it was then or has become since.

    Returns:
        The seat behind it, and the place in mm; none where the dice do not tell.
    """
    open_at = opened(state)
    if open_at is None or not column:
        return []
    rules = rules_in_force(state)
    stacks, spots = wall.stacks_of(rules, state.dealer), []
    for gone in range(state.wall.from_tail // 2 + 1):
        place = wall.column_from_tail(stacks, open_at.first_draw, gone + column)
        at = stack_mm(stacks, place.seat, place.stack, observation.times, observation.layout)
        spots.append((place.seat, at))
    return spots


def _is_at(seen: SeenTile, spots: list[tuple[int, Point]], times: float) -> bool:
    for seat, place in spots:
        (r, d), (along, across) = to_seat(*place, seat), seen.to_seat(seat)
        if abs(r - along) < 1.5 * TILE_MM * times and abs(d - across) < ITS_WALL_MM * times:
            return True
    return False


def stack_mm(
    stacks: tuple[int, int, int, int],
    seat: int,
    stack: int,
    times: float = 1.0,
    layout: Layout = USUAL_LAYOUT,
) -> tuple[float, float]:
    """Where a stack stands: counted from 1 at the right-hand end of the seat behind it.

    Args:
        times: how many times as large as usual the tiles are.
        layout: the zones' borders for such tiles; large ones' walls stand farther out.
    """
    width = TILE_MM * times
    middle = (layout.river + layout.wall) / 2 - BEFORE_MIDDLE_MM
    right = (stacks[seat] - 1) * width / 2
    return from_seat(right - width * (stack - 1), middle, seat)


def is_secret(state: TableState) -> bool:
    """The treasure in force is known to ready players only."""
    last = state.indicators[-1] if state.indicators else None
    treasure = rules_in_force(state).treasure is not None
    return treasure and last is not None and last.tile is Tile.UNKNOWN
