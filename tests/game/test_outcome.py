"""What a hand comes to, from its events to all points. The figures are counted by hand."""

import pytest

from table_assist.game.events import (
    EggAppended,
    EggLaid,
    Event,
    IndicatorTurned,
    LastTilePassed,
    ReadyDeclared,
    StartingHandShown,
)
from table_assist.game.fold import replay
from table_assist.game.outcome import due_now, end_of_hand
from table_assist.game.rulings import after_refusal, penalty_event
from table_assist.rules.options import OptionValue
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles
from tests.stages.web_fakes import (
    ADDED_BY_1,
    NO_POINTS,
    ROUND,
    SMALL,
    antes,
    claim,
    discards,
    ended,
    kong,
    shown,
    start,
    told,
)

# --- Changsha: wins, birds, dealt hands


def test_a_dealt_hand_shown_again_takes_the_place_of_what_was_read() -> None:
    joys = StartingHandShown(1, parse_tiles("1111m 234p 567s 25m 8p"))
    nothing = StartingHandShown(1, parse_tiles("1112m 234p 567s 25m 8p"))
    assert ended(start("changsha"), joys, nothing, ROUND).opening == NO_POINTS


def test_an_unread_dealt_hand_leaves_the_end_open() -> None:
    state = told(start("changsha"), StartingHandShown(1, parse_tiles("111m ? 234p 567s 25m 8p")))
    assert not end_of_hand(state).final


@pytest.mark.parametrize(("option", "dealer"), [("dealer_stays", 0), ("last_offered", 3)])
def test_nobody_drew_the_last_tile_when_all_passed_it_on(option: str, dealer: int) -> None:
    passed = [LastTilePassed(seat) for seat in (0, 1, 2, 3)]
    hand = start("changsha", left=4, draw_no_last_drawer=option)
    assert ended(hand, ROUND, passed).dealer_next == (dealer,)


def test_a_hand_that_does_not_win_takes_nothing_beside_one_that_does() -> None:
    result = ended(
        start("changsha"),
        discards(0, "4s"),
        shown(1, "123m 456p 789s 234s 99p", "4s", drawn=False),
        shown(2, SMALL, "4s", drawn=False),
    )
    assert (result.total, result.winners, result.verdicts[1].valid) == ((-2, 0, 2, 0), (2,), False)


def test_a_hand_that_does_not_win_ends_nothing_by_itself() -> None:
    wrong = shown(1, "123m 456p 789s 234s 99p", "4s", drawn=False)
    assert not end_of_hand(told(start("changsha"), discards(0, "4s"), wrong)).final


def test_another_winning_tile_than_was_discarded_leaves_the_end_open() -> None:
    state = told(start("changsha"), discards(0, "1s"), shown(1, SMALL, "4s", drawn=False))
    assert not end_of_hand(state).final


# --- False wins, events, words


@pytest.mark.parametrize(
    ("rules", "options", "moved"),
    [
        ("changsha", {}, None),
        ("changsha", {"false_win_penalty": "custom", "false_win_amount": 5}, (5, -15, 5, 5)),
        ("tianjin", {"false_win_penalty": "pay_minimum_to_each"}, (2, -6, 2, 2)),
        ("tianjin", {"false_win_penalty": "dead_hand"}, None),
        ("classical", {}, None),
    ],
)
def test_a_false_win_costs_what_the_house_agreed(
    rules: str, options: dict[str, OptionValue], moved: tuple[int, int, int, int] | None
) -> None:
    penalty = penalty_event(told(start(rules, 0, None, **options)), 1)
    assert (None if penalty is None else penalty.transfers) == moved


@pytest.mark.parametrize(
    ("rules", "options", "noted"),
    [
        ("wanzhou", {}, None),
        ("tianjin", {}, None),
        ("tianjin", {"false_win_penalty": "dead_hand"}, "false_win"),
        ("classical", {}, "false_mahjong_exposed"),
    ],
)
def test_a_false_win_kills_the_hand_where_the_rules_say_so(
    rules: str, options: dict[str, OptionValue], noted: str | None
) -> None:
    state = told(start(rules, 0, None, **options))
    state = replay(after_refusal(state, 2), state)
    assert [each.irregularity for each in state.noted] == ([] if noted is None else [noted])
    assert [seat.dead is not None for seat in state.seats] == [
        False,
        False,
        noted is not None,
        False,
    ]


# --- Wanzhou: kongs paid at once, and cancelled


def test_a_robbed_kong_is_not_paid() -> None:
    before = told(start("wanzhou"), ADDED_BY_1)
    robbed = told(start("wanzhou"), ADDED_BY_1, shown(3, SMALL, "1m", drawn=False))
    # First Four Win and Robbing the Kong: 12 x 2 x 2.
    assert end_of_hand(robbed).total == (0, -48, 0, 48)
    assert (due_now(before).transfers, due_now(robbed).transfers) == ((-1, 3, -1, -1), NO_POINTS)


# --- Changchun: eggs and treasure

EGG = [EggLaid(1, parse_tiles("CFP")), *discards(0, "9m"), EggAppended(1, 0, Tile.RED)]
ROBS_RED = "123m 456p 789s 555p CC"


def test_changchun_pays_eggs_and_kongs_at_the_end_alone() -> None:
    assert due_now(told(start("changchun"), EGG)).transfers == NO_POINTS


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


RUSH: list[Event] = [
    *discards(0, "5p"),
    claim(1, "pung", "555p", 0),
    ReadyDeclared(1),
    *discards(1, "W"),
]


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


def test_a_concealed_kong_of_wild_tiles_is_a_golden_one() -> None:
    state = told(start("tianjin"), WILD, ROUND[:2], kong(2, "kong_concealed", "4s"))
    assert due_now(state).transfers == (-8, -8, 24, -8)


def test_a_concealed_kong_may_be_golden_as_long_as_the_wild_tiles_are_not_known() -> None:
    hidden = IndicatorTurned(Tile.UNKNOWN, 5)
    state = told(start("tianjin"), hidden, ROUND[:2], kong(2, "kong_concealed", "4s"))
    assert not end_of_hand(state).final


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
