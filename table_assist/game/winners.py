"""The winners among those who showed a hand.

Whoever may not win has not, whatever its tiles: a dead hand, a tile that the rules of calls refuse.
"""

from dataclasses import replace

from table_assist.game.choices import (
    NOTHING_DRAWN,
    TREASURE_UNKNOWN,
    claim_of,
    treasure_unknown,
)
from table_assist.game.events import HandShown
from table_assist.game.offered import offer_now
from table_assist.game.ready import barred
from table_assist.game.state import TableState
from table_assist.game.win import declared_hand, melds_as_marked
from table_assist.rules.calls import award
from table_assist.rules.judge import judge
from table_assist.rules.offer import Call, Claim
from table_assist.rules.reckoning import settle_wins
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import ShownHand
from table_assist.rules.verdict import Refusal, Settlement, Verdict, refused


def who_won(rules: RuleSet, state: TableState) -> Settlement:
    """Judge every hand shown, and say who of them is paid.

    Raises:
        ValueError: the hands cannot have been won together.
    """
    wins = [
        replace(declared_hand(state, hand), melds=melds_as_marked(rules, state, hand.seat))
        for hand in state.shown
    ]
    may_not = {shown.winner: why for shown in wins if (why := barred(rules, state, shown.winner))}
    may_not |= {hand.seat: NOTHING_DRAWN for hand in state.shown if _drew_nothing(state, hand)}
    refused, outranked = _called(rules, state, [w for w in wins if w.winner not in may_not])
    may_not |= refused
    left_out = {*may_not, *outranked}
    settlement = settle_wins(
        rules, [shown for shown in wins if shown.winner not in left_out], state.birds
    )
    verdicts = dict(settlement.verdicts)
    for shown in wins:
        verdict = verdicts.get(shown.winner)
        if verdict is not None and not verdict.valid and _rests_on_treasure(rules, state, shown):
            verdicts[shown.winner] = _with(verdict, TREASURE_UNKNOWN)
    for shown in wins:
        if shown.winner in left_out:
            verdicts[shown.winner] = _with(judge(rules, shown), may_not.get(shown.winner))
    return replace(settlement, verdicts=verdicts)


def _drew_nothing(state: TableState, hand: HandShown) -> bool:
    """Shown as drawn, straight after a claim; of a hand that people told nothing was followed."""
    claimed = state.holder == hand.seat and state.claimed
    return hand.self_drawn and claimed and all(told.seat != hand.seat for told in state.told)


def _rests_on_treasure(rules: RuleSet, state: TableState, shown: ShownHand) -> bool:
    """A ready player's tile that was not another's may be the treasure, which nobody has told."""
    wild = shown.discarder is None or rules.chosen.get("treasure_wild_on_discard") is True
    return wild and treasure_unknown(rules, state, shown.winner)


def _with(verdict: Verdict, refusal: Refusal | None) -> Verdict:
    """The verdict with what bars the hand beside its tiles."""
    if refusal is None or any(each.id == refusal.id for each in verdict.refusals):
        return verdict
    return refused((refusal, *verdict.refusals), verdict.figures, verdict.completions)


def _called(
    rules: RuleSet, state: TableState, wins: list[ShownHand]
) -> tuple[dict[int, Refusal], set[int]]:
    """Whose win on another's tile the rules of calls refuse, and whose goes after another's."""
    offer = offer_now(state)
    claimed = [
        shown
        for shown in wins
        if offer is not None
        and shown.discarder == offer.seat
        and shown.winning_tile in shown.concealed
    ]
    if offer is None or not claimed:
        return {}, set()
    won = claimed[0]  # of a told hand its player says what the state does not know
    offer = replace(
        offer,
        tile=won.winning_tile,
        wall_remaining=won.wall_remaining,
        discard_round=won.discard_round,
    )
    result = award(rules, offer, [_claim(state, shown) for shown in claimed])
    refused = {claim.seat: refusal for claim, refusal in result.refused}
    awarded = {claim.seat for claim in result.awarded}
    return refused, {shown.winner for shown in claimed} - awarded - set(refused)


def _claim(state: TableState, shown: ShownHand) -> Claim:
    held = list(shown.concealed)
    held.remove(shown.winning_tile)
    return claim_of(
        state, shown.winner, Call.WIN, tuple(held), shown.winning_tile, shown.circumstances
    )
