"""A followed hand beside the truth, which never reaches the program."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from table_assist.following.told_scale import told_scale
from table_assist.game.events import (
    Answered,
    Asked,
    Event,
    Settled,
    Transfers,
    WallExhausted,
)
from table_assist.game.state import NO_TRANSFERS
from table_assist.record.course import BESIDE_PLAY, key_of, matched
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.session.questions import unread_in

SETTLED, FACTS = Settled.__name__, "facts"  # what is believed: the result, and what was seen
_SEAT_PLACE = re.compile(r"\{([0-3])\}")


@dataclass(frozen=True, slots=True)
class HandFigures:
    """One hand: what was so, and what the program made of it without help."""

    rules: str
    evening: int  # the seed that it can be played again with
    hand: int  # its number in that evening, from 1
    truth: Transfers
    ledger: Transfers | None  # what the record moved; None when it did not settle the hand
    events_true: int
    events_right: int  # of these, in the record, in their order
    missing: tuple[str, ...] = ()  # true events that the record lacks, as text, the first few
    surplus: tuple[str, ...] = ()  # recorded events that are not true, the first few
    questions: tuple[str, ...] = ()  # but for what only people can know and have said
    in_question: bool = False  # a question is open about one of the entries that are not true
    # Of each entry of the camera, and of the settlement: which of both it is, how sure the program
    # was (0 to 1), and whether it is so, in whatever order.
    beliefs: tuple[tuple[str, float, bool], ...] = ()
    tile_set: str = ""  # whose faces lay there; empty where nobody said

    @property
    def is_right(self) -> bool:
        """The ledger moved what it should have."""
        return self.ledger == self.truth

    @property
    def is_silently_wrong(self) -> bool:
        """A wrong settlement stands, or none does, and no open question is about the reason."""
        is_asked = self.questions if self.ledger is None else self.in_question
        return not (self.is_right or is_asked)

    def to_json(self) -> dict[str, object]:
        """The fields by name, but what was believed."""
        said = {"right": self.is_right, "silently_wrong": self.is_silently_wrong, "beliefs": ()}
        return asdict(self) | said


def compare(
    rules: str, evening: int, hand: int, truth: Sequence[Event], record: Record, first: int
) -> HandFigures:
    """The hand's truth beside the entries after the number `first`."""
    gained = [(seq, event) for seq, event in record.counting if seq > first]
    entries = [(seq, event) for seq, event in gained if not isinstance(event, BESIDE_PLAY)]
    got = [event for _, event in entries]
    truth = [event for event in truth if not isinstance(event, BESIDE_PLAY)]
    due = [e.transfers for kind in (WallExhausted, Settled) for e in truth if isinstance(e, kind)]
    true = due[0] if due else NO_TRANSFERS
    answered = {e.question for _, e in gained if isinstance(e, Answered) and e.answer}
    pairs = matched(truth, got)
    in_truth, in_record = {a for a, _ in pairs}, {b for _, b in pairs}
    untrue = {seq for at, (seq, _) in enumerate(entries) if at not in in_record}
    ends = [event for event in got if isinstance(event, Settled | WallExhausted)]
    ledger = ends[-1].transfers if ends else None
    beliefs, so = [], Counter(map(key_of, truth))
    for seq, event in entries:
        word = record.last_word(seq)
        if isinstance(event, Settled):
            beliefs.append((SETTLED, word.confidence, ledger == true))
        elif word.source is Source.CAMERA and unread_in(event) is None:
            sure = told_scale().chance(word.confidence)
            beliefs.append((FACTS, sure, so[key_of(event)] > 0))
            so[key_of(event)] -= 1  # a second one alike is another fact
    return HandFigures(
        rules, evening, hand, true, ledger, len(truth), len(pairs),
        missing=tuple(str(e) for i, e in enumerate(truth) if i not in in_truth)[:4],
        surplus=tuple(str(e) for i, e in enumerate(got) if i not in in_record)[:4],
        questions=tuple(
            _SEAT_PLACE.sub(lambda seat: f"Seat {int(seat[1]) + 1}", event.text.en)
            for _, event in gained
            if isinstance(event, Asked) and event.question not in answered
        ),
        in_question=any(asked.about in untrue for asked in record.state.questions),
        beliefs=tuple(beliefs),
    )  # fmt: skip
