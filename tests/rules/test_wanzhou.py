"""Wanzhou beside single hands: exchange, first dealer, kongs and ready hands that cannot be."""

import pytest

from table_assist.rules.judge import judge
from table_assist.rules.play_rules import HandResult
from table_assist.rules.reckoning import next_dealer, pay_laid
from table_assist.rules.registry import find_rules
from table_assist.rules.settlement import Laid, LaidIn, LaidKind
from table_assist.rules.shown import Circumstance, ShownHand
from table_assist.rules.wall import Exchanged, exchange
from table_assist.tiles.tile import parse_tile, parse_tiles

WANZHOU = find_rules("wanzhou")
PASSED = {seat: parse_tiles(text) for seat, text in enumerate(["123m", "456p", "789s", "258m"])}


def shown(text: str, tile: str, discarder: int | None = None, *said: Circumstance) -> ShownHand:
    return ShownHand(
        concealed=parse_tiles(text),
        winning_tile=parse_tile(tile),
        winner=1,
        dealer=0,
        self_drawn=discarder is None,
        discarder=discarder,
        circumstances=frozenset(said),
    )


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        ({0: "123m", 1: "456p", 2: "789s"}, "by all four seats"),
        ({0: "123m", 1: "456p", 2: "789s", 3: "25m"}, "seat 3 cannot pass 25m: 3 tiles"),
        ({0: "12m 3p", 1: "456p", 2: "789s", 3: "258m"}, "seat 0 cannot pass 12m 3p"),
        ({0: "EEE", 1: "456p", 2: "789s", 3: "258m"}, "They are of one suit"),
    ],
)
def test_what_cannot_be_passed(passed: dict[int, str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        exchange(WANZHOU, 1, {seat: parse_tiles(text) for seat, text in passed.items()})


def test_an_exchange_names_its_direction() -> None:
    assert exchange(WANZHOU, 3, PASSED) == Exchanged(
        2, {2: PASSED[0], 3: PASSED[1], 0: PASSED[2], 1: PASSED[3]}
    )


def test_kongs_that_cannot_be_paid() -> None:
    with pytest.raises(ValueError, match="not known whose discard made the kong of seat 2"):
        pay_laid(WANZHOU, [Laid(LaidKind.KONG_EXPOSED, 2)], LaidIn(0))
    with pytest.raises(ValueError, match="wanzhou has no golden_kong"):
        pay_laid(WANZHOU, [Laid(LaidKind.GOLDEN_KONG, 2)], LaidIn(0))


def test_a_cancelled_kong_says_why() -> None:
    laid = Laid(LaidKind.KONG_ADDED, 2, robbed_by=0)
    (step,) = pay_laid(WANZHOU, [laid], LaidIn(0)).steps
    assert "seat 2 is not paid" in step.en
    assert "座位 2" in step.zh


def test_several_winners_need_a_discarder() -> None:
    with pytest.raises(ValueError, match=r"seats \[0, 1\] won, and it is not known"):
        next_dealer(WANZHOU, HandResult(dealer=3, winners=(0, 1)))


def test_the_arithmetic_is_shown() -> None:
    """WZ-28: 8 x 2 = 16 from each."""
    steps = judge(WANZHOU, shown("111m 444m 777m 999m 33m", "9m")).steps
    assert [step.en for step in steps] == [
        "Big Hand: All Pungs 1 + Full Flush 1 = 2 fan.",
        "The hand is worth 8 × 2 = 16.",
        "Seat 0 pays seat 1: 16.",
        "Seat 2 pays seat 1: 16.",
        "Seat 3 pays seat 1: 16.",
    ]
    basic = judge(WANZHOU, shown("111m 456p 789s 234s 99p", "4s")).steps
    assert basic[0].zh == "小胡：2。"
    robbed = judge(
        WANZHOU, shown("111m 456p 789s 234s 99p", "4s", 3, Circumstance.ROBBING_KONG)
    ).steps
    assert robbed[1].en == "The hand is worth 12 × 1 × 2 = 24."
