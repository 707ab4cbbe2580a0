"""Counts that must not change, each found in two ways; `python -m bench perft` counts more."""

import pytest

from bench.perft import (
    completed_with,
    generated,
    hands_of,
    joined,
    number_of,
    recognised,
    thinned,
    whole_hands,
)
from table_assist.tiles.counts import GROUP_BITS
from table_assist.tiles.divide import divide_counted

# Different hands of one group by sets, without and with a pair, at most four of a kind.
SUIT = [(1, 9), (16, 135), (127, 996), (627, 4475), (2098, 13259)]
HONOURS = [(1, 7), (7, 42), (21, 105), (35, 140), (35, 105)]


def test_the_cells_of_the_honours() -> None:
    assert generated(3) == HONOURS
    assert recognised(3) == HONOURS


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_cells_of_a_suit_generated_and_recognised(place: int) -> None:
    """All twenty generated; recognised are those of up to three sets, which are soon looked up."""
    assert recognised(place, most=2 if place else 3) == SUIT[: 3 if place else 4]
    if place == 0:
        assert generated(place) == SUIT


def test_hands_of_four_sets_and_a_pair_in_one_suit_are_all_recognised() -> None:
    hands = hands_of(1, 4, True)
    assert len(hands) == 13_259
    assert all(divide_counted(number_of(held) << GROUP_BITS) for held in hands)


def test_whole_hands_of_27_and_34_kinds() -> None:
    assert joined([SUIT] * 3) == 5_237_550
    assert joined([SUIT] * 3 + [HONOURS]) == 11_498_658


def test_whole_hands_of_a_suit_and_the_honours_are_put_together_and_recognised() -> None:
    hands = list(whole_hands([2, 3]))
    assert len(set(hands)) == len(hands) == joined([SUIT, HONOURS])
    assert all(map(divide_counted, hands))


@pytest.mark.parametrize("wilds", [1, 2, 3])
def test_hands_that_wild_tiles_complete_are_complete_hands_thinned(wilds: int) -> None:
    """One suit, two sets and a pair: by the table of fewest sets, and by taking tiles away."""
    found = completed_with(2, wilds)
    assert found == thinned(2, wilds)
    assert found > 996
