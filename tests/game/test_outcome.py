"""What a hand comes to, from its events to all points. The figures are counted by hand."""

import pytest

from table_assist.game.events import LastTilePassed, StartingHandShown
from table_assist.game.fold import replay
from table_assist.game.outcome import end_of_hand
from table_assist.game.rulings import after_refusal, penalty_event
from table_assist.rules.options import OptionValue
from table_assist.tiles.tile import parse_tiles
from tests.stages.ended_hands import NO_POINTS, ROUND, SMALL, discards, ended, shown, start, told

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
