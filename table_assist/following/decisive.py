"""Moments at which everything depends on one place of the table, and what if it is not seen."""

from collections.abc import Iterator

from table_assist.game.course import birds_due
from table_assist.game.doubt import PATIENCE_S, Doubt
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.state import Phase, TableState
from table_assist.languages.words import Words, player_at
from table_assist.rules.ruleset import RuleSet
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.unseen import WhyUnseen
from table_assist.vision.table.zones import Zone, ZoneKind

# Hindrances that somebody at the table can take away. The rest the camera's health tells: a covered
# lens hides everything.
_LIES_OVER = (WhyUnseen.HIDDEN, WhyUnseen.GLARE, WhyUnseen.MOTION)


def decisive_zones(rules: RuleSet, state: TableState) -> frozenset[Zone]:
    """Where what comes next is to be seen: a declared hand, and the birds that are turned."""
    if state.phase is not Phase.SHOWING:
        return frozenset()
    known = {hand.seat for hand in state.shown}
    hands = {Zone(ZoneKind.HAND, seat) for seat in state.declared if seat not in known}
    if known and len(state.birds) < birds_due(rules, state):
        hands.add(Zone(ZoneKind.BIRDS))
    return frozenset(hands)


def hidden_doubts(rules: RuleSet, state: TableState, observation: Observation) -> Iterator[Doubt]:
    """Doubts about places that must be seen now and have been hidden for a while."""
    decisive = decisive_zones(rules, state)
    for gone in observation.unavailable:
        if gone.zone in decisive and gone.why in _LIES_OVER:
            if gone.zone.seat is None:
                text = Words(
                    "The birds cannot be seen. Does something lie over them?",
                    "看不到鸟牌。上面有东西挡着吗？",
                )
            else:
                text = Words(
                    "The hand of {seat} cannot be seen. Does something lie on it?",
                    "看不到 {seat} 的手牌。上面有东西挡着吗？",
                    seat=player_at(gone.zone.seat),
                )
            question = question_of(state.hand, gone.zone)
            yield Doubt(question, text, after_s=PATIENCE_S)


def question_of(hand: int, zone: Zone) -> QuestionId:
    """Which question asks what lies over a zone."""
    kind = QuestionKind.HIDDEN_BIRDS if zone.seat is None else QuestionKind.HIDDEN
    return QuestionId(hand, kind, zone.seat)
