"""Changchun > Running Out of Treasure: who may throw again, and what a throw means (CC-32)."""

from dataclasses import replace

import pytest

from table_assist.game.events import (
    Claimed,
    DealerChosen,
    DiceRolled,
    Discarded,
    Drew,
    Event,
    HandStarted,
    IndicatorTurned,
    ReadyDeclared,
    Throw,
    WallBuilt,
)
from table_assist.game.fold import replay
from table_assist.game.outcome import end_of_hand
from table_assist.game.question import QuestionKind
from table_assist.game.state import TableState
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.signals import read_dice
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles

CHANGCHUN = find_rules("changchun")
PROFILE = plain_profile(CHANGCHUN)


def ready_at(*discards: tuple[int, str], wall: int = 69) -> TableState:
    """Seat 1 is ready, the treasure is East; then these tiles were drawn for and discarded."""
    events: list[Event] = [
        DealerChosen(0),
        WallBuilt(),
        DiceRolled(0, (3, 4), Throw.BREAK),
        HandStarted(1, "changchun", 0, wall, dead=14),
        Discarded(0, Tile.P5),
        Claimed(1, MeldKind.PUNG, parse_tiles("555p"), 0),
        ReadyDeclared(1),
        Discarded(1, Tile.EAST),
        DiceRolled(1, (2, 3), Throw.INDICATOR),
        IndicatorTurned(Tile.NORTH, 5),
    ]
    for seat, tile in discards:
        events += [Drew(seat), Discarded(seat, parse_tile(tile))]
    return replay(events)


def test_a_treasure_that_nobody_told_is_followed_by_another_without_a_question() -> None:
    state = replace(ready_at((2, "E"), (3, "E"), (0, "2s")), treasures=())
    signal = read_dice(state, 1, (1, 1), PROFILE)
    assert [type(event) for event in signal.events] == [DiceRolled, IndicatorTurned]
    assert signal.doubts == ()
    assert end_of_hand(replay(signal.events, state)).final


def test_what_is_asked_does_not_tell_how_many_treasures_lie_open() -> None:
    three, two = (ready_at((2, "E"), (3, tile), (0, "2s")) for tile in ("E", "9p"))
    assert read_dice(three, 1, (1, 1), PROFILE) == read_dice(two, 1, (1, 1), PROFILE)


@pytest.mark.parametrize("third", ["E", "9p"])
def test_another_throw_of_the_first_ready_player_is_asked_about(third: str) -> None:
    state = ready_at((2, "E"), (3, third), (0, "2s"))
    signal = read_dice(state, 1, (1, 1), PROFILE)
    (rolled,) = signal.events
    assert rolled == DiceRolled(1, (1, 1))
    assert replay(signal.events, state).treasures == (Tile.EAST,)
    (doubt,) = signal.doubts
    assert doubt.question.kind is QuestionKind.SEEK
    assert doubt.blocks  # the old treasure is not settled with while this is open
    assert doubt.if_yes == DiceRolled(1, (1, 1), Throw.INDICATOR)
    assert replay([doubt.if_yes], state).treasures == ()
    assert "East" not in doubt.text.en


def test_a_throw_of_anybody_else_is_only_kept() -> None:
    state = ready_at((2, "E"), (3, "E"), (0, "2s"))
    signal = read_dice(state, 2, (1, 1), PROFILE)
    assert signal.events == (DiceRolled(2, (1, 1)),)
    assert signal.doubts == ()


def test_with_four_tiles_left_no_throw_names_a_treasure() -> None:
    state = ready_at((2, "E"), (3, "E"), (0, "2s"), wall=7)
    assert state.wall_left == 4
    assert read_dice(state, 1, (1, 1), PROFILE).events == (DiceRolled(1, (1, 1)),)
