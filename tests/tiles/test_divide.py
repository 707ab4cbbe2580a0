"""Divisions: every one, none twice, none that does not recompose the tiles."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_assist.tiles.divide import Division, divide
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.course_table import parse_meld


def sets_of_one_group(first: int, length: int) -> list[tuple[int, ...]]:
    pungs = [(kind,) * 3 for kind in range(first, first + length)]
    if length == 9:
        return pungs + [(kind, kind + 1, kind + 2) for kind in range(first, first + 7)]
    return pungs


def recomposed(division: Division) -> list[Tile]:
    return sorted(
        tile
        for part in division.sets
        for place, tile in enumerate(part.tiles)
        if place not in part.wilds
    )


@pytest.mark.parametrize("text", ["1f1f1f 55p", "??? 55p", "### 55p"])
def test_flowers_and_unread_tiles_are_in_no_set(text: str) -> None:
    assert divide(parse_tiles(text), 1) == ()


@st.composite
def complete(draw: st.DrawFn) -> tuple[list[Tile], int]:
    """A complete hand laid out of sets and a pair in few suits, so that it divides often."""
    sets = draw(st.integers(0, 4))
    choices = sets_of_one_group(0, 9) + sets_of_one_group(9, 9) + sets_of_one_group(27, 7)
    laid = draw(st.lists(st.sampled_from(choices), min_size=sets, max_size=sets))
    eyes = draw(st.sampled_from(range(34)))
    return [Tile(kind) for kind in (*sum(laid, ()), eyes, eyes)], sets


@given(complete())
def test_each_division_recomposes_the_tiles_and_none_repeats(hand: tuple[list[Tile], int]) -> None:
    tiles, sets = hand
    divisions = divide(tiles, sets)
    assert divisions
    assert len(set(divisions)) == len(divisions)
    for division in divisions:
        assert recomposed(division) == sorted(tiles)
        assert len(division.sets) == sets + 1
        assert len(division.pairs) == 1


@given(complete(), st.integers(0, 3), st.randoms(use_true_random=False))
def test_wild_tiles_stand_for_what_was_taken_away(
    hand: tuple[list[Tile], int], wilds: int, random: Random
) -> None:
    """Each division with wild tiles is one without them, once the wild tiles have faces."""
    tiles, sets = hand
    wilds = min(wilds, len(tiles))
    left = random.sample(tiles, len(tiles) - wilds)
    divisions = divide(left, sets, wilds)
    assert len(set(divisions)) == len(divisions)
    for division in divisions:
        assert recomposed(division) == sorted(left)
        assert sum(len(part.wilds) for part in division.sets) == wilds
    full = {shapes(division) for division in divide(tiles, sets)}
    if wilds < 2:  # two wild tiles may be a pair by themselves, without faces
        assert full <= {shapes(division) for division in divisions}


def shapes(division: Division) -> tuple[tuple[Tile, ...], ...]:
    return tuple(sorted(part.tiles for part in division.sets))


@pytest.mark.parametrize("text", ["0m", "5f", "8z", "5", "x", "12", "E5", "1m!"])
def test_text_that_is_no_tile_is_refused_with_the_text(text: str) -> None:
    with pytest.raises(ValueError, match="tile"):
        parse_tiles(text)


@pytest.mark.parametrize(
    ("kind", "tiles", "well_formed"),
    [
        ("chow", "", False),
        ("chow", "123m", True),
        ("chow", "312m", True),
        ("chow", "124m", False),
        ("chow", "89m1p", False),
        ("chow", "ESW", False),
        ("pung", "555p", True),
        ("pung", "555p5p", False),
        ("pung", "???", False),
        ("kong_added", "5555p", True),
        ("kong_concealed", "555p", False),
    ],
)
def test_a_meld_knows_whether_its_tiles_fit_its_kind(
    kind: str, tiles: str, well_formed: bool
) -> None:
    assert parse_meld(kind, tiles).is_well_formed is well_formed
