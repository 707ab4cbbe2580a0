"""Distance and waits, against slower ways to find them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.tiles.divide import divide, seven_pairs
from table_assist.tiles.ready import shanten, waits
from table_assist.tiles.tile import Tile, parse_tiles

KINDS = [Tile(kind) for kind in range(34)]


@pytest.mark.parametrize("text", ["", "123m", "123m 456p 789s 234s 55p"])
def test_a_hand_of_another_size_waits_for_nothing(text: str) -> None:
    assert waits(parse_tiles(text)) == ()


def test_more_melds_than_four_are_misuse() -> None:
    with pytest.raises(ValueError, match="no 5 melds"):
        shanten((), 5)
    with pytest.raises(ValueError, match="no 5 melds"):
        waits((), 5)
    with pytest.raises(ValueError, match="cannot be part"):
        shanten(parse_tiles("?"), 4)


def complete(hand: list[Tile], sets: int, pairs: bool) -> bool:
    return bool(divide(hand, sets)) or (pairs and sets == 4 and bool(seven_pairs(hand)))


def distance(hand: list[Tile], sets: int, most: int) -> int:
    """The fewest tiles to add, up to ``most``: by laying every set and every pair."""
    held = [hand.count(Tile(kind)) for kind in range(34)]
    choices = [(kind,) * 3 for kind in range(34)]
    choices += [(kind, kind + 1, kind + 2) for kind in range(27) if kind % 9 < 7]

    def deficit(used: list[int], part: tuple[int, ...]) -> int:
        return sum(max(0, used[kind] - held[kind]) for kind in set(part))

    def lay(used: list[int], lacking: int, sets: int, first: int) -> int:
        if sets < 0:
            return lacking
        best = most
        for place in range(first, len(choices)) if sets else range(34):
            part = choices[place] if sets else (place, place)
            before = deficit(used, part)
            for kind in part:
                used[kind] += 1
            all_lacking = lacking + deficit(used, part) - before
            if all_lacking < best and all(used[kind] <= 4 for kind in part):
                best = min(best, lay(used, all_lacking, sets - 1, place))
            for kind in part:
                used[kind] -= 1
        return best

    return lay([0] * 34, 0, sets, 0)


@st.composite
def nearly(draw: st.DrawFn, sets: int) -> list[Tile]:
    """A hand of few kinds, which lies near to complete."""
    low = draw(st.sampled_from([0, 3, 9, 20, 27]))
    wall = [Tile(kind) for kind in range(low, min(low + 9, 34)) for _ in range(4)]
    size = 3 * sets + 1
    return draw(st.permutations(wall).map(lambda tiles: tiles[:size]))


@given(st.integers(0, 4).flatmap(lambda sets: st.tuples(st.just(sets), nearly(sets))))
def test_waits_are_the_tiles_that_complete(case: tuple[int, list[Tile]]) -> None:
    sets, hand = case
    by_trying = tuple(
        kind for kind in KINDS if hand.count(kind) < 4 and complete([*hand, kind], sets, pairs=True)
    )
    assert waits(hand, 4 - sets) == by_trying
    assert (shanten(hand, 4 - sets) == 0) == bool(by_trying)


@settings(max_examples=40)
@given(st.integers(1, 2).flatmap(lambda sets: st.tuples(st.just(sets), nearly(sets))))
def test_distance_is_the_fewest_tiles_added(case: tuple[int, list[Tile]]) -> None:
    sets, hand = case
    most = 5
    found = shanten(hand, 4 - sets, seven_pairs=False) + 1
    assert min(found, most) == distance(hand, sets, most)
