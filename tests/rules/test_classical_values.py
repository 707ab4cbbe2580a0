"""What a losing hand of Chinese Classical is worth, against a slow count written from SPEC 5.7."""

from itertools import product

from table_assist.rules.registry import find_rules
from table_assist.rules.rounds import LosingHand
from table_assist.tiles.melds import parse_meld
from table_assist.tiles.tile import Tile, parse_tiles

RULES = find_rules("classical")
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


def test_the_own_wind_is_counted_from_east() -> None:
    for seat, east in product(range(4), repeat=2):
        own = WINDS[(seat - east) % 4]
        losing = LosingHand((own,) * 3, (), (), seat, east, WINDS[(WINDS.index(own) + 1) % 4])
        assert value(losing) == 8 * 2
