"""The start of a hand as the table's rules make it."""

from table_assist.game.events import Hands, HandStarted
from table_assist.game.state import TableState
from table_assist.rules.profile import Profile
from table_assist.rules.wall import dead_tiles, live_after_deal

_ANY_STACKS = 7


def hand_started(
    profile: Profile,
    state: TableState,
    dealer: int,
    *,
    counted: int | None = None,
    hands: Hands = (),
) -> HandStarted:
    """The next hand, dealt by this seat; it keeps what it was played under.

    Args:
        profile: the table's rules.
        state: before the hand.
        dealer: who deals it.
        counted: the stacks that the dice counted off; none if not known.
        hands: each seat's tiles, where they are known.

    Raises:
        ValueError: the size of the wall depends on the dice, and they are not known.
    """
    identity = profile.identity
    # The dealer of a round's first hand is its first East, whoever that is (CL-04, CL-05).
    begins = state.hand <= state.game.since or state.prevailing_next is not state.prevailing
    return HandStarted(
        state.hand + 1,
        identity.rules,
        dealer,
        live_after_deal(profile.rules, counted),
        dead_tiles(profile.rules, counted),
        state.prevailing_next,
        dealer if begins else state.first_east_next,
        identity.profile,
        identity.hash,
        identity.options,
        hands,
    )


def told_hand_started(profile: Profile, state: TableState, dealer: int) -> HandStarted:
    """The same of a hand that people tell: nobody counts its wall, so no dice need be known."""
    return hand_started(profile, state, dealer, counted=_ANY_STACKS)
