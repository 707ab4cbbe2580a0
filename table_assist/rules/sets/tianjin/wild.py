"""How a Tianjin hand with wild tiles is read (TJ-21, TJ-23): the readings that may pay best.

Seven wild tiles fit into a hand in thousands of ways, of which only a few parts are paid for: those
that the final tile completes, a captured five, a Dragon. Each set of such parts is laid, and the
rest of the hand is completed any way it goes. A reading with fewer paid parts than another never
pays more and is left out.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from table_assist.rules.options import Options
from table_assist.rules.shown import ShownHand
from table_assist.tiles.divide import (
    ANY_PAIR,
    ANY_SET,
    BITS,
    KIND_COUNT,
    STRANGE,
    Division,
    HandSet,
    SetKind,
    copies,
    divide_counted,
    kinds_in,
    kinds_of,
    tiles_in,
)
from table_assist.tiles.tile import Tile
from table_assist.tiles.wild import complete, fill, may_complete, take

FOUR_FIVE_SIX = (Tile.M4, Tile.M5, Tile.M6)
# The three chows of a Dragon, suit by suit.
DRAGONS = tuple(
    tuple(tuple(Tile(first + step) for step in range(3)) for first in range(suit, suit + 9, 3))
    for suit in (Tile.M1, Tile.P1, Tile.S1)
)
_SUITS = tuple(kinds_of(tile for block in blocks for tile in block) for blocks in DRAGONS)
SINGLE, DOUBLE, FIVE, DRAGON = "wild_single_wait", "double_wild_wait", "capture_five", "dragon"


def divisions(shown: ShownHand, counts: int, options: Options) -> tuple[Division, ...]:
    """The divisions that pay best; with wild tiles, listing all would be thousands."""
    wilds = sum(copies(counts, wild) << BITS * wild for wild in shown.wilds)
    if not wilds:
        return divide_counted(counts)
    if counts >= STRANGE:
        return ()
    held, sets, wilds = counts - wilds, 4 - len(shown.melds), tiles_in(wilds)
    wild_pungs = bool(options["wild_in_triplet_at_win"])
    if not may_complete(held, sets, wild_pungs=wild_pungs):
        return ()
    found: dict[frozenset[str], Division] = {}
    wanted = sorted(_wanted(shown, held, wilds, options), key=lambda each: -len(each[0]))
    for goals, parts, final in wanted:
        if not any(goals <= met for met in found):
            division = complete(parts, held, sets, wilds, wild_pungs=wild_pungs, completed=final)
            if division is not None:
                found[goals] = division
    return tuple(found.values())


# The use of parts of a hand: the patterns they make, by id.
_Wanted = tuple[frozenset[str], tuple[HandSet, ...]]
# The same, and the part that the final tile completes if that is what makes a pattern.
_WantedHand = tuple[frozenset[str], tuple[HandSet, ...], HandSet | None]


def _wanted(shown: ShownHand, held: int, wilds: int, options: Options) -> Iterator[_WantedHand]:
    """Every set of parts that makes patterns, however few; the same patterns more than once."""
    every = not options["wild_in_triplet_at_win"]
    kinds = kinds_in(held)
    # The wild tiles must be enough for the numbers that a Dragon lacks.
    dragons = [
        blocks
        for blocks, suit in zip(DRAGONS, _SUITS, strict=True)
        if 9 - (kinds & suit).bit_count() <= wilds
    ]
    for final_goals, final in _final_parts(shown, held, options):
        for five_goals, fives in _wild_fives(final_goals, final, held, options):
            goals, parts = final_goals | five_goals, (*final, *fives)
            left, wilds_left = held, wilds
            for part in parts:
                left = take(left, part) if left >= 0 else left
                wilds_left -= len(part.wilds)
            if left < 0 or wilds_left < 0:
                continue
            # A chow of wild tiles alone that captures nothing is named in its own Dragon only.
            anywhere = FIVE in goals or all(
                len(part.wilds) < 3 or part is ANY_SET for part in parts
            )
            completed = final[0] if final else None
            if anywhere:
                yield goals, parts, completed
            for blocks in dragons:
                laid = {part.tiles for part in parts}
                missing = [each for each in blocks if each not in laid]
                if anywhere or len(missing) < len(blocks):
                    for chows in _lay(missing, left, wilds_left, every):
                        yield goals | {DRAGON}, (*parts, *chows), completed


def _final_parts(shown: ShownHand, held: int, options: Options) -> Iterator[_Wanted]:
    """The parts that the final tile makes a pattern of; first none at all."""
    tile, way = shown.winning_tile, options["capture_five_wild"]
    if tile in shown.wilds:
        captures = tile is Tile.M5 or way != "natural_final_only"
        yield from _with_wild_final(captures, bool(options["single_wait_wild_pair"]))
        if captures:
            yield from _fives(held, options, wild=frozenset({1}))
        return
    any_five = way == "any_wild_as_five"
    yield from _with_final(tile, bool(options["wild_in_triplet_at_win"]), any_five)
    if tile is Tile.M5:
        yield from _fives(held, options, natural=frozenset({1}))


@lru_cache(maxsize=4 * KIND_COUNT)
def _with_final(tile: Tile, wild_pungs: bool, any_five: bool) -> tuple[_Wanted, ...]:
    """Nothing, or what a tile makes with wild tiles.

    Where a set with two of them and a pair with one pay the same, the set is named.
    """
    found: list[_Wanted] = [(frozenset(), ())]
    if wild_pungs:
        found.append((frozenset({DOUBLE}), (HandSet(SetKind.PUNG, (tile,) * 3, (1, 2)),)))
    for block in (block for blocks in DRAGONS for block in blocks if tile in block):
        wilds = tuple(place for place, each in enumerate(block) if each != tile)
        captured = block == FOUR_FIVE_SIX and (tile is Tile.M5 or any_five)
        goals = {DOUBLE, FIVE} if captured else {DOUBLE}
        found.append((frozenset(goals), (HandSet(SetKind.CHOW, block, wilds),)))
    found.append((frozenset({SINGLE}), (HandSet(SetKind.PAIR, (tile, tile), (1,)),)))
    return tuple(found)


@lru_cache(maxsize=4)
def _with_wild_final(captures: bool, wild_pair: bool) -> tuple[_Wanted, ...]:
    """Nothing, or what a wild tile makes with others."""
    found: list[_Wanted] = [(frozenset(), ()), (frozenset({DOUBLE}), (ANY_SET,))]
    for block in (block for blocks in DRAGONS for block in blocks):
        goals = {DOUBLE, FIVE} if captures and block == FOUR_FIVE_SIX else {DOUBLE}
        found.append((frozenset(goals), (HandSet(SetKind.CHOW, block, (0, 1, 2)),)))
    if wild_pair:
        found.append((frozenset({SINGLE}), (ANY_PAIR,)))
    return tuple(found)


def _wild_fives(
    final_goals: frozenset[str],
    final: tuple[HandSet, ...],
    held: int,
    options: Options,
) -> Iterator[_Wanted]:
    """None, and a wild anywhere in place of the five, where the option counts that."""
    yield frozenset(), ()
    if FIVE not in final_goals and options["capture_five_wild"] == "any_wild_as_five":
        left = held
        for part in final:
            left = take(left, part) if left >= 0 else left
        yield from _fives(left, options, wild=frozenset({1}))


def _fives(
    held: int,
    options: Options,
    *,
    natural: frozenset[int] = frozenset(),
    wild: frozenset[int] = frozenset(),
) -> Iterator[_Wanted]:
    every = not options["wild_in_triplet_at_win"]
    for part in fill(SetKind.CHOW, FOUR_FIVE_SIX, held, natural=natural, wild=wild, every=every):
        yield frozenset({FIVE}), (part,)


def _lay(
    blocks: Sequence[tuple[Tile, ...]], held: int, wilds: int, every: bool
) -> Iterator[tuple[HandSet, ...]]:
    """The ways to lay these chows side by side with so many wild tiles at most."""
    if not blocks:
        yield ()
        return
    for part in fill(SetKind.CHOW, blocks[0], held, every=every):
        if len(part.wilds) <= wilds:
            for rest in _lay(blocks[1:], take(held, part), wilds - len(part.wilds), every):
                yield (part, *rest)
