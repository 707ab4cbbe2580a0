"""Whole hands of every rule set: with perfect eyes the record is the truth, and nobody is asked."""

import os
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from table_assist.rules.registry import find_rules
from tests.stages.evenings import NoisyEvening, PlayedEvening

HANDS = int(os.environ.get("TABLE_ASSIST_FOLLOWED_HANDS", "4"))
RULE_SETS = ("changchun", "changsha", "wanzhou", "tianjin", "classical")


def followed(rules: str, seed: int, hands: int, *, heap: bool = False) -> PlayedEvening:
    evening = PlayedEvening(find_rules(rules), seed, heap=heap)
    evening.play(hands)
    return evening


def check(evening: PlayedEvening) -> None:
    assert [asked.text.en for asked in evening.asked] == []
    for number, (true, recorded) in enumerate(
        zip(evening.truth, evening.recorded, strict=False), start=1
    ):
        assert recorded == true, f"event {number}"
    assert len(evening.recorded) == len(evening.truth)
    assert evening.record.state.scores == evening.state.scores


@pytest.mark.parametrize("rules", RULE_SETS)
def test_with_perfect_eyes_and_a_board_the_record_is_the_truth(rules: str) -> None:
    check(followed(rules, seed=41, hands=HANDS))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_discards_thrown_into_a_heap_are_known_by_turn_order(rules: str) -> None:
    check(followed(rules, seed=42, hands=max(HANDS // 3, 2), heap=True))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_house_rules_are_followed_too(rules: str) -> None:
    """Half of the options at another value than the usual one."""
    plain, random = find_rules(rules), Random(rules)
    changed = {
        option.name: random.choice([value for value in option.values if value != option.default])
        for option in plain.options
        if len(option.values) > 1 and random.random() < 0.5
    }
    evening = PlayedEvening(plain.with_options(changed), 44)
    evening.play(2)
    check(evening)


SLOW = [HealthCheck.too_slow]


@pytest.mark.parametrize("rules", RULE_SETS)
@settings(max_examples=4, suppress_health_check=SLOW)
@given(
    seed=st.integers(0, 10_000),
    missed=st.sampled_from([0.0, 0.1, 0.3, 0.6]),
    hidden=st.sampled_from([0.0, 0.01]),
    unread=st.sampled_from([0.0, 0.02]),
)
@example(seed=1909, missed=0.3, hidden=0.0, unread=0.0)  # called from an egg before it was seen
def test_bad_eyes_ask_and_are_never_silently_wrong(
    rules: str, seed: int, missed: float, hidden: float, unread: float
) -> None:
    evening = NoisyEvening(find_rules(rules), seed, missed=missed, hidden=hidden, unread=unread)
    evening.play(1)
    assert not evening.is_silently_wrong()


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_moment_seen_twice_or_thrice_is_recorded_once(rules: str) -> None:
    evening = PlayedEvening(find_rules(rules), 43)
    evening.pictures = 3
    evening.play(1)
    check(evening)
