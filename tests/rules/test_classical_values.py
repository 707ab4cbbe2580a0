"""What a losing hand of Chinese Classical is worth, against a slow count written from SPEC 5.7."""

from collections import Counter
from functools import cache
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from table_assist.rules.registry import find_rules
from table_assist.rules.rounds import LosingHand
from table_assist.tiles.melds import Meld, MeldKind, parse_meld
from table_assist.tiles.tile import BONUS, HONOURS, SUITED, Tile, parse_tiles

RULES = find_rules("classical")
FACES = (*SUITED, *HONOURS)
WINDS = (Tile.EAST, Tile.SOUTH, Tile.WEST, Tile.NORTH)


def value(hand: LosingHand, bouquet: int = 1) -> int:
    rules = RULES.with_options({"bouquet_doubles": bouquet})
    assert rules.lost_value is not None
    return rules.lost_value(hand, rules.chosen).value


def hand(
    concealed: str,
    *melds: str,
    bonus: str = "",
    seat: int = 2,
    east: int = 0,
    prevailing: Tile = Tile.EAST,
) -> LosingHand:
    laid = tuple(parse_meld(*meld.split(maxsplit=1)) for meld in melds)
    return LosingHand(parse_tiles(concealed), laid, parse_tiles(bonus), seat, east, prevailing)


# --- By hand: seat 2 is West while seat 0 is East


def test_a_bouquet_doubles_as_often_as_was_agreed() -> None:
    flowers = hand("147m 258p 369s ESFN", bonus="1f2f3f4f")
    assert [value(flowers, bouquet) for bouquet in (1, 2, 3)] == [64, 128, 256]


def test_the_steps_name_what_counts_in_both_languages() -> None:
    assert RULES.lost_value is not None
    steps = RULES.lost_value(hand("CCC 258p 369s 147m 9p", bonus="3f"), RULES.chosen).steps
    english = " ".join(step.en for step in steps)
    for part in ("seat 2", "sets 8", "flowers 4", "Red Dragons 1", "12 × 2^2 = 48"):
        assert part in english
    assert all(step.zh for step in steps)


# --- Against every arrangement


@cache
def arrangements(tiles: tuple[Tile, ...]) -> frozenset[tuple[tuple[Tile, int], ...]]:
    """Every way to put equal tiles together in twos and threes, at most one of the twos."""
    if not tiles:
        return frozenset({()})
    first, same = tiles[0], tiles.count(tiles[0])
    found = set()
    for size in (1, 2, 3):
        if size <= same:
            for rest in arrangements(tiles[size:]):
                whole = rest if size == 1 else ((first, size), *rest)
                if sum(each == 2 for _, each in whole) <= 1:
                    found.add(whole)
    return frozenset(found)


def points_and_doubles(
    tile: Tile, size: int, *, concealed: bool, own: Tile, prevailing: Tile
) -> tuple[int, int]:
    """One group by SPEC 5.7; (points, doubles)."""
    wind = (tile == own) + (tile == prevailing)
    dragon = tile in (Tile.RED, Tile.GREEN, Tile.WHITE)
    if size == 2:
        return 2 * (wind + dragon), 0
    outer = tile in HONOURS or int(tile) % 9 in (0, 8)
    table = {
        (3, False, False): 2,
        (3, True, False): 4,
        (3, False, True): 4,
        (3, True, True): 8,
        (4, False, False): 8,
        (4, True, False): 16,
        (4, False, True): 16,
        (4, True, True): 32,
    }
    return table[size, concealed, outer], wind + dragon


def counted(losing: LosingHand, bouquet: int = 1) -> int:
    """The best of all arrangements."""
    own = WINDS[(losing.seat - losing.east) % 4]
    fixed = [
        points_and_doubles(
            meld.tiles[0],
            len(meld.tiles),
            concealed=meld.kind is MeldKind.KONG_CONCEALED,
            own=own,
            prevailing=losing.prevailing,
        )
        for meld in losing.melds
        if meld.kind is not MeldKind.CHOW
    ]
    flowers = [tile for tile in losing.bonus if tile in BONUS[:4]]
    seasons = [tile for tile in losing.bonus if tile in BONUS[4:]]
    number = WINDS.index(own)
    doubles = (BONUS[number] in flowers) + (BONUS[4 + number] in seasons)
    doubles += bouquet * ((len(flowers) == 4) + (len(seasons) == 4))
    best = 0
    for arranged in arrangements(tuple(sorted(losing.concealed))):
        parts = fixed + [
            points_and_doubles(tile, size, concealed=True, own=own, prevailing=losing.prevailing)
            for tile, size in arranged
        ]
        points = sum(each for each, _ in parts) + 4 * len(losing.bonus)
        best = max(best, points * 2 ** (doubles + sum(each for _, each in parts)))
    return best


@st.composite
def losing_hands(draw: st.DrawFn) -> LosingHand:
    """Few kinds, so that equal tiles meet; no kind more than four times."""
    kinds = draw(st.lists(st.sampled_from(FACES), min_size=4, max_size=8, unique=True))
    left = Counter(dict.fromkeys(kinds, 4))
    melds = []
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from([each for each in MeldKind if each is not MeldKind.LUCKY_EGG]))
        tile = draw(st.sampled_from(kinds))
        size = 4 if kind.is_kong else 3
        if kind is not MeldKind.CHOW and left[tile] >= size:
            left[tile] -= size
            melds.append(Meld(kind, (tile,) * size))
    pool = list(left.elements())
    count = min(len(pool), 13 - 3 * len(melds))
    concealed = tuple(draw(st.permutations(pool))[:count])
    bonus = tuple(draw(st.lists(st.sampled_from(BONUS), unique=True)))
    seat, east = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    prevailing = draw(st.sampled_from(WINDS))
    return LosingHand(concealed, tuple(melds), bonus, seat, east, prevailing)


@given(losing_hands(), st.sampled_from((1, 2, 3)))
def test_the_value_is_that_of_the_best_arrangement(losing: LosingHand, bouquet: int) -> None:
    assert value(losing, bouquet) == counted(losing, bouquet)


def test_the_own_wind_is_counted_from_east() -> None:
    for seat, east in product(range(4), repeat=2):
        own = WINDS[(seat - east) % 4]
        losing = LosingHand((own,) * 3, (), (), seat, east, WINDS[(WINDS.index(own) + 1) % 4])
        assert value(losing) == 8 * 2
