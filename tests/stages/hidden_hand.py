"""A simulated hand with a treasure that not everybody may know."""

from collections.abc import Callable

from table_assist.rules.registry import find_rules
from tests.secrecy.twins import TwinHand, simulate

CHANGCHUN = find_rules("changchun")


def hidden_hand(where: Callable[[TwinHand], bool] = lambda hand: True) -> TwinHand:
    """The first simulated hand with a treasure that fits."""
    seeds = (simulate(CHANGCHUN, seed) for seed in range(400))
    return next(hand for hand in seeds if hand is not None and where(hand))
