"""A drawn hand at which points move by what a player told is settled by those who pay for it."""

from firmware_bridge.events import Dome
from table_assist.contract.commands import Answer, StartHand, TellOpening
from table_assist.game.events import Discarded, Drew
from table_assist.game.people import giver
from table_assist.record.log import Source
from table_assist.rules.registry import find_rules
from table_assist.session.played_out import is_played_out
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.plain_session import hear, record, session

DEALT = parse_tiles("1111m333m9999p777p")


def test_a_dealt_hand_that_its_owner_told_is_paid_when_all_payers_say_so() -> None:
    table = session(find_rules("changsha"))
    assert table._handler.execute(StartHand(0)) is None
    assert table._handler.execute(TellOpening(0, DEALT), giver("Cheat", 0, "c4ea7")) is None
    log = record(table)
    while not is_played_out(log.state):
        turn = log.state.turn
        log.append(Drew(turn), Source.CAMERA)
        log.append(Discarded(turn, Tile.UNKNOWN), Source.CAMERA)
    hear(table, Dome(True))
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
