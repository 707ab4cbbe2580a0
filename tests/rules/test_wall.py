"""Walls and deals, against walking the table tile by tile; calls by their order."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.rules import wall
from table_assist.rules.calls import Call, Claim, Offer, TileSource, award, refuse
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import Meld, MeldKind, parse_meld
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


def test_changsha_has_108_tiles_and_55_after_the_deal() -> None:
    assert CHANGSHA.tiles_in_wall == 108
    assert wall.tiles_after_deal(CHANGSHA) == 55
    assert 2 * sum(wall.stacks_of(CHANGSHA, 1)) == 108


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


@pytest.mark.parametrize("hand", ["23s", "35s", "56s"])
def test_a_chow_is_any_run_with_the_tile(hand: str) -> None:
    assert refuse(CHANGSHA, OFFER, claim(1, Call.CHOW, hand)) is None


@pytest.mark.parametrize("hand", ["25s", "34s", "35p", "44s", "36s"])
def test_other_tiles_make_no_chow(hand: str) -> None:
    refusal = refuse(CHANGSHA, OFFER, claim(1, Call.CHOW, hand))
    assert refusal is not None
    assert refusal.id == "tiles_do_not_match"


def test_a_game_without_chows() -> None:
    rules = replace(CHANGSHA, melds=CHANGSHA.melds - {MeldKind.CHOW})
    refusal = refuse(rules, OFFER, claim(1, Call.CHOW, "23s"))
    assert refusal is not None
    assert refusal.id == "chow_not_in_ruleset"


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


def test_own_kongs() -> None:
    drawn = Offer(parse_tile("4s"), seat=0, dealer=0, source=TileSource.OWN_DRAW)
    pung = parse_meld("pung", "444s")
    assert refuse(CHANGSHA, drawn, claim(0, Call.KONG_CONCEALED, "444s")) is None
    assert refuse(CHANGSHA, drawn, claim(0, Call.KONG_ADDED, "1m", pung)) is None
    refused = [
        refuse(CHANGSHA, drawn, claim(0, Call.KONG_CONCEALED, "44s")),
        refuse(CHANGSHA, drawn, claim(0, Call.KONG_ADDED, "444s")),
        refuse(CHANGSHA, OFFER, claim(1, Call.KONG_ADDED, "1m", pung)),
        refuse(CHANGSHA, OFFER, claim(1, Call.KONG_CONCEALED, "444s")),
    ]
    assert [each.id for each in refused if each] == [
        "tiles_do_not_match",
        "no_exposed_pung",
        "pung_already_exposed",
        "tiles_do_not_match",
    ]


def test_an_added_kong_is_robbed_for_a_win() -> None:
    """Without a General pair too, if a Big Win needs none; robbing alone does not."""
    kong = Offer(parse_tile("4s"), seat=0, dealer=0, source=TileSource.KONG_ADDED)
    robber = claim(2, Call.WIN, "456p 789s 23s 55p", parse_meld("chow", "123m"))
    assert award(CHANGSHA, kong, [robber]).awarded == (robber,)
    refusal = refuse(CHANGSHA, kong, replace(robber, hand=parse_tiles("456p 789s 23s 99p")))
    assert refusal is not None
    assert refusal.id == "generals_pair"


def test_the_own_draw_wins_self_drawn() -> None:
    drawn = Offer(parse_tile("4s"), seat=2, dealer=0, source=TileSource.OWN_DRAW)
    hand = claim(2, Call.WIN, "456p 789s 23s 55p", parse_meld("chow", "123m"))
    assert award(CHANGSHA, drawn, [hand]).awarded == (hand,)


def test_equal_calls_go_to_the_nearest() -> None:
    far, near = claim(3, Call.PUNG, "44s"), claim(1, Call.CHOW, "23s")
    assert award(CHANGSHA, OFFER, [near, far]).awarded == (far,)
    hands = [
        claim(3, Call.WIN, "456p 789s 23s 55p", parse_meld("chow", "123m")),
        claim(2, Call.WIN, "456p 789s 56s 55p", parse_meld("chow", "123m")),
    ]
    assert award(CHANGSHA, OFFER, hands).awarded == (hands[1], hands[0])
    assert award(CHANGSHA, OFFER, []).awarded == ()
