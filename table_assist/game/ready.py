"""Whether a declaration of ready counts, and who may not win at all."""

from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.verdict import Refusal
from table_assist.words import Words

DEAD = Refusal("dead_hand", Words("The hand is dead.", "此牌已死（相公）。"))
# What rule sets call it that a hand declared ready is changed.
_CHANGED = "standing_hand_changed"


def is_ready(state: TableState, seat: int) -> bool:
    """The seat has declared ready, and in time (WZ-15, CL-28); a late declaration is void."""
    own, rule = state.seats[seat], rules_in_force(state).ready
    if rule is None or rule.until is None:
        return own.ready
    return own.ready and own.ready_discard <= rule.until


def barred(rules: RuleSet, state: TableState, seat: int) -> Refusal | None:
    """Why the seat may not win at all, whatever its tiles; None if it may."""
    own = state.seats[seat]
    if own.dead is not None:
        return DEAD
    known = () if rules.irregularities is None else rules.irregularities(rules.chosen)
    noted = {event.irregularity for event in state.noted if event.seat == seat}
    if own.changed and is_ready(state, seat):
        noted.add(_CHANGED)
    for irregularity in known:
        if irregularity.id in noted and irregularity.consequences.get("may_go_out") is False:
            return Refusal(irregularity.id, irregularity.words)
    return None
