"""A declared win as the rules want to see it: the shown hand with how it came about."""

from table_assist.game.events import HandShown
from table_assist.game.state import TableState
from table_assist.rules.ruleset import Circumstance, ShownHand


def declared_hand(state: TableState, hand: HandShown) -> ShownHand:
    """The hand to judge."""
    given = None if hand.self_drawn else (state.robbable or state.last_discard)
    return ShownHand(
        concealed=hand.concealed,
        winning_tile=hand.winning_tile,
        winner=hand.seat,
        dealer=state.dealer,
        melds=state.seats[hand.seat].melds,
        self_drawn=hand.self_drawn,
        discarder=None if given is None or given[0] == hand.seat else given[0],
        circumstances=frozenset(_circumstances(state, hand)),
        wall_remaining=wall_after(state, hand),
        discard_round=max(seat.discards for seat in state.seats) or 1,
    )


def wall_after(state: TableState, hand: HandShown) -> int:
    """Tiles left when the hand is won: a self-drawn tile may not be counted off yet."""
    draws = hand.self_drawn and state.holder != hand.seat
    return max(state.wall_left - draws, 0)


def _circumstances(state: TableState, hand: HandShown) -> list[Circumstance]:
    found = []
    own = state.seats[hand.seat]
    if own.ready:
        found.append(Circumstance.READY_DECLARED)
    robbing = state.robbable is not None and not hand.self_drawn
    if wall_after(state, hand) == 0 and not robbing:
        found.append(Circumstance.LAST_TILE)
        if state.after_kong is not None or state.kong_discarder is not None:
            found.append(Circumstance.LAST_TILE_WAS_KONG_REPLACEMENT)
    if hand.self_drawn:
        if state.after_kong == hand.seat:
            found.append(Circumstance.AFTER_KONG)
        if is_first_turn(state, hand.seat):
            found.append(Circumstance.FIRST_TURN)
    elif robbing:
        found.append(Circumstance.ROBBING_KONG)
    elif state.kong_discarder is not None:
        found.append(Circumstance.AFTER_KONG_DISCARD)
    return found


def is_first_turn(state: TableState, seat: int) -> bool:
    """The dealer's opening hand, or another seat's first draw, nothing melded by the seat.

    Source: changsha.txt, payout table, blessings (CS-21k, CS-21l).
    """
    if state.seats[seat].melds or state.seats[seat].discards:
        return False
    return seat != state.dealer or not any(other.discards for other in state.seats)
