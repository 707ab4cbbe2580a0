"""Whole hands of bots, settled a second time by an account that shares nothing with the program."""

import ast
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from table_assist.game.state import TableState
from table_assist.rules.options import OptionValue
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.tiles.tile import HONOURS, SUITED
from tests.accountant.audit import Audited, Deal, audit, compare, one, values_of
from tests.accountant.books import BOOKS, NO_POINTS, defaults
from tests.accountant.loaded import LoadedRandom

IDS = sorted(BOOKS)
HANDS = 15  # more by `python -m tests.accountant`
FOLDER = Path(__file__).parent
# What the account may know of the program: tiles and events, as data.
DATA = {"table_assist.tiles.tile", "table_assist.tiles.melds", "table_assist.game.events"}
KNOWS_THE_PROGRAM = {"audit.py", "loaded.py", "test_accountant.py"}


@pytest.mark.parametrize("id", IDS)
def test_hands_with_options_at_random_move_what_the_account_says(id: str) -> None:
    audited = audit(id, HANDS, "suite", seeks=False)
    assert audited.faults == []
    assert audited.hands >= HANDS
    assert audited.kinds["Settled"] > HANDS // 4


def every_value() -> list[tuple[str, str, OptionValue]]:
    return [
        (rules.id, option.name, value)
        for rules in rule_sets()
        for option in rules.options
        for value in values_of(option)
    ]


@pytest.mark.parametrize("id", IDS)
def test_each_option_of_a_rule_set_is_flipped_in_a_hand_whose_settlement_is_checked(
    id: str,
) -> None:
    audited = Audited()
    flips = [(name, value) for rules, name, value in every_value() if rules == id]
    for number, (name, value) in enumerate(flips):
        one(audited, Deal(id, f"flip {number}", TableState(), 0), {name: value})
    assert audited.faults == []
    assert set(audited.met) == set(flips)


@pytest.mark.parametrize("id", IDS)
def test_the_account_knows_every_option_that_moves_points_and_its_default(id: str) -> None:
    offered = {option.name: option.default for option in find_rules(id).options}
    own = defaults(id)
    assert set(offered) == set(own) | NO_POINTS[id]
    assert {name: offered[name] for name in own} == own


def test_the_account_imports_nothing_of_the_program_but_tiles_and_events() -> None:
    for path in FOLDER.glob("*.py"):
        if path.name in KNOWS_THE_PROGRAM:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            modules += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            for module in modules:
                assert not module.startswith("table_assist") or module in DATA, (path.name, module)


@pytest.mark.parametrize("id", IDS)
def test_a_point_that_goes_astray_is_noticed(id: str) -> None:
    story, _, _ = Deal(id, "astray", TableState(), 0).play({})
    assert compare(story) == []
    assert story.end is not None
    a, b, c, d = story.end.transfers
    story.end = replace(story.end, transfers=(a + 1, b, c, d - 1))
    assert len(compare(story)) == 1


def test_another_dealer_is_noticed() -> None:
    story, _, _ = Deal("wanzhou", "astray", TableState(), 0).play({})
    assert story.end is not None
    assert story.end.dealer_next is not None
    story.end = replace(story.end, dealer_next=(story.end.dealer_next + 1) % 4)
    assert any("deals" in fault for fault in compare(story))


def test_a_loaded_deck_has_the_same_tiles() -> None:
    for seed in range(20):
        tiles = [tile for tile in (*SUITED, *HONOURS) for _ in range(4)]
        LoadedRandom(seed).shuffle(tiles)
        assert Counter(tiles) == Counter(dict.fromkeys((*SUITED, *HONOURS), 4))
