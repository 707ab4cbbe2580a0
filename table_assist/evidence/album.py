"""Which entries and questions have a picture, and the asking for more."""

from collections.abc import Callable, Iterable

from table_assist.contract.commands import Command, Correct, Insert, Rule, Undo
from table_assist.evidence.photographer import Occasion, Photographer, Shot
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
from table_assist.game.question import QuestionId
from table_assist.record.log import Entry
from table_assist.record.record import Record
from table_assist.tiles.tile import Tile
from table_assist.vision.table.calibration import Point
from table_assist.vision.table.zones import Zone, ZoneKind

# Which entries are worth a picture, and where on the table is what they are about.

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


class Album:
    """The evidence that there is for one record.

    Args:
        photographer: None keeps nothing.
        places: where on the table, in mm, an entry's tiles lie by what was seen.
    """

    def __init__(
        self,
        record: Record,
        photographer: Photographer | None,
        places: Callable[[int], tuple[Point, ...]] = lambda seq: (),
    ) -> None:
        self._record = record
        self._photographer = photographer
        self._places = places
        known = () if photographer is None else photographer.known(record.state.hand)
        self._moments: dict[int, EvidenceMoment] = {moment.seq: moment for moment in known}

    def add(self, since: int, shot: Shot | None = None) -> None:
        """Have a picture kept of what was decided or doubted after this entry.

        Args:
            shot: the photograph that people told it by; None: the present picture.
        """
        if self._photographer is None or self._record.seq == since:
            return
        found = occasions(self._record, self._record.entries[since:], self._places)
        if self._photographer.take(found, shot):
            self._moments |= {each.moment.seq: each.moment for each in found}

    def hold(self, command: Command) -> None:
        """A hand that a person changes afterwards is disputed: its pictures stay for good."""
        match command:
            case Undo(seq) | Correct(seq) | Insert(seq) | Rule(before=seq) if seq > 0:
                place = self._record.place(seq)
            case _:
                return
        if self._photographer is not None and place is not None:
            self._photographer.hold(self._record.state_before(place + 1).hand)

    def questions(self) -> tuple[tuple[QuestionId, str], ...]:
        """(question, evidence id) of the open questions that have some."""
        kept = ((m.question, m.id) for m in self._moments.values() if m.question)
        latest = {QuestionId.parse(text): id for text, id in kept}
        open_ones = (asked.question for asked in self._record.state.questions)
        return tuple((each, latest[each]) for each in open_ones if each in latest)

    def entries(self) -> tuple[tuple[int, str], ...]:
        """(entry's number, evidence id) of this hand's entries that have some."""
        hand = self._record.state.hand
        return tuple((m.seq, m.id) for m in self._moments.values() if m.hand == hand)
