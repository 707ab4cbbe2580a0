"""``python -m bench rules``: verdicts per second.

Every hand is another one, drawn by a seed, so that nothing is remembered but what any evening
would have taught the tables. Winning hands are sets and a pair with up to three melds; losing ones
are fourteen tiles off the wall. What is timed is ``judge(rules, shown)`` on hands that lie ready,
once for validity, total and transfers, and once with every sentence. The processor's time counts
and the best of several runs, which other programs change least; all on one core.
"""

import argparse
import gc
import json
import platform
import time
from collections.abc import Callable
from random import Random

from table_assist.rules.judge import judge
from table_assist.rules.registry import rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import ShownHand
from table_assist.rules.verdict import Verdict
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile

RUNS = 5


def run(options: argparse.Namespace) -> int:
    """Measure and tell; returns the exit code."""
    note = f"Python {platform.python_version()}, {platform.processor() or platform.machine()}"
    print(json.dumps({"note": note}) if options.json else note)
    count = max(1, options.hands)
    for rules in rule_sets():
        if options.rules and rules.id not in options.rules:
            continue
        random = Random(f"bench rules {rules.id}")
        for what, make in (("winning", winning_hand), ("losing", losing_hand)):
            hands = [make(rules, random) for _ in range(count)]
            plain = _per_second(rules, hands, lambda verdict: verdict)
            explained = _per_second(rules, hands, lambda verdict: verdict.steps or verdict.refusals)
            row = {"rules": rules.id, "hands": what, "count": count,
                   "plain": plain, "explained": explained}  # fmt: skip
            text = f"{rules.id:<10} {what:<8} plain {plain:>9,.0f}   explained {explained:>8,.0f}"
            print(json.dumps(row) if options.json else text, flush=True)
    return 0


def _per_second(rules: RuleSet, hands: list[ShownHand], take: Callable[[Verdict], object]) -> float:
    """How many a second at best; the collector of dead values rests, as in `timeit`."""
    gc.collect()
    gc.disable()
    times = []
    try:
        for _ in range(RUNS):
            started = time.process_time()
            for shown in hands:
                take(judge(rules, shown))
            times.append(time.process_time() - started)
    finally:
        gc.enable()
    return len(hands) / min(times)


# -- hands ---------------------------------------------------------------------------------------


def winning_hand(rules: RuleSet, random: Random) -> ShownHand:
    """A hand that wins: sets and a pair, some of them melds; of seven wild tiles up to two."""
    while True:
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
        shown = _won(rules, random, concealed, tuple(melds), most_wilds=2)
        if judge(rules, shown).valid:
            return shown


def losing_hand(rules: RuleSet, random: Random) -> ShownHand:
    """Fourteen tiles off the wall that do not win."""
    wall = [tile for tile in rules.kinds for _ in range(rules.copies)]
    while True:
        shown = _won(rules, random, random.sample(wall, 14), ())
        if not judge(rules, shown).valid:
            return shown


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
