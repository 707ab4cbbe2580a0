"""Which seats a question is put to."""

from table_assist.contract.snapshot import Snapshot
from table_assist.game.deciding import is_for_all
from table_assist.game.events import Asked, End
from table_assist.game.question import QuestionKind
from table_assist.record.log import Entry

# The end of a hand is for the table's scorer to say, whoever it is about.
_OF_AN_END = (QuestionKind.UNSETTLED, QuestionKind.LATER)


def seats_of(asked: Asked, entries: tuple[Entry, ...]) -> set[int]:
    """The seats that a question is about; empty for a question about the table."""
    if isinstance(asked.if_yes, End) or asked.question.kind in _OF_AN_END:
        return set()
    found = {seat for seat in range(4) if f"{{{seat}}}" in asked.text.en}
    events = [asked.if_yes, *(entry.event for entry in entries if entry.seq == asked.about)]
    return found | {seat for each in events if isinstance(seat := getattr(each, "seat", None), int)}


def is_asked(asked: Asked, seat: int, snapshot: Snapshot) -> bool:
    """Whether the seat's phone shows the question: it is about that seat alone, or for all."""
    return is_for_all(asked, snapshot.state) or seats_of(asked, snapshot.entries) == {seat}
