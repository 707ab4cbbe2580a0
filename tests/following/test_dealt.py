"""From the dice to the first discard: throws, flowers, eggs, hands that are shown."""

from table_assist.game.events import BonusLaid, DiceRolled, HandStarted, Throw
from table_assist.record.commands import StartHand
from table_assist.record.log import Source
from table_assist.record.snapshot import SourceHealth
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.dice import SeenDie
from tests.stages.seen_play import Table, flowers


def test_dice_that_only_the_camera_sees_are_thrown_when_they_have_moved() -> None:
    table = Table("wanzhou")
    table.session.process(SourceHealth("board", "none"))
    table.look(dice=(SeenDie(5, -30, 10),))
    table.say(StartHand(0))
    for _ in range(6):
        table.look(dice=(SeenDie(5, -30, 10),))
    assert table.last(DiceRolled) is None  # it has lain there since before
    for _ in range(6):
        table.look(dice=(SeenDie(5, -30, 50),))
    assert table.last(DiceRolled) == DiceRolled(0, (5,), Throw.EXCHANGE)
    assert table.record.entries[-1].source is Source.CAMERA


def test_a_flower_that_is_read_later_is_filled_in_unasked() -> None:
    table = Table("classical")
    table.put(HandStarted(1, "classical", 0, 55), BonusLaid(2, parse_tiles("1f")))
    table.put(BonusLaid(2, (Tile.UNKNOWN,)))
    table.look(flowers(2, "1f3q4q"))
    assert table.state.seats[2].bonus == parse_tiles("1f3q4q")
    laid = [event for _, event in table.record.counting if isinstance(event, BonusLaid)]
    assert laid == [BonusLaid(2, parse_tiles(each)) for each in ("1f", "3q", "4q")]
    assert table.asked == []
