"""A hand of bots made by numbers, and what is remarkable about its end."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from table_assist.game.state import Phase, TableState
from table_assist.rules.options import OptionValue
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from table_assist.twin.play.hand import KEEN, WILD, HandPlay, play_hand
from tests.accountant.audit import CLUMSY, GREEDY, LUCKY, read_hand
from tests.accountant.loaded import LoadedRandom
from tests.accountant.story import Story
from tests.stages.mischief import Mischief

HABITS = (KEEN, LUCKY, GREEDY, WILD)
CARELESS = partial(Mischief, false_wins=0.03)
MISCHIEF = (HandPlay, CLUMSY, CARELESS)


@dataclass(frozen=True)
class Made:
    """What a hand is made by.

    Attributes:
        swaps: places of the deck that exchange their tiles once it is shuffled.
        decided: by their number, random numbers that are others than the seed's.
        habits: of each seat, by number.
        streak: hands in a row that the dealer has won before.
    """

    seed: str
    chosen: tuple[tuple[str, OptionValue], ...] = ()
    swaps: tuple[tuple[int, int], ...] = ()
    decided: tuple[tuple[int, float], ...] = ()
    habits: tuple[int, int, int, int] = (0, 0, 0, 0)
    mischief: int = 0
    streak: int = 0


class MadeRandom(LoadedRandom):
    """Chance, of which some numbers are given."""

    def __init__(self, made: Made) -> None:
        self.drawn = 0
        self.decided, self.swaps = dict(made.decided), made.swaps
        super().__init__(made.seed)

    def random(self) -> float:
        """A number of the seed's, unless another one is given for its place."""
        value = super().random()
        self.drawn += 1
        return self.decided.get(self.drawn, value)

    def shuffle(self, x: list[Tile]) -> None:  # type: ignore[override]
        """As always, then some tiles exchanged."""
        super().shuffle(x)
        for one, other in self.swaps if len(x) >= 108 else ():
            x[one % len(x)], x[other % len(x)] = x[other % len(x)], x[one % len(x)]


def play(id: str, made: Made, chance: MadeRandom) -> Story:
    """The hand, as the account reads it."""
    rules = find_rules(id).with_options(dict(made.chosen))
    a, b, c, d = (HABITS[number] for number in made.habits)
    events, _ = play_hand(
        rules,
        before(made),
        chance,
        habits=(a, b, c, d),
        players=MISCHIEF[made.mischief],
    )
    return read_hand(events, id, made.streak)


def before(made: Made) -> TableState:
    """An evening's beginning, or one at which the dealer has won for long."""
    if not made.streak:
        return TableState()
    return TableState(hand=made.streak, phase=Phase.SETTLED, dealer_next=0, east_wins=made.streak)


def features(story: Story) -> Iterator[tuple[object, ...]]:
    """What is remarkable about the end of a hand, without regard to the rule set."""
    kinds = tuple(sorted(laid.kind for laid in story.laid if laid.kind != "pung"))
    yield "laid", kinds[:4]
    yield "dead", tuple(sorted(str(player.dead) for player in story.players))
    for player in story.players:
        eggs = [meld for meld in player.melds if meld.kind == "lucky_egg"]
        last = [egg.extra[-1] for egg in eggs if egg.extra]
        yield "eggs", len(eggs), len(last), len(last) - len(set(last)), any(e.robbed for e in eggs)
    robs = [story.robs(shown) for shown in story.shown]
    yield "winners", len(story.shown), tuple(sorted(str(each and each.kind) for each in robs))
    for shown in story.shown:
        robbed, own = story.robs(shown), story.after_own_kong(shown)
        yield "last", shown.last, shown.drawn, bool(robbed), bool(own), not story.left(shown)
        several = robbed is not None and sum(e.kind == robbed.kind for e in story.laid) > 1
        yield (
            "won",
            shown.drawn,
            shown.rush,
            shown.seat == story.dealer,
            min(story.left(shown), 5),
            story.replacing,
            robbed and robbed.kind,
            several,
            own and own.kind,
            story.shooter and story.shooter.kind,
            min(story.round_of_discards(shown), 5),
            story.players[shown.seat].ready_with is not None,
            bool(story.players[shown.seat].flowers),
        )
