"""``python -m bench rules``: verdicts per second, beside two other calculators.

Every hand is another one, drawn by a seed, so that nothing is remembered but what any evening
would have taught the tables. Winning hands are sets and a pair with up to three melds; losing ones
are fourteen tiles off the wall. What is timed is ``judge(rules, shown)`` on hands that lie ready,
once for validity, total and transfers, and once with every sentence; the others get their own tiles
ready made as well. The processor's time counts and the best of several runs, which other programs
change least; all on one core.
"""

import gc
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from random import Random

from bench.other_calculators import Other, others
from table_assist.rules.judge import judge
from table_assist.rules.registry import rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import ShownHand
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile

SEED = "bench rules"
RUNS = 5
# The wild tiles of one hand are seven at most; so many hands are searched for the slowest.
MOST_WILDS, SEARCHED = 7, 2000


@dataclass(frozen=True, slots=True)
class RulesSpeed:
    """How fast hands of one rule set are judged, per second of one core.

    Attributes:
        others: by package, for the same hands.
    """

    rules: str
    hands: str
    count: int
    plain: float
    explained: float
    others: dict[str, float]

    @property
    def line(self) -> str:
        """The figures in one line."""
        beside = "".join(f"{name} {speed:>9,.0f}   " for name, speed in self.others.items())
        return (
            f"{self.rules:<10} {self.hands:<8} plain {self.plain:>9,.0f}   "
            f"explained {self.explained:>8,.0f}   {beside}"
        ).rstrip()


@dataclass(frozen=True, slots=True)
class Slowest:
    """The slowest verdict with as many wild tiles as there are, explained, in milliseconds."""

    rules: str
    count: int
    worst_ms: float
    mean_ms: float

    @property
    def line(self) -> str:
        """The figures in one line."""
        return (
            f"{self.rules:<10} {MOST_WILDS} wild tiles: slowest {self.worst_ms:.2f} ms, "
            f"mean {self.mean_ms:.3f} ms of {self.count} hands"
        )


def bench_rules(
    ids: Sequence[str], hands: int, seed: str = SEED
) -> Iterator[str | RulesSpeed | Slowest]:
    """The measured figures, one after another; a sentence first for what is not installed."""
    found, lacking = others()
    yield f"Python {platform.python_version()}, {platform.processor() or platform.machine()}"
    yield from lacking
    for rules in rule_sets():
        if rules.id not in ids:
            continue
        random = Random(f"{seed} {rules.id}")
        won = [winning_hand(rules, random) for _ in range(hands)]
        lost = [losing_hand(rules, random) for _ in range(hands)]
        yield _speed(rules, "winning", won, found)
        yield _speed(rules, "losing", lost, found)
        if rules.wilds is not None:
            yield _slowest(rules, random)


def to_json(measured: str | RulesSpeed | Slowest) -> dict[str, object]:
    """One measurement as JSON."""
    return {"note": measured} if isinstance(measured, str) else asdict(measured)


# -- hands ---------------------------------------------------------------------------------------


def winning_hand(rules: RuleSet, random: Random) -> ShownHand:
    """A hand that wins: sets and a pair, some of them melds; of seven wild tiles up to two."""
    while True:
        shown = _complete_hand(rules, random)
        if judge(rules, shown).valid:
            return shown


def losing_hand(rules: RuleSet, random: Random) -> ShownHand:
    """Fourteen tiles off the wall that do not win."""
    wall = [tile for tile in rules.kinds for _ in range(rules.copies)]
    while True:
        shown = _won(rules, random, random.sample(wall, 14), ())
        if not judge(rules, shown).valid:
            return shown


def _complete_hand(rules: RuleSet, random: Random) -> ShownHand:
    concealed: list[Tile] = []
    melds: list[Meld] = []
    for _ in range(4):
        tile = random.choice(rules.kinds)
        chow = tile.is_suited and tile.number <= 7 and random.random() < 0.7
        kind = MeldKind.CHOW if chow else MeldKind.PUNG
        tiles = (tile, Tile(tile + 1), Tile(tile + 2)) if chow else (tile,) * 3
        if kind in rules.meld_kinds and random.random() < 0.3 and len(melds) < 3:
            melds.append(Meld(kind, tiles))
        else:
            concealed += tiles
    concealed += [random.choice(rules.kinds)] * 2
    random.shuffle(concealed)
    return _won(rules, random, concealed, tuple(melds), most_wilds=2)


def _won(
    rules: RuleSet,
    random: Random,
    concealed: list[Tile],
    melds: tuple[Meld, ...],
    most_wilds: int = 0,
) -> ShownHand:
    wilds: tuple[Tile, ...] = ()
    if rules.wilds is not None:
        wilds = rules.wilds.kinds(random.choice(rules.kinds))
        for place in random.sample(range(len(concealed)), random.randint(0, most_wilds)):
            concealed[place] = random.choice(wilds)
    # Rules with wild tiles are won by a drawn tile.
    drawn = bool(wilds) or random.random() < 0.4
    return ShownHand(
        concealed=tuple(concealed),
        winning_tile=random.choice(concealed),
        winner=0,
        dealer=random.randrange(4),
        melds=melds,
        self_drawn=drawn,
        discarder=None if drawn else random.randint(1, 3),
        wilds=wilds,
    )


def wildest_hand(rules: RuleSet, random: Random) -> ShownHand:
    """A hand with every wild tile there is, the other seven of one suit or of all."""
    assert rules.wilds is not None
    turned, other = rules.wilds.kinds(random.choice(rules.kinds))
    concealed = [turned] * (rules.copies - 1) + [other] * rules.copies
    suits = random.choice([["m"], ["p"], ["s"], ["m", "p", "s", "z"]])
    kinds = [tile for tile in rules.kinds if tile.suit in suits and tile not in (turned, other)]
    concealed += random.sample(kinds * rules.copies, 14 - len(concealed))
    shown = _won(rules, random, concealed, ())
    return replace(shown, wilds=(turned, other))


# -- timing --------------------------------------------------------------------------------------


def _speed(rules: RuleSet, what: str, hands: list[ShownHand], found: list[Other]) -> RulesSpeed:
    def plain() -> None:
        for shown in hands:
            judge(rules, shown)

    def explained() -> None:
        for shown in hands:
            verdict = judge(rules, shown)
            assert verdict.steps or verdict.refusals

    speeds = {}
    # Wild tiles are unknown to the others.
    for other in found if rules.wilds is None else []:
        speeds[other.name] = _per_second(_asking(other, hands), len(hands))
    count = len(hands)
    return RulesSpeed(
        rules.id,
        what,
        count,
        _per_second(plain, count),
        _per_second(explained, count),
        speeds,
    )


def _asking(other: Other, hands: list[ShownHand]) -> Callable[[], None]:
    asks = [other.prepare(shown) for shown in hands]

    def run() -> None:
        for ask in asks:
            ask()

    return run


def _per_second(run: Callable[[], None], count: int) -> float:
    """How many a second at best; the collector of dead values rests, as in `timeit`."""
    gc.collect()
    gc.disable()
    try:
        best = min(_seconds(run) for _ in range(RUNS))
    finally:
        gc.enable()
    return count / best


def _seconds(run: Callable[[], None]) -> float:
    started = time.process_time()
    run()
    return time.process_time() - started


def _slowest(rules: RuleSet, random: Random) -> Slowest:
    taken = []
    for _ in range(SEARCHED):
        shown = wildest_hand(rules, random)

        def explained(shown: ShownHand = shown) -> None:
            verdict = judge(rules, shown)
            assert verdict.steps or verdict.refusals

        taken.append(1000 * _seconds(explained))
    return Slowest(rules.id, SEARCHED, max(taken), sum(taken) / SEARCHED)
