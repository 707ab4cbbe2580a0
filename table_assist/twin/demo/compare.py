"""A hand's truth beside what the record gained in the meantime."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from table_assist.game.events import (
    Answered,
    Asked,
    Event,
    Settled,
    Transfers,
    WallExhausted,
)
from table_assist.game.state import NO_TRANSFERS
from table_assist.record.course import BESIDE, matched
from table_assist.record.record import Record

_SEAT = re.compile(r"\{([0-3])\}")


@dataclass(frozen=True, slots=True)
class HandFigures:
    """One hand: what was so, and what the program made of it without help.

    Attributes:
        evening: the seed that it can be played again with.
        hand: its number in that evening, from 1.
        ledger: what the record moved; None when it did not settle the hand.
        events_true: of the truth.
        events_right: of these, in the record, in their order.
        missing: true events that the record lacks, as text, the first few.
        surplus: recorded events that are not true, as text, the first few.
        questions: what people were asked, but for what only they can know and have said.
        in_question: a question is open about one of the entries that are not true.
    """

    rules: str
    evening: int
    hand: int
    truth: Transfers
    ledger: Transfers | None
    events_true: int
    events_right: int
    missing: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    in_question: bool = False

    @property
    def is_right(self) -> bool:
        """The ledger moved what it should have."""
        return self.ledger == self.truth

    @property
    def is_silently_wrong(self) -> bool:
        """A wrong settlement stands, or none does, and no open question is about the reason.

        What else was asked in the hand is no excuse.
        """
        if self.is_right:
            return False
        return not (self.questions if self.ledger is None else self.in_question)

    def to_json(self) -> dict[str, object]:
        """The fields by name."""
        return asdict(self) | {"right": self.is_right, "silently_wrong": self.is_silently_wrong}


def compare(
    rules: str, evening: int, hand: int, truth: Sequence[Event], record: Record, first: int
) -> HandFigures:
    """The hand's truth beside the entries after the number `first`."""
    gained = [event for seq, event in record.counting if seq > first]
    entries = [
        (seq, event)
        for seq, event in record.counting
        if seq > first and not isinstance(event, BESIDE)
    ]
    got = [event for _, event in entries]
    truth = [event for event in truth if not isinstance(event, BESIDE)]
    true = next((e.transfers for e in truth if isinstance(e, Settled)), NO_TRANSFERS)
    exhausted = next((e for e in truth if isinstance(e, WallExhausted)), None)
    if exhausted is not None:
        true = exhausted.transfers
    answered = {e.question for e in gained if isinstance(e, Answered) and e.answer}
    pairs = matched(truth, got)
    in_truth, in_record = {a for a, _ in pairs}, {b for _, b in pairs}
    untrue = {seq for at, (seq, _) in enumerate(entries) if at not in in_record}
    return HandFigures(
        rules=rules,
        evening=evening,
        hand=hand,
        truth=true,
        ledger=_ledger(got),
        events_true=len(truth),
        events_right=len(pairs),
        missing=tuple(str(e) for i, e in enumerate(truth) if i not in in_truth)[:4],
        surplus=tuple(str(e) for i, e in enumerate(got) if i not in in_record)[:4],
        questions=tuple(
            _SEAT.sub(lambda seat: f"Seat {int(seat[1]) + 1}", event.text.en)
            for event in gained
            if isinstance(event, Asked) and event.question not in answered
        ),
        in_question=any(asked.about in untrue for asked in record.state.questions),
    )


def _ledger(got: Sequence[Event]) -> Transfers | None:
    """The transfers of the record's last end of a hand."""
    ends = [event for event in got if isinstance(event, Settled | WallExhausted)]
    return ends[-1].transfers if ends else None
