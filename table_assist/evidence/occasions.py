"""Which entries are worth a picture, and where on the table is what they are about."""

from collections.abc import Callable, Iterable

from table_assist.evidence.photographer import Occasion
from table_assist.evidence.store import EvidenceMoment
from table_assist.game.events import (
    Asked,
    BirdTurned,
    Claimed,
    Discarded,
    Event,
    HandLaidDown,
    HandShown,
    HandTold,
    KongDeclared,
    Settled,
    WallExhausted,
    WinDeclared,
    WinRefused,
)
from table_assist.record.log import Entry
from table_assist.record.record import Record
from table_assist.tiles.tile import Tile
from table_assist.vision.table.calibration import Point
from table_assist.vision.table.zones import Zone, ZoneKind

# A discard that its source was less sure of than this may be quarrelled about.
DOUBTFUL_BELOW = 0.8
_DECISIVE = (
    Asked,
    WinDeclared,
    HandShown,
    HandLaidDown,
    HandTold,
    Settled,
    WallExhausted,
    WinRefused,
)
# The middle is there for all to see.
_COMMON = (ZoneKind.BIRDS, ZoneKind.DICE)


def occasions(
    record: Record,
    entries: Iterable[Entry],
    places: Callable[[int], tuple[Point, ...]] = lambda seq: (),
) -> tuple[Occasion, ...]:
    """Those of the entries of which the present picture is to be kept.

    Args:
        places: where on the table, in mm, an entry's tiles lie by what was seen.
    """
    hand = record.state.hand
    found = []
    for entry in entries:
        event = entry.event
        if isinstance(event, Asked):
            moment = EvidenceMoment(entry.seq, hand, str(event.question))
            at = places(event.about)
            found.append(Occasion(moment, _asked_about(record, event), at=at))
        elif isinstance(event, _DECISIVE) or _is_unsure(entry):
            whole = isinstance(event, HandShown)
            moment = EvidenceMoment(entry.seq, hand)
            found.append(Occasion(moment, zone_of(event), whole, places(entry.seq)))
    return tuple(found)


def zone_of(event: object) -> Zone | None:
    """Where what the event is about lies; None for nowhere in particular."""
    match event:
        case Discarded(seat):
            return Zone(ZoneKind.RIVER, seat)
        case WinDeclared(seat) | HandShown(seat) | HandLaidDown(seat) | WinRefused(seat):
            return Zone(ZoneKind.HAND, seat)
        case Claimed(seat) | KongDeclared(seat):
            return Zone(ZoneKind.MELDS, seat)
        case BirdTurned():
            return Zone(ZoneKind.BIRDS)
        case _:
            return None


def _is_unsure(entry: Entry) -> bool:
    event = entry.event
    if not isinstance(event, Discarded):
        return False
    return event.tile is Tile.UNKNOWN or entry.confidence < DOUBTFUL_BELOW


def _asked_about(record: Record, asked: Asked) -> Zone | None:
    event: Event | None = record.event(asked.about)
    if event is not None:
        return zone_of(event)
    kind, seat = asked.question.kind, asked.question.seat
    if kind.zone is None or (seat is None and kind.zone not in _COMMON):
        # Tiles that make others wild or name the treasure are never cut out: not everybody may see
        # them.
        return None
    return Zone(kind.zone, seat)
