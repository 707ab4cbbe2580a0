"""A recorded hand followed again by the very session that follows a table, without pictures."""

import time
from dataclasses import dataclass

from bench.live.evening import NAMES, PEOPLE, Clock
from table_assist.capture.sightings.moments import Heard, Looked, RecordedHand, Said
from table_assist.game.events import Event
from table_assist.record.log import Entry
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import Session
from table_assist.twin.demo.compare import HandFigures, compare


@dataclass(frozen=True, slots=True)
class FollowedHand:
    """A hand's result this time.

    Attributes:
        events: those that count in the end.
        look_ms: of one core that each look took to follow.
    """

    figures: HandFigures
    entries: tuple[Entry, ...]
    events: tuple[Event, ...]
    look_ms: tuple[float, ...]


def follow_again(hand: RecordedHand) -> FollowedHand:
    """Let everything come to a new session again, on a clock of its own."""
    about, clock = hand.about, Clock()
    rules = find_rules(about.rules)
    record = Record(None, clock)
    session = Session(plain_profile(rules), NAMES, record, now=clock, heap=about.heap)
    look_ms = []
    for moment in hand.moments:
        clock.t = moment.t
        match moment:
            case Looked(observation=observation):
                began = time.process_time_ns()
                session.process(observation)
                look_ms.append((time.process_time_ns() - began) / 1e6)
            case Heard(_, content, origin):
                session.process(BoardSignal(content, origin))
            case Said(_, command, by):
                session.put_command(command, by or PEOPLE)
                session.drain()
    figures = compare(about.rules, about.seed, about.hand, hand.truth, record, 0)
    counting = tuple(event for _, event in record.counting)
    return FollowedHand(figures, tuple(record.entries), counting, tuple(look_ms))
