"""Whole hands of bots, each told again by phone: both must settle alike."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from table_assist.game.events import Settled, WallExhausted
from table_assist.game.state import TableState
from table_assist.rules.registry import find_rules
from table_assist.twin.play.hand import KEEN, WILD, HandPlay, play_hand
from tests.accountant.audit import CLUMSY, GREEDY, LUCKY, options_for
from tests.accountant.loaded import LoadedRandom
from tests.told.phone import Hand, RefusedByThePageError, Told

EVENING = 6


@dataclass
class Compared:
    """What many hands came to.

    Attributes:
        asked: how often each kind of question was answered.
        ticked: circumstances that were tried the other way than they were.
        supposed: other answers, by whether the followed hand could be changed to have them.
    """

    hands: int = 0
    won: int = 0
    faults: list[str] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)
    ticked: int = 0
    supposed: Counter[bool] = field(default_factory=Counter)

    def add(self, other: "Compared") -> None:
        self.hands += other.hands
        self.won += other.won
        self.faults += other.faults
        self.asked.update(other.asked)
        self.ticked += other.ticked
        self.supposed.update(other.supposed)


def compare(id: str, hands: int, seed: str) -> Compared:
    """Play so many hands in evenings of a few, and tell each."""
    found = Compared()
    while found.hands < hands:
        name = f"{id} {seed} {found.hands}"
        _evening(found, id, name, min(EVENING, hands - found.hands))
    return found


def _evening(found: Compared, id: str, name: str, hands: int) -> None:
    random = LoadedRandom(name)
    chosen = options_for(find_rules(id), Random(f"{name} options"))
    rules = find_rules(id).with_options(chosen)
    told, state = Told(rules, Random(f"{name} told")), TableState()
    for number in range(hands):
        a, b, c, d = (random.choice((KEEN, LUCKY, GREEDY, WILD)) for _ in range(4))
        players = random.choice((HandPlay, CLUMSY))
        events, after = play_hand(rules, state, random, habits=(a, b, c, d), players=players)
        found.hands += 1
        if not events or not isinstance(events[-1], Settled | WallExhausted):
            break
        found.won += isinstance(events[-1], Settled)
        try:
            Hand(told, events, state).tell()
            wrong = _differ(events[-1], told.state, after)
        except (RefusedByThePageError, AssertionError, ValueError, LookupError) as error:
            wrong = f"{type(error).__name__}: {error}"
        if wrong:
            found.faults.append(f"{name} hand {number} {chosen}: {wrong}")
            break
        state = after
    found.asked.update(told.asked)
    found.ticked += told.ticked
    found.supposed.update(told.supposed)
    found.faults += [f"{name} {chosen}: {wrong}" for wrong in told.wrong]


def _differ(end: Settled | WallExhausted, told: TableState, followed: TableState) -> str:
    """What of the two ends is not the same; empty where all is."""
    if told.hand != followed.hand or told.settled is None:
        questions = [asked.text.en for asked in told.questions]
        return f"followed {end.transfers}, told is not settled: {questions}"
    pairs = {
        "moved": (followed.last_transfers, told.last_transfers),
        "scores": (followed.scores, told.scores),
        "next deals": (followed.dealer_next, told.dealer_next),
        "wind": (followed.prevailing_next, told.prevailing_next),
        "over": (followed.game_over, told.game_over),
    }
    return "; ".join(f"{what}: followed {a}, told {b}" for what, (a, b) in pairs.items() if a != b)
