"""Chinese Classical beside the golden cases: the words, the winds, what cannot be."""

from itertools import product

from table_assist.rules.judge import judge
from table_assist.rules.play_rules import HandValues, LosingHand
from table_assist.rules.registry import find_rules
from table_assist.rules.shown import ShownHand
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.course_table import parse_meld

CLASSICAL = find_rules("classical")


def shown(concealed: str, tile: Tile, *melds: tuple[str, str]) -> ShownHand:
    return ShownHand(
        concealed=parse_tiles(concealed),
        winning_tile=tile,
        winner=1,
        dealer=0,
        melds=tuple(parse_meld(*meld) for meld in melds),
        discarder=2,
    )


def test_points_and_doubles_are_told_step_by_step() -> None:
    verdict = judge(CLASSICAL, shown("222s 99s 678p", Tile.P8, ("pung", "PPP"), ("chow", "123m")))
    assert [step.en for step in verdict.steps] == [
        "Points: going out 20 + sets 8 = 28.",
        "Doubles: Pung of White Dragons 1. 28 × 2^1 = 56.",
        "Seat 0 pays seat 1: 56 × 2 = 112.",
        "Seat 2 pays seat 1: 56.",
        "Seat 3 pays seat 1: 56.",
    ]
    assert all(step.zh for step in verdict.steps)


def test_the_limit_is_told() -> None:
    small = CLASSICAL.with_options({"limit": 50})
    hand = shown("222s 99s 678p", Tile.P8, ("pung", "PPP"), ("chow", "123m"))
    assert judge(small, hand).steps[1].en.endswith("28 × 2^1 = 56, limit 50.")
    orphans = shown("119m 19p 19s ESWNCFP", Tile.M1)
    assert judge(small, orphans).steps[0].en == "Limit hand (Thirteen Unique Wonders): 50."


def test_a_dead_hand_at_a_draw_pays_nothing() -> None:
    assert CLASSICAL.settle_values is not None
    hands = HandValues((9, 9, 9, 9), None, 0)
    assert CLASSICAL.settle_values(hands, CLASSICAL.chosen).transfers == (0, 0, 0, 0)


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
