"""One complete hand with wild tiles that holds certain parts: ``complete(parts, held, ...)``.

``hand.divide`` lists every division, of which many wild tiles make thousands. Rules that pay for a
few parts only need to know whether a hand can hold those, and one hand that does. Whether the rest
of a hand comes out even is read off a table: the fewest sets that take up all tiles of a suit, any
wild tile standing in. Every further set is made of wild tiles alone, and their number always comes
out right, because that of all tiles does.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from table_assist.tiles.divide import (
    ANY_PAIR,
    ANY_SET,
    BITS,
    GROUP_BITS,
    GROUP_MASK,
    HIGHEST_BITS,
    KIND_GROUPS,
    SETS_AND_PAIR,
    Division,
    HandSet,
    SetKind,
    copies,
    count_tiles,
    parts_of,
    tiles_in,
)
from table_assist.tiles.tile import Tile, Tiles

# Distinct suits remembered in each table, 7 MB, and distinct sets.
_REMEMBERED = 1 << 14
_PARTS = 1 << 12
# More sets than any hand has.
_FAR = 99


def complete(
    parts: Sequence[HandSet],
    held: int,
    sets: int,
    wilds: int,
    *,
    wild_pungs: bool = True,
    completed: HandSet | None = None,
) -> Division | None:
    """A hand of ``sets`` sets and a pair that holds these parts, or none if there is none.

    Args:
        parts: sets and at most one pair; the wild tiles in them are among ``wilds``.
        held: the tiles in hand without the wild ones, as ``divide`` counts them.
        wild_pungs: whether a wild tile may fill up a pung.
        completed: the part that the last tile completes, if it is one of these.

    >>> from table_assist.tiles.tile import parse_tiles
    >>> complete((), count_tiles(parse_tiles("1199m")), 1, 1).sets[1].wilds
    (2,)
    """
    left = held
    pairs = 0
    for part in parts:
        left = take(left, part)
        if left < 0:
            return None
        pairs += part.kind is SetKind.PAIR
        wilds -= len(part.wilds)
    sets_left = sets - (len(parts) - pairs)
    if min(sets_left, wilds, 1 - pairs) < 0:
        return None
    if tiles_in(left) + wilds != 3 * sets_left + 2 * (1 - pairs):
        return None
    rest = _rest(left, sets_left, 1 - pairs, _LEAST[wild_pungs])
    if rest is None:
        return None
    whole = sorted((*parts, *rest), key=lambda part: (part.kind, part.tiles, part.wilds))
    return Division(SETS_AND_PAIR, tuple(whole), parts_of(whole), completed)


def may_complete(held: int, sets: int, *, wild_pungs: bool) -> bool:
    """Whether these tiles fit into so many sets and a pair, if wild tiles fill them up."""
    return _rest(held, sets, 1, _LEAST[wild_pungs]) is not None


def take(held: int, part: HandSet) -> int:
    """The tiles left without those of a part that no wild tile stands for; -1 if one lacks."""
    left = (held | HIGHEST_BITS) - _weight(part.tiles, part.wilds)
    return left ^ HIGHEST_BITS if left & HIGHEST_BITS == HIGHEST_BITS else -1


@lru_cache(maxsize=_PARTS)
def _weight(tiles: Tiles, wilds: tuple[int, ...]) -> int:
    """The count of the tiles that no wild tile stands for."""
    return count_tiles(tile for place, tile in enumerate(tiles) if place not in wilds)


@lru_cache(maxsize=_PARTS)
def _part(kind: SetKind, tiles: Tiles, natural: tuple[bool, ...]) -> HandSet:
    return HandSet(kind, tiles, tuple(place for place, own in enumerate(natural) if not own))


def fill(
    kind: SetKind,
    tiles: Tiles,
    held: int,
    *,
    natural: frozenset[int] = frozenset(),
    wild: frozenset[int] = frozenset(),
    every: bool = False,
) -> Iterator[HandSet]:
    """The ways to lay a part with tiles in hand, and wild tiles where they lack.

    A wild tile laid beside a tile in hand that would fit can change places with that one, so the
    first way does for all unless wild tiles are not equal to others everywhere.

    Args:
        natural: positions that a tile in hand takes.
        wild: positions that a wild tile takes.
        every: also the ways that keep a fitting tile in hand back.
    """
    choices: list[tuple[bool, ...]] = []
    for place, tile in enumerate(tiles):
        if place in wild:
            choices.append((False,))
        elif place in natural:
            choices.append((True,))
        elif every:
            choices.append((True, False))
        else:
            choices.append((copies(held, tile) > tiles[:place].count(tile),))
    for choice in product(*choices):
        part = _part(kind, tiles, choice)
        if take(held, part) >= 0:
            yield part


class _Least(NamedTuple):
    """The fewest sets that take up a group of tiles, and those sets."""

    sets: int
    parts: tuple[HandSet, ...] = ()


_NONE_FITS = _Least(_FAR)


class _LeastSets(dict[int, tuple[_Least, _Least]]):
    """The fewest sets that take up a suit, or the honours: without a pair, and beside one."""

    def __init__(self, first: int, *, wild_pungs: bool) -> None:
        self._first = first
        self._wild_pungs = wild_pungs

    def __missing__(self, counts: int) -> tuple[_Least, _Least]:
        if len(self) >= _REMEMBERED:
            self.clear()
        self[counts] = least = self._least(counts) if counts else (_Least(0), _NONE_FITS)
        return least

    def _least(self, counts: int) -> tuple[_Least, _Least]:
        """Over every set and pair that holds the lowest tile, with or without wild tiles."""
        alone, beside = _NONE_FITS, _NONE_FITS
        held = counts << BITS * self._first
        for part in self._parts_with_lowest(held):
            rest = self[take(held, part) >> BITS * self._first]
            if part.kind is SetKind.PAIR:
                beside = min(beside, _Least(rest[0].sets, (part, *rest[0].parts)), key=_sets)
            else:
                alone = min(alone, _Least(rest[0].sets + 1, (part, *rest[0].parts)), key=_sets)
                beside = min(beside, _Least(rest[1].sets + 1, (part, *rest[1].parts)), key=_sets)
        return alone, beside

    def _parts_with_lowest(self, held: int) -> Iterator[HandSet]:
        lowest = Tile(((held & -held).bit_length() - 1) // BITS)
        first = frozenset({0})
        for pung in fill(SetKind.PUNG, (lowest,) * 3, held, natural=first, every=True):
            if self._wild_pungs or not pung.wilds:
                yield pung
        if lowest.is_suited:
            # The lowest tile may be the chow's second or third if wild tiles stand below it.
            for number in range(max(1, lowest.number - 2), min(lowest.number, 7) + 1):
                place = lowest.number - number
                tiles = tuple(Tile(lowest - place + step) for step in range(3))
                own = frozenset({place})
                yield from fill(SetKind.CHOW, tiles, held, natural=own, every=True)
        yield from fill(SetKind.PAIR, (lowest,) * 2, held, natural=first, every=True)


def _sets(least: _Least) -> int:
    return least.sets


_LEAST = {
    allowed: tuple(_LeastSets(first, wild_pungs=allowed) for first, _ in KIND_GROUPS)
    for allowed in (False, True)
}


def _rest(held: int, sets: int, pairs: int, tables: tuple[_LeastSets, ...]) -> list[HandSet] | None:
    """Parts for these tiles, and of wild tiles alone what lacks; None if they do not fit."""
    characters, dots, bamboo, honours = tables
    groups = (
        characters[held & GROUP_MASK],
        dots[held >> GROUP_BITS & GROUP_MASK],
        bamboo[held >> 2 * GROUP_BITS & GROUP_MASK],
        honours[held >> 3 * GROUP_BITS],
    )
    least = [alone for alone, _ in groups]
    # The pair goes where it spares a set; else wild tiles alone are the pair.
    if pairs:
        at = max(range(4), key=lambda group: groups[group][0].sets - groups[group][1].sets)
        if groups[at][0].sets > groups[at][1].sets:
            least[at], pairs = groups[at][1], 0
    missing = sets - sum([group.sets for group in least])
    if missing < 0:
        return None
    return [
        *[part for group in least for part in group.parts],
        *[ANY_SET] * missing,
        *[ANY_PAIR] * pairs,
    ]
