"""What people say at the table: stakes, dealers, treasures, settlements, ready."""

from table_assist.game.events import (
    DiceRolled,
    Discarded,
    Event,
    IndicatorTurned,
    ReadyDeclared,
    Settled,
    Throw,
    WallBuilt,
)
from table_assist.record.commands import Change, Correct, TellTreasure
from table_assist.rules.registry import find_rules
from table_assist.session.command_handler import CommandHandler
from table_assist.session.preview import preview
from table_assist.tiles.tile import Tile
from tests.stages.told import do, earlier_hand, handler, see, seq_of, started


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


def test_a_correction_in_two_hands_at_once_flags_who_would_have_dealt() -> None:
    """By the corrected settlement another deals: the hand was dealt by whom it was dealt."""
    at = earlier_hand()
    change = preview(at, Correct(seq_of(at, Settled), Settled((2,), (0, -5, 5, 0), 2)))
    assert isinstance(change, Change)
    told = "After hand 1 Chen would have dealt; Bo did, and that stays."
    assert told in [words.en for words in change.sentences]
    assert at.record.state.dealer == 1
