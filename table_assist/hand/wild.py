"""One complete hand with wild tiles that holds certain parts: ``complete(parts, held, ...)``.

``hand.divide`` lists every division, of which many wild tiles make thousands. Rules that pay for a
few parts only need to know whether a hand can hold those, and one hand that does.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from table_assist.hand.divide import (
    ANY_PAIR,
    ANY_SET,
    SETS_AND_PAIR,
    Division,
    HandSet,
    SetKind,
    division_of,
)
from table_assist.tiles import Tile


def complete(
    parts: Sequence[HandSet],
    held: Mapping[Tile, int],
    sets: int,
    wilds: int,
    *,
    wild_pungs: bool = True,
) -> Division | None:
    """A hand of ``sets`` sets and a pair that holds these parts, or none if there is none.

    Args:
        parts: sets and at most one pair; the wild tiles in them are among ``wilds``.
        held: the tiles in hand without the wild ones.
        wild_pungs: whether a wild tile may fill up a pung.

    >>> from table_assist.tiles import parse_tiles
    >>> complete((), Counter(parse_tiles("1199m")), 1, 1).sets[1].wilds
    (2,)
    """
    left = Counter(held)
    for part in parts:
        left.subtract(naturals(part))
    pairs = sum(part.kind is SetKind.PAIR for part in parts)
    sets_left = sets - (len(parts) - pairs)
    wilds_left = wilds - sum(len(part.wilds) for part in parts)
    if min(left.values(), default=0) < 0 or min(sets_left, wilds_left, 1 - pairs) < 0:
        return None
    if left.total() + wilds_left != 3 * sets_left + 2 * (1 - pairs):
        return None
    rest = _rest(sorted(left.elements()), sets_left, 1 - pairs, wilds_left, wild_pungs)
    if rest is None:
        return None
    return division_of(SETS_AND_PAIR, tuple(sorted((*parts, *rest))))


def naturals(part: HandSet) -> tuple[Tile, ...]:
    """The tiles of a part that no wild tile stands for."""
    return tuple(tile for place, tile in enumerate(part.tiles) if place not in part.wilds)


def fill(
    kind: SetKind,
    tiles: tuple[Tile, ...],
    held: Mapping[Tile, int],
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
            choices.append((held.get(tile, 0) > tiles[:place].count(tile),))
    for choice in product(*choices):
        used = Counter(tile for tile, own in zip(tiles, choice, strict=True) if own)
        if all(held.get(tile, 0) >= count for tile, count in used.items()):
            yield HandSet(kind, tiles, tuple(p for p, own in enumerate(choice) if not own))


def _rest(
    held: Sequence[Tile], sets: int, pairs: int, wilds: int, wild_pungs: bool
) -> tuple[HandSet, ...] | None:
    """Parts for the tiles left, the lowest first; None if they do not come out even."""
    if not held:
        return (ANY_SET,) * sets + (ANY_PAIR,) * pairs
    counts = Counter(held)
    tried = set()
    for part in _parts_with(held[0], counts, wild_pungs):
        own = naturals(part)
        is_pair = part.kind is SetKind.PAIR
        if len(part.wilds) > wilds or (pairs if is_pair else sets) == 0 or (is_pair, own) in tried:
            continue
        tried.add((is_pair, own))
        left = list(held)
        for tile in own:
            left.remove(tile)
        rest = _rest(
            left, sets - (not is_pair), pairs - is_pair, wilds - len(part.wilds), wild_pungs
        )
        if rest is not None:
            return (part, *rest)
    return None


def _parts_with(lowest: Tile, held: Mapping[Tile, int], wild_pungs: bool) -> Iterable[HandSet]:
    """The sets and pairs that hold the lowest tile."""
    first = frozenset({0})
    every = not wild_pungs
    for pung in fill(SetKind.PUNG, (lowest,) * 3, held, natural=first, every=every):
        if wild_pungs or not pung.wilds:
            yield pung
    if lowest.is_suited:
        # The lowest tile may be the chow's second or third if wild tiles stand below it.
        for number in range(max(1, lowest.number - 2), min(lowest.number, 7) + 1):
            place = lowest.number - number
            tiles = tuple(Tile(lowest - place + step) for step in range(3))
            own = frozenset({place})
            yield from fill(SetKind.CHOW, tiles, held, natural=own, every=every)
    yield from fill(SetKind.PAIR, (lowest,) * 2, held, natural=first, every=every)
