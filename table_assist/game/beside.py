"""What a hand pays beside its wins: kongs and eggs, dealt hands, the chase.

`beside(rules, state, winners)` at the end of a hand; `due_now(state)` while it is played.
"""

from dataclasses import dataclass

from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.game.win import declared_hand
from table_assist.rules.judge import judge
from table_assist.rules.laid import Laid, LaidIn, LaidKind
from table_assist.rules.ruleset import Payment, RuleSet
from table_assist.rules.settlement import add, together
from table_assist.rules.verdict import NO_TRANSFERS, Transfers
from table_assist.rules.words import Words

_NAMES = {
    LaidKind.LUCKY_EGG: Words("Lucky egg", "蛋"),
    LaidKind.KONG_CONCEALED: Words("Concealed kong", "暗杠"),
    LaidKind.KONG_EXPOSED: Words("Exposed kong", "明杠"),
    LaidKind.KONG_ADDED: Words("Added kong", "补杠"),
    LaidKind.GOLDEN_KONG: Words("Golden Kong", "金杠"),
}
_CHASE = Words("Everyone discarded the dealer's first tile:", "首轮四家同张（跟庄）：")
_NOTHING = Payment(NO_TRANSFERS)


@dataclass(frozen=True, slots=True)
class Beside:
    """What is paid beside the hands' own points.

    Attributes:
        laid: kongs and eggs.
        opening: what dealt hands scored.
        steps: the arithmetic in words, every part named.
        unsure: what is not known, so that the amounts are not final.
    """

    laid: Transfers = NO_TRANSFERS
    opening: Transfers = NO_TRANSFERS
    chase: Transfers = NO_TRANSFERS
    steps: tuple[Words, ...] = ()
    unsure: tuple[Words, ...] = ()


def beside(rules: RuleSet, state: TableState, winners: tuple[int, ...], *, over: bool) -> Beside:
    """All of it, in the order in which it was earned.

    Args:
        winners: who has won, the nearest after the discarder first.
        over: the hand has ended; else only what is paid at once counts.
    """
    unsure: list[Words] = []
    opening = _openings(rules, state, unsure)
    chase = _chase(rules, state, unsure)
    laid = _NOTHING
    if rules.laid is not None and (over or rules.laid.at_once):
        where = LaidIn(state.dealer, state.antes, drawn=over and not winners)
        laid = together(
            _pay_one(rules, each, where, unsure) for each in what_was_laid(rules, state, winners)
        )
        unsure += _unread_wilds(rules, state)
    steps = opening.steps + chase.steps + laid.steps
    return Beside(laid.transfers, opening.transfers, chase.transfers, steps, tuple(unsure))


def due_now(state: TableState) -> Payment:
    """What has been earned at once so far; a win that is shown may cancel some of it."""
    rules = rules_in_force(state)
    wins = [declared_hand(state, hand) for hand in state.shown]
    winners = tuple(shown.winner for shown in wins if judge(rules, shown).valid)
    paid = beside(rules, state, winners, over=False)
    return Payment(add((paid.laid, paid.opening, paid.chase)), paid.steps)


def what_was_laid(rules: RuleSet, state: TableState, winners: tuple[int, ...]) -> tuple[Laid, ...]:
    """Kongs and eggs in the order laid, with what the wins made of them."""
    laid = list(state.laid)
    claimed = {hand.seat for hand in state.shown if not (hand.self_drawn or hand.rush)}
    if winners and winners[0] in claimed:
        at, changed = _cancelled(state, laid, winners[0])
        if at is not None:
            laid[at] = changed
    return tuple(_golden(rules, state, each) for each in laid)
