"""Eggs that people told when they were laid: what became of them since is asked (CC-47)."""

from dataclasses import replace

import pytest

from table_assist.game.events import HandTold
from table_assist.game.question import QuestionKind
from table_assist.record.commands import Answer, Settle, TellDraw, TellHand
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.command_handler import CommandHandler
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.evenings import NAMES

EGG = HandTold(2, (), melds=(Meld(MeldKind.LUCKY_EGG, parse_tiles("1m1p1s"), parse_tiles("1p")),))
WIN = HandTold(1, parse_tiles("123m99m234s123p555p"), winning_tile=Tile.P5, wall_left=30)
BROKEN = replace(EGG, melds=(Meld(MeldKind.LUCKY_EGG, parse_tiles("1m1p1s")),), broken=(0,))


def table(*tellings: HandTold) -> CommandHandler:
    handler = CommandHandler(
        plain_profile(find_rules("changchun")), NAMES, Record(None, lambda: 0.0)
    )
    for hand in tellings:
        say(handler, TellHand(hand, dealer=0))
    return handler


def say(handler: CommandHandler, command: TellHand | TellDraw | Settle | Answer) -> None:
    assert handler.execute(command) is None
    handler.conclude()


def asked(handler: CommandHandler, kind: QuestionKind) -> list[str]:
    return [each.text.en for each in handler.record.state.questions if each.question.kind is kind]


def test_whether_an_egg_still_lies_as_it_was_told_before_the_win_is_asked() -> None:
    handler = table(EGG, WIN)
    (text,) = asked(handler, QuestionKind.OPEN)
    assert "1p 1s 1p of {2} was told earlier" in text.replace("1m ", "")
    assert handler.outcome.settled is None
    say(handler, Settle())
    assert handler.record.state.last_transfers[2] == 6 - 8  # the egg, and the hand


@pytest.mark.parametrize("tellings", [(WIN, EGG), (BROKEN, WIN)])
def test_an_egg_told_after_the_win_and_one_that_earns_nothing_are_not_asked_about(
    tellings: tuple[HandTold, ...],
) -> None:
    handler = table(*tellings)
    assert asked(handler, QuestionKind.OPEN) == []
    assert handler.outcome.settled is not None
