"""What `python -m bench rules` measures."""

import json
from random import Random

import pytest

from bench.__main__ import main
from bench.rules import losing_hand, winning_hand
from table_assist.rules.judge import judge
from table_assist.rules.registry import find_rules, rule_sets

ALL = [rules.id for rules in rule_sets()]


@pytest.mark.parametrize("id", ALL)
def test_the_hands_are_others_every_time_and_the_same_for_a_seed(id: str) -> None:
    rules = find_rules(id)
    won = [winning_hand(rules, Random(f"{n}")) for n in range(20)]
    assert len(set(won)) == 20
    assert won == [winning_hand(rules, Random(f"{n}")) for n in range(20)]
    assert all(judge(rules, shown).valid for shown in won)
    assert not any(judge(rules, losing_hand(rules, Random(f"{n}"))).valid for n in range(20))


def test_figures_come_out_as_lines_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--rules", "wanzhou", "--hands", "20", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    measured = [line for line in lines if "note" not in line]
    assert [line["hands"] for line in measured] == ["winning", "losing"]
    assert all(line["plain"] > 0 and line["explained"] > 0 for line in measured)
