"""The eyes are told when all tiles stand in the wall, and only while that is certain."""

from dataclasses import replace

import pytest

from bench.live.evening import Clock
from firmware_bridge.events import DiceReport, WallReady
from table_assist.game.question import QuestionKind
from table_assist.record.commands import StartHand
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.from_board import BoardSignal
from table_assist.session.from_camera import BUILT_S, THROWN_S
from table_assist.session.session import Session
from table_assist.vision.table.observation import Observation
from tests.following.test_infer import river


@pytest.fixture
def table() -> tuple[Session, Clock]:
    clock = Clock(100.0)
    profile = plain_profile(find_rules("changsha"))
    session = Session(profile, ("Ann", "Bo", "Chen", "Du"), Record(None, clock), now=clock)
    return session, clock


def is_undealt(session: Session, clock: Clock, t: float) -> bool:
    clock.t = t
    session.process(Observation(t, ()))
    return session.attention.is_undealt


def say(session: Session, *said: WallReady | DiceReport) -> None:
    for content in said:
        session.process(BoardSignal(content, lambda: None))


def test_a_wall_that_was_built_a_moment_ago_is_undealt(table: tuple[Session, Clock]) -> None:
    session, clock = table
    assert not is_undealt(session, clock, 100.0)
    say(session, WallReady())
    assert is_undealt(session, clock, 100.5)
    assert is_undealt(session, clock, 99.9 + BUILT_S)
    assert not is_undealt(session, clock, 100.1 + BUILT_S)


def test_once_the_dice_have_broken_it_tiles_are_soon_dealt(table: tuple[Session, Clock]) -> None:
    session, clock = table
    say(session, WallReady(), DiceReport(0, (1, 2)))
    assert session.snapshot.state.is_running
    assert is_undealt(session, clock, 100.5)
    assert not is_undealt(session, clock, 100.1 + THROWN_S)


def test_a_hand_that_people_start_may_have_been_dealt_long_ago(
    table: tuple[Session, Clock],
) -> None:
    """What was seen to lie there before is no clutter, and must not count as the cloth.

    Before whom it was discarded is asked of what lies between two rivers.
    """
    session, clock = table
    lying = tuple(replace(each, id=1) for each in river(0, "1m 2m 3m 4m", pictures=20))
    lying = (replace(lying[0], is_between=True), *lying[1:])
    session.process(Observation(99.0, lying))
    session.put_command(StartHand(0), "the people at the table")
    session.drain()
    session.process(Observation(100.1, lying))
    assert len(session.snapshot.state.seats[0].river) == 4
    assert [each.question.kind for each in session.snapshot.state.questions] == [
        QuestionKind.IRREGULAR
    ]
    assert not is_undealt(session, clock, 100.2)
