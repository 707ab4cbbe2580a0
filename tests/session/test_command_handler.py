"""What people say at the table: stakes, dealers, treasures, settlements, ready."""

from table_assist.contract.commands import (
    Change,
    Correct,
    DeclareReady,
    Settle,
    TellTreasure,
    Undo,
)
from table_assist.game.doubt import Doubt
from table_assist.game.events import (
    DiceRolled,
    Discarded,
    Event,
    IndicatorTurned,
    ReadyDeclared,
    Settled,
    Throw,
    WallBuilt,
    WinDeclared,
)
from table_assist.game.question import QuestionId
from table_assist.languages.words import Words
from table_assist.record.log import Entry, Source
from table_assist.rules.registry import find_rules
from table_assist.session.command_handler import CommandHandler
from table_assist.session.preview import preview
from table_assist.tiles.tile import Tile
from tests.stages.told import (
    BO_WINS,
    CHANGSHA,
    EVE,
    HAND,
    do,
    earlier_hand,
    handler,
    see,
    seq_of,
    started,
)

# -- what only people know -------------------------------------------------------------------------


def changchun(*events: Event) -> CommandHandler:
    first = started("changchun", wall_left=83)
    return handler(find_rules("changchun"), WallBuilt(), first, Discarded(0, Tile.M1), *events)


def test_the_treasure_is_told_by_who_is_ready_and_named_to_nobody() -> None:
    at = changchun(ReadyDeclared(1), DiceRolled(1, (2, 3), Throw.INDICATOR))
    refused = {do(at, TellTreasure(seat, Tile.M5)) for seat in (0, 2, 3, 7)}
    assert refused == {"only who has declared ready may look at the treasure"}
    assert do(at, TellTreasure(1, Tile.M5)) == ""
    assert at.record.state.indicators == (IndicatorTurned(Tile.M5, 5),)
    see(at, Discarded(1, Tile.M9), ReadyDeclared(2))
    assert do(at, TellTreasure(2, Tile.M5)) == ""
    assert at.record.state.questions == ()
    assert do(at, TellTreasure(2, Tile.M6)) == ""
    (question,) = at.record.state.questions
    assert question.blocks
    assert "5m" not in (question.text.en + question.text.zh)
    assert "6m" not in (question.text.en + question.text.zh)
    assert at.record.state.indicators == (IndicatorTurned(Tile.M5, 5),)


# -- settling --------------------------------------------------------------------------------------


def test_settle_accepts_what_is_shown_and_says_why_when_nothing_can_be() -> None:
    at = handler(CHANGSHA, *HAND[:4])
    assert do(at, Settle()) == "no hand is shown that could be settled"
    see(at, *HAND[4:6])
    assert "cannot be settled yet" in do(at, Settle())
    see(at, HAND[6])
    assert do(at, Settle()) == ""
    assert at.record.state.scores == BO_WINS
    assert at.record.entries[-1].by == EVE


def test_a_question_about_an_entry_that_was_taken_back_is_withdrawn() -> None:
    at = handler(CHANGSHA, *HAND[:2], Discarded(0, Tile.UNKNOWN))
    at.ask(
        Doubt(QuestionId.parse("hand-1-unread-3"), Words("What?", "什么？"), ("7s", "9s"), about=3)
    )
    assert len(at.record.state.questions) == 1
    assert do(at, Undo(3)) == ""
    assert at.record.state.questions == ()


def test_who_corrects_an_entry_has_answered_what_was_asked_about_it() -> None:
    at = handler(CHANGSHA, *HAND[:2], Discarded(0, Tile.UNKNOWN))
    at.ask(
        Doubt(QuestionId.parse("hand-1-unread-3"), Words("What?", "什么？"), ("7s", "9s"), about=3)
    )
    assert do(at, Correct(3, Discarded(0, Tile.S7))) == ""
    assert at.record.state.questions == ()
    assert do(at, Undo(at.record.seq - 1)) == ""
    assert len(at.record.state.questions) == 1


def test_a_correction_in_two_hands_at_once_flags_who_would_have_dealt() -> None:
    """By the corrected settlement another deals: the hand was dealt by whom it was dealt."""
    at = earlier_hand()
    change = preview(at, Correct(seq_of(at, Settled), Settled((2,), (0, -5, 5, 0), 2)))
    assert isinstance(change, Change)
    told = "After hand 1 Chen would have dealt; Bo did, and that stays."
    assert told in [words.en for words in change.sentences]
    assert at.record.state.dealer == 1


def test_entries_say_who_gave_the_command() -> None:
    at = handler(CHANGSHA, *HAND[:3])
    do(at, Correct(3, Discarded(0, Tile.M2)), by="Bo (seat 1)")
    entry = at.record.entries[-1]
    assert isinstance(entry, Entry)
    assert (entry.by, entry.source) == ("Bo (seat 1)", Source.PERSON)


def test_ready_is_declared_in_play_once_and_where_the_rules_have_it() -> None:
    at = changchun()
    assert do(at, DeclareReady(1)) == ""
    assert at.record.entries[-1].event == ReadyDeclared(1)
    assert at.record.entries[-1].source is Source.PERSON
    assert do(at, DeclareReady(1)) == "Bo has declared already: Ready"
    assert do(at, Undo(at.record.seq)) == ""
    assert do(at, DeclareReady(1)) == ""
    see(at, WinDeclared(2))
    assert "no hand is being played" in do(at, DeclareReady(3))
    assert "no hand is being played" in do(handler(CHANGSHA), DeclareReady(0))
    assert "nobody declares ready" in do(handler(CHANGSHA, *HAND[:3]), DeclareReady(0))
