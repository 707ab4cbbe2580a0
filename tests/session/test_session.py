"""The one writer: signals, pictures and people become a record; nothing is silently wrong."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import WallReady
from firmware_bridge.receiver import EventsLost
from table_assist.contract.commands import Answer, DeclareWin, EndHand, StartHand, Undo
from table_assist.contract.snapshot import SourceHealth
from table_assist.game.events import (
    Answered,
    Asked,
    BoardSaid,
    Discarded,
    HandShown,
    HandStarted,
    Settled,
)
from table_assist.game.question import QuestionId
from table_assist.game.state import Phase
from table_assist.languages.words import Words
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.store import Store
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.twin.scene import Scene
from table_assist.vision.table.observation import Observation
from tests.following.test_infer import river, shown
from tests.stages.plain_session import RULES, command, hear, record, session, shown_hand, turn_birds
from tests.stages.recorded_table import PerfectTable, evening

# -- whole evenings with perfect eyes --------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_with_perfect_eyes_the_record_is_the_truth(seed: int) -> None:
    table = PerfectTable(RULES)
    truth = []
    for step in evening(RULES, seed, hands=4):
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


# -- people ----------------------------------------------------------------------------------------


def test_answers_to_nothing_and_wrong_answers_are_refused_in_words() -> None:
    table = session()
    assert "not open" in (command(table, Answer(QuestionId.parse("no-such"), "yes")) or "")
    hear(table, EventsLost(1))
    question = table.snapshot.state.questions[0].question
    assert "not a choice" in (command(table, Answer(question, "maybe")) or "")


def test_an_answered_tile_takes_the_unknowns_place() -> None:
    table = session()
    hear(table, WallReady(), BoardDice(0, (1, 2)))
    seq = record(table).append(Discarded(0, Tile.UNKNOWN), Source.CAMERA)
    asked = Asked(QuestionId.parse("which"), Words("?", "?"), ("7s", "9s"), about=seq)
    record(table).append(asked, Source.RULES)
    assert command(table, Answer(QuestionId.parse("which"), "9s")) is None
    assert table.snapshot.state.seats[0].river == (Tile.S9,)


def test_an_entry_can_be_taken_back_once() -> None:
    table = session()
    hear(table, WallReady(), BoardDice(0, (1, 2)))
    seq = record(table).append(Discarded(0, Tile.M1), Source.CAMERA)
    assert command(table, Undo(seq)) is None
    assert table.snapshot.state.seats[0].river == ()
    assert "does not count" in (command(table, Undo(seq)) or "")
    assert "does not count" in (command(table, Undo(999)) or "")


def test_a_table_without_a_board_is_followed_by_what_people_say() -> None:
    table = session()
    assert "no hand is running" in (command(table, DeclareWin(1)) or "")
    assert command(table, StartHand(3)) is None
    state = table.snapshot.state
    assert (state.phase, state.dealer, state.wall_left) == (Phase.PLAYING, 3, 55)
    assert "still running" in (command(table, StartHand(0)) or "")
    assert command(table, DeclareWin(1)) is None
    assert "Bo has already declared" in (command(table, DeclareWin(1)) or "")
    assert table.snapshot.state.declared == (1,)
    assert command(table, EndHand()) is None
    assert table.snapshot.state.phase is Phase.SETTLED
    assert command(table, EndHand()) is not None


# -- readers ---------------------------------------------------------------------------------------


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


def test_a_question_whose_ground_is_gone_goes_away_and_pays_nothing() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 556s 88p")
    (question,) = table.snapshot.state.questions
    right = HandShown(1, parse_tiles("234m 567p 111s 555s 88p"), Tile.P8, True)
    record(table).append(right, Source.CAMERA)
    turn_birds(table, Tile.M3, Tile.M4)
    assert table.snapshot.state.questions == ()
    assert table.snapshot.state.phase is Phase.SETTLED
    assert "not open" in (command(table, Answer(question.question, "yes")) or "")


def test_an_answer_taken_back_opens_its_question_again() -> None:
    table = session()
    hear(table, EventsLost(1))
    question = table.snapshot.state.questions[0].question
    command(table, Answer(question, "yes"))
    assert table.snapshot.state.questions == ()
    assert command(table, Undo(record(table).seq)) is None
    assert [asked.question for asked in table.snapshot.state.questions] == [question]


def test_two_unread_tiles_of_a_hand_are_asked_for_one_after_the_other() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s ??", "?")
    for answer in ("8p", "8p"):
        (question,) = table.snapshot.state.questions
        assert command(table, Answer(question.question, answer)) is None
    (hand,) = table.snapshot.state.shown
    assert Tile.UNKNOWN not in (hand.winning_tile, *hand.concealed), "any won tile pays alike"
    turn_birds(table, Tile.M3, Tile.M4)
    assert table.snapshot.state.phase is Phase.SETTLED


def test_a_rejected_discard_is_asked_for_not_recorded_again() -> None:
    table = session()
    hear(table, WallReady(), BoardDice(0, (1, 2)))
    table.process(Observation(0.0, tuple(river(0, "1m"))))
    assert command(table, Undo(record(table).seq)) is None
    for _ in range(3):
        table.process(Observation(0.0, tuple(river(0, "1m"))))
    assert table.snapshot.state.seats[0].river == (Tile.UNKNOWN,)
    (question,) = table.snapshot.state.questions
    assert "What did {0} discard" in question.text.en
    assert command(table, Answer(question.question, "7m")) is None
    assert table.snapshot.state.seats[0].river == (Tile.M7,)


def test_what_a_person_corrected_the_camera_does_not_overrule() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 55s? 88p")
    (question,) = table.snapshot.state.questions
    command(table, Answer(question.question, "5s"))
    lying = [*river(0, "1m"), *shown(1, "234m 567p 111s 556s 8p", apart="8p")]
    table.process(Observation(0.0, tuple(lying)))
    (hand,) = table.snapshot.state.shown
    assert hand.concealed.count(Tile.S5) == 3
    assert ["corrected" in str(q.question) for q in table.snapshot.state.questions] == [True]


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
