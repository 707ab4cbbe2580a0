"""Modelled eyes say what real ones say of the same scenes, as far as chance leaves it open."""

from collections import Counter
from collections.abc import Iterator
from math import sqrt
from random import Random

import pytest

from bench.live.eyes import CAMERAS, dresses_of, rates_of
from bench.live.measure import READS, Dress, ThingTally, moments_of, read_all
from bench.live.modelled import ModelledReader
from bench.live.rates import ANY_FACE, Rates, group_of, is_face, load_rates, rates_path
from models.world import WorldLooks
from table_assist.rules.registry import rule_sets
from table_assist.twin.disturb import Spoiled
from table_assist.vision.reading.read import open_reader
from table_assist.vision.reading.recognise import UNKNOWN
from table_assist.vision.table.calibration import Calibration

CAMERA = CAMERAS["overhead"]
MEASURED = load_rates(rates_path(WorldLooks.USUAL))
BUILT_IN = Dress("built-in")
PICTURES, FRESH = 40, 7000
# A tile lies in several of a hand's pictures, and errs alike in them: so many are worth one.
ALIKE = 8
FAR = 4.0  # standard errors
Shares = dict[tuple[str, str], tuple[int, int]]


def shares(rates: Rates) -> Shares:
    """How often each kind was missed, unread, wrong, and phantoms a picture: (so often, of)."""
    seen: Counter[str] = Counter()
    said: Counter[tuple[str, str]] = Counter()
    for kind, outcomes in rates.outcomes.items():
        if kind == ANY_FACE:
            continue  # all the others again
        name = kind.partition(" ")[0]
        group = (group_of(name) if is_face(name) or name == "d" else name) + kind[len(name) :]
        seen[group] += outcomes.seen
        for way in outcomes.ways:
            what = "missed" if not way.label else "unread" if way.label == UNKNOWN else "wrong"
            said[group, what] += way.count
    for ghost in rates.ghosts:
        said["picture", "phantom"] += ghost.count
    seen["picture"] = rates.pictures * 10  # a picture may have some
    each = ("missed", "unread", "wrong")
    every = [(group, what) for group in seen for what in each] + [("picture", "phantom")]
    return {key: (said[key], seen[key[0]]) for key in every}


def apart(one: Shares, other: Shares) -> Iterator[str]:
    """What differs by more than chance."""
    for key in sorted(one.keys() & other.keys()):
        (a, of_a), (b, of_b) = one[key], other[key]
        if min(of_a, of_b) < 40:
            continue
        pooled = (a + b + 1) / (of_a + of_b + 2)
        error = sqrt(pooled * (1 - pooled) * ALIKE * (1 / of_a + 1 / of_b))
        if abs(a / of_a - b / of_b) > FAR * error:
            yield f"{' '.join(key)}: {a} of {of_a}, {b} of {of_b}"


def modelled(rates: dict[str, Rates], evening: int) -> Shares:
    """What modelled eyes say of scenes, through the instrument that measured the real ones."""
    tally, calibration = ThingTally(CAMERA), Calibration(CAMERA.corners_px())
    rules = list(rule_sets())
    hands = moments_of(rules, PICTURES, Spoiled.CLEAR, BUILT_IN, evening)
    for number, moments in enumerate(hands):
        reader = ModelledReader(CAMERA, rates, seed=evening + number)
        for moment in moments:
            # At first sight arms still move, and hide what lies beside them.
            _, *reads = [reader.read(moment.scene, "clear", anew=True) for _ in range(READS + 1)]
            tally.count(moment, [(read, (0, 0)) for read in reads], calibration)
    return shares(tally.rates())


def real(evening: int) -> Shares:
    tally, reader, rules = ThingTally(CAMERA), open_reader(threads=1), list(rule_sets())
    hands = moments_of(rules, 10, Spoiled.CLEAR, BUILT_IN, evening)
    for number, moments in enumerate(hands):
        read_all(reader, tally, BUILT_IN, rules, number, moments)
    return shares(tally.rates())


@pytest.mark.parametrize("name", Random(len(MEASURED.rates)).sample(dresses_of(MEASURED), 3))
def test_they_err_as_often_as_was_measured(name: str) -> None:
    rates = rates_of(MEASURED, "overhead", name)
    assert not list(apart(modelled(rates, FRESH), shares(rates["clear"])))


@pytest.mark.slow
def test_real_eyes_say_the_same_of_fresh_scenes() -> None:
    rates = rates_of(MEASURED, "overhead", "built-in")
    assert not list(apart(modelled(rates, FRESH), real(FRESH)))
