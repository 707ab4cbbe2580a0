"""House profiles: what a file may say, and an identity that only the rules change."""

import ast
import hashlib
import json
from functools import cache
from pathlib import Path

import pytest

import table_assist
import web
from table_assist.rules.house.shown_hands import shown_hands, values_shown
from table_assist.rules.options import Option, OptionValue
from table_assist.rules.profile import ProfileError, choose_profile, load_profile, profile_hash
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.sets.classical.limits import SPECIAL_HANDS

GOOD = """
id = "river-club"
name = "River Club 河畔"
rules = "changsha"

[options]
multiple_winners = "closest"
false_win_amount = 6
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "house.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refused(folder: Path, text: str) -> str:
    with pytest.raises(ProfileError) as caught:
        load_profile(written(folder, text))
    message = str(caught.value)
    assert "house.toml" in message
    assert "\n" not in message
    return message


def test_a_profile_names_a_rule_set_and_what_differs(tmp_path: Path) -> None:
    profile = load_profile(written(tmp_path, GOOD))
    assert (profile.id, profile.name) == ("river-club", "River Club 河畔")
    assert profile.rules.id == "changsha"
    assert profile.rules.chosen["multiple_winners"] == "closest"
    assert profile.rules.chosen["false_win_amount"] == 6
    assert profile.rules.chosen["bird_origin"] == "dealer"
    assert find_rules("changsha").chosen["multiple_winners"] == "all"


def test_the_hash_is_of_rule_set_options_and_id_and_nothing_else(tmp_path: Path) -> None:
    options = dict(find_rules("changsha").chosen) | {
        "multiple_winners": "closest",
        "false_win_amount": 6,
    }
    for later in ("starting_points", "kong_added_tile", "instant_wins_until"):
        del options[later]  # they came later, and are at their defaults
    text = json.dumps(
        {"options": options, "profile": "river-club", "rules": "changsha"},
        sort_keys=True,
        separators=(",", ":"),
    )
    expected = hashlib.sha256(text.encode()).hexdigest()
    assert load_profile(written(tmp_path, GOOD)).hash == expected
    turned = """
        # another order, comments, another name, and an option at its default
        rules = "changsha"
        name = "Elsewhere"
        id = "river-club"
        options = { false_win_amount = 6, bird_origin = "dealer", multiple_winners = "closest" }
    """
    assert load_profile(written(tmp_path, turned)).hash == expected
    begun = turned.replace("false_win_amount = 6", "starting_points = 50, false_win_amount = 6")
    assert load_profile(written(tmp_path, begun)).hash != expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"river-club"', '"river-club-2"'),
        ("false_win_amount = 6", "false_win_amount = 7"),
        ('multiple_winners = "closest"', 'multiple_winners = "all"'),
    ],
)
def test_the_hash_changes_with_what_is_judged_by(tmp_path: Path, old: str, new: str) -> None:
    before = load_profile(written(tmp_path, GOOD)).hash
    assert load_profile(written(tmp_path, GOOD.replace(old, new))).hash != before


def test_the_identity_is_plain_values_and_makes_the_rules_again(tmp_path: Path) -> None:
    profile = load_profile(written(tmp_path, GOOD))
    kept = profile.identity
    assert (kept.profile, kept.rules, kept.hash) == ("river-club", "changsha", profile.hash)
    assert kept.options == (("false_win_amount", 6), ("multiple_winners", "closest"))
    stored: list[tuple[str, OptionValue]] = json.loads(json.dumps(kept.options))
    again = find_rules(kept.rules).with_options(dict(stored))
    assert profile_hash(again, kept.profile) == kept.hash


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (GOOD.replace('id = "river-club"', ""), "'id'"),
        (GOOD.replace('name = "River Club 河畔"', ""), "'name'"),
        (GOOD.replace('rules = "changsha"', ""), "'rules'"),
        (GOOD.replace('"changsha"', '"shanghai"'), "rule set shanghai"),
        (GOOD.replace('"changsha"', "7"), "rules"),
        (GOOD.replace('"river-club"', '"river club"'), "id is 'river club'"),
        (GOOD.replace('"river-club"', '""'), "id"),
        (GOOD.replace('"river-club"', '"../x"'), "id"),
        (GOOD.replace('"River Club 河畔"', '"two\\nlines"'), "name"),
        (GOOD.replace("multiple_winners", "many_winners"), "'many_winners'"),
        (GOOD.replace('"closest"', '"nearest"'), "'nearest'"),
        (GOOD.replace("= 6", "= -1"), "-1"),
        (GOOD.replace("= 6", "= true"), "True"),
        (GOOD.replace("= 6", "= 6.0"), "6.0"),
        (GOOD.replace("= 6", "= 1979-05-27"), "false_win_amount"),
        (GOOD.replace("= 6", "= [6]"), "false_win_amount"),
        ("colour = 1\n" + GOOD, "'colour'"),
        ("version = 2\n" + GOOD, "version is 2"),
        ("version = true\n" + GOOD, "version is True"),
        (GOOD.split("[options]", maxsplit=1)[0] + "options = 3", "options"),
        ("id = ", "no TOML"),
        (GOOD + GOOD, "no TOML"),
    ],
)
def test_what_is_wrong_is_one_sentence_naming_file_and_key(
    tmp_path: Path, text: str, named: str
) -> None:
    assert named in refused(tmp_path, text)


def test_a_file_that_is_no_text_or_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_bytes(b"\xff\xfe\x00")
    for wrong in (path, tmp_path / "missing.toml", tmp_path):
        with pytest.raises(ProfileError, match=wrong.name):
            load_profile(wrong)


def test_rules_asked_for_and_profile_must_agree(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    assert choose_profile(None, path).id == "river-club"
    assert choose_profile("changsha", path).id == "river-club"
    with pytest.raises(ProfileError, match="'tianjin' was asked for"):
        choose_profile("tianjin", path)
    with pytest.raises(ProfileError, match="rule set shanghai"):
        choose_profile("shanghai", None)
    with pytest.raises(ProfileError, match="name a rule set"):
        choose_profile(None, None)


@cache
def read_names() -> frozenset[str]:
    """Every name by which some code looks an option up."""
    found = set()
    for package in (table_assist, web):
        for path in sorted(Path(*package.__path__).rglob("*.py")):
            found |= {_looked_up(node) for node in ast.walk(ast.parse(path.read_text()))}
    return frozenset(found)


def _looked_up(node: ast.AST) -> str:
    """``options["name"]`` or ``chosen.get("name")``; empty for anything else."""
    key: ast.AST | None = None
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        key = node.slice
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        key = node.args[0] if node.func.attr == "get" else None
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""


def unread(id: str) -> list[str]:
    """Options of more than one value that nothing looks up."""
    special = {hand.option for hand in SPECIAL_HANDS}
    return [
        option.name
        for option in find_rules(id).options
        if len(option.values) > 1 and option.name not in read_names() | special
    ]


@pytest.mark.parametrize("id", [rules.id for rules in rule_sets()])
def test_something_reads_every_option(id: str) -> None:
    assert unread(id) == []


def test_a_name_that_is_only_listed_is_not_read() -> None:
    assert "announce_fishing" in read_names()
    assert "no_such_option" not in read_names()
    assert _looked_up(ast.parse('chosen["a"] = 1').body[0].targets[0]) == ""  # type: ignore[attr-defined]


OPTIONS = [
    pytest.param(rules, option, id=f"{rules.id}-{option.name}")
    for rules in rule_sets()
    for option in rules.options
]


@pytest.mark.parametrize(("rules", "option"), OPTIONS)
def test_a_hand_shows_every_choice_or_a_sentence_says_why_none_does(
    rules: RuleSet, option: Option
) -> None:
    shown = shown_hands(rules, option)
    if option.unseen:
        assert not shown
        assert option.unseen.en.endswith(".")
        assert option.unseen.zh.endswith("。")
        return
    values = values_shown(rules, option)
    assert len(values) > 1
    said = [words.en for each in shown for _, words in each.outcomes]
    assert all(each.strip() and ":  " not in each for each in said)  # every refusal has its reason
    for language in ("en", "zh"):
        told = {
            value: tuple(getattr(dict(each.outcomes)[value], language) for each in shown)
            for value in values
        }
        assert len(set(told.values())) == len(values), told


@pytest.mark.parametrize(("rules", "option"), OPTIONS)
def test_the_hand_shows_it_whatever_else_is_agreed(rules: RuleSet, option: Option) -> None:
    """Where another choice would hide the difference, the others stand as in the book."""
    others = {
        each.name: each.values[-1]
        for each in rules.options
        if not isinstance(each.values, range) and each.name != option.name
    }
    every = [
        words for each in shown_hands(rules.with_options(others), option) for words in each.outcomes
    ]
    assert option.unseen or len({words for _, words in every}) > 1


def test_several_winners_are_shown_with_as_many_birds_as_the_rules_turn() -> None:
    rules = find_rules("changsha")
    option = next(each for each in rules.options if each.name == "birds_multi_winner")
    (shown,) = shown_hands(rules, option)
    said = {value: words.en for value, words in shown.outcomes}
    assert all(each.startswith("Seat 0 +") for each in said.values()), said


@pytest.mark.parametrize("rules", rule_sets(), ids=lambda rules: rules.id)
def test_the_six_that_people_argue_about_are_asked_first_and_none_is_left_out(
    rules: RuleSet,
) -> None:
    asked = rules.options_as_asked
    assert tuple(option.name for option in asked[:6]) == rules.argued
    assert set(asked) == set(rules.options)
    assert len(asked) == len(rules.options)
