"""Recorded hands: what is written is what is read and followed, and what a told tile is worth."""

import gzip
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import count, islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import BenchError
from bench.__main__ import main
from bench.live import recorded
from bench.live.compared import HandFigures
from bench.live.disturb import Disturber
from bench.live.eyes import OVERHEAD, ModelledEyes, RealEyes
from bench.live.hands import WantedHands
from bench.live.rates import load_rates
from bench.live.recorded import (
    ALL_KINDS,
    LEARNT_KIND,
    PLAYED_KINDS,
    Happened,
    Heard,
    Looked,
    Moment,
    NotingEyes,
    RecordedHand,
    Said,
    ToldPiece,
    fit,
    follow_again,
    load_hand,
    noted_hand,
    save_hand,
    wanted_hand,
)
from firmware_bridge.events import DiceReport, Key, KeyPressed
from firmware_bridge.receiver import EventsLost
from models.world import WorldLooks
from table_assist.following.told_scale import ToldScale, chances
from table_assist.game.events import Discarded
from table_assist.record.commands import DeclareWin
from table_assist.record.log import Entry
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from table_assist.twin.evening import play_evening
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import open_reader
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.stages.trial_person import NEAR

CHANGSHA = find_rules("changsha")
FOLDERS = {"faces": Path("faces"), "invented": Path("invented")}
faces = st.sampled_from(CHANGSHA.kinds)


@cache
def modelled_hand(id: str, seed: int, noise: str = "default") -> RecordedHand:
    measured = load_rates(WorldLooks.USUAL)
    rates = measured.of("overhead", measured.dresses[seed % len(measured.dresses)])
    eyes = ModelledEyes(rates, OVERHEAD, limits=Limits.alike(0.88), seed=seed)
    return noted_hand("usual", WantedHands(1, seed, noise=noise), find_rules(id), eyes)


def hand_of(moments: Sequence[Moment]) -> RecordedHand:
    return RecordedHand("usual", "changsha", 1, tuple(moments), ())


numbers, times = st.floats(-400, 400, allow_nan=False), st.floats(0, 1e9, allow_nan=False)
shares, tiles = st.floats(0, 1, allow_nan=False), st.sampled_from(list(Tile))
zones = st.builds(Zone, st.sampled_from(list(ZoneKind)), st.sampled_from([None, 0, 1, 2, 3]))
seen_tiles = st.builds(
    SeenTile, tiles, shares, numbers, numbers, numbers, zones,
    candidates=st.lists(st.tuples(tiles, shares), max_size=3).map(tuple),
    pictures=st.integers(1, 10_000), id=st.integers(0, 10_000), age_s=times,
    is_clear=st.booleans(),
)  # fmt: skip
moments: st.SearchStrategy[Moment] = st.one_of(
    st.builds(
        Looked,
        times,
        st.builds(Observation, times, st.lists(seen_tiles, max_size=6).map(tuple)),
    ),
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
    save_hand(hand_of(each), path)
    assert load_hand(path) == hand_of(each)
    assert [other.name for other in path.parent.iterdir()] == ["a.hand.gz"]


@pytest.mark.slow
def test_a_recorded_hand_leads_to_the_very_log_that_was_written_live(tmp_path: Path) -> None:
    """Every field of every entry, from the looks, and never from the truth."""
    hand = modelled_hand("changsha", 205, "harsh")
    save_hand(hand, tmp_path / "a.hand.gz")
    read = load_hand(tmp_path / "a.hand.gz")
    assert len(hand.log) > 20

    def followed(*kinds: type[Moment]) -> tuple[HandFigures, tuple[Entry, ...]]:
        told = tuple(each for each in read.moments if isinstance(each, kinds))
        figures, record = follow_again(replace(read, moments=told))
        return figures, tuple(record.entries)

    assert followed(Looked, Heard, Said)[1] == hand.log
    figures, blind = followed(Happened, Heard, Said)
    assert blind != hand.log
    assert figures.events_true == len(hand.truth)


def test_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.hand.gz"
    path.write_bytes(gzip.compress(json.dumps({"version": 99}).encode()))
    with pytest.raises(BenchError, match="version 99, expected 4"):
        load_hand(path)
    with pytest.raises(BenchError, match="cannot be read"):
        load_hand(tmp_path / "none.hand.gz")
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(BenchError, match="damaged"):
        load_hand(path)


def test_no_hand_is_of_two_kinds_but_those_of_a_learnt_set() -> None:
    seeds = {kind: {wanted_hand(kind, n, 200_000, FOLDERS).seed for n in range(12)}
             for kind in PLAYED_KINDS}  # fmt: skip
    assert seeds[LEARNT_KIND] == seeds["held-out"]
    every = [seed for kind, found in seeds.items() if kind != LEARNT_KIND for seed in found]
    assert len(set(every)) == len(every) == 12 * (len(PLAYED_KINDS) - 1)


def test_what_cannot_be_recorded_or_followed_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ["--folder", str(tmp_path)]
    for command, says in (
        (["record", *at, "--kind", "invented"], "--invented"),
        (["record", *at, "--kind", "unusual"], "there is no kind 'unusual'"),
        (["record", "--kind", "usual"], "--folder"),
        (["replay", "--folder", "nowhere"], "there is no folder 'nowhere'"),
        (["replay", *at], "has no such recorded hand"),
    ):
        assert main(["live", *command]) == 2
        assert says in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_what_has_a_file_is_played_no_more_and_each_process_plays_its_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An executor that is given all its work at once hung where its first process had ended."""
    monkeypatch.setattr(recorded, "HANDS_EACH", 1)
    (tmp_path / "invented-001.hand.gz").touch()
    at = ["--folder", str(tmp_path), "--invented", str(tmp_path)]  # no set is there
    assert main(["live", "record", *at, "--kind", "invented", "--hands", "4"]) == 1
    told = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()]
    assert told == ["invented 0", "invented 2", "invented 3"]


def test_hands_are_followed_kind_by_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand = modelled_hand("changsha", 205)  # the shortest of three hundred
    for kind in ("world", "usual"):
        moved = RecordedHand(kind, hand.rules, hand.seed, hand.moments, hand.log)
        save_hand(moved, tmp_path / f"{kind}-000.hand.gz")
    assert main(["live", "replay", "--folder", str(tmp_path), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["rules"], row["hands"]) for row in rows] == [
        ("usual", 1),
        (ALL_KINDS, 2),
        ("world", 1),
    ]
    assert main(["live", "replay", "--folder", str(tmp_path), "--kind", "world", "--json"]) == 0
    only = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["rules"], row["events_true"]) for row in only] == [("world", 21), (ALL_KINDS, 21)]


def test_a_share_is_that_of_the_pieces_told_so() -> None:
    right = [ToldPiece(Tile.M1, 0.99, Tile.M1)] * 98
    wrong = [ToldPiece(Tile.M1, 0.60, Tile.M2)] * 48 + [ToldPiece(Tile.M1, 0.60, Tile.M1)] * 50
    scale = fit([right, wrong])
    assert scale.chance(0.995) == pytest.approx(99 / 100)
    assert scale.chance(0.7) == pytest.approx(51 / 100)
    assert scale.chance(0.1) == pytest.approx(51 / 100)


def test_pieces_told_wrongly_alike_are_stuck() -> None:
    alike = [ToldPiece(Tile.M1, 0.9, Tile.M2)] * 20
    apart = [ToldPiece(Tile.M1, 0.9, Tile.M2), *[ToldPiece(Tile.M2, 0.9, Tile.M2)] * 20]
    assert fit([alike]).stuck > 0.9 > 0.1 > fit([apart]).stuck


@given(
    st.lists(st.tuples(faces, st.floats(0, 0.1)), max_size=3, unique_by=lambda each: each[0]),
    st.floats(0.7, 1.0),
)
def test_chances_add_up_and_the_likelier_face_has_more(
    named: list[tuple[Tile, float]], sure: float
) -> None:
    scale = ToldScale((0.0,), (0.95,), 0.5, 1)
    seen = SeenTile(Tile.M1, sure, 0, 0, 26, Zone(ZoneKind.HAND, 0), candidates=tuple(named))
    found = chances(seen, CHANGSHA.kinds, scale)
    assert sum(found.values()) == pytest.approx(1.0)
    assert found[Tile.M1] == 0.95
    others = sorted((chance, face) for face, chance in named if face is not Tile.M1)
    assert [found[face] for _, face in others] == sorted(found[face] for _, face in others)


@pytest.mark.slow
def test_each_told_piece_of_real_eyes_is_so() -> None:
    real = RealEyes(CHANGSHA, open_reader(threads=1), NEAR, seed=1, faces=None)
    eyes, disturber, looks, t = NotingEyes(real, NEAR.size_wh), Disturber(1), [], count()
    for step in islice(play_evening(1, CHANGSHA, hands=1), 7, 12):
        for moment in disturber.moments(step):
            looks.append(eyes.look(moment, float(next(t))))
    assert len(looks) > 10
    assert any(tile.confidence > 0.9 for look in looks for tile in look.tiles)
    assert len(eyes.told) >= 3
    assert all(piece.is_so for piece in eyes.told)
