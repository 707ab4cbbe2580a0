"""The live bench: its modelled eyes err as measured, and what it calls right is right."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench import BenchError
from bench.__main__ import main
from bench.live.evening import (
    Clock,
    EveningTable,
    SimulatedWire,
    follow_evening,
)
from bench.live.eyes import (
    OVERHEAD,
    ModelledEyes,
)
from bench.live.hands import WantedHands, follow_hands
from bench.live.measure import ThingTally
from bench.live.modelled import ModelledReader
from bench.live.rates import (
    MeasuredRates,
    Outcomes,
    Rates,
    Way,
    kind_of,
    load_rates,
    save_rates,
)
from bench.live.things import (
    STANDING,
    Geometry,
)
from firmware_bridge.events import Key, KeyPressed
from firmware_bridge.receiver import Reading
from table_assist.game.events import Asked, Discarded, Event, Settled, WallBuilt
from table_assist.game.question import QuestionId
from table_assist.languages.words import Words
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from table_assist.twin.demo.headless import HandFigures, compare
from table_assist.twin.disturb import CameraMoment
from table_assist.twin.evening import play_evening
from table_assist.twin.faces import load_faces
from table_assist.twin.looks import look_of
from table_assist.twin.render import Renderer
from table_assist.twin.scene import SLEEVE, Cover, PlacedTile, Scene, reaching_arm
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.readings import box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.table.calibration import Calibration

CHANGSHA = find_rules("changsha")
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


# -- the geometry --------------------------------------------------------------------------------


def test_what_modelled_eyes_could_see_is_what_the_drawn_picture_shows() -> None:
    scene = [step.scene for step in play_evening(3, CHANGSHA, hands=1)][40]
    scene = replace(scene, covers=reaching_arm(1, 60.0, -40.0))
    drawn = Renderer(load_faces(), look_of(1), OVERHEAD, 1).true_boxes(scene)
    things = [thing for thing in Geometry(OVERHEAD).things(scene) if thing.label != STANDING]
    clear = {(t.label, *(round(v) for v in t.box)) for t in things if t.visible > 0.6}
    shown = {
        (
            box.label,
            round(min(x for x, _ in box.polygon_px)),
            round(min(y for _, y in box.polygon_px)),
            round(max(x for x, _ in box.polygon_px)),
            round(max(y for _, y in box.polygon_px)),
        )
        for box in drawn
    }
    assert len(clear) > 30
    assert clear <= shown
    hidden = len([t for t in things if t.visible < 0.4])
    assert hidden >= 1  # the arm lies over something
    assert len(shown) <= len(things) - hidden + 2


def test_looking_again_at_a_part_gives_what_looking_at_all_gives() -> None:
    steps = [step.scene for step in play_evening(5, CHANGSHA, hands=1)][:30]
    following = Geometry(OVERHEAD)
    for scene in steps:
        assert following.things(scene) == Geometry(OVERHEAD).things(scene)


# -- the errors ----------------------------------------------------------------------------------


def test_without_errors_everything_is_read_where_it_lies() -> None:
    reader = ModelledReader(OVERHEAD, {"clear": rates()}, seed=1)
    readings = reader.read(one_tile(), "clear")
    (thing,) = Geometry(OVERHEAD).things(one_tile())
    assert readings.labels == ("5m",)
    assert readings.polygons.min(axis=1)[0] == pytest.approx(thing.box[:2])
    assert readings.polygons.max(axis=1)[0] == pytest.approx(thing.box[2:], rel=1e-3)


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


@pytest.mark.parametrize(("stuck", "least", "most"), [(1.0, 1.0, 1.0), (0.0, 0.15, 0.45)])
def test_an_error_that_sticks_comes_again_each_time_the_tile_is_read(
    stuck: float, least: float, most: float
) -> None:
    outcomes = {"5m": Outcomes(100, (Way(30, "6m", (("6m", 0.9),)),))}
    wrong = again = 0
    for seed in range(300):
        reader = ModelledReader(OVERHEAD, {"clear": rates(outcomes, stuck)}, seed=seed)
        scene = one_tile()
        if reader.read(scene, "clear").labels == ("6m",):
            wrong += 1
            again += reader.read(scene, "clear", anew=True).labels == ("6m",)
    assert wrong > 50
    assert least <= again / wrong <= most


def test_what_does_not_change_is_not_read_again() -> None:
    outcomes = {"5m": Outcomes(100, (Way(50, "6m", (("6m", 0.9),)),))}
    reader = ModelledReader(OVERHEAD, {"clear": rates(outcomes)}, seed=2)
    scene = one_tile()
    first = reader.read(scene, "clear")
    far = Scene((*scene.tiles, PlacedTile(Tile.S1, -200.0, 150.0)))
    assert all(reader.read(scene, "clear") is first for _ in range(20))
    assert all(first.labels[0] in reader.read(far, "clear").labels for _ in range(20))


def test_the_file_of_rates_comes_back_as_it_was(tmp_path: Path) -> None:
    measured = MeasuredRates("2026-11-21", "a machine", "abc", 7, {"overhead/x/clear": rates()})
    save_rates(tmp_path / "eyes.json", measured)
    assert load_rates(tmp_path / "eyes.json") == measured
    (tmp_path / "eyes.json").write_text("{}", encoding="utf-8")
    with pytest.raises(BenchError, match=r"eyes\.json cannot be read"):
        load_rates(tmp_path / "eyes.json")


def test_a_part_of_a_tile_is_counted_apart() -> None:
    kinds = [kind_of("5m", 1.0), kind_of("5m", 0.6), kind_of("back", 0.1), kind_of("d3", 1.0)]
    assert kinds == ["5m", "face most", "back part", "d"]
    kinds = [kind_of("5m", 0.6, 0.4), kind_of("back", 0.1, 0.3), kind_of("d3", 0.4, 0.4)]
    assert kinds == ["face most covered", "back part", "d part covered"]


def test_what_an_arm_hides_of_a_tile_errs_in_another_way_than_what_a_tile_hides() -> None:
    """A neighbour's rim hides little of a face; under a sleeve it is hardly ever read."""
    (low,) = one_tile().tiles
    by_tile = Scene((low, replace(low, y_mm=low.y_mm + 25.0)))  # nearer to the camera
    sleeve = ((0.0, -145.0), (200.0, -145.0), (200.0, -130.0), (0.0, -130.0))
    by_arm = Scene((low,), covers=(Cover(sleeve, SLEEVE),))
    missed = {"face most covered": Outcomes(100, (Way(100, ""),))}
    for scene, said in ((by_tile, True), (by_arm, False)):
        thing = next(each for each in Geometry(OVERHEAD).things(scene) if each.piece == low)
        assert 0.45 < thing.visible < 0.85
        assert thing.covered == (0 if said else pytest.approx(1 - thing.visible, abs=0.01))
        reader = ModelledReader(OVERHEAD, {"clear": rates(missed)}, seed=1)
        reader.read(scene, "clear")  # the arm comes: nobody reads what moves
        assert ("5m" in reader.read(scene, "clear", anew=True).labels) is said


def test_faces_that_were_seen_too_rarely_are_told_together() -> None:
    """Apart only with what they were taken for."""
    calibration = Calibration(OVERHEAD.corners_px())
    tally = ThingTally(OVERHEAD)
    for tile, said in ((Tile.M5, "6m"), (Tile.S1, "?"), (Tile.P2, "2p")):
        scene = one_tile(tile=tile)
        (thing,) = Geometry(OVERHEAD).things(scene)
        read = box_readings(
            OVERHEAD.size_wh,
            np.array([thing.box], np.float32),
            [Name(said, 0.9, (Candidate(said, 0.9),))],
        )
        tally.count(CameraMoment(scene, 1.0), [(read, (0, 0))], calibration)
    assert tally.rates().outcomes == {
        "5m": Outcomes(1, (Way(1, "6m", (("6m", 0.9),)),)),
        "face": Outcomes(3, (Way(1, "?", (("?", 0.9),)),)),
    }


# -- the disturbances ----------------------------------------------------------------------------


# -- the line ------------------------------------------------------------------------------------


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
    assert wire.pending == 0


# -- right and wrong -----------------------------------------------------------------------------

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


def test_a_hand_followed_by_eyes_that_do_not_err_is_right() -> None:
    eyes = ModelledEyes({"clear": rates()}, OVERHEAD, limits=Limits.alike(0.88), seed=1)
    table = EveningTable(CHANGSHA, eyes, seed=1)
    (found,) = follow_evening(CHANGSHA, table, seed=1, hands=1)
    assert found.is_right
    assert found.questions == ()
    assert found.events_right == found.events_true


def test_a_harsh_hand_is_never_silently_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["live", "--rules", "changsha", "--hands", "1", "--noise", "harsh", "--json"]
    assert main(command) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows[0]["silently_wrong"] is False
    assert (rows[1]["hands"], rows[1]["noise"]) == (1, "harsh")


@pytest.mark.slow
@pytest.mark.parametrize("scale", [0.75, 1.15])
def test_a_hand_with_small_or_large_tiles_is_followed_as_one_with_usual_ones(scale: float) -> None:
    """The size is nowhere told: the eyes measure it while the tiles are dealt."""
    wanted = WantedHands(1, seed=9862, tile_scale=scale)
    (figures, _) = follow_hands(wanted, [find_rules("tianjin")])
    assert isinstance(figures, HandFigures)
    assert figures.is_right
    assert not figures.questions
