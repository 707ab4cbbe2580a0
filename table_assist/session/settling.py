"""From shown hands and turned birds to a settlement, or to what still stands in its way."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from table_assist.game.course import birds_due
from table_assist.game.doubt import Doubt
from table_assist.game.events import Asked, BirdTurned, HandShown, Settled, WinRefused
from table_assist.game.outcome import HandEnd, end_of_hand, settled_event
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.side_payments import told_before
from table_assist.game.state import Phase, TableState
from table_assist.languages.words import (
    SEMICOLON,
    SPACE,
    Words,
    joined,
    player_at,
    unended,
    words_of,
)
from table_assist.record.record import Record
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.verdict import Settlement, Verdict
from table_assist.session.questions import about_unread
from table_assist.tiles.tile import Tile

# So long people may take to lay down what counts, and to turn up the treasure.
LAID_DOWN_S = 8.0


# Whether something rests on an entry, or on its face alone.
RestsOn = Callable[[int, bool], bool]
NO_CANDIDATES: Mapping[int, tuple[Tile, ...]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ShownOutcome:
    """The outcome of the hands shown so far.

    Attributes:
        verdicts: (seat, verdict) in the order in which the wins were declared.
        doubts: what is asked.
        waiting: asked only if it stands for a while, as people lay down their hands.
        settled: the settlement as an event, once nothing is open.
    """

    verdicts: tuple[tuple[int, Verdict], ...] = ()
    settlement: Settlement | None = None
    doubts: tuple[Doubt, ...] = ()
    settled: Settled | None = None
    waiting: tuple[Doubt, ...] = ()


def outcome(
    rules: RuleSet,
    record: Record,
    candidates: Mapping[int, tuple[Tile, ...]] = NO_CANDIDATES,
    rests_on: RestsOn = lambda seq, face: True,
) -> ShownOutcome:
    """Judge the hands shown in this win; settle when all is known and nothing is in doubt.

    Args:
        candidates: the likeliest faces of what could not be read, by entry.
        rests_on: whether the settlement rests on an entry that somebody is asked about.
    """
    state = record.state
    if not state.shown or state.phase not in (Phase.SHOWING, Phase.SETTLED):
        return ShownOutcome()
    try:
        ended = end_of_hand(state, rules)
    except ValueError as error:
        return ShownOutcome(doubts=(_cannot_settle(state, words_of(error)),))
    settlement = ended.settlement
    verdicts = tuple((hand.seat, settlement.verdicts[hand.seat]) for hand in state.shown)
    if state.phase is Phase.SETTLED:
        return ShownOutcome(verdicts, settlement)
    doubts = _unread_doubts(rules, record, candidates)
    if not doubts:
        doubts = [
            refusal_doubt(state, seat, verdict) for seat, verdict in verdicts if not verdict.valid
        ]
    complete = {hand.seat for hand in state.shown} == set(state.declared)
    if doubts or not complete or len(state.birds) < birds_due(rules, state):
        return ShownOutcome(verdicts, settlement, tuple(doubts))
    settled = settled_event(ended)
    taken_back = record.retracted_settlements()
    if taken_back:
        again = _settle_again(state, settled, taken_back)
        return ShownOutcome(verdicts, settlement, (again,))
    if not ended.final:
        return ShownOutcome(verdicts, settlement, waiting=(_not_final(state, ended),))
    earlier = told_before(state, ended.winners)
    if earlier:
        return ShownOutcome(verdicts, settlement, doubts=(_as_shown(state, earlier, ended),))
    if any(_stands_in_the_way(question, state, rests_on) for question in state.questions):
        return ShownOutcome(verdicts, settlement)
    return ShownOutcome(verdicts, settlement, (), settled)


def _stands_in_the_way(question: Asked, state: TableState, rests_on: RestsOn) -> bool:
    """A doubt about what the points of this hand rest on."""
    if question.question.hand != state.hand:
        return False
    face = question.question.kind in (QuestionKind.UNREAD, QuestionKind.REREAD)
    return question.blocks or (question.about > 0 and rests_on(question.about, face))


def _unread_doubts(
    rules: RuleSet, record: Record, candidates: Mapping[int, tuple[Tile, ...]]
) -> list[Doubt]:
    """A question for each shown hand and bird that has an unread tile."""
    found = []
    counting = [
        (seq, event)
        for seq, event in record.counting
        if event in (*record.state.shown, *record.state.laid_down) or isinstance(event, BirdTurned)
    ]
    state = record.state
    number = len(state.shown) + len(state.birds) + len(state.laid_down)
    for seq, event in counting[-number:]:
        doubt = about_unread(record.state.hand, seq, event, candidates.get(seq, ()), rules.kinds)
        if doubt is not None:
            found.append(doubt)
    return found


def refusal_doubt(state: TableState, seat: int, verdict: Verdict) -> Doubt:
    """Before a win is refused a person confirms it: the reading may be wrong, not the player."""
    why = joined([unended(refusal.words) for refusal in verdict.refusals], SEMICOLON)
    hand = next(hand for hand in state.shown if hand.seat == seat)
    return Doubt(
        QuestionId(state.hand, QuestionKind.REFUSE, seat, subject=_showing(state, hand)),
        Words(
            "The hand of {seat} as read does not win: {said}. Refuse it?",
            "{seat} 的手牌（按所读）不能和：{said}。判为无效吗？",
            seat=player_at(seat),
            said=why,
        ),
        ("yes", "no"),
        if_yes=WinRefused(seat, tuple(refusal.id for refusal in verdict.refusals)),
    )


def _showing(state: TableState, hand: HandShown) -> str:
    """Changes with the hand as read, and once it was refused: what comes then is asked anew."""
    tiles = "".join(str(tile) for tile in (*hand.concealed, hand.winning_tile))
    before = sum(refused.seat == hand.seat for refused in state.refused)
    return f"{tiles}-{before}" if before else tiles


def _cannot_settle(state: TableState, why: Words) -> Doubt:
    return Doubt(
        QuestionId(state.hand, QuestionKind.TOGETHER, subject=str(len(state.shown))),
        Words(
            "These wins cannot be settled together: {why}.",
            "这些和牌无法一起结算：{why}。",
            why=why,
        ),
        ("no",),
    )


def _settle_again(state: TableState, settled: Settled, count: int) -> Doubt:
    as_shown = f"{count}-{settled.winners}-{settled.transfers}"
    return Doubt(
        QuestionId(state.hand, QuestionKind.SETTLE, subject=as_shown),
        Words(
            "The settlement was taken back. Settle it as shown?", "结算已撤回。按所示重新结算吗？"
        ),
        ("yes", "no"),
        if_yes=settled,
    )


def _not_final(state: TableState, ended: HandEnd) -> Doubt:
    """The unknown part; people settle all the same, unless a hand has yet to be laid down."""
    if ended.missing:
        seats = ", ".join(player_at(seat) for seat in ended.missing)
        text = Words(
            "Still to be laid down: the hands of {seats}.", "尚待亮牌：{seats}。", seats=seats
        )
        question = QuestionId(state.hand, QuestionKind.OPEN, subject=str(ended.missing))
        return Doubt(question, text, (), after_s=LAID_DOWN_S)
    return replace(_as_shown(state, ended.unsure, ended), after_s=LAID_DOWN_S)


def _as_shown(state: TableState, why: tuple[Words, ...], ended: HandEnd) -> Doubt:
    said = joined(why, SPACE)
    return Doubt(
        QuestionId(state.hand, QuestionKind.OPEN, subject=f"{said.en}-{ended.total}"),
        Words("{said} Settle it as shown?", "{said}按所示结算吗？", said=said),
        ("yes", "no"),
        if_yes=settled_event(ended),
    )
