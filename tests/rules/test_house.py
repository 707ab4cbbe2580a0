"""Each option is shown at a hand that the judge pays differently, or says why no hand shows it."""

import pytest

from table_assist.rules.house.shown_hands import shown_hands, values_shown
from table_assist.rules.options import Option
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet

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
