"""The moment at which all tiles stand in the wall: what lies on the table then is no tile."""

from table_assist.game.events import WallBuilt
from table_assist.game.state import Phase
from table_assist.record.log import Source
from table_assist.record.record import Record

# Nobody has dealt and laid a flower so soon after a wall was built, or after the dice were thrown.
BUILT_S, THROWN_S = 10.0, 3.0


def is_undealt(record: Record, now: float) -> bool:
    """Whether the newest wall was built a moment ago, and nobody can have a tile yet.

    What a person says of it may be said at any time later.
    """
    phase, seats = record.state.phase, record.state.seats
    if phase not in (Phase.WALL_READY, Phase.PLAYING) or any(seat.discards for seat in seats):
        return False
    built = next(
        (seq for seq, event in reversed(record.counting) if isinstance(event, WallBuilt)), None
    )
    if built is None:
        return False
    entry = record.entries[built - 1]
    soon = BUILT_S if phase is Phase.WALL_READY else THROWN_S
    return entry.source is not Source.PERSON and 0 <= now - entry.t < soon
