"""A drawn hand at which points move by what a player told is settled by those who pay for it."""

import pytest

from firmware_bridge.events import Dome
from table_assist.contract.commands import Answer, StartHand, TellOpening
from table_assist.game.events import Discarded, Drew, Event, HandShown, ReadyDeclared, WinDeclared
from table_assist.game.people import giver
from table_assist.record.log import Source
from table_assist.rules.registry import find_rules
from table_assist.session.told import is_played_out, rests_on_told
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.observation import Observation
from tests.following.test_infer import shown
from tests.stages.plain_session import hear, record, session

DEALT = parse_tiles("1111m333m9999p777p")


@pytest.mark.parametrize("lying", ["", "1111m333m9999p77p9s", "1111m333m9999p777p"])
def test_a_dealt_hand_that_its_owner_told_is_paid_when_it_is_seen_or_all_payers_say_so(
    lying: str,
) -> None:
    table = session(find_rules("changsha"))
    assert table._handler.execute(StartHand(0)) is None
    assert table._handler.execute(TellOpening(0, DEALT), giver("Cheat", 0, "c4ea7")) is None
    table.process(Observation(0.0, tuple(shown(0, lying))))
    log = record(table)
    while not is_played_out(log.state):
        turn = log.state.turn
        log.append(Drew(turn), Source.CAMERA)
        log.append(Discarded(turn, Tile.UNKNOWN), Source.CAMERA)
    hear(table, Dome(True))
    if parse_tiles(lying) == DEALT:
        assert log.state.scores[0] > 0
        return
    assert log.state.scores == (0, 0, 0, 0)
    (asked,) = [each for each in log.state.questions if each.question.subject == "told"]
    for seat in (0, 1, 2):
        assert (
            table._handler.execute(Answer(asked.question, "yes", seat), giver("x", seat, "a"))
            is None
        )
        assert log.state.scores == (0, 0, 0, 0)
    assert table._handler.execute(Answer(asked.question, "yes", 3), giver("x", 3, "a")) is None
    assert log.state.scores[0] > 0


@pytest.mark.parametrize("is_late", [False, True])
def test_ready_after_the_tile_that_is_won_with_is_paid_when_all_payers_say_so(
    is_late: bool,
) -> None:
    table = session(find_rules("wanzhou"))
    assert table._handler.execute(StartHand(0)) is None
    log = record(table)
    last: list[Event] = [ReadyDeclared(1), Discarded(0, Tile.S5)]
    events: list[Event] = [
        *(Discarded(seat, Tile.M9) for seat in range(4)),
        *last[:: -1 if is_late else 1],
    ]
    won = HandShown(1, parse_tiles("123456789m11p555s"), Tile.S5, self_drawn=False)
    for event in (*events, WinDeclared(1), won):
        log.append(event, Source.CAMERA)
    assert rests_on_told(log, is_followed=True) is is_late
