"""A search for hands that settle as no hand before did, each accounted for a second time.

A hand is made by numbers: the deck, every decision of the bots, the options. What it reached is
which branches of the rule sets and of the settlement ran, and what the account remembers of its
end. A hand that reached something new is kept and changed a little, again and again.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import get_args

from coverage import Coverage

import table_assist
from table_assist.game.events import (
    End,
    Event,
    HandStarted,
    IrregularityNoted,
    Penalised,
    Settled,
    Showing,
    WallExhausted,
    WinDeclared,
    WinRefused,
)
from table_assist.game.fold import apply, replay
from table_assist.game.outcome import end_of_hand, exhausted_event, settled_event
from table_assist.game.state import TableState
from table_assist.rules.options import OptionValue
from table_assist.rules.registry import find_rules
from table_assist.rules.wall import dead_tiles, live_after_deal
from tests.accountant.audit import compare, differs, options_for, other_values, read_hand, values_of
from tests.accountant.story import Story
from tests.corners.alter import CHANGES, Change, shorter_wall, unfollowed
from tests.corners.made import HABITS, MISCHIEF, Made, MadeRandom, before, features, play
from tests.corners.rarer import nobody_won

ROOT = Path(table_assist.__file__).parent
# Where the settlement is made, beside each rule set's own folder or file.
SETTLING = (
    "outcome",
    "fold_win",
    "side_payments",
    "win",
    "offered",
)
STREAKS = (0, 0, 0, 11, 12)
# Of the hands that are tried so many are wholly new.
FRESH = 0.25
# So many of what is altered is settled as a drawn hand, too.
DRAWN = 0.05
_STACKS = 7
Chosen = tuple[tuple[str, OptionValue], ...]
_CHANGES = (1, 1, 2, 4)
_SETTLED = (WinRefused, Settled, WallExhausted)
_AT_THE_END = (*get_args(Showing), *get_args(End), IrregularityNoted, Penalised, WinDeclared)


@dataclass
class Kept:
    """A hand that reached something new."""

    made: Made
    drawn: int


@dataclass(frozen=True)
class Happened:
    """What happened in a hand up to its end, and the evening before."""

    events: tuple[Event, ...]
    before: TableState
    streak: int


@dataclass
class Search:
    """A search in one rule set.

    Attributes:
        by_branches: a new branch is worth keeping a hand for; without, the same seed seeks the
            same hands whatever was kept in memory before.
        alterations: so many are tried after each hand that is played, which takes far longer.
        hands: that were played; ``altered`` those in which then something happened otherwise.
        met: what hands came to, as the account sees it, and how often.
        judged: patterns that counted, and reasons for which a win was refused.
        moved: option values that changed what a hand moves, by the account.
    """

    id: str
    seed: str
    by_branches: bool = True
    alterations: int = 200
    hands: int = 0
    altered: int = 0
    won: int = 0
    faults: list[str] = field(default_factory=list)
    corpus: list[Kept] = field(default_factory=list)
    happened: list[Happened] = field(default_factory=list)
    met: Counter[tuple[object, ...]] = field(default_factory=Counter)
    judged: set[str] = field(default_factory=set)
    moved: set[tuple[str, OptionValue]] = field(default_factory=set)
    arcs: dict[str, set[tuple[int, int]]] = field(default_factory=dict)
    coverage: Coverage = field(init=False)
    random: Random = field(init=False)

    def __post_init__(self) -> None:
        self.random = Random(f"{self.id} {self.seed}")
        self.coverage = Coverage(
            data_file=None, branch=True, include=files_of(self.id), config_file=False
        )

    def go_on(self, hands: int) -> None:
        """Try so many hands more."""
        for _ in range(hands):
            fresh = not self.corpus or self.random.random() < FRESH
            made = self._fresh() if fresh else self._changed(self._one_kept())
            story = self._try(made)
            for other in () if story is None else self._with_another_option(made, story):
                self._try(other)
            for _ in range(self.alterations if self.happened else 0):
                self._alter(self.random.choice(self.happened))

    def _alter(self, hand: Happened) -> None:
        """Settle a hand in which something happened otherwise; keep it where that is new."""
        events = list(hand.events)
        for _ in range(self.random.choice(_CHANGES)):
            change = self.random.choice((*CHANGES, self._shorter_wall(hand), self._other_options))
            events = change(events, self.random) or events
        if self.random.random() < DRAWN:
            self._settle(nobody_won(events, self.random), hand)
        story = self._settle(events, hand)
        for name, value in () if story is None else self._would_change(story):
            self._settle(self._by(events, name, value), hand)

    def _settle(self, events: list[Event], hand: Happened) -> Story | None:
        """Settle what happened otherwise; its story where that is new."""
        self.altered += 1
        try:
            found, story = settled_twice(self.id, events, hand)
        except (AssertionError, ValueError, LookupError, RuntimeError) as error:
            found, story = [f"{type(error).__name__}: {error}"], None
        self.faults += [f"{each}: {events}" for each in found]
        if story is None:
            return None
        new = self._reaches(hand.before, [*events, *([story.end] if story.end else [])])
        if not (self._is_new(story) or new):
            return None
        if story.shown:
            self.happened.append(replace(hand, events=tuple(events)))
        return story

    def _shorter_wall(self, hand: Happened) -> Change:
        return lambda events, random: shorter_wall(replay(events, hand.before).wall_left)(
            events, random
        )

    def _other_options(self, events: list[Event], random: Random) -> list[Event]:
        """The hand by another house rule."""
        option = self.random.choice(find_rules(self.id).options)
        return self._by(events, option.name, random.choice([option.default, *values_of(option)]))

    def _by(self, events: list[Event], name: str, value: OptionValue) -> list[Event]:
        """The hand by this rule, unless its wall would have been another."""
        return [_started_by(e, name, value) if isinstance(e, HandStarted) else e for e in events]

    def _would_change(self, story: Story) -> Iterator[tuple[str, OptionValue]]:
        """Options that no hand has shown yet, and that would change what this one moves."""
        for name, value in other_values(self.id):
            if (name, value) not in self.moved and differs(story, name, value):
                self.moved.add((name, value))
                yield name, value

    def _is_new(self, story: Story) -> bool:
        new = False
        for feature in features(story):
            new |= feature not in self.met
            self.met[feature] += 1
        return new

    def _with_another_option(self, made: Made, story: Story) -> Iterator[Made]:
        """The hand again with each option that no hand has shown yet, and that would change it."""
        for name, value in self._would_change(story):
            yield replace(made, chosen=tuple(sorted({**dict(made.chosen), name: value}.items())))

    def _try(self, made: Made) -> Story | None:
        """The hand's story where it reached something new."""
        self.hands += 1
        chance = MadeRandom(made)
        try:
            story = play(self.id, made, chance)
            found = compare(story)
        except (AssertionError, ValueError, LookupError, RuntimeError) as error:
            story, found = None, [f"{type(error).__name__}: {error}"]
        self.faults += [f"{made}: {each}" for each in found]
        new = story is not None and self._reaches(before(made), story.events)
        new = (story is not None and self._is_new(story)) or new
        self.won += story is not None and bool(story.shown)
        if not new or story is None:
            return None
        self.corpus.append(Kept(made, chance.drawn))
        if story.shown:
            events = unfollowed(story.events)[:-1]
            self.happened.append(Happened(tuple(events), before(made), made.streak))
        return story

    def _reaches(self, state: TableState, events: Sequence[Event]) -> bool:
        """Settle it once more, watched: whether a branch ran that had not run before."""
        watched = []
        for event in events:
            if isinstance(event, _AT_THE_END):
                watched.append((state, event))
            state = apply(state, event)
        known = len(self.judged)
        self.coverage.start()
        try:
            for at, event in watched:
                if isinstance(event, _SETTLED):
                    verdicts = end_of_hand(at).verdicts.values()
                    self.judged |= {each.id for verdict in verdicts for each in verdict.refusals}
                    self.judged |= {each.id for verdict in verdicts for each in verdict.patterns}
                apply(at, event)
        finally:
            self.coverage.stop()
        new_branches = self._new_branches() and self.by_branches
        return len(self.judged) > known or new_branches

    def _new_branches(self) -> bool:
        data, new = self.coverage.get_data(), False
        for file in data.measured_files():
            found = set(data.arcs(file) or ())
            known = self.arcs.setdefault(file, set())
            new |= not found <= known
            known |= found
        return new

    # --- Other hands

    def _fresh(self) -> Made:
        name = f"{self.id} {self.seed} {self.hands}"
        a, b, c, d = (self.random.randrange(len(HABITS)) for _ in range(4))
        return Made(
            name,
            tuple(sorted(options_for(find_rules(self.id), self.random).items())),
            habits=(a, b, c, d),
            mischief=self.random.randrange(len(MISCHIEF)),
            streak=self.random.choice(STREAKS),
        )

    def _one_kept(self) -> Kept:
        """One of the latest more often than one of the first."""
        return self.corpus[int(len(self.corpus) * self.random.random() ** 0.5)]

    def _changed(self, kept: Kept) -> Made:
        made, random = kept.made, self.random
        for _ in range(random.choice(_CHANGES)):
            match random.randrange(8):
                case 0 | 1 | 2:
                    at = 1 + int(kept.drawn * random.random() ** 0.5)
                    made = replace(made, decided=(*made.decided, (at, random.random())))
                case 3 | 4:
                    places = random.randrange(144), random.randrange(144)
                    made = replace(made, swaps=(*made.swaps, places))
                case 5:
                    made = replace(made, chosen=self._another_option(made.chosen))
                case 6:
                    habits = list(made.habits)
                    habits[random.randrange(4)] = random.randrange(len(HABITS))
                    made = replace(made, habits=(habits[0], habits[1], habits[2], habits[3]))
                case _:
                    mischief, streak = random.randrange(len(MISCHIEF)), random.choice(STREAKS)
                    made = replace(made, mischief=mischief, streak=streak)
        return made

    def _another_option(self, played: Chosen) -> Chosen:
        chosen = dict(played)
        option = self.random.choice(find_rules(self.id).options)
        chosen[option.name] = self.random.choice([option.default, *values_of(option)])
        return tuple(sorted(chosen.items()))


def _started_by(started: HandStarted, name: str, value: OptionValue) -> HandStarted:
    before = find_rules(started.rules).with_options(dict(started.options))
    chosen = {**dict(started.options), name: value}
    rules = before.with_options(chosen)
    walls = {
        (live_after_deal(each, _STACKS), dead_tiles(each, _STACKS)) for each in (before, rules)
    }
    return started if len(walls) > 1 else replace(started, options=tuple(sorted(chosen.items())))


def settled_twice(id: str, events: list[Event], hand: Happened) -> tuple[list[str], Story | None]:
    """Where settlement and account differ, and the story; none where people are asked first."""
    state = replay(events, hand.before)
    if _has_too_many(state):
        return [], None
    ended = end_of_hand(state)
    if not ended.final:
        return [], None  # it rests on people: something in it is against the rules
    if any(not verdict.valid for verdict in ended.verdicts.values()):
        return [], None
    end = settled_event(ended) if ended.winners else exhausted_event(ended)
    story = read_hand([*events, end], id, hand.streak)
    if story.live < 0:
        return [], None  # more was drawn than there was
    # What was fined was fined while the hand was played, by the rules of then.
    return [each for each in compare(story) if not each.startswith("fines")], story


def _has_too_many(state: TableState) -> bool:
    """More of one kind lie in melds than the set has."""
    rules = find_rules(state.rules)
    lying = Counter(tile for seat in state.seats for meld in seat.melds for tile in meld.tiles)
    return any(count > rules.copies_of(tile) for tile, count in lying.items() if tile.is_face)


def files_of(id: str) -> list[str]:
    """The files whose branches count."""
    own = ROOT / "rules" / "sets"
    rules = [str(each) for each in sorted((own / id).glob("*.py"))] or [str(own / f"{id}.py")]
    return [*rules, *(str(ROOT / "game" / f"{name}.py") for name in SETTLING)]
