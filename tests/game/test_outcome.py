"""What a hand comes to, from its events to all points. The figures are counted by hand."""

import pytest

from table_assist.game.events import BirdTurned, LastTilePassed, Penalised, StartingHandShown
from table_assist.game.fold import apply, replay
from table_assist.game.outcome import end_of_hand, exhausted_event, settled_event
from table_assist.game.refused import after_refusal, penalty_event
from table_assist.languages.words import Words
from table_assist.rules.options import OptionValue
from table_assist.tiles.tile import parse_tiles
from tests.stages.ended_hands import (
    ADDED_BY_1,
    KONGS_OF_1,
    NO_POINTS,
    ROUND,
    SMALL,
    WITH_KONG,
    claim,
    discards,
    ended,
    shown,
    start,
    told,
)

# Changsha's rates for a Big Win of seat 1, the dealer being seat 0.
BIG_OF_1 = (-7, 19, -6, -6)


# --- Changsha: wins, birds, dealt hands


def test_birds_multiply_a_self_drawn_small_win() -> None:
    birds = [BirdTurned(tile) for tile in parse_tiles("2m9m")]
    result = ended(start("changsha"), ROUND, *ROUND[:1], shown(1, SMALL, "4s", drawn=True), birds)
    assert (result.total, result.dealer_next) == ((-4, 8, -2, -2), (1,))


@pytest.mark.parametrize("kind", KONGS_OF_1)
def test_a_win_on_the_replacement_of_any_kong_is_a_big_win(kind: str) -> None:
    result = ended(start("changsha"), KONGS_OF_1[kind], shown(1, WITH_KONG, "4s", drawn=True))
    assert result.total == BIG_OF_1


def test_a_robbed_kong_is_paid_for_by_who_declared_it() -> None:
    result = ended(start("changsha"), ADDED_BY_1, shown(3, SMALL, "1m", drawn=False))
    assert result.total == (0, -6, 0, 6)


@pytest.mark.parametrize("kind", KONGS_OF_1)
def test_a_discard_right_after_a_kong_is_a_big_win(kind: str) -> None:
    result = ended(
        start("changsha"), KONGS_OF_1[kind], discards(1, "4s"), shown(3, SMALL, "4s", drawn=False)
    )
    assert result.total == (0, -6, 0, 6)


def test_a_discard_after_the_kongs_next_turn_is_not() -> None:
    result = ended(
        start("changsha"), ADDED_BY_1, discards(1, "9s 4s"), shown(3, SMALL, "4s", drawn=False)
    )
    assert result.total == (0, 0, -1, 1)


def test_the_last_tile_drawn_and_the_last_tile_discarded_are_big_wins() -> None:
    drawn = ended(start("changsha", left=5), ROUND, ROUND[:1], shown(1, SMALL, "4s", drawn=True))
    claimed = ended(
        start("changsha", left=4), ROUND, discards(0, "4s"), shown(1, SMALL, "4s", drawn=False)
    )
    assert (drawn.total, claimed.total) == (BIG_OF_1, (-7, 7, 0, 0))


def test_heaven_and_earth_are_big_wins() -> None:
    heaven = ended(start("changsha"), shown(0, SMALL, "4s", drawn=True))
    earth = ended(start("changsha"), discards(0, "9m"), shown(1, SMALL, "4s", drawn=True))
    assert (heaven.total, earth.total) == ((21, -7, -7, -7), BIG_OF_1)


def test_another_seats_call_does_not_end_a_first_turn_in_changsha() -> None:
    called = [*discards(0, "9m"), claim(3, "pung", "999m", 0), *discards(3, "1s 9p")]
    result = ended(start("changsha"), called, shown(1, SMALL, "4s", drawn=True))
    assert result.total == BIG_OF_1


def test_two_winners_are_paid_by_the_discarder_and_agree_who_deals() -> None:
    result = ended(
        start("changsha"),
        ROUND[:3],
        discards(3, "4s"),
        shown(1, SMALL, "4s", drawn=False),
        shown(0, SMALL, "4s", drawn=False),
    )
    assert (result.total, result.winners) == ((2, 1, 0, -3), (0, 1))
    assert (result.dealer_next, settled_event(result).dealer_next) == ((0, 1), None)


def test_only_the_nearest_wins_where_one_alone_may() -> None:
    result = ended(
        start("changsha", multiple_winners="closest"),
        ROUND[:3],
        discards(3, "4s"),
        shown(1, SMALL, "4s", drawn=False),
        shown(0, SMALL, "4s", drawn=False),
    )
    assert (result.total, result.winners, result.verdicts[1].valid) == ((2, 0, 0, -2), (0,), True)


def test_a_dealt_hand_is_paid_whoever_wins_or_if_nobody_does() -> None:
    joys = StartingHandShown(1, parse_tiles("1111m 234p 567s 25m 8p"))
    won = ended(start("changsha"), joys, ROUND, ROUND[:1], shown(1, SMALL, "4s", drawn=True))
    drawn = ended(start("changsha"), joys, ROUND)
    assert (won.opening, won.wins) == ((-2, 4, -1, -1), (-2, 4, -1, -1))
    assert won.total == (-4, 8, -2, -2)
    assert (drawn.total, exhausted_event(drawn).transfers) == ((-2, 4, -1, -1),) * 2


def test_a_dealt_hand_shown_again_takes_the_place_of_what_was_read() -> None:
    joys = StartingHandShown(1, parse_tiles("1111m 234p 567s 25m 8p"))
    nothing = StartingHandShown(1, parse_tiles("1112m 234p 567s 25m 8p"))
    assert ended(start("changsha"), joys, nothing, ROUND).opening == NO_POINTS


def test_an_unread_dealt_hand_leaves_the_end_open() -> None:
    state = told(start("changsha"), StartingHandShown(1, parse_tiles("111m ? 234p 567s 25m 8p")))
    assert not end_of_hand(state).final


def test_who_drew_the_last_tile_deals_after_a_draw() -> None:
    assert ended(start("changsha", left=3), ROUND).dealer_next == (3,)


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


def test_a_penalty_is_moved_once_and_is_no_part_of_the_settlement() -> None:
    state = told(start("wanzhou"), Penalised((3, -1, -1, -1), Words("", "")), ADDED_BY_1)
    settled = apply(state, exhausted_event(end_of_hand(state)))
    assert settled.scores == (2, 2, -2, -2)
