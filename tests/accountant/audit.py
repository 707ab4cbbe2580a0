"""Whole hands of bots, re-accounted from their events; the options of each drawn at random.

This is the only module here that knows the program: it has the hands played.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from random import Random

from table_assist.game.events import Event, IrregularityNoted, Settled
from table_assist.game.fold import apply, replay
from table_assist.game.outcome import end_of_hand, settled_event
from table_assist.game.state import TableState
from table_assist.rules.options import Option, OptionValue
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.twin.play.hand import KEEN, WILD, Habits, HandPlay, play_hand
from tests.accountant.books import BOOKS
from tests.accountant.loaded import LoadedRandom
from tests.accountant.story import Money, Story, read, total
from tests.stages.mischief import Mischief

LUCKY = Habits(wins=1.0, claims=0.5, kongs=1.0, ready=0.8, rolls=0.5)
GREEDY = Habits(aims=0.5, claims=0.9, kongs=1.0)
CLUMSY = partial(Mischief, false_wins=0.01)
GAME = 16
CARELESS = ("triplets_not_marked", "winning_tile_into_hand")
Chosen = dict[str, OptionValue]
# So many hands that an option changed are enough to have seen.
ENOUGH = 3
# Amounts that are agreed upon, and so have no list of values.
AMOUNTS: dict[str, tuple[int, ...]] = {
    "false_win_amount": (5, 12),
    "base_score": (2, 10),
    "starting_points": (50,),
    "limit": (60, 300, 2000),
}


@dataclass
class Account:
    """What a hand moves, and who may deal next."""

    transfers: Money
    dealers: list[int]
    fines: list[Money]


@dataclass
class Audited:
    """What many hands came to.

    Attributes:
        met: for each option and value off its default, the hands it was played in.
        moved: those of them that it made another amount or dealer.
        kinds: events by kind.
    """

    hands: int = 0
    faults: list[str] = field(default_factory=list)
    met: Counter[tuple[str, OptionValue]] = field(default_factory=Counter)
    moved: Counter[tuple[str, OptionValue]] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Audited") -> None:
        self.hands += other.hands
        self.faults += other.faults
        self.met.update(other.met)
        self.moved.update(other.moved)
        self.kinds.update(other.kinds)


def account(story: Story) -> Account:
    """Everything that the hand moves."""
    book, _ = BOOKS[story.rules]
    parts = [[0, 0, 0, 0], *book.money(story)]
    return Account(total(parts), book.next_dealers(story), fines(story))


def fines(story: Story) -> list[Money]:
    book, _ = BOOKS[story.rules]
    due = [book.fine(story, seat) for seat in story.refused]
    return [fine for fine in due if any(fine)]


def read_hand(
    events: Sequence[Event], id: str, streak: int = 0, instead: Chosen | None = None
) -> Story:
    """The hand's story, with some options at other values than it was played with."""
    book, wall = BOOKS[id]
    story = read(events, book.DEFAULTS, wall, instead or {})
    story.streak = streak
    return story


def compare(story: Story) -> list[str]:
    """Where the hand's end differs from the account."""
    own, end = account(story), story.end
    assert end is not None
    found = []
    if list(end.transfers) != own.transfers:
        found.append(f"moved {list(end.transfers)}, the account says {own.transfers}")
    if story.fines != own.fines:
        found.append(f"fines {story.fines}, the account says {own.fines}")
    named = [] if end.dealer_next is None else [end.dealer_next]
    several = len(own.dealers) > 1 and not named
    if named != own.dealers and not several:
        found.append(f"next deals {named}, the account says {own.dealers}")
    return found


def options_for(rules: RuleSet, random: Random) -> Chosen:
    """Some options off their defaults, each now and then."""
    share = random.choice((0.0, 0.1, 0.3))
    chosen: Chosen = {}
    for option in rules.options:
        others = values_of(option)
        if others and random.random() < share:
            chosen[option.name] = random.choice(others)
    if "false_win_amount" in chosen:
        chosen["false_win_penalty"] = "custom"
    return chosen


@dataclass(frozen=True)
class Deal:
    """One hand to be played, the same however its options are changed."""

    id: str
    name: str
    state: TableState
    streak: int

    def play(self, chosen: Chosen) -> tuple[Story, list[Event], TableState]:
        rules = find_rules(self.id).with_options(chosen)
        random = LoadedRandom(self.name)
        a, b, c, d = (random.choice((KEEN, LUCKY, GREEDY, WILD)) for _ in range(4))
        players = random.choice((HandPlay, HandPlay, CLUMSY))
        events, after = play_hand(rules, self.state, random, habits=(a, b, c, d), players=players)
        events, after = carelessly(events, after, self.state, Random(f"{self.name} notes"))
        return read_hand(events, self.id, self.streak), events, after


def carelessly(
    events: list[Event], after: TableState, before: TableState, random: Random
) -> tuple[list[Event], TableState]:
    """Hands are now and then laid down otherwise than they should be, and a referee notes it."""
    if after.rules != "classical" or not isinstance(events[-1], Settled):
        return events, after
    notes = [IrregularityNoted(s, id) for s in range(4) for id in CARELESS if random.random() < 0.3]
    end = replay([*events[:-1], *notes], before)
    settled = settled_event(end_of_hand(end))
    return [*events[:-1], *notes, settled], apply(end, settled)


def audit(id: str, hands: int, seed: str, *, seeks: bool = True) -> Audited:
    """Play so many hands in games of a few, and account for each a second time.

    Where it seeks: what an option would change of a hand is played again with it, until enough
    such were seen.
    """
    audited = Audited()
    state, streak = TableState(), 0
    for number in range(hands):
        if number % GAME == 0 or state.game_over:
            state, streak = TableState(), 0
        deal = Deal(id, f"{id} {seed} {number}", state, streak)
        chosen = options_for(find_rules(id), Random(f"{deal.name} options"))
        story, state = one(audited, deal, chosen)
        streak = 0 if story is None else streak_after(story, streak)
        for name, value in leans(story, audited) if story is not None and seeks else []:
            one(audited, deal, {**chosen, name: value})
    return audited


def one(audited: Audited, deal: Deal, chosen: Chosen) -> tuple[Story | None, TableState]:
    """Play and account for one hand; its story, or none where it broke down."""
    audited.hands += 1
    try:
        story, events, after = deal.play(chosen)
        found = compare(story)
        measure(audited, story, chosen)
        audited.kinds.update(type(event).__name__ for event in events)
    except (AssertionError, ValueError, LookupError, RuntimeError) as error:
        story, after, found = None, TableState(), [f"{type(error).__name__}: {error}"]
    audited.faults += [f"{deal.name} {chosen}: {each}" for each in found]
    return story, after


def streak_after(story: Story, streak: int) -> int:
    """How many hands in a row the dealer has won, draws aside."""
    if not story.shown:
        dealers = BOOKS[story.rules][0].next_dealers(story)
        return streak if dealers == [story.dealer] else 0
    won = story.shown[0].seat == story.dealer
    return streak + 1 if won and BOOKS[story.rules][0].next_dealers(story) == [story.dealer] else 0


def measure(audited: Audited, story: Story, chosen: Chosen) -> None:
    """Count the options that the hand was played with, and those that changed what it moves."""
    for name, value in chosen.items():
        audited.met[name, value] += 1
        default = BOOKS[story.rules][0].DEFAULTS.get(name)
        if default is not None and audited.moved[name, value] < ENOUGH:
            audited.moved[name, value] += differs(story, name, default)


def leans(story: Story, audited: Audited) -> list[tuple[str, OptionValue]]:
    """Options at their defaults that would have changed what the hand moves."""
    defaults = BOOKS[story.rules][0].DEFAULTS
    return [
        (name, value)
        for name, value in other_values(story.rules)
        if story.options.get(name) == defaults.get(name)
        and audited.moved[name, value] < ENOUGH
        and differs(story, name, value)
    ]


@cache
def other_values(id: str) -> tuple[tuple[str, OptionValue], ...]:
    """Every value off its default of the options that move points."""
    return tuple(
        (option.name, value)
        for option in find_rules(id).options
        if option.name in BOOKS[id][0].DEFAULTS
        for value in values_of(option)
    )


def values_of(option: Option) -> list[OptionValue]:
    """Those off the default; of an amount some."""
    return list(AMOUNTS.get(option.name) or [v for v in option.values if v != option.default])


def differs(story: Story, name: str, value: OptionValue) -> bool:
    """Whether the hand, played as it was, moves something else with the option at this value."""
    try:
        other = read_hand(story.events, story.rules, story.streak, {name: value})
        return account(other) != account(story)
    except (AssertionError, IndexError):
        return True  # then the hand does not win, or its dice were thrown again


def without_effect(id: str, whole: Audited) -> list[str]:
    """The values of options that move points and have changed no hand's."""
    return [f"{name}={value}" for name, value in other_values(id) if not whole.moved[name, value]]
