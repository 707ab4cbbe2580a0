"""What people tell at a table that is followed: a settlement that rests on it waits for all payers.

Whether it does is what the rules say of the hand with it and without it, not a list of kinds. A
player's own win is the player's own word, and ready before the tile that is won with. What the
camera sees as it was told is the camera's (`late_faces`).
"""

from table_assist.game.events import Beside, HandTold, OwnWord, ReadyDeclared, Transfers
from table_assist.game.holding import declares_now
from table_assist.game.outcome import end_of_hand
from table_assist.game.people import seat_of
from table_assist.game.state import TableState
from table_assist.record.log import Amended, Entry, Retracted, Source
from table_assist.record.record import Record

Result = tuple[Transfers, tuple[int, ...]] | str  # points and winners, or why there is none


def rests_on_told(record: Record, *, is_followed: bool) -> bool:
    """Whether the hand would be settled otherwise without what the players' phones told of it."""
    seen = any(each.source in (Source.CAMERA, Source.BOARD) for each in record.hand_entries())
    told = _told(record) if is_followed or seen else []
    return bool(told) and _without(record, told) != comes_to(record.state)


def who_lose(record: Record) -> frozenset[int]:
    """The winners who get less by what others' phones told, or whose hand another one told."""
    now, told = comes_to(record.state), _told(record)
    found = set[int]()
    if isinstance(now, str):
        return frozenset()
    for seat in now[1]:
        others = [entry for entry in told if seat_of(entry.by) not in (None, seat)]
        before = _without(record, others) if others else now
        if not isinstance(before, str) and seat in before[1]:
            is_less = now[0][seat] < before[0][seat]
        else:
            is_less = any(
                (isinstance(entry.event, HandTold) and entry.event.seat == seat) for entry in others
            )
        found |= {seat} if is_less else set()
    return frozenset(found)


def _told(record: Record) -> list[Entry]:
    counting = record.hand_entries()
    since = min((entry.seq for entry in counting), default=record.seq + 1)
    # Ready that was declared after the tile fell that is won with is told, too.
    return [
        entry
        for entry in record.entries[since - 1 :]
        if record.stands(entry.seq)
        and (
            # ready was declared after the tile fell that is won with
            (
                isinstance(entry.event, ReadyDeclared)
                and declares_now(record.state, entry.event.seat)
            )
            or (is_told(entry) and not _is_seen(record, entry))
        )
    ]


def _without(record: Record, entries: list[Entry]) -> Result:
    without = record.copy()
    for entry in reversed(entries):
        without.append(Retracted(entry.seq), Source.RULES)
    return comes_to(without.state)


def is_told(entry: Entry) -> bool:
    """Whether a player's phone says it, and it is more than the player's own word."""
    by_player = entry.source is Source.PERSON and seat_of(entry.by) is not None
    return by_player and not isinstance(entry.event, Beside | OwnWord)


def _is_seen(record: Record, entry: Entry) -> bool:
    event = entry.event
    about = event.seq if isinstance(event, Amended) else entry.seq
    return record.last_word(about).source is Source.CAMERA


def comes_to(state: TableState) -> Result:
    """What the hands shown move, and who wins; or why that cannot be said."""
    try:
        ended = end_of_hand(state)
    except ValueError as error:
        return str(error)
    return ended.total, ended.winners
