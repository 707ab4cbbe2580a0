"""Chinese Classical: four hands of value, dead and robbed ones, East and the winds.

The figures are counted by hand from SPEC 5.7.
"""

import pytest

from table_assist.game.events import (
    BonusLaid,
    Drew,
    Event,
    HandLaidDown,
    HandTold,
    IrregularityNoted,
    WinDeclared,
)
from table_assist.game.outcome import end_of_hand
from table_assist.rules.play_rules import DeadHand
from table_assist.rules.shown import Circumstance
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import parse_tile, parse_tiles
from tests.stages.web_fakes import claim, discards, ended, kong, shown, start, told

NOTHING = "147m 258p 369s ESFN"


def lies_open(seat: int, concealed: str) -> HandLaidDown:
    return HandLaidDown(seat, parse_tiles(concealed))


# Seat 1, South, wins 6p of seat 2: going out 20, pung of Red Dragons 4, one double: 48.
TO_THE_WIN: list[Event] = [
    BonusLaid(2, parse_tiles("3f")),
    *discards(0, "C"),
    claim(1, "pung", "CCC", 0),
    *discards(1, "1s 8p"),
    claim(2, "pung", "888p", 3),
    *discards(2, "6p"),
]
WON = shown(1, "123m 456p 789s 55s", "6p", drawn=False)
# East and prevailing wind: 8 points, two doubles.
EASTS = lies_open(0, "EEE 22m 159m 159p 19s")
# A pung of 2, a pair of dragons 2, the own flower 4 and its double.
WESTS = lies_open(2, "PP 3456m 79s 12p")
NORTHS = lies_open(3, NOTHING)


def test_a_losing_hand_that_was_not_laid_down_is_never_taken_for_nothing() -> None:
    result = end_of_hand(told(start("classical"), TO_THE_WIN, WON, EASTS, NORTHS))
    assert (result.missing, result.final) == ((2,), False)


@pytest.mark.parametrize("tiles", ["PP 3456m 79s 1p", "PP 3456m 79s 1p ?"])
def test_a_short_or_unread_hand_is_not_known(tiles: str) -> None:
    state = told(start("classical"), TO_THE_WIN, WON, EASTS, lies_open(2, tiles), NORTHS)
    assert end_of_hand(state).missing == (2,)


def test_a_short_hand_must_be_seen_where_its_score_is_deducted() -> None:
    hand = start("classical", dead_hand_payment="by_tile_count")
    dead = IrregularityNoted(3, "twelve_tiles_after_discard", DeadHand.SHORT)
    events = (hand, TO_THE_WIN, dead, WON, EASTS, WESTS)
    assert end_of_hand(told(*events)).missing == (3,)
    # Its pung of 9s is 8: 48 - 8, (32 - 8) x 2 and 16 - 8.
    result = ended(*events, lies_open(3, "999m 258p 369s ESF"))
    assert result.total == (-96 + 32 + 48, 96 + 48 + 40, -48 - 32 + 8, -40 - 48 - 8)


@pytest.mark.parametrize("dead", [DeadHand.LONG, DeadHand.SHORT])
def test_a_dead_hand_does_not_win(dead: DeadHand) -> None:
    noted = IrregularityNoted(1, "false_mahjong_exposed", dead)
    result = end_of_hand(told(start("classical"), TO_THE_WIN, noted, WON))
    assert [refusal.id for refusal in result.verdicts[1].refusals] == ["dead_hand"]
    assert (result.winners, result.total, result.final) == ((), (0, 0, 0, 0), False)


def test_a_standing_hand_that_was_changed_does_not_win() -> None:
    noted = IrregularityNoted(1, "standing_hand_changed")
    result = end_of_hand(told(start("classical"), TO_THE_WIN, noted, WON))
    assert [each.id for each in result.verdicts[1].refusals] == ["standing_hand_changed"]


# --- Whose win it is


ROUND = discards(0, "1s 9s W N")
PAIR = shown(1, "123m 456p 789s 345s 6m6m", "6m", drawn=False)
PUNG = shown(3, "666m 456p 789s 345s 22p", "6m", drawn=False)


@pytest.mark.parametrize(("order", "winner"), [("by_kind", 3), ("nearest", 1)])
def test_a_win_with_a_pung_goes_before_one_with_a_pair(order: str, winner: int) -> None:
    hand = start("classical", mahjong_precedence=order)
    result = end_of_hand(told(hand, ROUND, discards(0, "6m"), PAIR, PUNG))
    assert result.winners == (winner,)
    assert result.verdicts[1].valid
    assert result.verdicts[3].valid


def test_a_sacred_discard_does_not_win() -> None:
    own = [*ROUND, *discards(0, "2p 6m 6m")]
    result = end_of_hand(told(start("classical"), own, PAIR))
    assert [each.id for each in result.verdicts[1].refusals] == ["sacred_discard"]
    assert result.winners == ()


ORPHANS = "1m9m1p9p1s9sEESWNCFP"


def test_thirteen_orphans_rob_a_concealed_kong_of_which_three_stay() -> None:
    result = ended(
        start("classical"),
        ROUND,
        discards(0, "2p 2p"),
        kong(2, "kong_concealed", "1m"),
        shown(1, ORPHANS, "1m", drawn=False),
        lies_open(0, NOTHING),
        lies_open(2, "258p 369s ESFN"),
        lies_open(3, NOTHING),
    )
    # The limit, and a concealed triplet of 1s: 8.
    assert result.total == (-1000 - 16, 2000, -500 + 16 + 8, -500 - 8)


def test_nothing_else_robs_a_concealed_kong() -> None:
    result = end_of_hand(
        told(
            start("classical"),
            ROUND,
            discards(0, "2p 2p"),
            kong(2, "kong_concealed", "1m"),
            shown(1, "123m 456p 789s 345s 66s", "1m", drawn=False),
        )
    )
    assert [each.id for each in result.verdicts[1].refusals] == ["concealed_kong_cannot_be_robbed"]


MARKED = IrregularityNoted(2, "kong_marked_incorrectly")


def test_of_two_kongs_nobody_knows_which_was_marked_wrongly() -> None:
    state = told(
        start("classical"),
        ROUND,
        discards(0, "2p 2p"),
        kong(2, "kong_concealed", "5m"),
        kong(2, "kong_concealed", "9p"),
        MARKED,
        discards(2, "6m"),
        shown(1, "123m 456p 789s 345s 6m6m", "6m", drawn=False),
        lies_open(0, NOTHING),
        lies_open(2, "258p 36s EF"),
        lies_open(3, NOTHING),
    )
    assert end_of_hand(state).missing == (2,)


# --- East and the winds


# --- The box is beside the wall: its tiles are no part of the game (CL-22)

OTHERS = tuple(lies_open(seat, "147m 258p 369s SWNF") for seat in (0, 2, 3))


def test_a_box_tile_in_place_of_a_flower_is_neither() -> None:
    hand = start("classical", left=1)
    flower = [Drew(1, parse_tile("1f")), BonusLaid(1, parse_tiles("1f"))]
    won = shown(1, "123m 678p 234s 345s 99m", "4s", drawn=True)
    result = ended(hand, discards(0, "5p"), flower, won, *OTHERS)
    assert "last_tile" not in {each.id for each in result.verdicts[1].patterns}


def test_a_told_win_on_a_box_tile_is_not_the_last_either() -> None:
    told_win = HandTold(
        1,
        parse_tiles("123m 678p 234s 99m"),
        melds=(Meld(MeldKind.KONG_ADDED, parse_tiles("5555p")),),
        winning_tile=parse_tile("4s"),
        circumstances=(Circumstance.AFTER_KONG, Circumstance.AFTER_KONG_ADDED),
        wall_left=0,
    )
    state = told(start("classical", left=0), [WinDeclared(1), told_win], *OTHERS)
    patterns = end_of_hand(state).verdicts[1].patterns
    assert {"loose_tile"} <= {each.id for each in patterns}
    assert "last_tile" not in {each.id for each in patterns}
