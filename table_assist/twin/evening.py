"""A simulated evening: hand after hand at one table, all of it from one seed."""

from collections.abc import Iterator
from random import Random

from table_assist.game.events import Event, HandStarted
from table_assist.game.state import TableState
from table_assist.rules import wall
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.tile import Tiles
from table_assist.twin.holdings import PieceSet
from table_assist.twin.play.deck import Deck
from table_assist.twin.play.hand import KEEN, Habits, play_hand
from table_assist.twin.staging import StagedHand, stage_hand
from table_assist.twin.table import Manners, SimulatedTable, TableStep


def play_evening(
    seed: int,
    rules: RuleSet,
    *,
    hands: int,
    manners: Manners | None = None,
) -> Iterator[TableStep]:
    """Play hands one after the other, each as the rules say; after a game the next one begins.

    The same arguments give the same evening, step by step.
    """
    random = Random(seed)
    table = SimulatedTable(Random(f"table-{seed}"), manners or Manners(), len(PieceSet(rules)))
    state, game = TableState(), 1
    for number in range(1, hands + 1):
        if state.game_over:
            state, game = TableState(), game + 1
        played, state = play_one(rules, state, random)
        yield from stage_hand(played, table, hand=number, game=game)


def play_one(
    rules: RuleSet,
    state: TableState,
    random: Random,
    *,
    habits: tuple[Habits, Habits, Habits, Habits] = (KEEN,) * 4,
) -> tuple[StagedHand, TableState]:
    """Play one hand, and the state after it."""
    walls: list[tuple[Tiles, Tiles]] = []

    def watch(deck: Deck, before: TableState, event: Event, after: TableState) -> None:
        if isinstance(event, HandStarted):
            hands = [list(hand) for hand in event.hands]
            dealt = [hands[seat].pop(0) for seat in wall.dealt_in_order(rules, event.dealer)]
            walls.append(((*dealt, *deck.rest), deck.aside))

    events, after = play_hand(rules, state, random, habits=habits, watch=watch)
    (drawn, aside), *_ = walls
    return StagedHand(rules, state, tuple(events), drawn, aside), after
