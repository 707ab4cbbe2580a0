"""Tiles counted in one number, and every division of them into sets and a pair, wild ones too.

``divide(concealed, sets, wilds)`` gives all of them, ``seven_pairs`` the one other shape that
several rule sets share. A suit's divisions are found once and remembered, so a hand is four
look-ups and a product; ``divide_counted`` does that for tiles that are counted already.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import product

from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, Tiles

KIND_COUNT = 34
BITS = 6
# First kind and length of the groups that cannot share a set: three suits, and the honours.
KIND_GROUPS = ((0, 9), (9, 9), (18, 9), (27, 7))
GROUP_BITS = 9 * BITS
GROUP_MASK = (1 << GROUP_BITS) - 1
# The count of a tile that is none of the 34 kinds: above all the counts.
STRANGE = 1 << (KIND_COUNT * BITS)
# One tile of each kind; times a number, that many.
ONE_EACH = sum(1 << (BITS * kind) for kind in range(KIND_COUNT))
# The highest bit of each kind.
HIGHEST_BITS = ONE_EACH << (BITS - 1)

# Added to one tile or more, it sets the highest bit.
_ALL_BUT_ONE = ONE_EACH * ((1 << BITS - 1) - 1)
_WEIGHTS = {tile: 1 << (BITS * tile) if 0 <= tile < KIND_COUNT else STRANGE for tile in Tile}
_weight = _WEIGHTS.__getitem__


def count_tiles(tiles: Iterable[Tile]) -> int:
    """The tiles in one number; ``STRANGE`` or more if one of them is none of the 34 kinds.

    >>> from table_assist.tiles.tile import parse_tiles
    >>> copies(count_tiles(parse_tiles("113m")), Tile.M1)
    2
    """
    return sum(map(_weight, tiles))


def copies(counts: int, tile: Tile) -> int:
    """How many of that kind were counted."""
    return counts >> (BITS * tile) & (1 << BITS) - 1


def tiles_in(counts: int) -> int:
    """How many tiles were counted; at most 62, none of them strange."""
    # A number leaves the sum of its digits when divided by their base less one.
    return counts % ((1 << BITS) - 1)


def spare_room(limit: int) -> int:
    """The addend by which ``HIGHEST_BITS`` of counts tell the kinds of which there are more.

    >>> from table_assist.tiles.tile import parse_tiles
    >>> [bool(count_tiles(parse_tiles(t)) + spare_room(2) & HIGHEST_BITS) for t in ("11m", "111m")]
    [False, True]
    """
    return _ALL_BUT_ONE - ONE_EACH * limit


def kinds_in(counts: int) -> int:
    """The kinds counted, one bit each, as ``kinds_of`` places them; at most 32 of a kind.

    >>> from table_assist.tiles.tile import parse_tiles
    >>> kinds_in(count_tiles(parse_tiles("113m"))) == kinds_of(parse_tiles("13m"))
    True
    """
    return counts + _ALL_BUT_ONE & HIGHEST_BITS


def kinds_of(tiles: Iterable[Tile]) -> int:
    """A bit for each of these kinds."""
    return sum(1 << (BITS * tile + BITS - 1) for tile in set(tiles))


# Distinct suits remembered with wild tiles. An evening meets a few thousand, and a table that runs
# for days must not go on growing.
_REMEMBERED_WILD = 1 << 13
# Distinct melds remembered; there are 21 chows, and 34 of each other kind, eggs aside.
_REMEMBERED_MELDS = 1 << 12
# Distinct suits remembered without, in each of the four tables: below 1 MB. All 405,350 that there
# are take 28 MB.
_REMEMBERED = 1 << 13

# Where the bits of a division's parts stand: a pung or kong of a kind, a chow from a kind on, a
# pair of a kind; lucky eggs share one bit, and so do sets of wild tiles alone.
CHOWS, PAIRS, EGG, ANY = KIND_COUNT, 2 * KIND_COUNT, 3 * KIND_COUNT, 3 * KIND_COUNT + 1
# Every bit of a set that is no pung or kong.
NO_TRIPLETS = ((1 << KIND_COUNT) - 1 << CHOWS) | 1 << EGG | 1 << ANY


class SetKind(StrEnum):
    """The kinds of parts of a complete hand."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"
    PAIR = "pair"
    EGG = "lucky_egg"
    ANY = "any"
    """Three wild tiles: they stand for whichever set pays best."""


@dataclass(frozen=True, slots=True, order=True)
class HandSet:
    """A set or a pair of a hand.

    Attributes:
        tiles: the faces it stands for, ascending; ``UNKNOWN`` where wild tiles stand for any face.
        wilds: the positions in ``tiles`` that wild tiles fill.
        meld: the meld on the table that it is; none for a part of the concealed tiles.
    """

    kind: SetKind
    tiles: Tiles
    wilds: tuple[int, ...] = ()
    meld: Meld | None = None

    @property
    def is_triplet(self) -> bool:
        """A pung or a kong."""
        return self.kind in (SetKind.PUNG, SetKind.KONG)

    @property
    def bit(self) -> int:
        """The bit that it sets in ``Division.parts``; 0 for a pair without a face."""
        place = _PLACES[self.kind]
        if self.kind in (SetKind.EGG, SetKind.ANY):
            return 1 << place
        lowest = self.tiles[0] if self.tiles else Tile.UNKNOWN
        return 1 << (place + lowest) if 0 <= lowest < KIND_COUNT else 0


_PLACES = {
    SetKind.PUNG: 0,
    SetKind.KONG: 0,
    SetKind.CHOW: CHOWS,
    SetKind.PAIR: PAIRS,
    SetKind.EGG: EGG,
    SetKind.ANY: ANY,
}


def pair_bits(tiles: Iterable[Tile]) -> int:
    """The bits that pairs of these kinds set in ``Division.parts``."""
    return sum(1 << (PAIRS + tile) for tile in set(tiles))


def triplet_bits(tiles: Iterable[Tile]) -> int:
    """The bits that pungs and kongs of these kinds set in ``Division.parts``."""
    return sum(1 << tile for tile in set(tiles))


@dataclass(frozen=True, slots=True)
class Division:
    """One way to read concealed tiles as a complete hand.

    Attributes:
        shape: the id of the shape, such as ``sets_and_pair``.
        sets: the pairs included, in ascending order.
        parts: the same as bits, for quick questions: a triplet, a chow or a pair of a kind is one
            bit, set whether there is one of it or two.
        completed: the part that the last tile completes, where it was made for a certain one.
    """

    shape: str
    sets: tuple[HandSet, ...]
    parts: int
    completed: HandSet | None = None

    @property
    def pairs(self) -> tuple[HandSet, ...]:
        """The pairs: one in a hand of sets, seven in seven pairs."""
        return tuple(part for part in self.sets if part.kind is SetKind.PAIR)


SETS_AND_PAIR = "sets_and_pair"
SEVEN_PAIRS = "seven_pairs"

ANY_SET = HandSet(SetKind.ANY, (Tile.UNKNOWN,) * 3, (0, 1, 2))
ANY_PAIR = HandSet(SetKind.PAIR, (Tile.UNKNOWN,) * 2, (0, 1))


@lru_cache(maxsize=_REMEMBERED_MELDS)
def set_of(meld: Meld) -> HandSet:
    """The part of a hand that a meld is.

    >>> set_of(Meld(MeldKind.KONG_ADDED, (Tile.P5,) * 4)).kind
    <SetKind.KONG: 'kong'>
    """
    if meld.kind.is_kong:
        kind = SetKind.KONG
    else:
        kind = {
            MeldKind.CHOW: SetKind.CHOW,
            MeldKind.PUNG: SetKind.PUNG,
            MeldKind.LUCKY_EGG: SetKind.EGG,
        }[meld.kind]
    return HandSet(kind, tuple(sorted(meld.tiles)), meld=meld)


def division_of(shape: str, sets: tuple[HandSet, ...]) -> Division:
    """The division into these sets and pairs."""
    return Division(shape, sets, parts_of(sets))


def parts_of(sets: Iterable[HandSet]) -> int:
    """The bits of several sets and pairs."""
    parts = 0
    for each in sets:
        parts |= each.bit
    return parts


def count_kinds(tiles: Iterable[Tile]) -> list[int]:
    """How many of each of the 34 kinds.

    Raises:
        ValueError: a tile is none of the 34 kinds.
    """
    counts = [0] * KIND_COUNT
    for tile in tiles:
        if not 0 <= tile < KIND_COUNT:
            raise ValueError(f"a tile {tile} cannot be part of a set")
        counts[tile] += 1
    return counts


def divide(concealed: Iterable[Tile], sets: int, wilds: int = 0) -> tuple[Division, ...]:
    """Every distinct division into ``sets`` sets and a pair.

    Args:
        concealed: the tiles without the wild ones; any number, in any order.
        sets: how many sets are still to be formed: four less the melds.
        wilds: how many wild tiles are held besides.

    Returns:
        No division twice; none at all if the tiles do not fit, and none if one of them (a flower,
        an unread tile) can be in no set. More than four of a kind are divided like any others:
        the limit is for the caller to check.

    >>> from table_assist.tiles.tile import parse_tiles
    >>> len(divide(parse_tiles("111222333m 55p"), 3))
    2
    """
    held = tuple(concealed)
    if len(held) + wilds != 3 * sets + 2 or not _fit_sets(held):
        return ()
    if wilds == 0:
        return divide_counted(count_tiles(held))
    counts = count_kinds(held)
    groups = [tuple(counts[first : first + length]) for first, length in KIND_GROUPS]
    divisions = []
    for split in _splits(wilds, len(KIND_GROUPS)):
        parts = [
            _divide_group(group, first, used)
            for group, (first, _), used in zip(groups, KIND_GROUPS, split, strict=True)
        ]
        for chosen in product(*parts):
            found = [part for group in chosen for part in group]
            whole = _add_wild_sets(found, sets, wilds - sum(split))
            if whole is not None:
                divisions.append(division_of(SETS_AND_PAIR, whole))
    return tuple(divisions)


def divide_counted(counts: int) -> tuple[Division, ...]:
    """Every division into sets and one pair, as many as there are, of tiles that were counted.

    >>> from table_assist.tiles.tile import parse_tiles
    >>> len(divide_counted(count_tiles(parse_tiles("111222333m 55p"))))
    2
    """
    characters, dots, bamboo, honours = _GROUP_TABLES
    groups = (
        characters[counts & GROUP_MASK],
        dots[counts >> GROUP_BITS & GROUP_MASK],
        bamboo[counts >> 2 * GROUP_BITS & GROUP_MASK],
        honours[counts >> 3 * GROUP_BITS],
    )
    divisions = []
    for one, two, three, four in product(*groups):
        parts = one.parts | two.parts | three.parts | four.parts
        pairs = parts >> PAIRS
        if not pairs or pairs & (pairs - 1):
            return ()
        divisions.append(
            Division(SETS_AND_PAIR, one.sets + two.sets + three.sets + four.sets, parts)
        )
    return tuple(divisions)


def is_divided(place: int, counts: int) -> bool:
    """Whether a group of tiles comes out even, with a pair or without.

    Args:
        place: which group, as in ``divide.KIND_GROUPS``.
        counts: its tiles, the first kind's in the lowest bits.
    """
    return bool(_GROUP_TABLES[place][counts])


def seven_pairs(concealed: Iterable[Tile], wilds: int = 0) -> tuple[Division, ...]:
    """The division into seven pairs, if there is one; four of a kind are two pairs.

    Wild tiles fill the single tiles first, then make pairs among themselves.
    """
    held = tuple(concealed)
    if len(held) + wilds != 14 or not _fit_sets(held):
        return ()
    pairs = []
    for kind, count in enumerate(count_kinds(held)):
        tile = Tile(kind)
        pairs += [HandSet(SetKind.PAIR, (tile, tile))] * (count // 2)
        pairs += [HandSet(SetKind.PAIR, (tile, tile), (1,))] * (count % 2)
    left = wilds - sum(len(pair.wilds) for pair in pairs)
    if left < 0:
        return ()
    return (division_of(SEVEN_PAIRS, (*pairs, *[ANY_PAIR] * (left // 2))),)


def pairs_counted(counts: int) -> tuple[Division, ...]:
    """The division of fourteen tiles that were counted into seven pairs, if there is one."""
    if counts & _NO_PAIRS:
        return ()
    pairs = tuple(pair for pair in _PAIR_SETS for _ in range(copies(counts, pair.tiles[0]) // 2))
    return (division_of(SEVEN_PAIRS, pairs),) if len(pairs) == 7 else ()


_PAIR_SETS = tuple(HandSet(SetKind.PAIR, (Tile(kind),) * 2) for kind in range(KIND_COUNT))
# An odd number of a kind, or a tile that is none of the 34.
_NO_PAIRS = ONE_EACH | STRANGE


@dataclass(frozen=True, slots=True)
class _Laid:
    """One division of one group: no pair or one."""

    sets: tuple[HandSet, ...]
    parts: int


class _GroupTable(dict[int, tuple[_Laid, ...]]):
    """The divisions of one suit, or of the honours, by their counts; found when first asked for."""

    def __init__(self, first: int, length: int) -> None:
        self._first = first
        self._length = length

    def __missing__(self, counts: int) -> tuple[_Laid, ...]:
        if len(self) >= _REMEMBERED:
            self.clear()
        found = self._divide(counts)
        self[counts] = found
        return found

    def _divide(self, counts: int) -> tuple[_Laid, ...]:
        if counts >> (BITS * self._length) or tiles_in(counts) % 3 == 1:
            return ()
        if counts == 0:
            return (_Laid((), 0),)
        found = set()
        for part, weight in self._parts_with_lowest(counts):
            for rest in self[counts - weight]:
                if part.kind is not SetKind.PAIR or not rest.parts >> PAIRS:
                    found.add(tuple(sorted((part, *rest.sets))))
        return tuple(_Laid(sets, parts_of(sets)) for sets in sorted(found))

    def _parts_with_lowest(self, counts: int) -> Iterator[tuple[HandSet, int]]:
        """The sets and the pair that hold the lowest tile, with what they count."""
        place = ((counts & -counts).bit_length() - 1) // BITS
        tile = Tile(self._first + place)
        held = copies(counts, Tile(place))
        one = 1 << BITS * place
        if held >= 2:
            yield _PAIR_SETS[tile], 2 * one
        if held >= 3:
            yield HandSet(SetKind.PUNG, (tile,) * 3), 3 * one
        above = copies(counts, Tile(place + 1)), copies(counts, Tile(place + 2))
        if tile.is_suited and place < 7 and all(above):
            chow = HandSet(SetKind.CHOW, (tile, Tile(tile + 1), Tile(tile + 2)))
            yield chow, one * (1 + (1 << BITS) + (1 << 2 * BITS))


_GROUP_TABLES = tuple(_GroupTable(first, length) for first, length in KIND_GROUPS)


def _fit_sets(tiles: Tiles) -> bool:
    return all(0 <= tile < KIND_COUNT for tile in tiles)


def _splits(wilds: int, groups: int) -> Iterator[tuple[int, ...]]:
    """The ways to give each group some of the wild tiles, and keep the rest."""
    if groups == 0:
        yield ()
        return
    for used in range(wilds + 1):
        for rest in _splits(wilds - used, groups - 1):
            yield (used, *rest)


def _add_wild_sets(found: list[HandSet], sets: int, wilds: int) -> tuple[HandSet, ...] | None:
    """Complete a hand with sets made of wild tiles alone; None if that does not come out even."""
    pairs = sum(part.kind is SetKind.PAIR for part in found)
    missing = sets - (len(found) - pairs)
    if pairs > 1 or missing < 0 or 3 * missing + 2 * (1 - pairs) != wilds:
        return None
    return (*found, *[ANY_SET] * missing, *[ANY_PAIR] * (1 - pairs))


@lru_cache(maxsize=_REMEMBERED_WILD)
def _divide_group(
    counts: tuple[int, ...], first: int, wilds: int
) -> tuple[tuple[HandSet, ...], ...]:
    """Every division of one suit, or of the honours, that uses exactly so many wild tiles.

    Each part holds at least one tile of the group, and at most one part is a pair.
    """
    if (sum(counts) + wilds) % 3 == 1:
        return ()
    lowest = next((index for index, count in enumerate(counts) if count), None)
    if lowest is None:
        return ((),) if wilds == 0 else ()
    found = set()
    for part, used in _parts_with(counts, first, lowest, wilds):
        left = list(counts)
        for position, tile in enumerate(part.tiles):
            if position not in part.wilds:
                left[tile - first] -= 1
        for rest in _divide_group(tuple(left), first, wilds - used):
            whole = sorted((part, *rest))
            if sum(each.kind is SetKind.PAIR for each in whole) <= 1:
                found.add(tuple(whole))
    return tuple(sorted(found))


def _parts_with(
    counts: Sequence[int], first: int, lowest: int, wilds: int
) -> Iterator[tuple[HandSet, int]]:
    """The sets and pairs that hold the lowest tile, with the wild tiles each of them uses."""
    tile = Tile(first + lowest)
    for kind, size in ((SetKind.PAIR, 2), (SetKind.PUNG, 3)):
        for held in range(max(1, size - wilds), min(size, counts[lowest]) + 1):
            yield HandSet(kind, (tile,) * size, tuple(range(held, size))), size - held
    if tile.is_suited:
        # The lowest tile may be the chow's second or third if wild tiles stand below it.
        for start in range(max(0, lowest - 2), min(lowest, 6) + 1):
            # The chows from ``start`` that hold the lowest tile itself
            tiles = tuple(Tile(first + index) for index in range(start, start + 3))
            choices = [
                (False,) if index == lowest else (True, False) if counts[index] else (True,)
                for index in range(start, start + 3)
            ]
            for wild in product(*choices):
                places = tuple(position for position in range(3) if wild[position])
                if len(places) <= wilds:
                    yield HandSet(SetKind.CHOW, tiles, places), len(places)
