"""Hands that are sought for what no hand reached before settle as the account says."""

import ast
from fnmatch import fnmatch

import pytest

from table_assist.rules.registry import rule_sets
from tests.corners.drive import ROOT, Search, files_of
from tests.corners.report import functions, reached, together
from tests.corners.unreached import REASONS

IDS = [rules.id for rules in rule_sets()]
HANDS = 2  # more by `python -m tests.corners`


@pytest.mark.parametrize("id", IDS)
def test_hands_that_are_sought_move_what_the_account_says(id: str) -> None:
    search = Search(id, "suite", by_branches=False, alterations=10)
    search.go_on(HANDS)
    assert search.faults == []
    assert search.hands >= HANDS
    assert search.corpus, "the first hand reaches what none did before"
    assert reached(functions(search), f"rules/sets/{id}").ran > 0


def test_the_same_seed_seeks_the_same_hands() -> None:
    one, other = (Search("wanzhou", "again", by_branches=False, alterations=10) for _ in range(2))
    one.go_on(2)
    other.go_on(2)
    assert [kept.made for kept in one.corpus] == [kept.made for kept in other.corpus]


def test_a_hand_that_settles_otherwise_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.accountant.wanzhou.next_dealers", lambda story: [story.dealer + 9])
    search = Search("wanzhou", "otherwise", alterations=10)
    search.go_on(1)
    assert search.faults


def test_what_one_search_reached_counts_for_all() -> None:
    ran, missed = {(1, 2)}, {(1, 3)}
    whole = together([{("f", "g"): (ran, missed)}, {("f", "g"): ({(1, 3)}, {(1, 2)})}])
    assert whole == {("f", "g"): ({(1, 2), (1, 3)}, set())}


@pytest.mark.parametrize("place", REASONS)
def test_what_is_explained_is_there(place: str) -> None:
    files = {file for id in IDS for file in files_of(id)}
    there = set()
    for path in files:
        file = str(path).removeprefix(f"{ROOT}/")
        with open(path, encoding="utf-8") as text:
            tree = ast.parse(text.read())
        there |= {
            f"{file}:{node.name}" for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
        }
    assert any(fnmatch(each, place) for each in there)
