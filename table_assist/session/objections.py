"""A player who does not agree with what is shown: the hand waits until a person has answered."""

from table_assist.game.doubt import Doubt
from table_assist.game.events import HandShown, HandTold
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.state import SEATS, Phase
from table_assist.languages.words import Words, player_at
from table_assist.record.record import Record
from table_assist.session.corrections import no_seat

_NOTHING = Words("no hand is shown that one could object to", "没有可以提出异议的亮牌")


def objection(record: Record, seat: int) -> Doubt | Words:
    """The question that holds the settlement up; in one sentence why there is none.

    To the same showing of a hand a seat objects once: what was answered is not asked again.
    """
    if seat not in SEATS:
        return no_seat(seat)
    state = record.state
    if state.phase is not Phase.SHOWING or not state.shown:
        return _NOTHING
    shown_at = max(seq for seq, event in record.counting if isinstance(event, HandShown | HandTold))
    question = QuestionId(state.hand, QuestionKind.OBJECTION, seat, shown_at)
    if any(asked.question == question for asked in state.questions):
        return Words("{seat} has objected already", "{seat} 已提出异议", seat=player_at(seat))
    if record.answered(question):
        return Words(
            "what {seat} objected to was looked at and answered",
            "{seat} 的异议已经处理",
            seat=player_at(seat),
        )
    text = Words(
        "{seat} objects to what is shown. Looked at again: does it stand?",
        "{seat} 对所亮的牌有异议。重新看过：仍然有效吗？",
        seat=player_at(seat),
    )
    return Doubt(question, text, ("yes", "no"), blocks=True)
