"""Whole hands of every rule set: with perfect eyes the record is the truth, and nobody is asked."""

import os

import pytest

from table_assist.rules.registry import find_rules
from tests.played_evening import PlayedEvening

HANDS = int(os.environ.get("TABLE_ASSIST_FOLLOWED_HANDS", "6"))
RULE_SETS = ("changchun", "changsha", "wanzhou", "tianjin", "classical")


def followed(rules: str, seed: int, hands: int, *, heap: bool = False) -> PlayedEvening:
    evening = PlayedEvening(find_rules(rules), seed, heap=heap)
    evening.play(hands)
    return evening


def check(evening: PlayedEvening) -> None:
    assert [asked.text[0] for asked in evening.asked] == []
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
