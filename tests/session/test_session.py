"""The one writer: signals, pictures and people become a record; nothing is silently wrong."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from firmware_bridge.receiver import EventsLost
from table_assist.game.events import Answered, Asked, BoardSaid, Discarded, HandStarted, Settled
from table_assist.record.commands import Answer
from table_assist.record.record import Record
from table_assist.record.snapshot import SourceHealth
from table_assist.record.store import Store
from table_assist.twin.scene import Scene
from tests.stages.plain_session import RULES, hear, record, session
from tests.stages.recorded_table import PerfectTable, evening


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_with_perfect_eyes_the_record_is_the_truth(seed: int) -> None:
    table = PerfectTable(RULES)
    truth = []
    for step in evening(RULES, seed, hands=2):
        table.follow(step)
        truth += step.events
    got = [event for _, event in table.record.counting if not isinstance(event, BoardSaid)]
    assert [e for e in got if isinstance(e, Asked)] == []
    for true, recorded in zip(truth, got, strict=True):
        if isinstance(true, Settled):
            assert isinstance(recorded, Settled)
            assert (true.transfers, set(true.winners)) == (
                recorded.transfers,
                set(recorded.winners),
            )
        elif isinstance(true, HandStarted):
            assert isinstance(recorded, HandStarted)
            assert (true.hand, true.rules, true.dealer, true.wall_left) == (
                recorded.hand,
                recorded.rules,
                recorded.dealer,
                recorded.wall_left,
            )
        else:
            assert true == recorded


@pytest.mark.slow
def test_after_a_crash_at_any_step_the_hand_goes_on_where_it_was(tmp_path: Path) -> None:
    """Every step is followed by a new program that reads the log of the one before."""
    truth = []
    before = Scene()
    for step in evening(RULES, 3, hands=1):
        with Store(tmp_path / "log.sqlite") as store:
            table = PerfectTable(RULES, Record(store, lambda: 0.0))
            table.look(before)
            table.follow(step)
            truth += step.events
        before = step.scene
    settled = [e for e in truth if isinstance(e, Settled)]
    assert table.record.state.scores == (settled[0].transfers if settled else (0, 0, 0, 0))
    discards = [e for e in truth if isinstance(e, Discarded)]
    assert [e for _, e in table.record.counting if isinstance(e, Discarded)] == discards


def test_a_covered_table_is_told_as_covered() -> None:
    table = PerfectTable(RULES)
    steps = list(evening(RULES, 1, hands=1))
    table.session.process(SourceHealth("camera", "live"))
    for step in steps[:30]:
        table.follow(step)
    before = table.record.seq
    table.look(Scene(), 5)
    assert {h.name: h.status for h in table.session.snapshot.health}["camera"] == "unread"
    assert table.record.seq == before
    table.look(steps[29].scene, 3)
    assert {h.name: h.status for h in table.session.snapshot.health}["camera"] == "live"


def test_of_two_people_who_answer_at_once_one_is_heard_and_one_is_told() -> None:
    table = session()
    hear(table, EventsLost(1))
    question = table.snapshot.state.questions[0].question
    stop = threading.Event()
    writer = threading.Thread(target=table.run, args=(stop,))
    writer.start()
    with ThreadPoolExecutor(2) as people:
        replies = list(people.map(lambda _: table.submit(Answer(question, "yes")), range(2)))
    stop.set()
    writer.join()
    assert replies.count(None) == 1
    assert any("not open" in reply.en for reply in replies if reply is not None)
    answered = [event for _, event in record(table).counting if isinstance(event, Answered)]
    assert len(answered) == 1
