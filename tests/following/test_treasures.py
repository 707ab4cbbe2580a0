"""The turned tile and the treasure, as the camera comes to see them."""

from firmware_bridge.events import DiceReport as BoardDice
from table_assist.following.indicators import stack_mm
from table_assist.game.events import (
    DealerChosen,
    IndicatorTurned,
    WallBuilt,
)
from table_assist.tiles.tile import Tile, parse_tile
from table_assist.vision.table.observation import SeenTile
from tests.following.test_infer import tile
from tests.stages.seen_play import Table

# -- the wall --------------------------------------------------------------------------------------


def in_wall(face: str, seat: int = 0, stack: int = 3) -> list[SeenTile]:
    x, y = stack_mm((17, 17, 17, 17), seat, stack)
    return [tile(parse_tile(face), x, -y, 0)]


def standing(stacks: int) -> list[SeenTile]:
    return [back for n in range(stacks) for back in in_wall("#", n // 14, 1 + n % 14)]


def test_an_unread_turned_tile_is_filled_in_and_asked_about_only_once_a_win_rests_on_it() -> None:
    table = Table("tianjin")
    table.put(DealerChosen(0), WallBuilt())
    table.hear(BoardDice(0, (2, 3)), BoardDice(0, (2, 2)))
    table.look(in_wall("?"))
    assert table.last(IndicatorTurned) == IndicatorTurned(Tile.UNKNOWN, 4)
    assert table.asked == []
    table.look(in_wall("4p"))
    assert table.last(IndicatorTurned) == IndicatorTurned(Tile.P4, 4)
    assert table.asked == []
