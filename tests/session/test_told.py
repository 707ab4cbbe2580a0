"""A drawn hand at which points move by what a player told is settled by those who pay for it."""

import pytest

from table_assist.game.events import Discarded, Event, HandShown, ReadyDeclared, WinDeclared
from table_assist.record.commands import StartHand
from table_assist.record.log import Source
from table_assist.rules.registry import find_rules
from table_assist.session.told import rests_on_told
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.plain_session import record, session


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
