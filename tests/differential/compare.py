"""What bots are refused against what is flagged at the table.

``differences(state)``: every deed that is conceivable at the state, done at the table. One that the
choices allow raises nothing; one that they refuse is flagged, and it is asked whether it was so.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random

from table_assist.game.allowed import own_choices, rush_choices
from table_assist.game.choices import egg_choices, opening_choices
from table_assist.game.events import Claimed, Event, HandShown, KongDeclared, StartingHandShown
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import Irregularity, irregularities
from table_assist.game.offered import offered_choices, who_won
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.rules.options import OptionValue
from table_assist.rules.reckoning import instant_wins
from table_assist.rules.registry import find_rules
from table_assist.session.questions import about_irregular
from table_assist.twin.play.deck import Deck
from table_assist.twin.play.hand import KEEN, WILD, Habits, HandPlay, play_hand
from tests.accountant.audit import options_for
from tests.differential.conceivable import Deed, conceivable
from tests.stages.mischief import Mischief

CHEATS = partial(
    Mischief, false_wins=0.02, wrong_chows=0.03, draws_out_of_turn=0.02, second_draws=0.01
)
LOUD = Habits(aims=0.7, claims=0.8, kongs=0.5, ready=0.4)
# How much of what is conceivable is tried at a state.
_TRIED = 40


@dataclass
class Compared:
    """What was tried.

    Attributes:
        allowed, refused: deeds by their kind.
        faults: where choices and flags differ, with an example of each.
    """

    hands: int = 0
    states: int = 0
    allowed: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def note(self, fault: str, example: str) -> None:
        self.faults[fault] += 1
        self.examples.setdefault(fault, example)

    def add(self, other: "Compared") -> None:
        self.hands += other.hands
        self.states += other.states
        self.allowed.update(other.allowed)
        self.refused.update(other.refused)
        self.faults.update(other.faults)
        for fault, example in other.examples.items():
            self.examples.setdefault(fault, example)


def allowed_deeds(state: TableState) -> set[Deed]:
    """What the choices let a bot do now."""
    choices = [*own_choices(state), *rush_choices(state)]
    for seat in SEATS:
        choices += offered_choices(state, seat)
        choices += opening_choices(state, seat)
        choices += egg_choices(state, seat)
    return {choice.events for choice in choices if choice.allowed}


def flags_of(state: TableState, deed: Deed) -> list[str]:
    """What the table says of the deed: flags, or why a win is none."""
    found: list[str] = []
    for event in deed:
        flagged = irregularities(state, event)
        found += flagged
        if flagged:
            _check_consequence(event, flagged)
        state = apply(state, event)
    last, rules = deed[-1], rules_in_force(state)
    if isinstance(last, HandShown) and not found:
        verdict = who_won(rules, state).verdicts[last.seat]
        found += [refusal.id for refusal in verdict.refusals]
    if isinstance(last, StartingHandShown) and not found:
        scored = instant_wins(rules, last.tiles, seat=last.seat, dealer=state.dealer)
        found += [] if scored.wins else ["scores_nothing"]
    return found


def _check_consequence(event: Event, flagged: Sequence[str]) -> None:
    """It is asked whether it was so."""
    asked = about_irregular(1, 1, event, tuple(map(Irregularity, flagged))).text
    assert asked.en
    assert asked.zh


def kind_of(deed: Deed) -> str:
    """A deed in short."""
    names = [type(event).__name__ for event in deed]
    last = deed[-1]
    if isinstance(last, Claimed | KongDeclared):
        names[-1] += f" {last.kind}"
    if isinstance(last, HandShown):
        names[-1] += " drawn" if last.self_drawn else " claimed"
    return " + ".join(names)


def differences(
    state: TableState, random: Random, compared: Compared
) -> Iterator[tuple[str, Deed]]:
    """Where choices and flags differ at the state: in short, and the deed."""
    if state.phase is not Phase.PLAYING or state.unnamed or state.owed is not None:
        return
    compared.states += 1
    allowed = allowed_deeds(state)
    others = [deed for deed in conceivable(state) if deed not in allowed]
    tried = random.sample(others, min(_TRIED, len(others)))
    for deed, may in [*((each, True) for each in allowed), *((each, False) for each in tried)]:
        try:
            flags = flags_of(state, deed)
        except (AssertionError, LookupError) as error:
            yield f"{kind_of(deed)}: {type(error).__name__} {error}", deed
            continue
        (compared.allowed if may else compared.refused)[kind_of(deed)] += 1
        if may and flags:
            yield f"{kind_of(deed)} is allowed and flagged {flags}", deed
        if not may and not flags:
            yield f"{kind_of(deed)} is refused and not flagged", deed


def play(id: str, name: str, options: dict[str, OptionValue], *, states: int) -> Compared:
    """Play a hand by bots, some of whom cheat, and compare at some of its states."""
    random = Random(name)
    rules = find_rules(id).with_options(options)
    seen_states: list[TableState] = []

    def watch(deck: Deck, before: TableState, event: Event, after: TableState) -> None:
        seen_states.append(after)

    a, b, c, d = (random.choice((KEEN, LOUD, WILD)) for _ in range(4))
    players = random.choice((HandPlay, CHEATS))
    try:
        play_hand(rules, TableState(), random, habits=(a, b, c, d), watch=watch, players=players)
    except IndexError:  # no bot can go on after a cheat: it is compared as far as it came
        if players is HandPlay:
            raise
    compared = Compared(hands=1)
    for state in random.sample(seen_states, min(states, len(seen_states))):
        for fault, deed in differences(state, random, compared):
            compared.note(fault, f"{name} {options}: {deed}")
    return compared


def many(id: str, hands: int, seed: str, states: int) -> Compared:
    """So many hands, their options at random."""
    whole = Compared()
    for number in range(hands):
        name = f"{id} {seed} {number}"
        options = options_for(find_rules(id), Random(f"{name} options"))
        whole.add(play(id, name, options, states=states))
    return whole
