"""Tianjin beside single hands: antes, chase, wild tiles, and hands completed with many of them."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.rules.judge import judge
from table_assist.rules.options import Options
from table_assist.rules.registry import find_rules
from table_assist.rules.shown import Antes, Circumstance, ShownHand
from table_assist.rules.wall import chase, make_wild, place_antes
from table_assist.tiles.divide import Division, divide
from table_assist.tiles.tile import SUITED, Tile, parse_tile, parse_tiles
from tests.stages.course_table import parse_meld

TIANJIN = find_rules("tianjin")
CHANGSHA = find_rules("changsha")
WILDS = parse_tiles("34s")


def shown(text: str, tile: str, *said: Circumstance, **more: object) -> ShownHand:
    values: dict[str, object] = {"winner": 1, "dealer": 0, "wilds": WILDS} | more
    return ShownHand(
        concealed=parse_tiles(text),
        winning_tile=parse_tile(tile),
        self_drawn=True,
        circumstances=frozenset(said),
        **values,  # type: ignore[arg-type]
    )


# Antes


def test_tokens_are_two_a_round_and_doubling_down_costs_none() -> None:
    placed = place_antes(TIANJIN, Antes(True, (0, 1, 0, 2)), dealer=0)
    assert dict(placed.tokens_left) == {1: 1, 3: 0}
    again = place_antes(TIANJIN, Antes(False, (0, 1, 0, 1)), dealer=0, tokens=placed.tokens_left)
    assert [refusal.id for refusal in again.refusals] == ["not_enough_tokens"]
    assert again.tokens_left == placed.tokens_left


def test_every_refusal_of_antes_is_named() -> None:
    antes = Antes(False, (1, 2, 0, 0))
    placed = place_antes(TIANJIN, antes, dealer=0, tokens={1: 1}, after_deal=True)
    assert [refusal.id for refusal in placed.refusals] == [
        "before_the_deal_only",
        "dealer_cannot_challenge",
        "not_enough_tokens",
    ]
    assert not place_antes(TIANJIN, Antes(), dealer=0, after_deal=True).refusals


def test_antes_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="seat 1 has 3 tokens; a round gives it 2"):
        place_antes(TIANJIN, Antes(), dealer=0, tokens={1: 3})
    with pytest.raises(ValueError, match="-1 tokens cannot be put down"):
        place_antes(TIANJIN, Antes(False, (0, -1, 0, 0)), dealer=0)
    with pytest.raises(ValueError, match="changsha has no antes"):
        place_antes(CHANGSHA, Antes(), dealer=0)


# Chase


def test_an_unread_discard_leaves_the_chase_open_unless_another_decides() -> None:
    with pytest.raises(ValueError, match="could not be read"):
        chase(TIANJIN, parse_tiles("E E ? E"), dealer=0)
    assert chase(TIANJIN, parse_tiles("E S ? E"), dealer=0) is None
    with pytest.raises(ValueError, match="5 discards in the first round"):
        chase(TIANJIN, parse_tiles("EEEEE"), dealer=0)
    with pytest.raises(ValueError, match="changsha has no chase"):
        chase(CHANGSHA, parse_tiles("1111m"), dealer=0)


# Wild tiles


def test_no_flower_is_turned_and_other_rules_turn_nothing() -> None:
    with pytest.raises(ValueError, match="1f cannot be turned up in tianjin"):
        make_wild(TIANJIN, parse_tile("1f"))
    with pytest.raises(ValueError, match="changsha has no wild tiles"):
        make_wild(CHANGSHA, parse_tile("1m"))


@pytest.mark.parametrize("wilds", ["3s", "345s", "3s 5s", "4p 3s", "1f 2f"])
def test_wild_kinds_that_no_turned_tile_makes_are_refused(wilds: str) -> None:
    hand = shown("111m 456p 789s 234p 99p", "4p", wilds=parse_tiles(wilds))
    assert judge(TIANJIN, hand).refusals[0].id == "wild_tiles"


def test_an_unread_tile_may_be_wild() -> None:
    found = judge(TIANJIN, shown("123p 456p 789p 55s ?EE", "6p")).completions
    assert {str(each.tiles[0]): each.total for each in found} == {
        "E": 8,
        "5s": 8,
        "3s": 5,
        "4s": 5,
    }


# Hands with many wild tiles

hands = st.integers(0, 2).flatmap(
    lambda melds: st.tuples(
        st.just(4 - melds),
        st.lists(
            st.sampled_from([*SUITED[:9], Tile.P2, Tile.P3, Tile.EAST]),
            min_size=14 - 3 * melds - 7,
            max_size=14 - 3 * melds,
        ).filter(lambda tiles: max(Counter(tiles).values()) <= 4),
    )
)


@pytest.mark.parametrize(
    ("others", "tile", "patterns"),
    [
        # Wild 5m wild, three wilds as 789m, the last two a pair.
        ("123m 789p", "5m", {"double_wild_wait", "capture_five", "dragon"}),
        # Three wilds as 456m with the last one as 5m; one each in 13m, 79m, 46m and with P.
        ("46m 13m 79m P", "", {"double_wild_wait", "capture_five", "dragon"}),
        # Four pungs of single honours would take eight wilds.
        ("ESWNC", "F", None),
        # N with two wilds; EE and SS with one each, WW the pair, three wilds a set.
        ("EESSWW", "N", {"double_wild_wait"}),
        # Six singles and the last one: too many for four sets and a pair.
        ("147m 258p", "9s", None),
    ],
)
def test_seven_wild_tiles(others: str, tile: str, patterns: set[str] | None) -> None:
    verdict = judge(TIANJIN, shown(f"3334444s {others} {tile}", tile or "3s"))
    assert ({each.id for each in verdict.patterns} if verdict.valid else None) == patterns


# Kong Blossom and first hands


def test_a_heavenly_hand_never_blossoms() -> None:
    """TJ-35: after an own kong the tile is a replacement, and the hand no first one."""
    said = (Circumstance.FIRST_TURN, Circumstance.AFTER_KONG, Circumstance.AFTER_KONG_CONCEALED)
    melds = (parse_meld("kong_concealed", "1111m"),)
    verdict = judge(TIANJIN, shown("123p 456p 789p 55s", "6p", *said, winner=0, melds=melds))
    assert [each.id for each in verdict.patterns] == ["pure_hand", "dragon", "kong_blossom"]
    whole = judge(TIANJIN, shown("111m 123p 456p 789p 55s", "6p", said[0], winner=0))
    assert [each.id for each in whole.patterns] == ["pure_hand", "dragon", "heavenly_hand"]
    assert whole.total == (2 + 4 + 2) * 6


def test_the_arithmetic_is_shown() -> None:
    melds = (parse_meld("kong_concealed", "1111m"),)
    said = (Circumstance.AFTER_KONG, Circumstance.AFTER_KONG_CONCEALED)
    antes = Antes(double_down=True)
    hand = shown("456p 789s 234p 99p", "4p", *said, melds=melds, antes=antes)
    assert [step.en for step in judge(TIANJIN, hand).steps] == [
        "Pure Hand 2 + Kong Blossom 1 + 2 for 2 patterns + 1 for the concealed kong = 6, "
        "times 2 for the Kong Blossom = 12.",
        "Seat 0 pays seat 1: 12 × 2 = 24.",
        "Seat 2 pays seat 1: 12.",
        "Seat 3 pays seat 1: 12.",
    ]


def every_division(shown: ShownHand, counts: int, options: Options) -> tuple[Division, ...]:
    held = [tile for tile in shown.concealed if tile not in shown.wilds]
    return divide(held, 4 - len(shown.melds), len(shown.concealed) - len(held))


@settings(max_examples=60)
@given(hands)
def test_no_division_pays_more_than_the_one_found(hand: tuple[int, list[Tile]]) -> None:
    """Up to seven wild tiles, too many to put every face in the place of each."""
    sets, tiles = hand
    melds = (parse_meld("pung", "WWW"), parse_meld("pung", "NNN"))[: 4 - sets]
    concealed = (*tiles, *parse_tiles("3334444s"))[: 14 - 3 * len(melds)]
    shown = ShownHand(concealed, concealed[0], 1, 0, melds, True, wilds=WILDS)
    listed = replace(TIANJIN, shapes=(replace(TIANJIN.shapes[0], divide=every_division),))
    best, found = judge(listed, shown), judge(TIANJIN, shown)
    refused = {refusal.id for refusal in best.refusals}
    assert ("structure" in refused) == ("structure" in {each.id for each in found.refusals})
    if best.valid:
        assert found.valid
        assert found.total >= best.total
