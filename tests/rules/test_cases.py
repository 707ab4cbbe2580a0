"""Worked examples: ours always, the shared ones where they lie beside the checkout."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.cases.run import run_case, run_file
from table_assist.rules.house.given import read_win
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.shown import Antes, Circumstance
from table_assist.tiles.tile import Tile

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
SHARED = Path(os.environ.get("SHARED", ROOT.parent / "shared")) / "rules" / "cases"
WIN = {
    "concealed": "456p 789s 234s 55p",
    "melds": [{"type": "chow", "tiles": "123m"}],
    "winning_tile": "4s",
    "self_draw": False,
    "winner": 1,
    "discarder": 2,
    "dealer": 0,
}


def a_case(**changes: object) -> dict[str, object]:
    case: dict[str, object] = {
        "id": "a",
        "ruleset": "changsha",
        "kind": "win",
        "given": WIN,
        "expect": {"valid": True, "total": 1, "payments": [0, 1, -1, 0]},
    }
    return case | changes


@pytest.mark.parametrize("rules", [rules.id for rules in rule_sets()])
def test_every_golden_case_holds(rules: str) -> None:
    results = run_file(GOLDEN / f"{rules}.jsonl")
    assert len(results) > 20
    assert [result for result in results if not result.ok] == []
    assert max(Counter(result.id for result in results).values()) == 1


@pytest.mark.parametrize("rules", [rules.id for rules in rule_sets()])
def test_every_shared_case_holds(rules: str) -> None:
    """They are not part of the repository and may lie beside it."""
    files = [SHARED / f"{rules}.jsonl"] if SHARED.is_dir() else []
    for path in files:
        results = run_file(path)
        assert len(results) > 50
        assert [result for result in results if not result.ok] == []


@pytest.mark.parametrize("rules", [rules.id for rules in rule_sets()])
def test_every_pattern_and_condition_has_golden_hands(rules: str) -> None:
    """One that has it, and one that narrowly does not: the ids say ``missed``."""
    lines = (GOLDEN / f"{rules}.jsonl").read_text(encoding="utf-8").splitlines()
    expected = [json.loads(line)["expect"] for line in lines]
    met = {each["name"] for one in expected for each in one.get("patterns", [])}
    met |= {name for one in expected for name in one.get("wins", [])}
    found = find_rules(rules)
    assert met >= {pattern.id for pattern in found.patterns}
    assert met >= {opening.id for opening in found.opening}
    failed = {str(one.get("failed")) for one in expected}
    assert failed >= {condition.id for condition in found.conditions}
    ids = " ".join(json.loads(line)["id"] for line in lines)
    for each in (*found.patterns, *found.opening):
        assert f"-{each.id.replace('_', '-')}-missed" in ids


def test_a_case_that_cannot_be_is_one_sentence() -> None:
    for line in (GOLDEN / "refused" / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        got = run_case({"id": "a", "expect": {"x": 1}, **case}).got
        assert set(got) <= {"error", "unsupported"}, case
        assert case["words"] in " ".join(map(str, got.values())) != "", case
        assert "\n" not in str(got)


def test_only_asserted_keys_are_compared() -> None:
    assert run_case(a_case(expect={"valid": True})).ok
    wrong = run_case(a_case(expect={"valid": True, "total": 2}))
    assert not wrong.ok
    assert wrong.got["total"] == 1
    assert not run_case(a_case(expect={"valid": True, "fan": 1})).ok
    assert not run_case(a_case(expect={"valid": 1})).ok, "1 is not true"
    assert not run_case(a_case(expect={})).ok


def test_the_order_of_patterns_does_not_matter() -> None:
    given_hand = WIN | {
        "concealed": "222p 888s 55m",
        "melds": [{"type": "pung", "tiles": "222m"}, {"type": "pung", "tiles": "555p"}],
        "winning_tile": "8s",
    }
    names = ["all_generals", "all_triplets"]
    expect = {"patterns": [{"name": name, "value": 1} for name in names]}
    assert run_case(a_case(given=given_hand, expect=expect)).ok
    expect = {"patterns": [{"name": name, "value": 1} for name in reversed(names)]}
    assert run_case(a_case(given=given_hand, expect=expect)).ok
    assert not run_case(a_case(given=given_hand, expect={"patterns": expect["patterns"][:1]})).ok


def test_what_other_rule_sets_state_is_read() -> None:
    """Kinds of kong, eggs, treasures, wild tiles and antes reach the shown hand."""
    shown = read_win(
        WIN
        | {
            "melds": [{"type": "lucky_egg", "tiles": "CFP", "supplements": "C"}],
            "flags": {"after_kong": "kong_exposed", "robbed": "egg_supplement"},
            "treasure": ["5m"],
            "wild": ["3s", "4s"],
            "antes": {"double_down": True, "challenges": {"1": 2}},
            "discard_round": 4,
        }
    )
    assert shown.circumstances == {
        Circumstance.AFTER_KONG,
        Circumstance.AFTER_KONG_EXPOSED,
        Circumstance.ROBBED_EGG_SUPPLEMENT,
    }
    assert shown.melds[0].supplements == (Tile.RED,)
    assert shown.antes == Antes(True, (0, 2, 0, 0))
    assert (shown.treasures, shown.wilds) == ((Tile.M5,), (Tile.S3, Tile.S4))
    assert shown.discard_round == 4


def test_broken_lines_of_a_file_do_not_hide_the_others(tmp_path: Path) -> None:
    path = tmp_path / "club.jsonl"
    good = json.dumps(a_case()).encode()
    path.write_bytes(b"\n".join([good, b"", b"{", b"[]", b"\xff", b"[" * 100_000, good]))
    results = run_file(path)
    assert [result.ok for result in results] == [True, False, False, False, False, True]
    assert [result.id for result in results[1:5]] == [f"club.jsonl:{line}" for line in (3, 4, 5, 6)]
    assert "not UTF-8" in str(results[3].got)


def test_a_missing_file_is_the_callers_to_report(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        run_file(tmp_path / "none.jsonl")


values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 5) | st.sampled_from(["", "5m", "?", "win", "0"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
golden = [
    json.loads(line)
    for line in (GOLDEN / "changsha.jsonl").read_text(encoding="utf-8").splitlines()
]


@settings(max_examples=300)
@given(st.sampled_from(golden), st.data())
def test_no_wrong_value_brings_the_runner_down(case: dict[str, dict], data: st.DataObject) -> None:
    """Any key of a case may hold anything at all."""
    key = data.draw(st.sampled_from(sorted(case["given"])))
    changed = case | {"given": case["given"] | {key: data.draw(values)}}
    result = run_case(changed)
    json.dumps(result.got)
    assert result.id == case["id"]
