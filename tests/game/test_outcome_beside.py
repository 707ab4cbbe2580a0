"""What is paid beside a hand: kongs, eggs, the treasure's rush, stakes, the chase.

The figures are counted by hand.
"""

import pytest

from table_assist.game.events import EggAppended, EggLaid, Event, IndicatorTurned, ReadyDeclared
from table_assist.game.outcome import due_now, end_of_hand
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles
from tests.stages.ended_hands import (
    ADDED_BY_1,
    KONGS_OF_1,
    NO_POINTS,
    ROUND,
    SMALL,
    WITH_KONG,
    antes,
    claim,
    discards,
    ended,
    kong,
    shown,
    start,
    told,
)

# --- Wanzhou: kongs paid at once, and cancelled


@pytest.mark.parametrize(
    ("kind", "paid"),
    [
        ("kong_concealed", (-2, 6, -2, -2)),
        ("kong_exposed", (-2, 2, 0, 0)),
        ("kong_added", (-1, 3, -1, -1)),
    ],
)
def test_wanzhou_pays_kongs_at_once_and_in_a_drawn_hand(
    kind: str, paid: tuple[int, int, int, int]
) -> None:
    events = (start("wanzhou"), KONGS_OF_1[kind])
    result = ended(*events)
    assert (due_now(told(*events)).transfers, result.laid, result.total) == (paid, paid, paid)
    assert result.dealer_next == (0,)


def test_a_robbed_kong_is_not_paid() -> None:
    before = told(start("wanzhou"), ADDED_BY_1)
    robbed = told(start("wanzhou"), ADDED_BY_1, shown(3, SMALL, "1m", drawn=False))
    # First Four Win and Robbing the Kong: 12 x 2 x 2.
    assert end_of_hand(robbed).total == (0, -48, 0, 48)
    assert (due_now(before).transfers, due_now(robbed).transfers) == ((-1, 3, -1, -1), NO_POINTS)


@pytest.mark.parametrize("kind", KONGS_OF_1)
def test_a_kong_whose_next_discard_is_won_is_not_paid(kind: str) -> None:
    result = ended(
        start("wanzhou"), KONGS_OF_1[kind], discards(1, "4s"), shown(3, SMALL, "4s", drawn=False)
    )
    # First Four Win and Shoot After Kong: 12 x 2.
    assert (result.laid, result.total, result.dealer_next) == (NO_POINTS, (0, -24, 0, 24), (3,))


def test_a_concealed_kong_stays_paid_where_the_house_says_so() -> None:
    result = ended(
        start("wanzhou", cancel_covers_concealed=False),
        KONGS_OF_1["kong_concealed"],
        discards(1, "4s"),
        shown(3, SMALL, "4s", drawn=False),
    )
    assert (result.laid, result.total) == ((-2, 6, -2, -2), (-2, -18, -2, 22))


def test_only_the_kong_right_before_the_discard_is_cancelled() -> None:
    result = ended(
        start("wanzhou"),
        ADDED_BY_1,
        kong(1, "kong_concealed", "7m"),
        discards(1, "4s"),
        shown(3, SMALL, "4s", drawn=False),
    )
    assert result.laid == (-1, 3, -1, -1)


def test_a_self_drawn_win_cancels_no_kong() -> None:
    result = ended(
        start("wanzhou"),
        KONGS_OF_1["kong_concealed"],
        shown(1, WITH_KONG, "4s", drawn=True),
    )
    # First Four Win alone, self-drawn: 8 from each.
    assert (result.laid, result.wins) == ((-2, 6, -2, -2), (-8, 24, -8, -8))


def test_the_discarder_deals_after_several_winners() -> None:
    result = ended(
        start("wanzhou"),
        KONGS_OF_1["kong_concealed"],
        discards(1, "4s"),
        shown(3, SMALL, "4s", drawn=False),
        shown(2, SMALL, "4s", drawn=False),
    )
    assert (result.total, result.dealer_next) == ((0, -48, 24, 24), (1,))
    assert (result.winners, result.laid) == ((2, 3), NO_POINTS)


# --- Changchun: eggs and treasure

EGG = [EggLaid(1, parse_tiles("CFP")), *discards(0, "9m"), EggAppended(1, 0, Tile.RED)]
ROBS_RED = "123m 456p 789s 555p CC"


def test_an_egg_is_paid_with_what_was_appended_and_nobody_pays_double() -> None:
    assert ended(start("changchun"), EGG).total == (-2, 6, -2, -2)


def test_changchun_pays_eggs_and_kongs_at_the_end_alone() -> None:
    assert due_now(told(start("changchun"), EGG)).transfers == NO_POINTS


def test_eggs_and_kongs_of_a_drawn_hand_are_not_paid_where_the_house_says_so() -> None:
    hand = start("changchun", kongs_paid_on_draw=False)
    assert ended(hand, EGG).total == NO_POINTS


@pytest.mark.parametrize(
    ("scope", "laid"), [("whole_egg", NO_POINTS), ("supplement_only", (-1, 3, -1, -1))]
)
def test_an_egg_robbed_for_a_win_is_broken_and_its_owner_pays_the_hand(
    scope: str, laid: tuple[int, int, int, int]
) -> None:
    hand = start("changchun", broken_egg_scope=scope)
    result = ended(hand, EGG, shown(2, ROBS_RED, "C", drawn=False))
    # Clamp and Standing Win: 1 x 2 x 2 x 2.
    assert (result.wins, result.laid) == ((0, -8, 8, 0), laid)


def test_an_egg_robbed_for_a_pung_is_broken() -> None:
    robbed = [*EGG, claim(2, "pung", "CCC", 1), *discards(2, "1s")]
    assert ended(start("changchun"), robbed).total == NO_POINTS


def test_an_egg_that_is_robbed_twice_loses_both_tiles() -> None:
    pung = [*EGG, claim(2, "pung", "CCC", 1), *discards(2, "1s"), EggAppended(1, 0, Tile.GREEN)]
    hand = start("changchun", broken_egg_scope="supplement_only")
    result = ended(hand, pung, shown(3, "123m 456p 789s 555p FF", "F", drawn=False))
    assert result.laid == (-1, 3, -1, -1)


# Two eggs, and the last tile put to each is the same; the one laid first is robbed of it.
TWO_EGGS: list[Event] = [
    EggLaid(1, parse_tiles("7p E 3s")),
    EggLaid(1, parse_tiles("2s 1p P")),
    *discards(0, "2m"),
    EggAppended(1, 1, parse_tile("1p")),
    EggAppended(1, 1, parse_tile("2s")),
    *discards(1, "9s 9s 9s 9s"),
    EggAppended(1, 0, parse_tile("2s")),
]


@pytest.mark.parametrize(
    "robbery",
    [
        shown(3, "111m 789p 345m 456s 22s", "2s", drawn=False),
        [claim(2, "pung", "222s", 1), *discards(2, "W")],
    ],
    ids=["won", "pung"],
)
def test_of_two_eggs_the_one_that_was_robbed_is_broken(robbery: list[Event]) -> None:
    assert end_of_hand(told(start("changchun"), TWO_EGGS, robbery)).laid == (-3, 9, -3, -3)


def test_an_egg_that_is_none_leaves_the_end_open() -> None:
    state = told(start("changchun"), EggLaid(1, parse_tiles("CFE")), discards(0, "9m"))
    assert not end_of_hand(state).final


def test_kongs_are_paid_beside_the_win_and_the_dealers_loss_is_not_theirs() -> None:
    result = ended(
        start("changchun"),
        kong(2, "kong_concealed", "E"),
        discards(2, "8p 9s"),
        discards(0, "8p"),
        shown(1, "123m 234s 555p 67p 99m 8p", "8p", drawn=False),
    )
    # Standing Win: 1 x 2 x 2, twice from the dealer; the kong 2 from each.
    assert (result.wins, result.laid) == ((-8, 8, 0, 0), (-2, -2, 6, -2))
    assert (result.total, result.dealer_next) == ((-10, 6, 6, -2), (1,))


RUSH: list[Event] = [
    *discards(0, "5p"),
    claim(1, "pung", "555p", 0),
    ReadyDeclared(1),
    *discards(1, "W"),
]


def test_a_rush_is_paid_by_all_and_nothing_of_it_was_drawn() -> None:
    hand = shown(1, "123m 99m 456p 789s", "9s", drawn=False, rush=True)
    result = ended(start("changchun"), RUSH, IndicatorTurned(Tile.S8, 5), hand)
    # Treasure and Straight: 1 x 2 x 2 x 2, twice from the dealer.
    assert result.total == (-16, 32, -8, -8)


def test_a_ready_winner_needs_the_treasure_to_be_known() -> None:
    hand = shown(1, "123m 99m 456p 789s", "9s", drawn=True)
    secret = [*RUSH, *discards(2, "1s 1p 9p"), IndicatorTurned(Tile.UNKNOWN, 5)]
    assert not end_of_hand(told(start("changchun"), secret, hand)).final


# --- Tianjin: wild tiles, stakes, the chase

WILD = IndicatorTurned(Tile.S3, 5)
PURE_DRAGON = "111m 123p 456p 789p 55s"
EVERYTHING_PAID = (
    antes(True, 0, 1, 0, 0),
    start("tianjin"),
    WILD,
    discards(0, "E E E E W"),
    kong(1, "kong_concealed", "9m"),
    discards(1, "1s"),
    shown(2, PURE_DRAGON, "6p", drawn=True),
)


def test_stakes_lie_between_dealer_and_challenger_in_everything_that_is_paid() -> None:
    result = ended(
        *EVERYTHING_PAID,
    )
    assert result.chase == (-8, 4, 2, 2)
    assert result.laid == (-8, 12, -2, -2)
    assert result.wins == (-16, -8, 32, -8)
    assert (result.total, result.dealer_next) == ((-32, 8, 32, -8), (1,))


def test_a_concealed_kong_of_wild_tiles_is_a_golden_one() -> None:
    state = told(start("tianjin"), WILD, ROUND[:2], kong(2, "kong_concealed", "4s"))
    assert due_now(state).transfers == (-8, -8, 24, -8)


def test_a_concealed_kong_may_be_golden_as_long_as_the_wild_tiles_are_not_known() -> None:
    hidden = IndicatorTurned(Tile.UNKNOWN, 5)
    state = told(start("tianjin"), hidden, ROUND[:2], kong(2, "kong_concealed", "4s"))
    assert not end_of_hand(state).final


def test_a_robbed_add_on_is_paid_by_who_declared_it_and_not_to_him() -> None:
    added = [
        *discards(0, "6p"),
        claim(1, "pung", "666p", 0),
        *discards(1, "9m 9p 9s 8m"),
        kong(1, "kong_added", "6p"),
    ]
    result = ended(start("tianjin"), WILD, added, shown(3, PURE_DRAGON, "6p", drawn=False))
    assert (result.total, result.laid) == ((0, -8, 0, 8), NO_POINTS)


def test_the_heavenly_hand_is_multiplied_by_six_and_the_earthly_by_four() -> None:
    heaven = ended(start("tianjin"), WILD, shown(0, PURE_DRAGON, "6p", drawn=True))
    earth = ended(start("tianjin"), WILD, ROUND[:1], shown(1, PURE_DRAGON, "6p", drawn=True))
    assert (heaven.total, earth.total) == ((144, -48, -48, -48), (-32, 96, -32, -32))


def test_anybodys_call_ends_every_first_turn_in_tianjin() -> None:
    called = [*discards(0, "9m"), claim(3, "pung", "999m", 0), *discards(3, "1s 9p")]
    result = ended(start("tianjin"), WILD, called, shown(1, PURE_DRAGON, "6p", drawn=True))
    assert result.total == (-8, 24, -8, -8)


def test_a_win_on_a_concealed_kongs_replacement_counts_the_kong_too() -> None:
    result = ended(
        start("tianjin"),
        WILD,
        discards(0, "9m"),
        kong(1, "kong_concealed", "1m"),
        shown(1, PURE_DRAGON.removeprefix("111m "), "6p", drawn=True),
    )
    # (2 + 4 + 1, three patterns, 1 for the concealed kong) x 2; the kong itself 2.
    assert (result.wins, result.laid) == ((-22, 66, -22, -22), (-2, 6, -2, -2))


def test_three_who_discard_as_the_dealer_did_are_paid_in_a_drawn_hand() -> None:
    assert ended(start("tianjin"), WILD, discards(0, "E E E E")).total == (-3, 1, 1, 1)


@pytest.mark.parametrize("tiles", ["E E S E", "E E E", "E E W ?"])
def test_one_who_did_not_chase_spoils_it(tiles: str) -> None:
    assert ended(start("tianjin"), WILD, discards(0, tiles)).total == NO_POINTS


@pytest.mark.parametrize("tiles", ["E E ? E", "? ? ? ?"])
def test_an_unread_first_discard_may_have_been_a_chase(tiles: str) -> None:
    result = end_of_hand(told(start("tianjin"), WILD, discards(0, tiles)))
    assert (result.total, result.final) == (NO_POINTS, False)


def test_every_part_of_the_sum_is_named_in_both_languages() -> None:
    steps = ended(
        *EVERYTHING_PAID,
    ).steps
    english = " ".join(step.en for step in steps)
    for part in ("first tile", "Concealed kong 9999m of seat 1", "hand of seat 2", "seat 0 -32"):
        assert part in english
    assert all(step.en and step.zh for step in steps)
