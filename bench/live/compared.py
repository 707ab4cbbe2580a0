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
        beliefs: of each entry of the camera, and of the settlement: which of both it is, how sure
            the program was (0 to 1), and whether it is so, in whatever order.
        tile_set: whose faces lay there; empty where nobody said.
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
    beliefs: tuple[tuple[str, float, bool], ...] = ()
    tile_set: str = ""

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
        """The fields by name, but what was believed."""
        said = {"right": self.is_right, "silently_wrong": self.is_silently_wrong, "beliefs": ()}
        return asdict(self) | said


def compare(
    rules: str, evening: int, hand: int, truth: Sequence[Event], record: Record, first: int
) -> HandFigures:
    """The hand's truth beside the entries after the number `first`."""
    gained = [event for seq, event in record.counting if seq > first]
    entries = [
        (seq, event)
        for seq, event in record.counting
        if seq > first and not isinstance(event, BESIDE_PLAY)
    ]
    got = [event for _, event in entries]
    truth = [event for event in truth if not isinstance(event, BESIDE_PLAY)]
    true = next((e.transfers for e in truth if isinstance(e, Settled)), NO_TRANSFERS)
    exhausted = next((e for e in truth if isinstance(e, WallExhausted)), None)
    if exhausted is not None:
        true = exhausted.transfers
    answered = {e.question for e in gained if isinstance(e, Answered) and e.answer}
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
        rules=rules,
        evening=evening,
        hand=hand,
        truth=true,
        ledger=ledger,
        events_true=len(truth),
        events_right=len(pairs),
        missing=tuple(str(e) for i, e in enumerate(truth) if i not in in_truth)[:4],
        surplus=tuple(str(e) for i, e in enumerate(got) if i not in in_record)[:4],
        questions=tuple(
            _SEAT_PLACE.sub(lambda seat: f"Seat {int(seat[1]) + 1}", event.text.en)
            for event in gained
            if isinstance(event, Asked) and event.question not in answered
        ),
        in_question=any(asked.about in untrue for asked in record.state.questions),
        beliefs=tuple(beliefs),
    )
