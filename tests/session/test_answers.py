"""Each answer does what its button says: one that the desk must follow leaves the question open."""

import pytest

from table_assist.contract.commands import Answer
from table_assist.game.doubt import Doubt
from table_assist.game.events import Discarded
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.languages.words import Words
from table_assist.rules.registry import find_rules
from table_assist.session.command_handler import CommandHandler
from table_assist.tiles.tile import Tile
from tests.session.test_command_handler import do, handler, started


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
