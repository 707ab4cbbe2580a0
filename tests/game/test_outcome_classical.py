"""Chinese Classical: four hands of value, dead and robbed ones, East and the winds.

The figures are counted by hand from SPEC 5.7.
"""

from dataclasses import replace

import pytest

from table_assist.game.events import (
    BonusLaid,
    Drew,
    Event,
    HandLaidDown,
    HandStarted,
    HandTold,
    IrregularityNoted,
    KongDeclared,
    ReadyDeclared,
    WinDeclared,
)
from table_assist.game.fold import apply
from table_assist.game.outcome import end_of_hand, exhausted_event, settled_event
from table_assist.rules.rounds import DeadHand
from table_assist.rules.shown import Circumstance
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import parse_tile, parse_tiles
from tests.stages.ended_hands import claim, discards, ended, kong, shown, start, told

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


def test_the_winner_is_paid_in_full_and_the_losers_settle_their_differences() -> None:
    result = ended(start("classical"), TO_THE_WIN, WON, EASTS, WESTS, NORTHS)
    # 96, 48, 48 to the winner; 32 against 16 and 0, East double; 16 against 0.
    assert result.total == (-96 + 32 + 64, 192, -48 - 32 + 16, -48 - 64 - 16)
    english = " ".join(step.en for step in result.steps)
    for part in ("hand of seat 1", "hand of seat 0: sets 8", "seat 2: sets 2 + pair 2 + flowers 4"):
        assert part in english
    assert english.count("pays seat 1") == 3


def test_where_all_settle_differences_the_winners_hand_does_too() -> None:
    hand = start("classical", settlement="differences_only")
    result = ended(hand, TO_THE_WIN, WON, EASTS, WESTS, NORTHS)
    assert result.total == (-32 + 32 + 64, 32 + 32 + 48, -32 - 32 + 16, -48 - 64 - 16)


def test_a_losing_hand_that_was_not_laid_down_is_never_taken_for_nothing() -> None:
    result = end_of_hand(told(start("classical"), TO_THE_WIN, WON, EASTS, NORTHS))
    assert (result.missing, result.final) == ((2,), False)


@pytest.mark.parametrize("tiles", ["PP 3456m 79s 1p", "PP 3456m 79s 1p ?"])
def test_a_short_or_unread_hand_is_not_known(tiles: str) -> None:
    state = told(start("classical"), TO_THE_WIN, WON, EASTS, lies_open(2, tiles), NORTHS)
    assert end_of_hand(state).missing == (2,)


def test_a_dead_hand_pays_all_collects_nothing_and_need_not_be_seen() -> None:
    dead = IrregularityNoted(3, "fourteen_tiles_after_discard", DeadHand.LONG)
    result = ended(start("classical"), TO_THE_WIN, dead, WON, EASTS, WESTS)
    assert result.total == (-96 + 32 + 64, 192, -48 - 32 + 16, -48 - 64 - 16)


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


def test_a_robbed_kong_is_a_pung_again_in_the_hand_that_lost_it() -> None:
    result = ended(
        start("classical"),
        discards(0, "8p"),
        claim(2, "pung", "888p", 0),
        discards(2, "1s 9s W N"),
        kong(2, "kong_added", "8p"),
        shown(1, "123m 456m 123s 67p 55s 8p", "8p", drawn=False),
        lies_open(0, NOTHING),
        lies_open(2, "147m 258p 36s EF"),
        lies_open(3, NOTHING),
    )
    # 20, no points and robbing a kong: 80. The pung of seat 2 is worth 2, a kong would be 8.
    assert result.total == (-160 - 4, 160 + 80 + 80, -80 + 4 + 2, -80 - 2)


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


@pytest.mark.parametrize(("noted", "worth"), [([], 16), ([MARKED], 8)])
def test_a_wrongly_marked_kong_is_an_exposed_one(noted: list[Event], worth: int) -> None:
    result = ended(
        start("classical"),
        ROUND,
        discards(0, "2p 2p"),
        kong(2, "kong_concealed", "5m"),
        noted,
        discards(2, "6m"),
        shown(1, "123m 456p 789s 345s 6m6m", "6m", drawn=False),
        lies_open(0, NOTHING),
        lies_open(2, "258p 369s ESFN"),
        lies_open(3, NOTHING),
    )
    # Seat 2 against East, double, and against seat 3.
    winner = result.verdicts[1].total
    assert result.total[2] == 3 * worth - winner


UNMARKED = IrregularityNoted(2, "triplets_not_marked")
INTO_HAND = IrregularityNoted(1, "winning_tile_into_hand")


@pytest.mark.parametrize(
    ("options", "noted", "winner", "loser"),
    [
        ({}, [], 48, 12),
        ({}, [UNMARKED, INTO_HAND], 40, 12),
        ({"unmarked_triplets": "exposed"}, [UNMARKED], 48, 6),
        ({"tile_into_hand": "points_kept"}, [INTO_HAND], 48, 12),
    ],
)
def test_cl_67_a_hand_laid_down_otherwise_counts_as_was_agreed(
    options: dict[str, str], noted: list[Event], winner: int, loser: int
) -> None:
    result = ended(
        start("classical", **options),
        ROUND,
        shown(1, "123m 456p 789s 345s 6m6m", "6m", drawn=True),
        noted,
        lies_open(0, NOTHING),
        lies_open(2, "555m 999m 147p 258s E"),
        lies_open(3, NOTHING),
    )
    # 20, self-drawn, the only place, doubled for no points; two concealed pungs of seat 2.
    assert result.total[1:3] == (4 * winner, 3 * loser - winner)


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


EAST_WINS: list[Event] = [*ROUND, *shown(0, "123m 456p 789s 345s 66s", "6s", drawn=True)]


def test_easts_thirteenth_win_in_a_row_is_a_limit_hand_and_passes_east_on() -> None:
    losers: list[Event] = [lies_open(seat, NOTHING) for seat in (1, 2, 3)]
    state = replace(told(start("classical"), EAST_WINS, losers), east_wins=12)
    result = end_of_hand(state)
    assert (result.total, result.dealer_next) == ((3000, -1000, -1000, -1000), (1,))
    twelfth = end_of_hand(replace(state, east_wins=11))
    assert (twelfth.total[0] < 3000, twelfth.dealer_next) == (True, (0,))


@pytest.mark.parametrize(
    ("dealer", "prevailing", "next_dealer", "next_wind"),
    [(0, "E", (1,), "E"), (3, "E", (0,), "S"), (3, "N", (), "N")],
)
def test_the_wind_passes_on_with_the_round_until_the_game_is_over(
    dealer: int, prevailing: str, next_dealer: tuple[int, ...], next_wind: str
) -> None:
    wind, after = parse_tiles(prevailing)[0], parse_tiles(next_wind)[0]
    begun = HandStarted(1, "classical", dealer, 70, 16, prevailing=wind, first_east=0)
    winner = (dealer + 1) % 4
    won = shown(winner, "123m 456p 789s 345s 66s", "6s", drawn=True)
    losers: list[Event] = [lies_open(seat, NOTHING) for seat in range(4) if seat != winner]
    state = told(begun, discards(dealer, "1s 9s W N 2p"), won, losers)
    result = end_of_hand(state)
    assert (result.dealer_next, result.prevailing) == (next_dealer, after)
    assert result.game_over == (not next_dealer)
    settled = apply(state, settled_event(result))
    assert (settled.prevailing_next, settled.game_over) == (after, result.game_over)
    assert settled.first_east_next == 0


@pytest.mark.parametrize(("option", "dealer"), [("stay", 0), ("pass", 1)])
def test_a_drawn_hand_scores_nothing_and_needs_no_hand_laid_down(option: str, dealer: int) -> None:
    fours: list[Event] = [kong(0, "kong_concealed", "C"), BonusLaid(0, parse_tiles("1f"))]
    result = ended(start("classical", draw_dealer=option), fours, ROUND)
    assert (result.total, result.dealer_next) == ((0, 0, 0, 0), (dealer,))
    assert exhausted_event(result).prevailing is None


# --- The box is beside the wall: its tiles are no part of the game (CL-22)

AFTER_THE_LAST_TILE: list[Event] = [
    *discards(0, "5p"),
    claim(1, "pung", "555p", 0),
    *discards(1, "1m 1m 9s 9s"),
]
OTHERS = tuple(lies_open(seat, "147m 258p 369s SWNF") for seat in (0, 2, 3))


def test_a_tile_of_the_box_is_not_the_last_of_the_wall() -> None:
    hand = start("classical", left=4)
    added = [Drew(1, parse_tile("5p")), KongDeclared(1, MeldKind.KONG_ADDED, parse_tile("5p"))]
    won = shown(1, "123m 678p 234s 99m", "4s", drawn=True)
    result = ended(hand, AFTER_THE_LAST_TILE, added, won, *OTHERS)
    # Going out 20, kong of 8, drawn 2: 30; the loose tile doubles it.
    assert result.wins == (-120, 240, -60, -60)


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


@pytest.mark.parametrize(
    ("agreed", "doubles"), [({}, 0), ({"standing_wait": "any_tile"}, 1)], ids=["by the text", "any"]
)
def test_a_standing_hand_that_waits_for_two_kinds_is_paid_as_agreed(
    agreed: dict[str, str], doubles: int
) -> None:
    hand = start("classical", **agreed)
    ready = [*discards(0, "1s"), Drew(1, parse_tile("9m")), ReadyDeclared(1)]
    won = shown(1, "123m 456p 789s 234s 55p", "4s", drawn=False)
    result = ended(hand, ready, discards(1, "9m 1m 1m 4s"), won, *OTHERS)
    assert result.wins[1] == 160 * 2**doubles
