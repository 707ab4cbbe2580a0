"""How far a Changsha hand is from each kind of win that a simulated player may aim at.

All distances are tiles lacking, counted on the concealed tiles: a complete hand lacks none, a ready
one lacks one. Which hands really win is the judge's to say; this only steers the players.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from table_assist.melds import Meld, MeldKind
from table_assist.tiles import COPIES, SUITED, Tile

# How many of each of the 27 suited kinds are held.
Counts = tuple[int, ...]

_SETS = 4
_FAR = 99
_GENERALS = (2, 5, 8)
_REMEMBERED = 1 << 17
# A suit's costs: tiles lacking for 0-4 sets without a pair, then for 0-4 sets with one.
Costs = tuple[int, ...]


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


def laid(melds: Iterable[Meld]) -> Laid:
    """Sum up melds."""
    melds = tuple(melds)
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
    found = [(Aim.SMALL, _sets_and_pair(counts, sets, generals=True))]
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


def _sets_and_pair(counts: Counts, sets: int, *, generals: bool) -> int:
    first, second, third = (
        _suit_costs(counts[start : start + 9], 0, 0, generals) for start in (0, 9, 18)
    )
    both = _join(first, second)
    return min(
        min(both[here] + third[5 + sets - here], both[5 + here] + third[sets - here])
        for here in range(sets + 1)
    )


def _triplets(counts: Counts, sets: int) -> int:
    """The largest groups become the triplets, the next one the pair."""
    groups = sorted(counts, reverse=True)
    return sum(3 - min(held, 3) for held in groups[:sets]) + 2 - min(groups[sets], 2)


def _flush(counts: Counts, sets: int, suit: int) -> int:
    return _suit_costs(counts[9 * suit : 9 * suit + 9], 0, 0, generals=False)[5 + sets]


@lru_cache(maxsize=_REMEMBERED)
def _join(one: Costs, other: Costs) -> Costs:
    """The costs of two suits together, with at most one pair."""
    best = [_FAR] * 10
    for here in range(5):
        for there in range(5 - here):
            both = here + there
            best[both] = min(best[both], one[here] + other[there])
            paired = min(one[5 + here] + other[there], one[here] + other[5 + there])
            best[5 + both] = min(best[5 + both], paired)
    return tuple(best)


@lru_cache(maxsize=_REMEMBERED)
def _suit_costs(counts: tuple[int, ...], older: int, newer: int, generals: bool) -> Costs:
    """Tiles lacking to build sets and perhaps a pair from here up to the nine.

    Args:
        counts: tiles held from this number on.
        older: chows begun two numbers below, ending here.
        newer: chows begun one number below.
        generals: the pair must be of 2, 5 or 8.
    """
    best = [_FAR] * 10
    if not counts:
        if older == newer == 0:
            best[0] = 0
        return tuple(best)
    number = 10 - len(counts)
    may_pair = not generals or number in _GENERALS
    for begun in range(3 if len(counts) > 2 else 1):
        rest = _suit_costs(counts[1:], newer, begun, generals)
        for pung in (0, 1):
            for pair in (0, 1) if may_pair else (0,):
                need = older + newer + begun + 3 * pung + 2 * pair
                if need > COPIES:
                    continue
                lacking = max(0, need - counts[0])
                made = begun + pung
                for sets in range(5 - made):
                    place = 5 * pair + sets + made
                    best[place] = min(best[place], rest[sets] + lacking)
                    if not pair:
                        best[place + 5] = min(best[place + 5], rest[5 + sets] + lacking)
    return tuple(best)
