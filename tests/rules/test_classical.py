"""Chinese Classical beside the golden cases: the words, the winds, what cannot be."""

from table_assist.rules.judge import judge
from table_assist.rules.registry import find_rules
from table_assist.rules.rounds import HandValues
from table_assist.rules.shown import ShownHand
from table_assist.tiles.melds import parse_meld
from table_assist.tiles.tile import Tile, parse_tiles

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
