"""A hand that nobody can win any more: whether it is one, and how it ends."""

from dataclasses import replace

from table_assist.game.course import due_end, next_step
from table_assist.game.doubt import Doubt
from table_assist.game.in_force import rules_in_force
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.side_payments import told_before
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.game.step import Act
from table_assist.languages.words import SPACE, Words, joined, words_of
from table_assist.rules.settlement import Laid, LaidKind
from table_assist.session.dice_thrown import SignalEffect
from table_assist.tiles.tile import Tile


def is_played_out(state: TableState) -> bool:
    """Whether the wall is empty, or nobody wanted its last tile, and nobody has won."""
    if state.phase is not Phase.PLAYING:
        return False
    return next_step(rules_in_force(state), state).act is Act.NOBODY_WINS


def drawn(state: TableState) -> SignalEffect:
    """Nobody wins; where not all is known that is paid all the same, people say so first.

    Where a draw pays by kongs, nor is it while somebody is asked about what lies before a seat.
    """
    try:
        due = due_end(state, drawn=True)
    except ValueError as error:  # who deals next cannot be told
        why = words_of(error)
        text = Words("Nobody has won, but {why}.", "无人和牌，但{why}。", why=why)
        return SignalEffect((), (Doubt(QuestionId(state.hand, QuestionKind.DRAWN), text),))
    if due.end is None:
        return SignalEffect()
    earlier = told_before(state, ())
    unsure = [*due.unsure, *earlier]
    if _pays_by_kongs(state):
        unsure += [asked.text for asked in state.questions
                   if asked.blocks and asked.question.hand == state.hand]  # fmt: skip
    if not unsure:
        return SignalEffect((due.end,))
    text = Words(
        "Nobody has won. {said} Is the hand drawn as shown?",
        "无人和牌。{said}按所示流局吗？",
        said=joined(unsure, SPACE),
    )
    question = QuestionId(state.hand, QuestionKind.DRAWN)
    choices = ("yes",) if earlier else ("yes", "no")  # what is told again is asked about again
    return SignalEffect((), (Doubt(question, text, choices, if_yes=due.end),))


def _pays_by_kongs(state: TableState) -> bool:
    kongs = (Laid(LaidKind.KONG_CONCEALED, seat, tiles=(Tile.M1,) * 4) for seat in SEATS)
    others = (replace(state, laid=(*state.laid, kong)) for kong in kongs)
    ends = [due_end(each, drawn=True).end for each in (state, *others)]
    return len({end and end.transfers for end in ends}) > 1
