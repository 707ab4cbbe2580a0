"""A sixth rule set is one new file and one golden file; nothing else knows of it."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.cases.run import run_file
from bench.live.compared import HandFigures
from bench.live.hands import WantedHands, follow_hands
from table_assist.cli.main import main
from table_assist.live.live_table import LiveTable
from table_assist.rules import sets
from table_assist.rules.judge import judge
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.shown import ShownHand
from table_assist.settings.config import load_config
from table_assist.settings.edit import profile_of
from table_assist.tiles.tile import parse_tile, parse_tiles

pytestmark = pytest.mark.slow

RULES = '''
"""Village mahjong: suits alone, a pung in every hand, double for every pattern."""

from table_assist.tiles.divide import NO_TRIPLETS, divide_counted
from table_assist.tiles.melds import MeldKind
from table_assist.rules import win as patterns
from table_assist.rules.play_rules import WallPlan
from table_assist.rules.ruleset import Condition, Pattern, RuleSet, Shape, Total, Win
from table_assist.rules.settlement import Owed, collect
from table_assist.rules.wall import fours_in_turn
from table_assist.languages.words import Words
from table_assist.tiles.tile import SUITED


def _has_pung(win: Win) -> bool:
    """At least one pung or kong. Only these rules ask for it, so it lives here."""
    return any(part.is_triplet for part in win.sets)


def _total(win: Win) -> Total:
    return Total(2 ** sum(each.value for each in win.counted))


RULES = RuleSet(
    id="village",
    names=Words("Village", "村庄麻将"),
    source="Village",
    kinds=SUITED,
    melds=frozenset(MeldKind) - {MeldKind.LUCKY_EGG},
    shapes=(
        Shape(
            "sets_and_pair",
            Words("four sets and a pair", "四组一对"),
            lambda shown, counts, options: divide_counted(counts),
            "§1",
        ),
    ),
    conditions=(
        Condition("has_pung", _has_pung, Words("There is no pung.", "没有刻子。"), source="§2"),
    ),
    patterns=(
        Pattern(
            "pung_flush",
            Words("Pung flush", "清碰"),
            5,
            lambda win: patterns.full_flush(win) and patterns.all_pungs(win),
            source="§5",
            implies=("full_flush", "all_pungs"),
        ),
        Pattern("full_flush", Words("Full flush", "清一色"), 3, patterns.full_flush, source="§4"),
        Pattern("all_pungs", Words("All pungs", "碰碰和"), 1, patterns.all_pungs, source="§4"),
        Pattern(
            "self_drawn",
            Words("Self-drawn", "自摸"),
            1,
            patterns.any_tiles,
            source="§6",
            when=lambda won, options: won.self_drawn,
        ),
    ),
    total=_total,
    pay=lambda win, total: collect(
        win.shown.winner, win.shown.payers, lambda payer: Owed(total.points)
    ),
    next_dealer=lambda result, options: ((result.dealer + 1) % 4,),
    wall=WallPlan(
        stacks=lambda dealer, options: (14, 14, 13, 13),
        first_side=lambda options: 0,
        deal=fours_in_turn(),
    ),
    starting_tiles=lambda is_dealer, options: 14 if is_dealer else 13,
    settles_together=lambda options: True,
)
'''
GIVEN = {"melds": [], "winner": 0, "dealer": 1}
GOLDEN = [
    {
        "id": "village-pung-flush",
        "kind": "win",
        "given": GIVEN | {"concealed": "111222444777m 9m9m", "winning_tile": "7m", "discarder": 2},
        "expect": {
            "valid": True,
            "patterns": [{"name": "pung_flush", "value": 5}],
            "total": 32,
            "payments": [32, 0, -32, 0],
        },
    },
    {
        "id": "village-no-pung",
        "kind": "reject",
        "given": GIVEN
        | {"concealed": "123m 456p 789s 234s 99p", "winning_tile": "4s"}
        | {"self_draw": True},
        "expect": {"valid": False, "failed": "has_pung"},
    },
]


@pytest.fixture(autouse=True)
def village(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the rule set beside the other five."""
    (tmp_path / "village.py").write_text(RULES, encoding="utf-8")
    monkeypatch.setattr(sets, "__path__", [*sets.__path__, str(tmp_path)])
    rule_sets.cache_clear()
    yield tmp_path
    rule_sets.cache_clear()
    sys.modules.pop("table_assist.rules.sets.village", None)
    vars(sets).pop("village", None)


def test_it_is_found_because_it_is_there() -> None:
    assert [rules.id for rules in rule_sets()].count("village") == 1
    assert len(rule_sets()) == 6


def test_its_golden_hands_are_judged(village: Path) -> None:
    golden = village / "village.jsonl"
    cases = [case | {"ruleset": "village", "why": "§", "doubt": "none"} for case in GOLDEN]
    golden.write_text("\n".join(map(json.dumps, cases)), encoding="utf-8")
    results = run_file(golden)
    assert [(result.id, result.ok) for result in results] == [
        ("village-pung-flush", True),
        ("village-no-pung", True),
    ]


def test_only_the_larger_pattern_counts_and_its_debts_have_words() -> None:
    hand = ShownHand(
        parse_tiles("111222444777m 9m9m"), parse_tile("7m"), winner=0, dealer=1, self_drawn=True
    )
    verdict = judge(find_rules("village"), hand)
    assert [each.id for each in verdict.patterns] == ["pung_flush", "self_drawn"]
    assert verdict.payments == (192, -64, -64, -64)
    assert verdict.steps[0].en == "Seat 1 pays seat 0: 64."


def test_the_command_line_prints_and_judges_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "village"]) == 0
    assert "Pung flush" in capsys.readouterr().out
    judged = ["judge", "111222444777m 9m9m", "--rules", "village", "--winning-tile", "7m"]
    assert main([*judged, "--self-drawn"]) == 0
    assert "64" in capsys.readouterr().out


def test_a_house_profile_may_name_it(village: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profile = village / "house.toml"
    profile.write_text('id = "our-house"\nname = "Ours"\nrules = "village"\n', encoding="utf-8")
    assert main(["rules", "--profile", str(profile)]) == 0
    assert "Village" in capsys.readouterr().out


def test_a_table_serves_it(village: Path) -> None:
    settings = village / "table.toml"
    log = village / "log.sqlite"
    settings.write_text(f"[rules]\nid = 'village'\n[log]\npath = '{log}'\n", encoding="utf-8")
    config = load_config(settings)
    assert profile_of(config).rules == find_rules("village")
    table = LiveTable(config, camera=None, reader=None)
    try:
        assert table.snapshot.rules.names.en == "Village"
    finally:
        table.close()


def test_a_whole_hand_of_it_is_followed_at_the_table_to_the_settled_ledger() -> None:
    """Simulated hands through eyes that err as measured, their keys over the board's line.

    What the eyes misread is asked or stays unread; a hand read whole is settled unasked.
    """
    hands = [
        each
        for each in follow_hands(WantedHands(hands=2, seed=7), [find_rules("village")])
        if isinstance(each, HandFigures)
    ]
    assert all(hand.ledger == hand.truth for hand in hands if not hand.questions)
    read = [hand for hand in hands if any(hand.truth) and not hand.missing]
    assert read
    assert all(hand.events_true > 20 and not hand.questions for hand in read)
