"""A hand that runs already is taken as it lies; one false thing costs what it is, anywhere."""

from dataclasses import replace
from random import Random

import pytest

from bench.live.compared import HandFigures
from bench.live.disturbed import FAULTS_TOGETHER, MOST_LOST, costs, faults, lost, seen_hand
from bench.live.recorded import Looked, RecordedHand, follow_again
from table_assist.game.events import Claimed, Discarded, Event, KongDeclared
from table_assist.rules.registry import rule_sets

RULES = [each.id for each in rule_sets()]
SHORT = 47  # the evening whose longest first hand is the shortest


def followed_with(hand: RecordedHand, first: float, last: float) -> tuple[HandFigures, list[Event]]:
    """The camera is blind from one share of the looks to another."""
    looks = [each.t for each in hand.moments if isinstance(each, Looked)]
    begin, end = (looks[int(share * (len(looks) - 1))] for share in (first, last))
    kept = [m for m in hand.moments if not (isinstance(m, Looked) and begin <= m.t < end)]
    figures, record = follow_again(replace(hand, moments=tuple(kept)))
    return figures, [event for _, event in record.counting]


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("first", "last"), [(0.0, 0.4), (0.3, 0.6)], ids=["begun late", "away"])
def test_nothing_that_lies_there_is_lost(rules: str, first: float, last: float) -> None:
    hand = seen_hand(rules, SHORT)
    figures, events = followed_with(hand, first, last)
    assert not figures.is_silently_wrong
    for kind in (Discarded, Claimed, KongDeclared):
        told, true = (sum(isinstance(each, kind) for each in some) for some in (events, hand.truth))
        assert abs(told - true) <= 1, (kind, told, true)
    lying = [
        [each.tile for each in some if isinstance(each, Discarded)] for some in (hand.truth, events)
    ]
    lost = [tile for tile in lying[0] if tile not in lying[1]]
    assert len(lost) <= 0.05 * len(lying[0])


def test_washing_is_told_by_motion_and_never_by_one_look() -> None:
    """Many tiles that came at once are no play; once they have lain still they are."""
    hand = seen_hand("changsha", SHORT)
    figures, _ = followed_with(hand, 0.0, 0.4)
    assert figures.is_right
    assert not figures.questions


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "what", "cost"),
    [
        (91001, "7p at 200, -318, melds 0 from look 286", 0),  # where a tile is put to an egg
        (93001, "9p at 10, -20, birds None from look 0", 0),  # none lies before the first ready
        (93001, "4s at 200, -255, wall 0 from look 320", 0),
        (94001, "9s at -40, -318, melds 0 from look 167", 1),  # apart from all; it paid silently
    ],
)
def test_what_lay_there_before_is_neither_a_treasure_nor_of_an_egg(
    seed: int, what: str, cost: int
) -> None:
    hand = seen_hand("changchun", seed)
    assert [lost(hand, placed) for placed in faults(hand) if placed[0] == what] == [cost]


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_one_thing_at_any_place_costs_two_events_at_most(rules: str) -> None:
    hand = seen_hand(rules, SHORT)
    chosen = Random(rules).sample(list(faults(hand)), 2 * FAULTS_TOGETHER)
    for first in range(0, len(chosen), FAULTS_TOGETHER):
        for what, cost in costs(hand, chosen[first : first + FAULTS_TOGETHER]):
            assert cost <= MOST_LOST, what
