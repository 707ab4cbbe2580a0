"""The live bench: its modelled eyes err as measured, and what it calls right is right."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import sqrt
from random import Random

import pytest

from bench.__main__ import main
from bench.live.compared import HandFigures, compare
from bench.live.disturb import moved_lens
from bench.live.evening import Clock, EveningTable, SimulatedWire
from bench.live.eyes import CAMERAS, OVERHEAD, ModelledEyes
from bench.live.hands import LiveTally, WantedHands, follow_hands
from bench.live.measure import READS, Dress, ThingTally, moments_of, read_all
from bench.live.modelled import ModelledReader
from bench.live.rates import (
    ANY_FACE,
    Outcomes,
    Rates,
    Way,
    group_of,
    is_face,
    load_rates,
)
from firmware_bridge.events import Key, KeyPressed
from firmware_bridge.receiver import Reading
from models.world import WorldLooks
from table_assist.game.events import Asked, Discarded, Event, Settled, WallBuilt
from table_assist.game.question import QuestionId
from table_assist.languages.words import Words
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.tiles.tile import Tile
from table_assist.twin.moment import CameraMoment, Spoiled
from table_assist.twin.scene import PlacedTile, Scene
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import open_reader
from table_assist.vision.reading.recognise import UNKNOWN
from table_assist.vision.table.calibration import Calibration

CHANGSHA = find_rules("changsha")
SHORT_HAND = 205  # the shortest of three hundred hands that are won
EXACT = (0.0, 0.0, 1.0, 1.0)
STILL = (0.0, 0.0, 0.0, 0.0)


def rates(outcomes: dict[str, Outcomes] | None = None, stuck: float = 0.0) -> Rates:
    return Rates(
        pictures=100,
        covered=50,
        outcomes=outcomes or {},
        confidences=(0.99, 1.0),
        stuck={"face": stuck},
        box_mean=EXACT,
        box_spread=STILL,
    )


def one_tile(x_mm: float = 50.0, tile: Tile = Tile.M5) -> Scene:
    return Scene((PlacedTile(tile, x_mm, -120.0),))


def test_it_errs_as_often_as_measured() -> None:
    ways = (Way(20, "6m", (("6m", 0.9),)), Way(10, "?", (("=", 0.6), ("6m", 0.3))), Way(5, ""))
    reader = ModelledReader(OVERHEAD, {"clear": rates({"5m": Outcomes(100, ways)})}, seed=1)
    said: Counter[str] = Counter()
    for number in range(2000):
        labels = reader.read(one_tile(50 + number / 50), "clear").labels
        said[labels[0] if labels else ""] += 1
    assert said["6m"] / 2000 == pytest.approx(0.20, abs=0.03)
    assert said["?"] / 2000 == pytest.approx(0.10, abs=0.02)
    assert said[""] / 2000 == pytest.approx(0.05, abs=0.015)


def test_a_bumped_camera_sees_what_lay_there_elsewhere_in_its_picture() -> None:
    reader, scene = ModelledReader(OVERHEAD, {"clear": rates()}, seed=1), one_tile()
    bumped, as_known = moved_lens(OVERHEAD, (30.0, 0.0)), Calibration(OVERHEAD.corners_px())
    places = [
        as_known.to_table(reader.read(scene, "clear", camera=lens).centres)[0]
        for lens in (OVERHEAD, bumped)
    ]
    assert places[1] - places[0] == pytest.approx((30.0, 0.0), abs=2.0)


@pytest.mark.parametrize("faults", [0.0, 0.6])
def test_every_signal_comes_once_and_in_order_whatever_the_line_does(faults: float) -> None:
    clock, heard = Clock(), list[object]()

    def deliver(reading: Reading) -> None:
        if reading.is_event:
            heard.append(reading.content)
            wire.acknowledge(reading)

    wire = SimulatedWire(3, clock, deliver, faults=faults)
    sent = [KeyPressed(number % 4, Key.WIN if number % 3 else Key.KONG) for number in range(60)]
    for signal in sent:
        wire.happen(signal)
        clock.t += 1.0
        wire.serve()
    clock.t += 20.0
    wire.serve()
    assert heard == sent
    assert wire.board.pending == 0


SETTLED = Settled((1,), (-2, 2, 0, 0), 1, ())


def figures(truth: list[Event], recorded: list[Event]) -> HandFigures:
    record = Record(None, lambda: 0.0)
    for event in recorded:
        record.append(event, Source.CAMERA)
    return compare("changsha", 1, 1, truth, record, 0)


def test_a_hand_with_other_points_and_no_question_is_silently_wrong() -> None:
    truth = [WallBuilt(), Discarded(0, Tile.M1), SETTLED]
    wrong = replace(SETTLED, transfers=(-4, 4, 0, 0))
    asked = Asked(QuestionId.parse("q"), Words("What?", "?"), ("yes",))
    assert figures(truth, truth).is_right
    assert figures(truth, [*truth[:2], wrong]).is_silently_wrong
    assert figures(truth, truth[:2]).is_silently_wrong
    asking = figures(truth, [*truth[:2], asked, wrong])
    assert asking.questions == ("What?",)
    assert asking.is_silently_wrong, "what else was asked is no excuse"
    assert not figures(truth, [*truth[:2], asked]).is_silently_wrong, "nothing was settled"
    misread = Discarded(0, Tile.M2)
    for about, silent in ((2, False), (1, True)):
        doubt = replace(asked, about=about)
        found = figures(truth, [truth[0], misread, doubt, wrong])
        assert found.is_silently_wrong is silent


def test_what_is_believed_is_counted_by_how_sure_it_was_and_whether_it_is_so() -> None:
    truth = [Discarded(0, Tile.M1), Discarded(1, Tile.M2), SETTLED]
    unread = Discarded(2, Tile.UNKNOWN)
    count = LiveTally("all")
    count.add(figures(truth, [*truth[:2], unread, replace(SETTLED, transfers=(-4, 4, 0, 0))]))
    count.add(figures(truth, [truth[1], truth[1], truth[0], SETTLED]))
    told = count.reliability
    assert told["Settled"] == [(0, 0), (0, 0), (0, 0), (2, 1)]
    assert told["facts"] == [(0, 0), (0, 0), (5, 1), (0, 0)]


def test_a_hand_followed_by_eyes_that_do_not_err_is_right() -> None:
    eyes = ModelledEyes({"clear": rates()}, OVERHEAD, limits=Limits.alike(0.88), seed=1)
    table = EveningTable(CHANGSHA, eyes, seed=SHORT_HAND)
    (found,) = table.play(1)
    assert found.is_right
    assert found.questions == ()
    assert found.events_right == found.events_true


def test_a_harsh_hand_is_never_silently_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["live", "--rules", "changsha", "--hands", "1", "--noise", "harsh", "--json"]
    assert main([*command, "--seed", "15"]) == 0  # a short one
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows[0]["silently_wrong"] is False
    assert (rows[1]["hands"], rows[1]["noise"]) == (1, "harsh")


def test_a_hand_that_runs_already_is_on_record_as_it_lies(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["live", "begun", "--rules", "changchun", "--hands", "1", "--seed", "93001"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["false"] == 0
    assert told["right"] > 0.9 * told["tiles"] > 40  # an egg and the eight tiles put to it


@pytest.mark.slow
@pytest.mark.parametrize("scale", [0.75, 1.15])
def test_a_hand_with_small_or_large_tiles_is_followed_as_one_with_usual_ones(scale: float) -> None:
    """The size is nowhere told: the eyes measure it while the tiles are dealt."""
    wanted = WantedHands(1, seed=29, tile_scale=scale)
    (figures, _) = follow_hands(wanted, [find_rules("tianjin")])
    assert isinstance(figures, HandFigures)
    assert figures.is_right
    assert not figures.questions


CAMERA = CAMERAS["overhead"]
MEASURED = load_rates(WorldLooks.USUAL)
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


@cache
def fresh(evening: int) -> tuple[tuple[CameraMoment, ...], ...]:
    return tuple(moments_of(list(rule_sets()), PICTURES, Spoiled.CLEAR, BUILT_IN, evening))


def modelled(rates: dict[str, Rates], evening: int) -> Shares:
    """What modelled eyes say of scenes, through the instrument that measured the real ones."""
    tally, calibration = ThingTally(CAMERA), Calibration(CAMERA.corners_px())
    for number, moments in enumerate(fresh(evening)):
        reader = ModelledReader(CAMERA, rates, seed=evening + number)
        for moment in moments:
            # At first sight arms still move, and hide what lies beside them.
            _, *reads = [reader.read(moment.scene, "clear", anew=True) for _ in range(READS + 1)]
            tally.count(moment, [(read, (0, 0)) for read in reads], calibration)
    return shares(tally.rates())


def real(evening: int) -> Shares:
    tally, reader, rules = ThingTally(CAMERA), open_reader(threads=1), list(rule_sets())[::2]
    hands = moments_of(rules, 4, Spoiled.CLEAR, BUILT_IN, evening)
    for number, moments in enumerate(hands):
        read_all(reader, tally, BUILT_IN, rules, number, moments)
    return shares(tally.rates())


@pytest.mark.parametrize("name", Random(len(MEASURED.rates)).sample(MEASURED.dresses, 3))
def test_they_err_as_often_as_was_measured(name: str) -> None:
    rates = MEASURED.of("overhead", name)
    assert not list(apart(modelled(rates, FRESH), shares(rates["clear"])))


@pytest.mark.slow
def test_real_eyes_say_the_same_of_fresh_scenes() -> None:
    rates = MEASURED.of("overhead", "built-in")
    assert not list(apart(modelled(rates, FRESH), real(FRESH)))
