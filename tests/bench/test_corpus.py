"""A corpus of recorded hands: its seeds, where a recorder goes on, and what is kept for the end."""

import json
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import BenchError
from bench.__main__ import main
from bench.live.corpus import KINDS, Corpus, CorpusHand, CorpusKind
from bench.live.moments import save_hand
from bench.live.record import missing_hands, path_of, recorded
from bench.live.replay import ALL, corpus_in
from models.world import WorldLooks
from tests.stages.sighted import as_of, hand_of, noted_hand

THREE = (
    CorpusKind("usual", 0, WorldLooks.USUAL),
    CorpusKind("world", 1),
    CorpusKind("clumsy", 6, is_clumsy=True),
)


def test_no_hand_of_the_unseen_corpus_is_in_the_first() -> None:
    """Of a kind there are a thousand seeds, and no two kinds share one but the learnt sets' two."""
    seeds: dict[Corpus, set[int]] = {}
    for corpus in Corpus:
        each = [list(islice(kind.seeds(corpus), 40)) for kind in KINDS]
        assert all(found[-1] < found[0] // 1000 * 1000 + 1000 for found in each)
        counted = Counter(seed for found in each for seed in found)
        assert sum(counted.values()) - len(counted) == 40
        seeds[corpus] = set(counted)
    assert not seeds[Corpus.FIRST] & seeds[Corpus.UNSEEN]


def test_a_kind_without_its_tile_sets_is_refused_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["live", "record", "--folder", str(tmp_path), "--kind", "invented"]
    assert main(command) == 2
    assert "--invented" in capsys.readouterr().err
    assert main(["live", "record", "--kind", "usual"]) == 2
    assert main(["live", "record", "--folder", str(tmp_path), "--kind", "unusual"]) == 2
    assert list(tmp_path.iterdir()) == []


@settings(max_examples=30)
@given(st.lists(st.integers(0, 7), max_size=6), st.integers(1, 3))
def test_who_goes_on_neither_repeats_nor_loses_a_hand(
    tmp_path_factory: pytest.TempPathFactory, stops: list[int], hands: int
) -> None:
    folder = tmp_path_factory.mktemp("corpus")
    played: list[str] = []

    def keep(hand: CorpusHand) -> str:
        played.append(hand.name)
        path_of(hand, folder).touch()
        return ""

    def missing() -> list[CorpusHand]:
        return list(missing_hands(Corpus.FIRST, THREE, hands, folder))

    every = [hand.name for hand in missing()]
    for stop in stops:
        for _ in islice(recorded(missing(), keep), stop):
            pass
        counts = Counter(name.rsplit("-", 1)[0] for name in played)
        assert max(counts.values(), default=0) - min(counts[kind.name] for kind in THREE) <= 1
    list(recorded(missing(), keep))
    assert played == every
    assert len(set(played)) == 3 * hands
    assert missing() == []


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    hand = noted_hand("changsha", 205)  # the shortest of three hundred
    for number, kind in enumerate(("world", "usual")):
        save_hand(as_of(hand, corpus="first", kind=kind), folder / f"{kind}-{number:03d}.hand.gz")
    return folder


def test_a_corpus_is_told_kind_by_kind(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["live", "replay", "--folder", str(corpus), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    rows = {row["kind"]: row for row in told["rows"]}
    assert list(rows) == ["usual", "world", "all kinds"]
    assert [row["hands"] for row in rows.values()] == [1, 1, 2]
    assert rows["usual"]["seeds"] == [205]
    assert rows["all kinds"]["live"] == 2
    assert main(["live", "replay", "--folder", str(corpus), "--kind", "world", "--json"]) == 0
    only = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["kind"], row["events_true"]) for row in only] == [("world", 21), (ALL, 21)]


def test_what_is_kept_for_the_end_is_not_followed_before(tmp_path: Path) -> None:
    save_hand(as_of(hand_of([]), corpus="unseen"), tmp_path / "usual-000.hand.gz")
    save_hand(as_of(hand_of([]), corpus="first"), tmp_path / "usual-001.hand.gz")
    with pytest.raises(BenchError, match="--final"):
        corpus_in(tmp_path, ["usual"], None, is_final=False)
    assert len(corpus_in(tmp_path, ["usual"], None, is_final=True)) == 2
    assert len(corpus_in(tmp_path, ["usual"], 1, is_final=True)) == 1
    with pytest.raises(BenchError, match="no such recorded hand"):
        corpus_in(tmp_path, ["world"], None, is_final=True)
    with pytest.raises(BenchError, match="--folder"):
        corpus_in(None, ["world"], None, is_final=True)
