"""Complete hands counted in two ways, which must agree.

*Generated*: sets and pairs laid side by side in every way, different hands counted once.
*Recognised*: every way to hold so many tiles of a group, counted where the tables divide it. Both
fill the same twenty cells (0 to 4 sets, without or with a pair) of a suit and of the honours; whole
hands are products of cells.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product

import pytest

from table_assist.tiles.divide import BITS, GROUP_BITS, KIND_GROUPS, divide_counted, is_divided
from table_assist.tiles.tile import COPIES
from table_assist.tiles.wild import complete

SETS = 4
# By sets, without a pair and with one.
Cells = list[tuple[int, int]]


def hands_of(place: int, sets: int, pair: bool, copies: int = COPIES) -> set[tuple[int, ...]]:
    """Every hand of a group, as tiles held of each kind, by laying sets side by side."""
    length = KIND_GROUPS[place][1]
    pungs = [(kind,) * 3 for kind in range(length)]
    chows = [(kind, kind + 1, kind + 2) for kind in range(length - 2)] if length == 9 else []
    pairs: list[tuple[int, ...]] = [(kind, kind) for kind in range(length)] if pair else [()]
    hands = set()
    for laid in combinations_with_replacement([*pungs, *chows], sets):
        for eyes in pairs:
            held = Counter((*sum(laid, ()), *eyes))
            if max(held.values(), default=0) <= copies:
                hands.add(tuple(held[kind] for kind in range(length)))
    return hands


def generated(place: int, most: int = SETS) -> Cells:
    """The cells of a group, by laying."""
    return [
        (len(hands_of(place, sets, False)), len(hands_of(place, sets, True)))
        for sets in range(most + 1)
    ]


def recognised(place: int, most: int = SETS) -> Cells:
    """The cells of a group, by looking every hand up in the table."""
    length = KIND_GROUPS[place][1]
    return [
        (
            sum(is_divided(place, number_of(held)) for held in holdings(length, 3 * sets)),
            sum(is_divided(place, number_of(held)) for held in holdings(length, 3 * sets + 2)),
        )
        for sets in range(most + 1)
    ]


def holdings(length: int, total: int) -> Iterator[tuple[int, ...]]:
    """Every way to hold so many tiles of so many kinds, at most four of a kind."""
    if length == 0:
        if total == 0:
            yield ()
        return
    for count in range(min(COPIES, total) + 1):
        if total - count <= COPIES * (length - 1):
            for rest in holdings(length - 1, total - count):
                yield (count, *rest)


def number_of(held: tuple[int, ...]) -> int:
    """A group's tiles as `divide` has them."""
    return sum(count << BITS * kind for kind, count in enumerate(held))


def joined(groups: list[Cells]) -> int:
    """Complete hands of several groups, from their cells."""
    ways = {(0, 0): 1}
    for cells in groups:
        longer: Counter[tuple[int, int]] = Counter()
        for (laid, pairs), count in ways.items():
            for sets, cell in enumerate(cells[: SETS - laid + 1]):
                for pair in range(2 - pairs):
                    longer[laid + sets, pairs + pair] += count * cell[pair]
        ways = longer
    return ways[SETS, 1]


def whole_hands(places: list[int]) -> Iterator[int]:
    """Every complete hand of these groups, as `divide` has it."""
    cells = {
        (place, sets, pair): [
            number_of(held) << place * GROUP_BITS for held in hands_of(place, sets, bool(pair))
        ]
        for place in places
        for sets in range(SETS + 1)
        for pair in range(2)
    }
    for split in product(range(SETS + 1), repeat=len(places)):
        if sum(split) != SETS:
            continue
        for paired in places:
            groups = [
                cells[place, sets, int(place == paired)]
                for place, sets in zip(places, split, strict=True)
            ]
            yield from map(sum, product(*groups))


def thinned(sets: int, wilds: int) -> int:
    """The same, by taking tiles away from complete hands of any number of copies."""
    hands = hands_of(0, sets, True, copies=3 * sets + 2)
    for _ in range(wilds):
        hands = {
            (*held[:kind], held[kind] - 1, *held[kind + 1 :])
            for held in hands
            for kind in range(9)
            if held[kind]
        }
    return sum(max(held) <= COPIES for held in hands)


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
    # Hands of one suit that so many wild tiles complete, by the table of fewest sets
    total = 3 * 2 + 2 - wilds
    found = sum(complete((), number_of(held), 2, wilds) is not None for held in holdings(9, total))
    assert found == thinned(2, wilds)
    assert found > 996
