"""Divisions: every one, none twice, none that does not recompose the tiles."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.hand.divide import Division, SetKind, divide, seven_pairs
from table_assist.tiles import Tile, format_tiles, parse_tiles

# Distinct hands of one group with 0 to 4 sets, at most four of a kind: without and with a pair.
ONE_SUIT = ([1, 16, 127, 627, 2098], [9, 135, 996, 4475, 13259])
HONOURS = ([1, 7, 21, 35, 35], [7, 42, 105, 140, 105])


def sets_of_one_group(first: int, length: int) -> list[tuple[int, ...]]:
    pungs = [(kind,) * 3 for kind in range(first, first + length)]
    if length == 9:
        return pungs + [(kind, kind + 1, kind + 2) for kind in range(first, first + 7)]
    return pungs


def hands_of_one_group(first: int, length: int, sets: int, pair: bool) -> set[tuple[int, ...]]:
    """Every hand of a group, by laying sets side by side."""
    hands = set()
    pairs: list[tuple[int, ...]] = [(kind, kind) for kind in range(first, first + length)]
    for laid in combinations_with_replacement(sets_of_one_group(first, length), sets):
        for eyes in pairs if pair else [()]:
            tiles = sorted(sum(laid, ()) + eyes)
            if max(Counter(tiles).values(), default=0) <= 4:
                hands.add(tuple(tiles))
    return hands


def vectors(length: int, total: int) -> Iterator[tuple[int, ...]]:
    """Every way to hold so many tiles of a group with at most four of a kind."""
    if length == 0:
        if total == 0:
            yield ()
        return
    for count in range(min(4, total) + 1):
        if total - count <= 4 * (length - 1):
            for rest in vectors(length - 1, total - count):
                yield (count, *rest)


@pytest.mark.parametrize("sets", range(5))
def test_perft_of_one_suit_with_a_pair(sets: int) -> None:
    made = hands_of_one_group(9, 9, sets, pair=True)
    assert len(made) == ONE_SUIT[1][sets]
    for hand in made:
        assert divide(map(Tile, hand), sets), hand


def test_perft_of_the_honours() -> None:
    for sets in range(5):
        recognised = sum(
            bool(divide(tiles_of(27, counts), sets)) for counts in vectors(7, 3 * sets + 2)
        )
        assert recognised == HONOURS[1][sets]
        assert len(hands_of_one_group(27, 7, sets, pair=False)) == HONOURS[0][sets]


@pytest.mark.parametrize("sets", range(4))
def test_perft_of_one_suit_recognises_no_hand_more(sets: int) -> None:
    recognised = sum(bool(divide(tiles_of(0, counts), sets)) for counts in vectors(9, 3 * sets + 2))
    assert recognised == ONE_SUIT[1][sets]


def test_perft_without_a_pair_is_seen_beside_a_pair_of_another_group() -> None:
    for sets in range(4):
        recognised = sum(
            bool(divide((*tiles_of(0, counts), Tile.EAST, Tile.EAST), sets))
            for counts in vectors(9, 3 * sets)
        )
        assert recognised == ONE_SUIT[0][sets]


def test_perft_of_whole_sets_of_tiles() -> None:
    """27 kinds: 5,237,550 complete hands; 34 kinds: 11,498,658; from the groups' own counts."""
    suit, honours = list(zip(*ONE_SUIT, strict=True)), list(zip(*HONOURS, strict=True))
    assert complete_hands([suit] * 3) == 5_237_550
    assert complete_hands([suit] * 3 + [honours]) == 11_498_658


def complete_hands(groups: list[list[tuple[int, int]]]) -> int:
    total = 0
    for sets in product(range(5), repeat=len(groups)):
        if sum(sets) == 4:
            for paired in range(len(groups)):
                ways = 1
                for place, (group, count) in enumerate(zip(groups, sets, strict=True)):
                    ways *= group[count][place == paired]
                total += ways
    return total


def tiles_of(first: int, counts: tuple[int, ...]) -> tuple[Tile, ...]:
    return tuple(Tile(first + kind) for kind, count in enumerate(counts) for _ in range(count))


def recomposed(division: Division) -> list[Tile]:
    return sorted(
        tile
        for part in division.sets
        for place, tile in enumerate(part.tiles)
        if place not in part.wilds
    )


def test_three_pungs_are_also_three_chows() -> None:
    divisions = divide(parse_tiles("111222333m 55p"), 3)
    kinds = [[part.kind for part in division.sets] for division in divisions]
    assert sorted(kind.count(SetKind.CHOW) for kind in kinds) == [0, 3]


def test_nothing_is_divided_into_nothing_but_a_pair() -> None:
    assert divide((), 0) == ()
    (only,) = divide(parse_tiles("EE"), 0)
    assert only.pairs[0].tiles == (Tile.EAST, Tile.EAST)


@pytest.mark.parametrize("text", ["891m 55p", "9m1p2p 55p", "ESW 55p", "7s 8s 1m 55p", "EEEE S"])
def test_runs_stay_within_a_suit_and_honours_make_none(text: str) -> None:
    assert divide(parse_tiles(text), 1) == ()


@pytest.mark.parametrize("text", ["1f1f1f 55p", "??? 55p", "### 55p"])
def test_flowers_and_unread_tiles_are_in_no_set(text: str) -> None:
    assert divide(parse_tiles(text), 1) == ()


def test_four_of_a_kind_are_two_of_seven_pairs() -> None:
    (division,) = seven_pairs(parse_tiles("1111m 22m 33p 44p 55s 66s"))
    assert [format_tiles(pair.tiles) for pair in division.pairs].count("11m") == 2
    assert seven_pairs(parse_tiles("111m 22m 33p 44p 55s 66s 7s")) == ()


def test_wild_tiles_fill_single_tiles_of_seven_pairs() -> None:
    (division,) = seven_pairs(parse_tiles("111m 22m 33p 44p 55s"), wilds=3)
    assert sum(len(pair.wilds) for pair in division.pairs) == 3
    assert len(division.pairs) == 7
    assert seven_pairs(parse_tiles("123456789m 12p"), wilds=3) == ()


hands = st.lists(st.sampled_from([Tile(kind) for kind in range(34)] * 4), max_size=14)


@st.composite
def complete(draw: st.DrawFn) -> tuple[list[Tile], int]:
    """A complete hand laid out of sets and a pair in few suits, so that it divides often."""
    sets = draw(st.integers(0, 4))
    choices = sets_of_one_group(0, 9) + sets_of_one_group(9, 9) + sets_of_one_group(27, 7)
    laid = draw(st.lists(st.sampled_from(choices), min_size=sets, max_size=sets))
    eyes = draw(st.sampled_from(range(34)))
    return [Tile(kind) for kind in (*sum(laid, ()), eyes, eyes)], sets


@settings(deadline=None)
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


@settings(deadline=None)
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


def test_wild_tiles_find_what_trying_every_face_finds() -> None:
    for text in ("123m 46m 78p", "135m 79p 5s E", "2468m 1p 9s C", "55m 6m 789p 1s"):
        held = parse_tiles(text)
        for wilds in (1, 2):
            sets = (len(held) + wilds - 2) // 3
            if 3 * sets + 2 != len(held) + wilds:
                continue
            tried = any(
                divide((*held, *map(Tile, faces)), sets)
                for faces in combinations_with_replacement(range(34), wilds)
            )
            assert bool(divide(held, sets, wilds)) == tried


def test_seven_wild_tiles_in_one_hand() -> None:
    divisions = divide(parse_tiles("1357m 246p"), 4, wilds=7)
    assert any(part.kind is SetKind.ANY for division in divisions for part in division.sets)
    for division in divisions:
        assert sum(part.kind is SetKind.PAIR for part in division.sets) == 1
        assert sum(len(part.tiles) for part in division.sets) == 14
