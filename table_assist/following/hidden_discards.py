"""Discards on record that are not seen now: they keep their places.

A lamp that is mirrored on a tile hides it, and a tile may be missed for a while. When its player
discards again, the new tile lies beside a gap. Without the hidden tile in it, the new one would be
taken for one that is on record.
"""

from collections.abc import Sequence
from dataclasses import replace

from table_assist.following.seen_table import (
    NEIGHBOURS_APART,
    ROW_MM,
    TableSight,
    age_rank,
    unfound,
)
from table_assist.game.state import SEATS, TableState
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import SeenTile
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.zones import from_seat


def with_hidden(state: TableState, sight: TableSight) -> TableSight:
    """The rivers with an unseen tile in each gap in which a discard is on record.

    If its face is on record, too, then only where the next tile is the next one on record, or is
    new: nobody can claim what others have discarded after. What cannot be read is taken for an
    unread discard on record, wherever it lies.
    """
    if sight.heap:
        return sight
    rivers = tuple(_filled(state, sight, seat) for seat in SEATS)
    return sight if rivers == sight.rivers else replace(sight, rivers=rivers)


def _filled(state: TableState, sight: TableSight, seat: int) -> tuple[SeenTile, ...]:
    river = list(sight.rivers[seat])
    recorded, times = state.seats[seat].river, sight.observation.times
    for index in range(len(recorded)):
        if index >= len(river):
            break
        following = _following(recorded, river, index)
        gap = _gap_before(river, index, seat, times)
        if gap is None and following < 2:  # at a row's ends there is no gap
            continue
        is_read = river[index].tile.is_face
        if (
            following
            or (recorded[index] is Tile.UNKNOWN and is_read)
            or (is_read and index == len(recorded) - 1 and _is_beside_one(state, seat, river))
        ):
            place = gap or river[index].to_seat(seat)
            there = unfound(river[index], *from_seat(*place, seat))
            river.insert(index, replace(there, pictures=0, age_s=1.0, is_clear=False))
    return tuple(river)


def _is_beside_one(state: TableState, seat: int, river: Sequence[SeenTile]) -> bool:
    """Whether the river's last tile is new, and lies beside the gap that one on record leaves.

    The last discard of all may have been claimed, and what was knocked aside has lain there before.
    """
    recorded, newest = state.seats[seat].river, river[-1]
    is_claimable = state.last_discard is not None and state.last_discard[0] == seat
    if is_claimable or len(river) != len(recorded) or newest.tile is recorded[-1]:
        return False
    pairs = zip(recorded, river[:-1], strict=False)
    is_rest_there = all(tile in (seen.tile, Tile.UNKNOWN) for tile, seen in pairs)
    return is_rest_there and age_rank(newest) > max(map(age_rank, river[:-1]), default=(0, 0))


def _following(recorded: Sequence[Tile], river: Sequence[SeenTile], index: int) -> int:
    """How many tiles on record after that one lie where it and they should; 0 if it may be seen."""
    if recorded[index] in (Tile.UNKNOWN, river[index].tile):
        return 0
    pairs = zip(recorded[index + 1 :], river[index:], strict=False)
    same = [recorded is seen.tile and recorded.is_face for recorded, seen in pairs]
    return len(same) if all(same) else int(same[0])


def _gap_before(
    river: Sequence[SeenTile], index: int, seat: int, times: float
) -> tuple[float, float] | None:
    """Where a tile is missing before that one, as its player sees it: beside it, or first of all.

    None where none is.
    """
    wide = TILE_MM * times
    r, d = river[index].to_seat(seat)
    begins = min(tile.to_seat(seat)[0] for tile in river) - wide
    if index:
        before_r, before_d = river[index - 1].to_seat(seat)
        begins = before_r if d - before_d <= ROW_MM * times else begins
    return (begins + wide, d) if r - begins >= NEIGHBOURS_APART * wide else None
