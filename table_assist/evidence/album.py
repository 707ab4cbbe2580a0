"""Which entries and questions have a picture, and the asking for more."""

from collections.abc import Callable

from table_assist.contract.commands import Command, Correct, Insert, Rule, Undo
from table_assist.evidence.occasions import occasions
from table_assist.evidence.photographer import Photographer, Shot
from table_assist.evidence.store import EvidenceMoment
from table_assist.game.question import QuestionId
from table_assist.record.record import Record
from table_assist.vision.table.calibration import Point


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
