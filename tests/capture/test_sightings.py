"""Recorded sightings: what is written is what is read, and a damaged file is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import BenchError
from bench.live.moments import (
    Happened,
    Heard,
    Lay,
    Looked,
    Lying,
    Moment,
    RecordedHand,
    Said,
    Seen,
)
from bench.live.read_things import Things
from bench.live.replay import follow_again
from bench.live.sightings import (
    load_about,
    load_hand,
    probabilities,
    quantised,
    save_hand,
)
from firmware_bridge.events import DiceReport, Key, KeyPressed
from firmware_bridge.receiver import EventsLost
from table_assist.contract.commands import DeclareWin
from table_assist.game.events import Discarded
from table_assist.tiles.tile import Tile
from table_assist.vision.reading.recognise import CLASSES
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.dice import SeenDie
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zones import Layout, Zone, ZoneKind
from tests.stages.sighted import hand_of, noted_hand, some_things

pytestmark = pytest.mark.slow

CORNERS = ((10.0, 900.0), (910.5, 900.0), (900.0, 12.25), (14.0, 10.0))

numbers = st.floats(-400, 400, allow_nan=False)
shares = st.floats(0, 1, allow_nan=False)
times = st.floats(0, 1e9, allow_nan=False)
tiles = st.sampled_from(list(Tile))
zones = st.builds(Zone, st.sampled_from(list(ZoneKind)), st.sampled_from([None, 0, 1, 2, 3]))
seen_tiles = st.builds(
    SeenTile, tiles, shares, numbers, numbers, numbers, zones,
    candidates=st.lists(st.tuples(tiles, shares), max_size=3).map(tuple),
    pictures=st.integers(1, 10_000), id=st.integers(0, 10_000), age_s=times,
    is_clear=st.booleans(),
)  # fmt: skip
observations = st.builds(
    Observation, times, st.lists(seen_tiles, max_size=6).map(tuple),
    st.lists(st.integers(1, 6), max_size=3).map(tuple),
    st.lists(st.builds(SeenDie, st.sampled_from([None, 1, 6]), numbers, numbers), max_size=2)
    .map(tuple),
    st.lists(st.builds(OccludedZone, zones, times, st.sampled_from(list(WhyUnseen))), max_size=3)
    .map(tuple),
    shares, st.none() | shares, st.builds(Layout, river=st.floats(200, 260)),
    st.frozensets(zones, max_size=3),
)  # fmt: skip


@st.composite
def cells(draw: st.DrawFn) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    shape = draw(st.integers(0, 9)), draw(st.integers(0, 9))
    return np.random.default_rng(draw(st.integers(0, 99))).random(shape) < 0.3


@st.composite
def looks(draw: st.DrawFn) -> Looked:
    told = draw(observations)
    seen = None
    if draw(st.booleans()):
        things = some_things(draw(st.integers(0, 6)), draw(st.integers(0, 3)))
        seen = Seen(
            (1920, 1080), (4, 5, 900, 906),
            draw(st.sampled_from([None, Calibration(CORNERS), Calibration(CORNERS, 720.0)])),
            things, np.arange(len(things), dtype=np.uint8) % 5,
            hidden=draw(cells()), moving=draw(cells()),
            still=draw(st.none() | st.integers(0, 4).map(some_things)),
        )  # fmt: skip
    wanted = Attention(draw(st.frozensets(zones, max_size=2)), is_undealt=draw(st.booleans()))
    return Looked(told.t, told, wanted, seen, (draw(numbers), 0.0))


lying = st.builds(
    Lying, tiles, numbers, numbers, numbers, st.sampled_from(["face_up", "standing"]), shares
)
moments: st.SearchStrategy[Moment] = st.one_of(
    looks(),
    st.builds(Lay, times, st.lists(lying, max_size=4).map(tuple)),
    st.builds(Happened, times, st.lists(st.builds(Discarded, st.integers(0, 3), tiles)).map(tuple)),
    st.builds(
        Heard,
        times,
        st.sampled_from([KeyPressed(2, Key.WIN), DiceReport(1, (3, 4)), EventsLost(2)]),
        st.sampled_from(["", "board 12 3"]),
    ),
    st.builds(Said, times, st.builds(DeclareWin, st.integers(0, 3)), st.just("Ann")),
)


def assert_same(one: RecordedHand, other: RecordedHand) -> None:
    assert (one.about, one.log, len(one.moments)) == (other.about, other.log, len(other.moments))
    for old, new in zip(one.moments, other.moments, strict=True):
        if not isinstance(old, Looked):
            assert old == new
            continue
        assert isinstance(new, Looked)
        assert (old.t, old.observation, old.attention) == (new.t, new.observation, new.attention)
        assert old.moved_mm == new.moved_mm
        if old.seen is None:
            assert new.seen is None
            continue
        assert new.seen is not None
        a, b = old.seen, new.seen
        assert (a.size_wh, a.window, a.calibration) == (b.size_wh, b.window, b.calibration)
        for name in ("fates", "hidden", "moving"):
            assert np.array_equal(getattr(a, name), getattr(b, name)), name
        assert_alike(a.things, b.things)
        assert (a.still is None) == (b.still is None)
        if a.still is not None and b.still is not None:
            assert_alike(a.still, b.still)


def assert_alike(one: Things, other: Things) -> None:
    assert np.array_equal(one.xyxy, other.xyxy)
    assert np.array_equal(one.score, other.score)
    assert np.allclose(one.rows, other.rows, rtol=1e-3, atol=1e-6)


@settings(max_examples=40, deadline=None)
@given(st.lists(moments, max_size=8))
def test_what_is_written_is_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, each: list[Moment]
) -> None:
    path = tmp_path_factory.mktemp("hands") / "a.npz"
    hand = hand_of(each)
    save_hand(hand, path)
    assert_same(hand, load_hand(path))
    assert load_about(path) == hand.about
    assert [other.name for other in path.parent.iterdir()] == ["a.npz"]


@given(st.integers(0, 10_000), st.floats(0.005, 5))
def test_probabilities_lose_three_in_ten_thousand_of_themselves_at_most(
    seed: int, spread: float
) -> None:
    rows = np.random.default_rng(seed).dirichlet(np.full(CLASSES, spread), 4)
    steps = quantised(rows.astype(np.float32))
    kept = probabilities(steps)
    assert np.allclose(kept.sum(axis=1), 1.0, atol=1e-5)
    best = rows.max(axis=1, keepdims=True)
    is_best = steps == steps.min(axis=1, keepdims=True)  # the step may be that of several
    off = np.abs(kept - rows)
    assert (off <= 3e-4 * (1 - best) + 1e-6)[is_best].all()
    large = (rows > 1e-13) & ~is_best
    assert np.allclose(kept[large], rows[large], rtol=3e-4, atol=0)
    assert (kept[rows <= 1e-13] < 1e-12).all()


@pytest.fixture(scope="module")
def noted() -> RecordedHand:
    return noted_hand("changsha", 3)


@pytest.mark.parametrize(
    ("rules", "seed", "harsh"), [("changsha", 3, False), ("changchun", 5, True)]
)
def test_a_recorded_hand_leads_to_the_very_log_that_was_written_live(
    tmp_path: Path, rules: str, seed: int, harsh: bool
) -> None:
    """Events, questions, times, confidences and who said so: every field of every entry."""
    hand = noted_hand(rules, seed, harsh=harsh)
    save_hand(hand, tmp_path / "a.npz")
    followed = follow_again(load_hand(tmp_path / "a.npz"))
    assert len(hand.log) > 20
    assert followed.entries == hand.log
    assert followed.figures.events_true == len(hand.truth)
    assert len(followed.look_ms) == sum(isinstance(each, Looked) for each in hand.moments)


def test_a_look_that_is_lost_leads_to_another_log(noted: RecordedHand) -> None:
    """The looks are what the log comes from, and nothing beside them."""
    blind = [each for each in noted.moments if not isinstance(each, Looked)]
    assert follow_again(hand_of(blind)).entries != noted.log


def test_the_truth_never_reaches_the_session(noted: RecordedHand) -> None:
    kept = [each for each in noted.moments if not isinstance(each, Happened | Lay)]
    again = follow_again(RecordedHand(noted.about, tuple(kept), noted.log))
    assert again.entries == noted.log


def test_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    head = {"version": 99, "about": {}, "log": []}
    with path.open("wb") as file:
        np.savez_compressed(file, head=np.frombuffer(json.dumps(head).encode(), np.uint8))
    with pytest.raises(BenchError, match="version 99, expected 2"):
        load_hand(path)
    with pytest.raises(BenchError, match="cannot be read"):
        load_hand(tmp_path / "none.npz")
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(BenchError, match="damaged"):
        load_hand(path)


def test_boxes_lie_on_the_table_by_the_whole_pictures_calibration() -> None:
    where = Calibration(((100.0, 900.0), (900.0, 900.0), (900.0, 100.0), (100.0, 100.0)))
    box = np.array([[400.0, 390.0, 420.0, 410.0]], np.float32)  # in a window that begins at 90, 100
    things = Things(box, np.ones(1, np.float32), some_things(1).rows)
    none = np.zeros((1, 1), np.bool_)
    seen = Seen((1000, 1000), (90, 100, 910, 910), where, things, np.zeros(1, np.uint8), none, none)
    middle = seen.outlines_mm(things).mean(axis=1)[0]
    assert middle == pytest.approx((0.0, 0.0), abs=1e-3)
