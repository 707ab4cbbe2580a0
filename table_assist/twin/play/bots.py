"""Players that choose at random among what the rules allow, some of them with an aim."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from table_assist.game.choices import Choice
from table_assist.game.events import BonusLaid, Discarded, EggAppended, KongDeclared, ReadyDeclared
from table_assist.game.state import TableState
from table_assist.rules.offer import Call
from table_assist.tiles.ready import shanten
from table_assist.tiles.tile import Tile


@dataclass(frozen=True, slots=True)
class Habits:
    """How a player chooses.

    Attributes:
        aims: the share of discards that keep the hand as near to a win as it is.
        wins, claims, kongs, ready: how often such a choice is taken where it is allowed.
        rolls: how often dice are thrown for a kong's replacement, where that is a choice.
    """

    aims: float = 1.0
    wins: float = 0.97
    claims: float = 0.35
    kongs: float = 0.8
    ready: float = 0.6
    rolls: float = 0.0


KEEN = Habits()
WILD = Habits(aims=0.0, claims=0.6)


def choose_own(
    state: TableState, choices: Sequence[Choice], habits: Habits, random: Random
) -> Choice:
    """One of the allowed choices of the seat that holds its extra tile."""
    for choice in choices:
        if choice.call is Call.WIN and random.random() < habits.wins:
            return choice
        if isinstance(choice.events[0], BonusLaid):
            return choice
        laid = isinstance(choice.events[0], KongDeclared | EggAppended)
        if laid and random.random() < habits.kongs:
            return choice
    declaring = [each for each in choices if isinstance(each.events[0], ReadyDeclared)]
    if declaring and random.random() < habits.ready:
        return random.choice(declaring)
    discards = [each for each in choices if isinstance(each.events[0], Discarded)]
    if random.random() >= habits.aims:
        return random.choice(discards)
    return _nearest(state, discards, random)


def choose_offered(choices: Sequence[Choice], habits: Habits, random: Random) -> Choice | None:
    """One of the allowed calls for another player's tile, or none."""
    wins = [choice for choice in choices if choice.call is Call.WIN]
    if wins and random.random() < habits.wins:
        return wins[0]
    others = [choice for choice in choices if choice.call is not Call.WIN]
    if others and random.random() < habits.claims:
        return random.choice(others)
    return None


def _nearest(state: TableState, discards: Sequence[Choice], random: Random) -> Choice:
    """The discard after which the fewest tiles are lacking; any of several."""
    own = state.seats[discards[0].seat]
    held = own.concealed or ()
    far: dict[Tile, int] = {}
    for choice in discards:
        event = choice.events[0]
        assert isinstance(event, Discarded)
        left = [tile for tile in held if tile not in state.wilds]
        wilds = len(held) - len(left)
        if event.tile in left:
            left.remove(event.tile)
        else:
            wilds -= 1
        far[event.tile] = shanten(left, len(own.melds), wilds=wilds)
    best = min(far.values())
    return random.choice(
        [
            choice
            for choice in discards
            if isinstance(choice.events[0], Discarded) and far[choice.events[0].tile] == best
        ]
    )
