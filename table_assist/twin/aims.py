"""How far a Changsha hand is from each kind of win that a simulated player may aim at.

All distances are tiles lacking, counted on the concealed tiles: a complete hand lacks none, a ready
one lacks one. Which hands really win is the judge's to say; this only steers the players.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import product

from table_assist.melds import Meld, MeldKind
from table_assist.tiles import COPIES, SUITED, Tile

# How many of each of the 27 suited kinds are held.
Counts = tuple[int, ...]

_SETS = 4
_FAR = 99
_GENERALS = (2, 5, 8)
_REMEMBERED = 1 << 17
# A suit's costs: tiles lacking for 0-4 sets without a pair, then for 0-4 sets with a pair of
# Generals, then with any pair.
Costs = tuple[int, ...]
_GENERAL_PAIR, _ANY_PAIR = 5, 10


class Aim(StrEnum):
    """A kind of win."""

    SMALL = "small"
    SEVEN_PAIRS = "seven_pairs"
    TRIPLETS = "triplets"
    FLUSH = "flush"
    GENERALS = "generals"
    BEGGAR = "beggar"


@dataclass(frozen=True, slots=True)
class Laid:
    """What a seat's melds leave open.

    Attributes:
        suit: 0-2 when all melds are of that suit; None without melds or with several suits.
    """

    count: int = 0
    triplets: bool = True
    suit: int | None = None
    one_suit: bool = True
    generals: bool = True
    claimed: bool = True


@lru_cache(maxsize=_REMEMBERED)
def laid(melds: tuple[Meld, ...]) -> Laid:
    """Sum up melds."""
    suits = {meld.tiles[0] // 9 for meld in melds}
    return Laid(
        count=len(melds),
        triplets=all(meld.kind is not MeldKind.CHOW for meld in melds),
        suit=min(suits) if len(suits) == 1 else None,
        one_suit=len(suits) <= 1,
        generals=all(tile.number in _GENERALS for meld in melds for tile in meld.tiles),
        claimed=all(meld.kind.is_claimed for meld in melds),
    )


def count(tiles: Iterable[Tile]) -> Counts:
    """How many of each suited kind."""
    counts = [0] * len(SUITED)
    for tile in tiles:
        counts[tile] += 1
    return tuple(counts)


@lru_cache(maxsize=_REMEMBERED)
def distances(counts: Counts, melds: Laid) -> tuple[tuple[Aim, int], ...]:
    """Tiles lacking for each kind of win that is still open.

    >>> from table_assist.tiles import parse_tiles
    >>> dict(distances(count(parse_tiles("123m 456m 789p 111s 5s")), laid(())))[Aim.SMALL]
    1
    """
    sets = _SETS - melds.count
    found = [(Aim.SMALL, _sets_and_general_pair(counts, sets))]
    if melds.count == 0:
        found.append((Aim.SEVEN_PAIRS, 7 - sum(held // 2 for held in counts)))
    if melds.triplets:
        found.append((Aim.TRIPLETS, _triplets(counts, sets)))
    if melds.one_suit:
        suits = range(3) if melds.suit is None else (melds.suit,)
        found.append((Aim.FLUSH, min(_flush(counts, sets, suit) for suit in suits)))
    if melds.generals:
        held = sum(counts[suit + number - 1] for suit in (0, 9, 18) for number in _GENERALS)
        found.append((Aim.GENERALS, 3 * sets + 2 - min(held, 3 * sets + 2)))
    if melds.count == _SETS and melds.claimed:
        found.append((Aim.BEGGAR, 2 - max(min(held, 2) for held in counts)))
    return tuple(found)


def _sets_and_general_pair(counts: Counts, sets: int) -> int:
    first, second, third = (_suit_costs(counts[start : start + 9], 0, 0) for start in (0, 9, 18))
    both = _join(first, second)
    return min(
        min(
            both[here] + third[_GENERAL_PAIR + sets - here],
            both[_GENERAL_PAIR + here] + third[sets - here],
        )
        for here in range(sets + 1)
    )


def _triplets(counts: Counts, sets: int) -> int:
    """The largest groups become the triplets, the next one the pair."""
    groups = sorted(counts, reverse=True)
    return sum(3 - min(held, 3) for held in groups[:sets]) + 2 - min(groups[sets], 2)


def _flush(counts: Counts, sets: int, suit: int) -> int:
    return _suit_costs(counts[9 * suit : 9 * suit + 9], 0, 0)[_ANY_PAIR + sets]


@lru_cache(maxsize=_REMEMBERED)
def _join(one: Costs, other: Costs) -> Costs:
    """The costs of two suits together, without a pair and with one of Generals."""
    best = [_FAR] * _ANY_PAIR
    for here in range(5):
        for there in range(5 - here):
            both = here + there
            paired = min(
                one[_GENERAL_PAIR + here] + other[there], one[here] + other[_GENERAL_PAIR + there]
            )
            best[both] = min(best[both], one[here] + other[there])
            best[_GENERAL_PAIR + both] = min(best[_GENERAL_PAIR + both], paired)
    return tuple(best)


def _steps(held: int, asked: int) -> list[tuple[int, int, bool, int]]:
    """What may be done at a number: (chows begun here, sets made, a pair made, tiles lacking).

    ``asked`` tiles go to chows begun below. Nobody builds a triplet around no tile at all.
    """
    found = []
    for begun, pung, pair in product(range(3), range(2), range(2)):
        need = asked + begun + 3 * pung + 2 * pair
        lacking = max(0, need - held)
        if need <= COPIES and (lacking < 3 or not pung):
            found.append((begun, begun + pung, bool(pair), lacking))
    return found


_STEPS = tuple(tuple(_steps(held, asked) for asked in range(5)) for held in range(5))


@lru_cache(maxsize=_REMEMBERED)
def _suit_costs(counts: tuple[int, ...], older: int, newer: int) -> Costs:
    """Tiles lacking to build sets and perhaps a pair from here up to the nine.

    Args:
        counts: tiles held from this number on.
        older: chows begun two numbers below, ending here.
        newer: chows begun one number below.
    """
    best = [_FAR] * (3 * 5)
    if not counts:
        if older == newer == 0:
            best[0] = 0
        return tuple(best)
    general = 10 - len(counts) in _GENERALS
    for begun, made, pair, lacking in _STEPS[counts[0]][older + newer]:
        if begun and len(counts) < 3:
            continue
        rest = _suit_costs(counts[1:], newer, begun)
        for sets in range(made, 5):
            cost = rest[sets - made] + lacking
            if pair:
                best[_ANY_PAIR + sets] = min(best[_ANY_PAIR + sets], cost)
                if general:
                    best[_GENERAL_PAIR + sets] = min(best[_GENERAL_PAIR + sets], cost)
                continue
            best[sets] = min(best[sets], cost)
            for place in (_GENERAL_PAIR + sets, _ANY_PAIR + sets):
                best[place] = min(best[place], rest[place - made] + lacking)
    return tuple(best)
