"""Each answer does what its button says: one that the desk must follow leaves the question open."""

import pytest

from firmware_bridge.events import Key, KeyPressed
from table_assist.contract.commands import Answer
from table_assist.game.doubt import Doubt
from table_assist.game.events import Discarded, HandStarted
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.languages.words import Words
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.command_handler import CommandHandler
from table_assist.session.session import Session
from table_assist.tiles.tile import Tile
from tests.session.test_command_handler import do, handler, started
from tests.stages.evenings import NAMES
from tests.stages.plain_session import command, hear, record


@pytest.mark.parametrize("kind", [QuestionKind.COUNT, QuestionKind.MELD, QuestionKind.CHANGED])
def test_what_the_desk_must_put_right_stays_asked(kind: QuestionKind) -> None:
    at: CommandHandler = handler(find_rules("changsha"), started(), Discarded(0, Tile.M1))
    question = QuestionId(1, kind, 1, subject="1m")
    at.ask(Doubt(question, Words("Is it right?", "对吗？"), ("yes", "no"), blocks=True))
    open_answer = "yes" if kind is QuestionKind.COUNT else "no"
    assert "stays open" in do(at, Answer(question, open_answer))
    assert [each.question for each in at.record.state.questions] == [question]
    assert do(at, Answer(question, "no" if open_answer == "yes" else "yes")) == ""
    assert at.record.state.questions == ()


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_ready_that_does_not_stand_is_taken_off_the_record(answer: str) -> None:
    rules = find_rules("changchun")
    table = Session(plain_profile(rules), NAMES, Record(None, lambda: 1.0), now=lambda: 1.0)
    for event in (HandStarted(1, "changchun", 0, 83), Discarded(0, Tile.M1)):
        record(table).append(event, Source.CAMERA)
    hear(table, KeyPressed(0, Key.READY))
    (asked,) = table.snapshot.state.questions
    assert table.snapshot.state.seats[0].ready, "it counts until it is refused"
    assert command(table, Answer(asked.question, answer)) is None
    assert table.snapshot.state.seats[0].ready is (answer == "yes")
    assert table.snapshot.state.questions == ()
