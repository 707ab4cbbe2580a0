"""What `python -m bench rules` measures, and what it says where it cannot."""

import json
from random import Random

import pytest

from bench import other_calculators as bench_others
from bench.__main__ import main
from bench.other_calculators import others
from bench.rules import losing_hand, wildest_hand, winning_hand
from table_assist.rules.judge import judge
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.tiles.tile import Tile

ALL = [rules.id for rules in rule_sets()]


@pytest.mark.parametrize("id", ALL)
def test_the_hands_are_others_every_time_and_the_same_for_a_seed(id: str) -> None:
    rules = find_rules(id)
    won = [winning_hand(rules, Random(f"{n}")) for n in range(20)]
    assert len(set(won)) == 20
    assert won == [winning_hand(rules, Random(f"{n}")) for n in range(20)]
    assert all(judge(rules, shown).valid for shown in won)
    assert not any(judge(rules, losing_hand(rules, Random(f"{n}"))).valid for n in range(20))


def test_the_wildest_hand_has_every_wild_tile_there_is() -> None:
    shown = wildest_hand(find_rules("tianjin"), Random("wild"))
    assert sum(tile in shown.wilds for tile in shown.concealed) == 7
    assert len(shown.concealed) == 14


def test_figures_come_out_as_lines_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--rules", "wanzhou", "--hands", "20", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    measured = [line for line in lines if "note" not in line]
    assert [line["hands"] for line in measured] == ["winning", "losing"]
    assert all(line["plain"] > 0 and line["explained"] > 0 for line in measured)


def test_without_the_other_calculators_it_says_so_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(package: str) -> str:
        raise bench_others.PackageNotFoundError(package)

    monkeypatch.setattr(bench_others, "version", missing)
    found, lacking = others()
    assert found == []
    assert "mahjong is not installed" in lacking[0]
    assert main(["rules", "--rules", "changsha", "--hands", "5"]) == 0
    said = capsys.readouterr().out
    assert "PyMahjongGB is not installed" in said
    assert "winning" in said


@pytest.mark.parametrize(
    ("tile", "text"), [(Tile.M1, "W1"), (Tile.P9, "T9"), (Tile.NORTH, "F4"), (Tile.RED, "J1")]
)
def test_tiles_are_written_as_the_compiled_calculator_reads_them(tile: Tile, text: str) -> None:
    assert bench_others.compiled_text(tile) == text
