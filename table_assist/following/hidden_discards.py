"""Discards on record that nobody could read, and that are not seen now: they keep their places.

A lamp that is mirrored on a tile hides it. When its player discards again, the new tile lies beside
a gap. Without the hidden tile in it, the new one would be taken for it.
"""

from collections.abc import Sequence
from dataclasses import replace

from table_assist.following.seen_table import ROW_MM, Sight
from table_assist.game.state import SEATS, TableState
from table_assist.tiles import Tile
from table_assist.vision.table.calibration import Point
from table_assist.vision.table.observe import SeenTile
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.zones import from_seat, to_seat

# Two tiles of a row between which another one lies are so many tiles' widths apart at least.
GAP = 1.6


def with_hidden(state: TableState, sight: Sight) -> Sight:
    """The rivers with an unseen tile in each gap in which an unread discard is on record."""
    if sight.heap:
        return sight
    rivers = tuple(_filled(state, sight, seat) for seat in SEATS)
    return sight if rivers == sight.rivers else replace(sight, rivers=rivers)


def _filled(state: TableState, sight: Sight, seat: int) -> tuple[SeenTile, ...]:
    river = list(sight.rivers[seat])
    recorded, times = state.seats[seat].river, sight.observation.times
    if Tile.UNKNOWN not in recorded or not river:
        return sight.rivers[seat]
    for index, tile in enumerate(recorded):
        if tile is Tile.UNKNOWN and index < len(river):
            gap = _gap_before(river, index, seat, times)
            if gap is not None:
                river.insert(index, _unseen(river[index], from_seat(*gap, seat)))
    return tuple(river)


def _gap_before(
    river: Sequence[SeenTile], index: int, seat: int, times: float
) -> tuple[float, float] | None:
    """Where a tile is missing before that one, as its player sees it: beside it, or first of all.

    None where none is.
    """
    wide = TILE_MM * times
    r, d = to_seat(river[index].x_mm, river[index].y_mm, seat)
    begins = min(to_seat(tile.x_mm, tile.y_mm, seat)[0] for tile in river) - wide
    if index:
        before_r, before_d = to_seat(river[index - 1].x_mm, river[index - 1].y_mm, seat)
        begins = before_r if d - before_d <= ROW_MM * times else begins
    return (begins + wide, d) if r - begins >= GAP * wide else None


def _unseen(beside: SeenTile, place: Point) -> SeenTile:
    """What lies there: something, seen in no picture."""
    x, y = place
    return replace(
        beside,
        tile=Tile.UNKNOWN,
        confidence=0.0,
        candidates=(),
        x_mm=x,
        y_mm=y,
        pictures=0,
        id=0,
        age_s=1.0,
        is_clear=False,
    )
