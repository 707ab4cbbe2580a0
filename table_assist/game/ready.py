"""Whether a declaration of ready counts, and who may not win at all."""

from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import ReadyHand
from table_assist.rules.verdict import Refusal
from table_assist.tiles.melds import Meld
from table_assist.tiles.tile import Tile

DEAD = Refusal.of("dead_hand")
# The rule sets' name for a hand declared ready that is changed.
_CHANGED = "standing_hand_changed"
_HELD = 13


def is_ready(state: TableState, seat: int) -> bool:
    """The seat has declared ready, might do so, and has kept its hand (CC-25, CC-26, WZ-16)."""
    own = state.seats[seat]
    if not _declared(state, seat) or own.changed:
        return False
    return refuse_melds(state, seat, own.melds[: own.ready_melds], own.ready_discard) is None


def is_locked(state: TableState, seat: int) -> bool:
    """The seat has said that it is ready, rightly or not, and its hand may not change."""
    rule = rules_in_force(state).ready
    return rule is not None and rule.locks and _declared(state, seat)


def _declared(state: TableState, seat: int) -> bool:
    """The seat has declared ready in time (WZ-15, CL-28); a late declaration is void."""
    own, rule = state.seats[seat], rules_in_force(state).ready
    if rule is None or rule.until is None:
        return own.ready
    return own.ready and own.ready_discard <= rule.until


def refuse_melds(
    state: TableState, seat: int, melds: tuple[Meld, ...], number: int
) -> Refusal | None:
    """Why a hand with these melds may not be declared ready, whatever its tiles in hand are.

    Args:
        number: the declaring discard is the seat's so-manyth.
    """
    rules = rules_in_force(state)
    if rules.ready is None:
        return None
    unread = (Tile.UNKNOWN,) * (_HELD - 3 * len(melds))
    hand = ReadyHand(unread, melds, seat, state.dealer, state.wilds, discard_number=number)
    for condition in rules.ready.on_hand:
        if not condition.needs_tiles and not condition.predicate(hand, rules.chosen):
            return Refusal(condition.id, condition.words)
    return None


def barred(rules: RuleSet, state: TableState, seat: int) -> Refusal | None:
    """Why the seat may not win at all, whatever its tiles; None if it may."""
    own = state.seats[seat]
    if own.dead is not None:
        return DEAD
    known = () if rules.irregularities is None else rules.irregularities(rules.chosen)
    noted = {event.irregularity for event in state.noted if event.seat == seat}
    if own.changed and _declared(state, seat):
        noted.add(_CHANGED)
    for irregularity in known:
        if irregularity.id in noted and irregularity.consequences.get("may_go_out") is False:
            return Refusal(irregularity.id, irregularity.words)
    return None
