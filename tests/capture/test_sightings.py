"""Recorded sightings: what is written is what is read, and a damaged file is refused."""

import gzip
import json
from pathlib import Path

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
    load_about,
    load_hand,
    save_hand,
)
from bench.live.replay import follow_again
from firmware_bridge.events import DiceReport, Key, KeyPressed
from firmware_bridge.receiver import EventsLost
from table_assist.contract.commands import DeclareWin
from table_assist.game.events import Discarded
from table_assist.tiles.tile import Tile
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.dice import SeenDie
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zones import Layout, Zone, ZoneKind
from tests.stages.sighted import hand_of, noted_hand

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


attentions = st.builds(Attention, st.frozensets(zones, max_size=2), is_undealt=st.booleans())
looks = st.builds(
    Looked, times, observations, attentions,
    st.sampled_from([None, Calibration(CORNERS), Calibration(CORNERS, 720.0)]),
    st.tuples(numbers, numbers),
)  # fmt: skip
lying = st.builds(
    Lying, tiles, numbers, numbers, numbers, st.sampled_from(["face_up", "standing"]), shares
)
moments: st.SearchStrategy[Moment] = st.one_of(
    looks,
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


@settings(max_examples=40)
@given(st.lists(moments, max_size=8))
def test_what_is_written_is_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, each: list[Moment]
) -> None:
    path = tmp_path_factory.mktemp("hands") / "a.hand.gz"
    hand = hand_of(each)
    save_hand(hand, path)
    assert load_hand(path) == hand
    assert load_about(path) == hand.about
    assert [other.name for other in path.parent.iterdir()] == ["a.hand.gz"]


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
    save_hand(hand, tmp_path / "a.hand.gz")
    followed = follow_again(load_hand(tmp_path / "a.hand.gz"))
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
    path = tmp_path / "a.hand.gz"
    head = {"version": 99, "about": {}, "log": []}
    path.write_bytes(gzip.compress(json.dumps(head).encode()))
    with pytest.raises(BenchError, match="version 99, expected 3"):
        load_hand(path)
    with pytest.raises(BenchError, match="cannot be read"):
        load_hand(tmp_path / "none.hand.gz")
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(BenchError, match="damaged"):
        load_hand(path)
