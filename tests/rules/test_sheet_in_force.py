"""What a sheet and a verdict say, under every option: true at the profile, in its own language."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from table_assist.languages.words import Words
from table_assist.rules.house.given import read_win
from table_assist.rules.judge import judge
from table_assist.rules.options import Option, OptionValue, in_force
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.sets.changchun.eggs_wall_payments import CAP
from table_assist.rules.sets.changsha import rules as changsha
from table_assist.rules.sets.wanzhou import rules as wanzhou
from table_assist.rules.sheet.sheet import Sheet, make_sheet, named_in
from table_assist.rules.shown import ShownHand

pytestmark = pytest.mark.slow

EVERY = pytest.mark.parametrize("rules", rule_sets(), ids=lambda rules: rules.id)
GOLDEN = Path(__file__).parents[1] / "golden"
# A rule's number may stand in a sentence; nothing else of the Latin letters may.
NUMBER = re.compile(r"\b(CC|CS|WZ|TJ|CL)-\d+[a-zA-Z]?\b")
LATIN = re.compile(r"[A-Za-z]")
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def values_of(option: Option) -> tuple[OptionValue, ...]:
    """Every value of a setting; of an amount its default and two that stand nowhere else."""
    if isinstance(option.values, range):
        return (option.default, 37, 641)
    return option.values


def variants(rules: RuleSet) -> Iterator[tuple[str, OptionValue, RuleSet]]:
    """The rule set with each of its settings at each value, one at a time."""
    for option in rules.options:
        for value in values_of(option):
            yield option.name, value, rules.with_options({option.name: value})


@cache
def sheets(id: str) -> tuple[tuple[str, RuleSet, Sheet], ...]:
    """The variants, each with what is set and its sheet."""
    return tuple(
        (f"{name}={value}", chosen, make_sheet(plain_profile(chosen)))
        for name, value, chosen in variants(find_rules(id))
    )


def said_in(sheet: Sheet, *, options: bool = True) -> list[Words]:
    """Every word of the sheet; ids, sources and what a profile's file writes are none."""
    parts = [part for part in sheet.sections if options or part.id != "options"]
    rows = [row for part in parts for row in part.rows]
    texts = [part.title for part in parts] + [part.value for part in parts if part.value]
    for row in rows:
        texts += [*row.words, *([row.names] if row.names else [])]
        texts += [row.value] if row.value else []
    return texts


def is_chinese(text: str) -> bool:
    return not LATIN.search(NUMBER.sub("", text))


@cache
def cases(id: str) -> tuple[tuple[dict[str, OptionValue], ShownHand], ...]:
    """Every declared hand of the worked examples, with the options that its case pins."""
    rows = map(json.loads, (GOLDEN / f"{id}.jsonl").read_text(encoding="utf-8").splitlines())
    return tuple(
        (
            dict(row["given"].get("options", {})),
            read_win({key: value for key, value in row["given"].items() if key != "options"}),
        )
        for row in rows
        if row["kind"] in ("win", "reject")
    )


@EVERY
def test_every_sheet_speaks_each_language_alone(rules: RuleSet) -> None:
    for setting, _, sheet in sheets(rules.id):
        for words in said_in(sheet):
            assert is_chinese(words.zh), f"{setting}: {words.zh}"
            assert not CHINESE.search(words.en), f"{setting}: {words.en}"
            assert "{" not in words.en + words.zh, f"{setting}: {words}"


@EVERY
def test_every_setting_changes_what_the_sheet_says_beside_its_own_row(rules: RuleSet) -> None:
    for option in rules.options:
        pinned = {"false_win_penalty": "custom"} if option.name == "false_win_amount" else {}
        every = (rules.with_options({**pinned, option.name: each}) for each in values_of(option))
        at = [tuple(said_in(make_sheet(plain_profile(each)), options=False)) for each in every]
        assert len({tuple(map(str, each)) for each in at}) == len(at), option.name
        assert len({tuple(words.zh for words in each) for each in at}) == len(at), option.name


@EVERY
def test_every_amount_stands_in_the_sheet_as_the_profile_has_it(rules: RuleSet) -> None:
    for option in rules.options:
        pinned = {"false_win_penalty": "custom"} if option.name == "false_win_amount" else {}
        for value in values_of(option):
            if isinstance(value, bool) or not isinstance(value, int) or value == 0:
                continue
            chosen = rules.with_options({**pinned, option.name: value})
            laws = [law for law in rules.laws if option.name in law.bearing]
            said = [law.say(named_in(chosen), chosen.chosen) for law in laws]
            assert any(re.search(rf"\b{value}\b", words.en) for words in said), option.name
            assert any(re.search(rf"(?<!\d){value}(?!\d)", words.zh) for words in said), option.name


@EVERY
def test_no_condition_is_printed_that_is_not_asked(rules: RuleSet) -> None:
    for setting, chosen, sheet in sheets(rules.id):
        printed = {part.id: {row.id for row in part.rows} for part in sheet.sections}
        asked = {
            "conditions": rules.conditions,
            "claims": rules.claim_conditions,
            "shapes": rules.shapes,
            "opening": rules.opening,
            "ready": (*rules.ready.on_hand, *rules.ready.on_completion) if rules.ready else (),
        }
        for section, every in asked.items():
            expected = {each.id for each in every if in_force(each.only_if, chosen.chosen)}
            assert printed.get(section, set()) == expected, setting


@EVERY
def test_a_condition_that_is_not_printed_refuses_no_hand(rules: RuleSet) -> None:
    for name, value, chosen in variants(rules):
        known = {each.id for each in rules.conditions}
        asked = {each.id for each in rules.conditions if in_force(each.only_if, chosen.chosen)}
        if known == asked:
            continue
        for _, shown in cases(rules.id):
            refused = {refusal.id for refusal in judge(chosen, shown).refusals}
            assert not refused & (known - asked), f"{name}={value}"


@EVERY
def test_a_pattern_that_is_marked_as_not_played_counts_in_no_hand(rules: RuleSet) -> None:
    for setting, chosen, sheet in sheets(rules.id):
        (part,) = (part for part in sheet.sections if part.id == "patterns")
        off = {row.id for row in part.rows if row.is_off}
        for _, shown in cases(rules.id) if off else ():
            counted = {each.id for each in judge(chosen, shown).patterns}
            assert not counted & off, setting


def law_says(id: str, number: str) -> list[int]:
    """The numbers in a law's two sentences, which must agree."""
    rules = find_rules(id)
    (law,) = (law for law in rules.laws if law.number == number)
    words = law.say(named_in(rules), rules.chosen)
    found = [[int(each) for each in re.findall(r"\d+", text)] for text in (words.en, words.zh)]
    assert found[0] == found[1]
    return found[0]


def test_fixed_amounts_are_those_that_the_judge_counts_with() -> None:
    assert law_says("changchun", "CC-45") == [CAP]
    assert law_says("wanzhou", "WZ-23") == [wanzhou.BASIC, wanzhou.BIG_DRAWN]
    assert law_says("wanzhou", "WZ-24") == [wanzhou.BIG_CLAIMED]
    small, big = changsha.SMALL_WIN, changsha.BIG
    with_dealer = [changsha.SMALL_WITH_DEALER, changsha.BIG_WITH_DEALER]
    assert law_says("changsha", "CS-23") == [small, big, *with_dealer]


@pytest.mark.parametrize(
    ("options", "last_tile", "at_end"),
    [
        ({}, "the 17th from the end", "with 16 tiles left"),
        ({"kong_box": "14_total"}, "the 15th from the end", "with 14 tiles left"),
        ({"kong_box": "12_total"}, "the 13th from the end", "with 12 tiles left"),
        ({"kong_box": "as_rolled"}, "the one before the Kong Box", "when the Kong Box is reached"),
        ({"draw_point": "all_drawn"}, "the very last of the wall", "when every tile is drawn"),
        ({"game_variant": "one_double"}, "the very last of the wall", "when every tile is drawn"),
    ],
)
def test_where_a_classical_wall_ends_follows_the_kong_box(
    options: dict[str, OptionValue], last_tile: str, at_end: str
) -> None:
    named = named_in(find_rules("classical").with_options(options))
    assert (named["last_tile"].en, named["at_end"].en) == (last_tile, at_end)


@EVERY
def test_every_step_and_refusal_of_the_worked_examples_speaks_each_language_alone(
    rules: RuleSet,
) -> None:
    seen, unseen = 0, {option.name for option in rules.options if option.unseen}
    every = [chosen for name, _, chosen in variants(rules) if name not in unseen]
    for number, (pinned, shown) in enumerate(cases(rules.id)):
        for chosen in (rules, *every[number % 4 :: 4]):  # each setting at a fourth of the hands
            verdict = judge(chosen.with_options(pinned), shown)
            for words in (*verdict.steps, *(refusal.words for refusal in verdict.refusals)):
                assert is_chinese(words.zh), words.zh
                assert not CHINESE.search(words.en), words.en
                seen += 1
    assert seen > 100
