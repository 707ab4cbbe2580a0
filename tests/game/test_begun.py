"""A game begins from points that are agreed, and ends where it was agreed to end."""

from functools import reduce

import pytest

from table_assist.game.course import next_step
from table_assist.game.events import DealerChosen, Event, GameBegun, HandStarted, Settled, WallBuilt
from table_assist.game.fold import replay
from table_assist.game.state import TableState
from table_assist.game.step import Act
from table_assist.record.commands import BeginGame, StartHand, Undo
from table_assist.record.course import skim
from table_assist.record.export import played_hands
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.command_handler import CommandHandler
from table_assist.tiles.tile import Tile

NAMES = ("Ada", "Ben", "Cleo", "Dan")
DEALT = 55  # tiles of the wall left after a deal; no test here draws


def hand(number: int, *moved: int, dealer: int = 0) -> tuple[Event, ...]:
    """A hand that moves these points and ends with the same dealer."""
    a, b, c, d = moved
    started = HandStarted(number, "changsha", dealer, DEALT)
    return (WallBuilt(), started, Settled((0,), (a, b, c, d), dealer))


def handler() -> CommandHandler:
    return CommandHandler(plain_profile(find_rules("changsha")), NAMES, Record(None, lambda: 0.0))


def test_the_next_game_begins_anew_but_counts_hands_on() -> None:
    first = (GameBegun(50, length=1), *hand(1, 30, -10, -10, -10, dealer=2))
    state = replay((*first, GameBegun(50, length=1)))
    assert state.scores == (50, 50, 50, 50)
    assert not state.game_over
    assert (state.dealer_next, state.prevailing_next) == (None, Tile.EAST)
    assert next_step(find_rules("wanzhou"), state).act is Act.ROLL_FOR_DEALER
    dealt = replay((DealerChosen(2), WallBuilt(), HandStarted(2, "changsha", 2, DEALT)), state)
    assert (dealt.hand, dealt.streak) == (2, 1)


def test_who_deals_first_may_be_said_before_the_points_are() -> None:
    assert replay((DealerChosen(3), GameBegun(100))).dealer_next == 3


def test_skimming_hands_that_are_over_keeps_the_game() -> None:
    events = (
        GameBegun(20, floor=-5, length=4),
        *hand(1, 6, -2, -2, -2),
        WallBuilt(),
        HandStarted(2, "changsha", 0, DEALT),
    )
    assert reduce(skim, events, TableState()) == replay(events)


def test_the_history_says_what_a_games_first_hand_began_with() -> None:
    record = Record(None, lambda: 0.0)
    events = (
        GameBegun(100),
        *hand(1, 30, -10, -10, -10),
        *hand(2, -3, 1, 1, 1),
        GameBegun(50),
        *hand(3, 0, 0, 0, 0),
    )
    for event in events:
        record.append(event, Source.PERSON)
    hands = played_hands(record.entries)
    assert [each.begun_with for each in hands] == [100, None, 50]
    assert [each.scores for each in hands][1:] == [(127, 91, 91, 91), (50, 50, 50, 50)]
    assert all(each.penalties == (0, 0, 0, 0) for each in hands)


def test_a_person_begins_a_game_between_hands_alone_and_takes_it_back() -> None:
    at = handler()
    assert at.execute(BeginGame(100, 0, 8), "Ada, scorer") is None
    assert at.record.state.scores == (100, 100, 100, 100)
    assert at.record.entries[-1].event == GameBegun(100, 0, 8)
    assert at.record.entries[-1].by == "Ada, scorer"
    assert at.execute(Undo(at.record.seq)) is None
    assert at.record.state.scores == (0, 0, 0, 0)
    assert at.execute(StartHand(0)) is None
    assert "between two hands" in str(at.execute(BeginGame(100)))


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (BeginGame(-1), "cannot be"),
        (BeginGame(0, None, -1), "cannot be"),
        (BeginGame(100, 101), "above"),
    ],
)
def test_a_game_that_makes_no_sense_is_refused(command: BeginGame, why: str) -> None:
    at = handler()
    assert why in str(at.execute(command))
    assert at.record.entries == []
