"""A simulated evening: hand after hand at one table, all of it from one seed."""

from collections.abc import Iterator, Sequence
from random import Random

from table_assist.game.events import Event, Settled, WallExhausted
from table_assist.rules.ruleset import RuleSet
from table_assist.twin.hands import play_hand
from table_assist.twin.players import HABITS, Habits
from table_assist.twin.steps import Step
from table_assist.twin.table import SimulatedTable, Spacing


def play_evening(
    seed: int,
    rules: RuleSet,
    *,
    hands: int,
    first_dealer: int | None = None,
    habits: Sequence[Habits] = HABITS,
    spacing: Spacing | None = None,
) -> Iterator[Step]:
    """Play hands one after the other, each dealt by whom the rules say.

    The same arguments give the same evening, step by step. Where the players choose the dealer
    among several winners, the seed does; it also draws the first dealer, unless one is given.
    """
    rng = Random(seed)
    table = SimulatedTable(rng, [each.turns_claimed for each in habits], spacing)
    dealer = rng.randrange(4) if first_dealer is None else first_dealer
    for number in range(1, hands + 1):
        chosen: int | None = None
        for step in play_hand(
            rng, rules, dealer=dealer, hand_number=number, habits=habits, table=table
        ):
            for event in step.events:
                if isinstance(event, Settled | WallExhausted):
                    chosen = _next_dealer(rng, event)
            yield step
        if chosen is None:
            raise AssertionError(f"hand {number} ended without a result")
        dealer = chosen


def _next_dealer(rng: Random, event: Event) -> int:
    match event:
        case Settled(winners=winners, dealer_next=None):
            return rng.choice(winners)
        case Settled(dealer_next=int(dealer)) | WallExhausted(dealer_next=int(dealer)):
            return dealer
        case _:
            raise AssertionError(f"nobody can deal after {event}")
