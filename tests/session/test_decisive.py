"""A declared hand that cannot be seen is asked about at once, and one tap goes on."""

import pytest

from bench.live.evening import Clock
from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import Key, KeyPressed, WallReady
from table_assist.game.doubt import PATIENCE_S
from table_assist.record.commands import Answer
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import Session
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zones import Zone, ZoneKind

HAND = Zone(ZoneKind.HAND, 0)


@pytest.fixture
def table() -> tuple[Session, Record, Clock]:
    clock = Clock()
    record = Record(None, clock)
    profile = plain_profile(find_rules("changsha"))
    session = Session(profile, ("Ann", "Bo", "Chen", "Du"), record, now=clock)
    for content in (WallReady(), BoardDice(0, (1, 2))):
        session.process(BoardSignal(content, lambda: None))
    return session, record, clock


def win(session: Session) -> None:
    session.process(BoardSignal(KeyPressed(0, Key.WIN), lambda: None))


def see(session: Session, clock: Clock, t: float, *why: WhyUnseen, zone: Zone = HAND) -> None:
    clock.t = t
    gone = tuple(OccludedZone(zone, 0.0, each) for each in why)
    session.process(Observation(t, (), unavailable=gone))


def open_questions(record: Record) -> list[str]:
    return [question.text.en for question in record.state.questions]


@pytest.mark.parametrize("why", [WhyUnseen.HIDDEN, WhyUnseen.GLARE, WhyUnseen.MOTION])
def test_people_are_asked_after_a_persons_patience_in_both_languages(table, why: WhyUnseen) -> None:  # type: ignore[no-untyped-def]
    session, record, clock = table
    win(session)
    see(session, clock, 10.0, why)
    see(session, clock, 10.0 + PATIENCE_S - 0.1, why)
    assert open_questions(record) == []
    see(session, clock, 10.0 + PATIENCE_S, why)
    (question,) = record.state.questions
    assert question.text.en == "The hand of {0} cannot be seen. Does something lie on it?"
    assert question.text.zh == "看不到 {0} 的手牌。上面有东西挡着吗？"
    assert question.choices == ("yes", "no")


def test_nothing_lies_there_is_one_tap_and_the_eyes_go_on(table) -> None:  # type: ignore[no-untyped-def]
    session, record, clock = table
    win(session)
    for t in (10.0, 15.0):
        see(session, clock, t, WhyUnseen.HIDDEN)
    (question,) = record.state.questions
    session.put_command(Answer(question.question, "no"), "Ann")
    session.drain()
    assert session.attention == Attention(frozenset({HAND}), frozenset({HAND}))
    assert open_questions(record) == []
    see(session, clock, 16.0, WhyUnseen.HIDDEN)
    see(session, clock, 26.0, WhyUnseen.HIDDEN)
    assert open_questions(record) == [], "it is not asked twice"


def test_another_seats_hand_and_a_covered_lens_are_not_asked_about(table) -> None:  # type: ignore[no-untyped-def]
    session, record, clock = table
    win(session)
    for t in (10.0, 20.0):
        see(session, clock, t, WhyUnseen.HIDDEN, zone=Zone(ZoneKind.HAND, 1))
    for t in (21.0, 31.0):
        see(session, clock, t, WhyUnseen.COVERED)
    assert open_questions(record) == []
