"""How far a hand is from complete, and which tiles complete it.

``shanten(concealed, melds_count, *, seven_pairs=True, wilds=0) -> int`` (-1 complete, 0 ready) and
``waits(concealed, melds_count, *, seven_pairs=True, wilds=0, kinds=...) -> Tiles``.
Both know shapes only: which complete hands are legal wins is the judge's to say, and copies that
lie in melds or elsewhere on the table are not counted.

The distance is exact: the fewest tiles that must be added to hold four sets and a pair (with at
most four of a kind), found suit by suit. The two numbers below a position decide what the tiles
from there on need, so a suit's tail is worked out once, however many hands share it.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from table_assist.tiles.divide import (
    BITS,
    GROUP_BITS,
    GROUP_MASK,
    KIND_GROUPS,
    count_kinds,
    is_divided,
    tiles_in,
)
from table_assist.tiles.tile import COPIES, Tile, Tiles

SETS = 4
_EVERY_KIND = tuple(Tile(kind) for kind in range(34))
# More than any hand can lack: marks what cannot be built in a group.
_FAR = 99
_REMEMBERED = 1 << 13  # an evening meets a few thousand suits

# Costs[sets][pairs]: the fewest tiles a group lacks for so many sets and pairs; flat, two a set.
Costs = tuple[int, ...]
_SIZE = 2 * (SETS + 1)
_NO_COST: Costs = (0,) + (_FAR,) * (_SIZE - 1)


def shanten(
    concealed: Iterable[Tile], melds_count: int = 0, *, seven_pairs: bool = True, wilds: int = 0
) -> int:
    """How many tiles must be exchanged to be ready: -1 complete, 0 ready.

    Args:
        concealed: the tiles in hand, without wild ones; 13 or 14 less three for each meld.
        melds_count: sets on the table, of any kind.
        seven_pairs: whether the rules know that shape; four of a kind are then two pairs.
        wilds: wild tiles held besides.

    >>> from table_assist.tiles.tile import parse_tiles
    >>> shanten(parse_tiles("123m 456p 78s 55s"), 1)
    0

    Raises:
        ValueError: a tile is none of the 34 kinds, or there are more than four melds.
    """
    if not 0 <= melds_count <= SETS:
        raise ValueError(f"a hand has no {melds_count} melds; it has 0 to {SETS}")
    return _shanten(count_kinds(concealed), melds_count, seven_pairs, wilds)


def waits(
    concealed: Iterable[Tile],
    melds_count: int = 0,
    *,
    seven_pairs: bool = True,
    wilds: int = 0,
    kinds: Iterable[Tile] = _EVERY_KIND,
) -> Tiles:
    """The kinds that complete a hand of 13 tiles (less three for each meld), in tile order.

    A kind of which all four copies are in the hand is not waited for.

    >>> from table_assist.tiles.tile import format_tiles, parse_tiles
    >>> format_tiles(waits(parse_tiles("2345m 678p"), 2))
    '25m'

    Raises:
        ValueError: a tile is none of the 34 kinds, or there are more than four melds.
    """
    if not 0 <= melds_count <= SETS:
        raise ValueError(f"a hand has no {melds_count} melds; it has 0 to {SETS}")
    counts = count_kinds(concealed)
    if sum(counts) + wilds != 13 - 3 * melds_count:
        return ()
    if _shanten(counts, melds_count, seven_pairs, wilds) > 0:
        return ()
    found = []
    for kind in kinds:
        if counts[kind] < COPIES:
            counts[kind] += 1
            if _shanten(counts, melds_count, seven_pairs, wilds) < 0:
                found.append(kind)
            counts[kind] -= 1
    return tuple(found)


def completing(counts: int) -> Tiles:
    """The kinds of which one more makes sets and a pair of tiles that were counted, in tile order.

    A kind of which all four copies are in the hand is not left out.

    >>> from table_assist.tiles.divide import count_tiles
    >>> from table_assist.tiles.tile import format_tiles, parse_tiles
    >>> format_tiles(completing(count_tiles(parse_tiles("2345m 678p"))))
    '25m'
    """
    groups = (
        _group(0, counts & GROUP_MASK),
        _group(1, counts >> GROUP_BITS & GROUP_MASK),
        _group(2, counts >> 2 * GROUP_BITS & GROUP_MASK),
        _group(3, counts >> 3 * GROUP_BITS),
    )
    # One more tile must leave no group undivided, and one pair in all of them.
    undivided = [group for group in groups if not group.divided]
    if len(undivided) > 1:
        return ()
    pairs = sum([group.left_over == 2 for group in groups])
    found: Tiles = ()
    for group in undivided or groups:
        if pairs - (group.left_over == 2) + (group.left_over == 1) == 1:
            found += group.completing
    return found


class _Group(NamedTuple):
    """A suit, or the honours, as far as one more tile is concerned.

    Attributes:
        left_over: tiles beyond threes: two are a pair if the group comes out even.
        completing: the tiles of which one more makes it come out even.
    """

    divided: bool
    left_over: int
    completing: Tiles


@lru_cache(maxsize=1 << 16)
def _group(place: int, counts: int) -> _Group:
    first, length = KIND_GROUPS[place]
    numbers = [n for n in range(length) if is_divided(place, counts + (1 << BITS * n))]
    completing = tuple(Tile(first + number) for number in numbers)
    return _Group(is_divided(place, counts), tiles_in(counts) % 3, completing)


def _shanten(counts: list[int], melds_count: int, seven_pairs: bool, wilds: int) -> int:
    # The fewest tiles to add so that the hand holds so many sets and a pair
    sets = SETS - melds_count
    (first, second, third, honours) = (
        _suit_costs(tuple(counts[start : start + length]), 0, 0)
        if start < 27
        else _honour_costs(tuple(counts[start : start + length]))
        for start, length in KIND_GROUPS
    )
    left, right = _join(first, second), _join(third, honours)
    lacking = min(
        min(
            left[2 * there] + right[2 * (sets - there) + 1],
            left[2 * there + 1] + right[2 * (sets - there)],
        )
        for there in range(sets + 1)
    )
    if seven_pairs and melds_count == 0:
        lacking = min(lacking, 7 - sum(count // 2 for count in counts))
    return max(lacking - wilds, 0) - 1


@lru_cache(maxsize=_REMEMBERED)
def _join(left: Costs, right: Costs) -> Costs:
    """The costs of two groups together."""
    best = [_FAR] * _SIZE
    for one, cost in enumerate(left):
        for other in range(_SIZE - one):
            if one % 2 + other % 2 < 2:
                best[one + other] = min(best[one + other], cost + right[other])
    return tuple(best)


def _steps(chows: bool) -> list[list[tuple[tuple[int, int, int], ...]]]:
    """The steps at a number, by tiles held there and by tiles that earlier chows ask of it.

    Each way is (chows begun here, place in the costs that sets and pairs add, tiles lacking).
    Three equal chows are three pungs, so at most two chows begin at a number.
    """
    table = []
    for held in range(COPIES + 1):
        row = []
        for asked in range(COPIES + 1):
            ways: dict[tuple[int, int], int] = {}
            for begun, pung, pair in product(range(3 if chows else 1), range(2), range(2)):
                need = asked + begun + 3 * pung + 2 * pair
                if need <= COPIES:
                    ways[begun, 2 * (begun + pung) + pair] = max(0, need - held)
            row.append(tuple((begun, add, lack) for (begun, add), lack in ways.items()))
        table.append(row)
    return table


_SUIT_STEPS = _steps(chows=True)
_HONOUR_STEPS = _steps(chows=False)


@lru_cache(maxsize=_REMEMBERED)
def _suit_costs(counts: tuple[int, ...], older: int, newer: int) -> Costs:
    """Costs of the rest of a suit.

    Args:
        counts: tiles held of each number from here to 9; more than four count as four.
        older: chows begun two numbers below, which end here.
        newer: chows begun one number below.
    """
    if not counts:
        return _NO_COST if older == newer == 0 else (_FAR,) * _SIZE
    best = [_FAR] * _SIZE
    rest = counts[1:]
    asked = older + newer
    for begun, add, lack in _SUIT_STEPS[min(counts[0], COPIES)][asked]:
        if begun and len(counts) < 3:
            continue
        for place, cost in enumerate(_suit_costs(rest, newer, begun)[: _SIZE - add]):
            # A place's last bit is the pair: two pairs would carry into the sets.
            if cost + lack < best[place + add] and not (place & add & 1):
                best[place + add] = cost + lack
    return tuple(best)


@lru_cache(maxsize=_REMEMBERED)
def _honour_costs(counts: tuple[int, ...]) -> Costs:
    """Costs of the honours from one kind on."""
    if not counts:
        return _NO_COST
    best = [_FAR] * _SIZE
    for _, add, lack in _HONOUR_STEPS[min(counts[0], COPIES)][0]:
        for place, cost in enumerate(_honour_costs(counts[1:])[: _SIZE - add]):
            if cost + lack < best[place + add] and not (place & add & 1):
                best[place + add] = cost + lack
    return tuple(best)
