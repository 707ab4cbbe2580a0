"""Which entries may leave the table now: none that could tell a secret of a hand in play.

The log goes up without gaps, so an entry that has to wait holds up all after it. What
spectators may see meanwhile is made at the table from the masked snapshot.
"""

from collections.abc import Sequence

from table_assist.contract.secret import has_secret
from table_assist.contract.snapshot import Snapshot
from table_assist.game.events import (
    Agreed,
    Answered,
    AntesPlaced,
    Asked,
    Attested,
    BirdTurned,
    BoardSaid,
    BonusLaid,
    Claimed,
    ClockSet,
    DealerChosen,
    DiceRolled,
    Discarded,
    Drew,
    EggAppended,
    EggLaid,
    GameBegun,
    HandShown,
    HandStarted,
    KongDeclared,
    LastTilePassed,
    PlayerNamed,
    ReadyDeclared,
    SeatsChanged,
    TilesExchanged,
    WallBuilt,
    WinDeclared,
    WinRefused,
)
from table_assist.record.log import Amended, Entry, Inserted, Logged, Retracted
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile

# Events on the open table, or without any tile. An event that is not named here waits.
_OPEN = (
    WallBuilt | DiceRolled | GameBegun | DealerChosen | SeatsChanged | AntesPlaced | BonusLaid
    | Discarded | Claimed | ReadyDeclared | LastTilePassed | WinDeclared | BirdTurned
    | EggLaid | EggAppended | Attested | PlayerNamed | ClockSet | Retracted
)  # fmt: skip
# Questions and answers could tell a treasure, where the rules have one.
_OPEN_WITHOUT_TREASURE = Agreed | Asked | Answered | HandShown | WinRefused | BoardSaid


def free_until(snapshot: Snapshot, entries: Sequence[Entry]) -> int:
    """The number of the last entry that may leave.

    Args:
        entries: all of the log, in their order.
    """
    state = snapshot.state
    if not (state.is_running or has_secret(snapshot)):
        return min(snapshot.seq, len(entries))
    treasure = snapshot.rules.treasure is not None
    free = _before_hand(state.hand, entries)
    for entry in entries[free : snapshot.seq]:
        if not _is_open(entry.event, treasure=treasure):
            break
        free = entry.seq
    return free


def whole_hands(snapshot: Snapshot, entries: Sequence[Entry]) -> int:
    """The number of the last entry before the hand that is played, or that holds a secret still."""
    if not (snapshot.state.is_running or has_secret(snapshot)):
        return min(snapshot.seq, len(entries))
    return _before_hand(snapshot.state.hand, entries)


def _before_hand(hand: int, entries: Sequence[Entry]) -> int:
    """The number of the entry before the first start of this hand, or of a later one."""
    for entry in entries:
        event = entry.event.event if isinstance(entry.event, Inserted) else entry.event
        if isinstance(event, HandStarted) and event.hand >= hand:
            return entry.seq - 1
    return 0


def _is_open(event: Logged, *, treasure: bool) -> bool:
    match event:
        case Amended(_, inner) | Inserted(_, inner):
            return _is_open(inner, treasure=treasure)
        case HandStarted():
            return not event.hands
        case Drew():
            return event.tile is Tile.UNKNOWN
        case TilesExchanged():
            return not event.given
        case KongDeclared():
            return event.kind is not MeldKind.KONG_CONCEALED
        case _ if isinstance(event, _OPEN):
            return True
        case _:
            return not treasure and isinstance(event, _OPEN_WITHOUT_TREASURE)
