"""Walls and deals, against walking the table tile by tile; calls by their order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.rules import wall
from table_assist.rules.calls import Call, Claim, Offer, TileSource, refuse
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import Meld, parse_meld
from table_assist.tiles.tile import parse_tile, parse_tiles

CHANGSHA = find_rules("changsha")


@settings(deadline=None)
@given(st.integers(0, 3), st.integers(2, 12), st.sampled_from(["own_wall", "next_player"]))
def test_breaking_the_wall_by_walking(dealer: int, total: int, start: str) -> None:
    rules = CHANGSHA.with_options({"break_count_start": start})
    side = dealer if start == "own_wall" else (dealer + 1) % 4
    for _ in range(total - 1):
        side = (side + 1) % 4
    dice = (total - 1, 1) if total <= 7 else (6, total - 6)
    opened = wall.break_wall(rules, dealer, dice)
    assert (opened.side, opened.stack) == (side, total)
    long = wall.stacks_of(rules, dealer)[side]
    expected = (
        wall.WallPlace(side, total + 1) if total < long else wall.WallPlace((side - 1) % 4, 1)
    )
    assert opened.first_draw == expected


@settings(deadline=None)
@given(st.integers(0, 3), st.integers(0, 3), st.integers(1, 54))
def test_every_tile_is_drawn_once(dealer: int, side: int, count: int) -> None:
    stacks = wall.stacks_of(CHANGSHA, dealer)
    opened = wall.open_at(stacks, side, count)
    drawn = [wall.tile_after(stacks, opened.first_draw, tile) for tile in range(108)]
    assert len(set(drawn)) == 108
    assert [layer for _, layer in drawn[:2]] == ["top", "bottom"]
    assert drawn[-1][0] == wall.column_from_tail(stacks, opened.first_draw, 1)
    assert wall.stack_after(stacks, drawn[-1][0], 1) == opened.first_draw
    with pytest.raises(ValueError, match="108 tiles drawn"):
        wall.tile_after(stacks, opened.first_draw, 108)


@pytest.mark.parametrize("rules", rule_sets(), ids=lambda rules: rules.id)
@pytest.mark.parametrize("dealer", range(4))
def test_the_deal_gives_the_dealer_one_tile_more(rules: RuleSet, dealer: int) -> None:
    blocks = wall.deal(rules, dealer)
    sizes = [sum(tiles for seat, tiles in blocks if seat == each) for each in range(4)]
    assert sizes == [14 if seat == dealer else 13 for seat in range(4)]
    assert wall.tiles_after_deal(rules) == rules.tiles_in_wall - 53
    assert blocks[0] == (dealer, 4)


@pytest.mark.parametrize(
    ("dice", "words"), [((0, 3), "a die shows 0"), ((), "no dice"), ((True, 2), "shows True")]
)
def test_dice_that_cannot_fall(dice: tuple[int, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        wall.break_wall(CHANGSHA, 0, dice)
    with pytest.raises(ValueError, match="dealer is 5"):
        wall.break_wall(CHANGSHA, 5, (1, 2))
    with pytest.raises(ValueError, match="99 stacks counted off"):
        wall.open_at((14, 13, 14, 13), 0, 99)


def claim(seat: int, call: Call, hand: str, *melds: Meld) -> Claim:
    return Claim(seat, call, parse_tiles(hand), melds)


OFFER = Offer(parse_tile("4s"), seat=0, dealer=0)


def test_honours_make_no_chow_and_concealed_kongs_are_not_robbed() -> None:
    wind = Offer(parse_tile("S"), seat=0, dealer=0)
    kong = Offer(parse_tile("4s"), seat=0, dealer=0, source=TileSource.KONG_CONCEALED)
    refused = [
        refuse(CHANGSHA, wind, claim(1, Call.CHOW, "EW")),
        refuse(CHANGSHA, kong, claim(1, Call.WIN, "23s")),
    ]
    assert [each.id for each in refused if each] == [
        "tiles_do_not_match",
        "concealed_kong_cannot_be_robbed",
    ]


def test_an_unread_tile_can_be_claimed_for_nothing() -> None:
    unread = Offer(parse_tile("?"), seat=0, dealer=0)
    hand = "456p 789s 23s ??"
    chow = parse_meld("chow", "123m")
    for call, failed in (("pung", "tiles_do_not_match"), ("win", "unknown_tile")):
        refusal = refuse(CHANGSHA, unread, claim(1, Call(call), hand, chow))
        assert refusal is not None
        assert refusal.id == failed


def test_nobody_calls_for_the_own_discard_or_anothers_draw() -> None:
    with pytest.raises(ValueError, match="seat 0 cannot call"):
        refuse(CHANGSHA, OFFER, claim(0, Call.PUNG, "44s"))
    drawn = Offer(parse_tile("4s"), seat=0, dealer=0, source=TileSource.OWN_DRAW)
    with pytest.raises(ValueError, match="seat 1 cannot call"):
        refuse(CHANGSHA, drawn, claim(1, Call.KONG_CONCEALED, "444s"))
